//! The Metropolis-adjusted Langevin algorithm (Roberts & Tweedie 1996).
//!
//! ```text
//! θ' = θ + (ε²/2) ∇ ln π(θ) + ε ξ,   ξ ~ N(0, I)
//! accepted with probability min(1, π(θ') q(θ' → θ) / π(θ) q(θ → θ'))
//! ```

use super::Stepped;
use crate::kernel::acceptance;
use crate::{Kernel, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// Langevin proposals; the warm-up tunes ε to the acceptance of 0.574 that is best in many
/// dimensions (Roberts & Rosenthal 1998).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mala {
    /// ε at the start.
    pub step_size: f64,
}

const BEST_ACCEPTANCE: f64 = 0.574;

impl Kernel for Mala {
    type State = Stepped;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Stepped, StartError> {
        Ok(Stepped { point: Point::with_gradient(target, start)?, step_size: self.step_size })
    }

    fn step(&self, target: &mut dyn Target, state: &mut Stepped, rng: &mut Rng) -> Step {
        let Stepped { point, step_size } = state;
        let drift = 0.5 * *step_size * *step_size;
        let noise: Vec<f64> =
            point.position.iter().map(|_| rng.sample::<f64, _>(StandardNormal)).collect();
        let position: Vec<f64> = (0..noise.len())
            .map(|i| point.position[i] + drift * point.gradient[i] + *step_size * noise[i])
            .collect();
        let mut gradient = vec![0.0; noise.len()];
        let log_density = target.gradient(&position, &mut gradient);
        let forward: f64 = noise.iter().map(|xi| xi * xi).sum();
        let backward: f64 = (0..noise.len())
            .map(|i| (point.position[i] - position[i] - drift * gradient[i]) / *step_size)
            .map(|xi| xi * xi)
            .sum();
        let log_ratio = log_density - point.log_density + 0.5 * (forward - backward);
        if rng.random::<f64>().ln() < log_ratio {
            *point = Point { position, log_density, gradient };
        }
        Step { acceptance: acceptance(log_ratio), diverged: false, energy: None }
    }

    fn tune(&self, state: &mut Stepped, step: &Step, warming: Warming) {
        state.tune(step, warming.iteration, BEST_ACCEPTANCE);
    }

    fn renew(&self, target: &mut dyn Target, state: &mut Stepped) -> Result<(), StartError> {
        state.point = state.point.renewed(target)?;
        Ok(())
    }

    fn point<'s>(&self, state: &'s Stepped) -> &'s Point {
        &state.point
    }

    fn step_size(&self, state: &Stepped) -> Option<f64> {
        Some(state.step_size)
    }
}
