//! NUTS as a kernel: one transition at a time, with a state that can be kept and taken up again.
//!
//! `Nuts` hands a whole chain to nuts-rs, which owns target and generator while it runs. This kernel
//! is for what that cannot give: chains that survive an interruption, Geweke's test, a metric that
//! stays put in a frame, and targets so cheap that bookkeeping counts.

use super::trajectory;
use super::tree::grow;
use super::tree_warm_up::Learning;
use crate::{Kernel, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// The no-U-turn kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoUTurn {
    /// ε at the start; searched for at the starting point if there is none.
    pub step_size: Option<f64>,
    /// The mean acceptance over trees at which the warm-up settles ε.
    pub target_acceptance: f64,
    /// Doublings after which a trajectory ends even if it has not turned.
    pub max_depth: usize,
    /// What the warm-up does to the metric.
    pub metric: Metric,
}

/// The shape of the momenta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The identity, for targets seen from a frame that already fits.
    Unit,
    /// A scale for each coordinate, learnt in the warm-up.
    Diagonal,
}

impl Default for NoUTurn {
    fn default() -> NoUTurn {
        NoUTurn { step_size: None, target_acceptance: 0.8, max_depth: 10, metric: Metric::Diagonal }
    }
}

/// The point, and what the warm-up has learnt.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TreeState {
    point: Point,
    learning: Learning,
}

impl Kernel for NoUTurn {
    type State = TreeState;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<TreeState, StartError> {
        let point = Point::with_gradient(target, start)?;
        let step_size = self.step_size.unwrap_or_else(|| first_step_size(target, &point));
        Ok(TreeState { point, learning: Learning::new(start.len(), step_size) })
    }

    fn step(&self, target: &mut dyn Target, state: &mut TreeState, rng: &mut Rng) -> Step {
        let TreeState { point, learning } = state;
        let momentum = point.position.iter().map(|_| rng.sample(StandardNormal)).collect();
        let Learning { step_size, scales, .. } = learning;
        grow(target, point, momentum, scales, *step_size, self.max_depth, rng)
    }

    fn tune(&self, state: &mut TreeState, step: &Step, warming: Warming) {
        let TreeState { point, learning } = state;
        learning.learn(point, step.acceptance, self.target_acceptance, self.metric, warming);
    }

    fn renew(&self, target: &mut dyn Target, state: &mut TreeState) -> Result<(), StartError> {
        state.point = state.point.renewed(target)?;
        Ok(())
    }

    fn point<'s>(&self, state: &'s TreeState) -> &'s Point {
        &state.point
    }

    fn step_size(&self, state: &TreeState) -> Option<f64> {
        Some(state.learning.step_size)
    }
}

/// Halves or doubles ε until one leapfrog step crosses an acceptance of one half (Hoffman & Gelman
/// 2014, algorithm 4), with a momentum of ordinary length that owes nothing to chance.
fn first_step_size(target: &mut dyn Target, point: &Point) -> f64 {
    let mut accepts = |step_size: f64| {
        let mut momentum: Vec<f64> =
            (0..point.position.len()).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let before = 0.5 * momentum.len() as f64 - point.log_density;
        let end = trajectory(target, point, &mut momentum, step_size, 1);
        let after = 0.5 * momentum.iter().map(|p| p * p).sum::<f64>() - end.log_density;
        before - after > 0.5f64.ln()
    };
    let mut step_size = 1.0;
    let grows = accepts(step_size);
    // From 1 that reaches any scale between 1e-15 and 1e15.
    for _ in 0..50 {
        let next = if grows { 2.0 * step_size } else { 0.5 * step_size };
        if accepts(next) != grows {
            return if grows { step_size } else { next };
        }
        step_size = next;
    }
    step_size
}
