//! Stochastic gradient Langevin dynamics (Welling & Teh 2011, equation 4).
//!
//! ```text
//! v = (ε_t/2) ĝ + √ε_t ξ,   ξ ~ N(0, I)
//! ```
//!
//! With steps that fall (½ < γ ≤ 1) the chain converges, slower and slower; averages are weighed
//! by ε_t (their equation 11). With a constant step it has a stationary law of its own. Where the
//! target is standard normal and ĝ has variance V in each coordinate that law has variance
//!
//! ```text
//! (1 + εV/4) / (1 − ε/4)
//! ```
//!
//! too wide, the more so the longer the step and the smaller the batch, V ~ N/b in units of the
//! posterior (Vollmer, Zygalakis & Teh 2016). Control variates take most of V away.

use crate::{Dynamics, StepSize};
use debias::Rng;
use rand::RngExt;
use rand_distr::StandardNormal;

/// The dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgld {
    /// ε_t.
    pub step: StepSize,
}

impl Dynamics for Sgld {
    fn accelerate(
        &self,
        step: usize,
        velocity: &mut [f64],
        gradient: &[f64],
        rng: &mut Rng,
    ) -> f64 {
        let step = self.step.at(step);
        for (v, g) in velocity.iter_mut().zip(gradient) {
            *v = 0.5 * step * g + step.sqrt() * rng.sample::<f64, _>(StandardNormal);
        }
        step
    }
}
