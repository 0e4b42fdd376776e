//! Stochastic gradient Hamiltonian Monte Carlo (Chen, Fox & Guestrin 2014, equation 15).
//!
//! ```text
//! v ← (1 − α) v + η ĝ + √(2 (α − β̂) η) ξ,   ξ ~ N(0, I)
//! ```
//!
//! Friction α takes out the energy that the noise of ĝ puts in; β̂ = ηV/2 would balance a noise of
//! variance V exactly, and what it leaves heats the chain: on a standard normal the stationary
//! variance is about 1 + (ηV/2 − β̂)/α, for η small.

use crate::Dynamics;
use debias::Rng;
use rand::RngExt;
use rand_distr::StandardNormal;

/// The dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sghmc {
    // Invariants: η positive and finite; 0 < α ≤ 1; 0 ≤ β̂ < α.
    step: f64,
    friction: f64,
    noise: f64,
}

/// Why there are no such dynamics.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("step {step}, friction {friction} and noise estimate {noise}")]
pub struct SghmcError {
    /// η, not positive.
    pub step: f64,
    /// α, outside (0, 1].
    pub friction: f64,
    /// β̂, outside [0, α).
    pub noise: f64,
}

impl Sghmc {
    /// η > 0, 0 < α ≤ 1 and 0 ≤ β̂ < α.
    pub fn new(step: f64, friction: f64, noise: f64) -> Result<Sghmc, SghmcError> {
        let good = step > 0.0
            && step.is_finite()
            && friction > 0.0
            && friction <= 1.0
            && (0.0..friction).contains(&noise);
        if good {
            Ok(Sghmc { step, friction, noise })
        } else {
            Err(SghmcError { step, friction, noise })
        }
    }
}

impl Dynamics for Sghmc {
    fn accelerate(&self, _: usize, velocity: &mut [f64], gradient: &[f64], rng: &mut Rng) -> f64 {
        let spread = (2.0 * (self.friction - self.noise) * self.step).sqrt();
        for (v, g) in velocity.iter_mut().zip(gradient) {
            *v +=
                self.step * g - self.friction * *v + spread * rng.sample::<f64, _>(StandardNormal);
        }
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_settings_are_refused_with_their_numbers() {
        for (step, friction, noise) in
            [(0.0, 0.1, 0.0), (-1.0, 0.1, 0.0), (0.1, 0.0, 0.0), (0.1, 1.5, 0.0), (0.1, 0.1, 0.1)]
        {
            let refused = SghmcError { step, friction, noise };
            assert_eq!(Sghmc::new(step, friction, noise), Err(refused));
        }
        assert!(Sghmc::new(f64::NAN, 0.1, 0.0).is_err());
    }
}
