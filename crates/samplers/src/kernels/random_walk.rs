//! Random-walk Metropolis (Metropolis et al. 1953).
//!
//! ```text
//! θ' = θ + s ξ,  ξ ~ N(0, I),   accepted with probability min(1, π(θ')/π(θ))
//! ```
//!
//! Isotropic: seen from a frame (see `Whitened`) the proposal has the frame's shape. The best scale
//! for a Gaussian of many dimensions is s = 2.38/√d (Roberts, Gelman & Gilks 1997).

use crate::kernel::acceptance;
use crate::{Kernel, Point, StartError, Step};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A random walk of fixed scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomWalk {
    /// s.
    pub scale: f64,
}

impl RandomWalk {
    /// The scale that mixes best on a standard normal of d dimensions.
    pub fn optimal(dimension: usize) -> RandomWalk {
        RandomWalk { scale: 2.38 / (dimension as f64).sqrt() }
    }
}

impl Kernel for RandomWalk {
    type State = Point;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Point, StartError> {
        Point::at(target, start)
    }

    fn step(&self, target: &mut dyn Target, state: &mut Point, rng: &mut Rng) -> Step {
        let proposal: Vec<f64> = state
            .position
            .iter()
            .map(|x| x + self.scale * rng.sample::<f64, _>(StandardNormal))
            .collect();
        let threshold = rng.random::<f64>().ln();
        metropolis(target, state, proposal, threshold)
    }

    fn point<'s>(&self, state: &'s Point) -> &'s Point {
        state
    }
}

/// Moves to a symmetric proposal if the log ratio of the densities is above the threshold ln U.
pub(crate) fn metropolis(
    target: &mut dyn Target,
    state: &mut Point,
    proposal: Vec<f64>,
    threshold: f64,
) -> Step {
    let log_density = target.log_density(&proposal);
    let log_ratio = log_density - state.log_density;
    if threshold < log_ratio {
        *state = Point { position: proposal, log_density, gradient: Vec::new() };
    }
    Step { acceptance: acceptance(log_ratio), diverged: false, energy: None }
}
