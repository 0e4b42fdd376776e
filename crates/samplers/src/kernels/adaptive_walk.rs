//! Random-walk Metropolis that learns its shape in the warm-up.
//!
//! ```text
//! θ' = θ + s C ξ,   C Cᵀ = covariance of the warm-up so far (Haario, Saksman & Tamminen 2001),
//! ln s ← ln s + i^(−0.6) (a − 0.234)                        (Andrieu & Thoms 2008, algorithm 4)
//! ```
//!
//! After the warm-up s and C are frozen, so the draws come from an ordinary Metropolis chain.

use super::random_walk::metropolis;
use crate::{Factor, Kernel, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A random walk that starts isotropic and adapts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveWalk {
    /// The standard deviation of the first proposals, in every coordinate.
    pub first_scale: f64,
    /// Warm-up steps between two factorisations of the covariance.
    pub refresh: usize,
}

impl Default for AdaptiveWalk {
    fn default() -> AdaptiveWalk {
        AdaptiveWalk { first_scale: 0.1, refresh: 25 }
    }
}

/// The point, and the proposal as learnt so far.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct WalkState {
    point: Point,
    log_scale: f64,
    factor: Factor,
    mean: Vec<f64>,
    // Sum of squares and products about the mean; lower half.
    scatter: Vec<f64>,
    count: usize,
}

/// The acceptance rate at which a Gaussian walk in many dimensions mixes best.
const BEST_ACCEPTANCE: f64 = 0.234;

impl Kernel for AdaptiveWalk {
    type State = WalkState;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<WalkState, StartError> {
        let d = start.len();
        Ok(WalkState {
            point: Point::at(target, start)?,
            log_scale: self.first_scale.ln(),
            factor: Factor::identity(d),
            mean: vec![0.0; d],
            scatter: vec![0.0; d * d],
            count: 0,
        })
    }

    fn step(&self, target: &mut dyn Target, state: &mut WalkState, rng: &mut Rng) -> Step {
        let d = state.mean.len();
        let scale = state.log_scale.exp();
        let noise: Vec<f64> =
            (0..d).map(|_| scale * rng.sample::<f64, _>(StandardNormal)).collect();
        let mut proposal = vec![0.0; d];
        state.factor.apply(&noise, &mut proposal);
        for (proposal, x) in proposal.iter_mut().zip(&state.point.position) {
            *proposal += x;
        }
        let threshold = rng.random::<f64>().ln();
        metropolis(target, &mut state.point, proposal, threshold)
    }

    fn tune(&self, state: &mut WalkState, step: &Step, warming: Warming) {
        state.log_scale +=
            (warming.iteration as f64).powf(-0.6) * (step.acceptance - BEST_ACCEPTANCE);
        state.learn();
        let d = state.mean.len();
        if state.count >= 10 * d && state.count.is_multiple_of(self.refresh.max(1)) {
            let covariance: Vec<f64> =
                state.scatter.iter().map(|sum| sum / (state.count - 1) as f64).collect();
            // A covariance that is not yet positive definite leaves the old shape in place.
            if let Ok(factor) = Factor::of_covariance(&covariance, d) {
                let shrunk = state.factor.log_determinant() - factor.log_determinant();
                state.factor = factor;
                // The volume of the proposal stays what the acceptance rate has made it.
                state.log_scale += shrunk / d as f64;
            }
        }
    }

    fn renew(&self, target: &mut dyn Target, state: &mut WalkState) -> Result<(), StartError> {
        state.point = state.point.renewed(target)?;
        Ok(())
    }

    fn point<'s>(&self, state: &'s WalkState) -> &'s Point {
        &state.point
    }
}

impl WalkState {
    /// Welford's update of mean and scatter.
    fn learn(&mut self) {
        self.count += 1;
        let d = self.mean.len();
        let before: Vec<f64> =
            self.point.position.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        for (mean, difference) in self.mean.iter_mut().zip(&before) {
            *mean += difference / self.count as f64;
        }
        for i in 0..d {
            let after = self.point.position[i] - self.mean[i];
            for j in 0..=i {
                self.scatter[i * d + j] += after * before[j];
            }
        }
    }
}
