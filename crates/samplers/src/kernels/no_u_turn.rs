//! NUTS as a kernel: one transition at a time, with a state that can be kept and taken up again.
//!
//! ```text
//! p ← p + ½ ε s∘∇ ln π(θ),   θ ← θ + ε s∘p,   p ← p + ½ ε s∘∇ ln π(θ)
//! ```
//!
//! `Nuts` hands a whole chain to nuts-rs, which owns target and generator while it runs. This kernel
//! is for what that cannot give: chains that survive an interruption, Geweke's test, a metric that
//! stays put in a frame, and targets so cheap that bookkeeping counts.

use super::trajectory;
use super::tree::{Leap, Room, grow};
use super::tree_warm_up::Learning;
use crate::{Kernel, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;

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
    pub(super) point: Point,
    pub(super) learning: Learning,
    #[serde(skip)]
    pub(super) room: Room,
}

impl Kernel for NoUTurn {
    type State = TreeState;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<TreeState, StartError> {
        let point = Point::with_gradient(target, start)?;
        let step_size = self.step_size.unwrap_or_else(|| first_step_size(target, &point));
        let learning = Learning::new(start.len(), step_size);
        Ok(TreeState { point, learning, room: Room::default() })
    }

    fn step(&self, target: &mut dyn Target, state: &mut TreeState, rng: &mut Rng) -> Step {
        let TreeState { point, learning: Learning { step_size, scales, .. }, room } = state;
        grow(&mut Leapfrog { target, scales }, point, room, *step_size, self.max_depth, rng)
    }

    fn tune(&self, state: &mut TreeState, step: &Step, warming: Warming) {
        let TreeState { point, learning, .. } = state;
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

/// The leapfrog, with a scale for each coordinate.
struct Leapfrog<'a> {
    target: &'a mut dyn Target,
    scales: &'a [f64],
}

impl Leap for Leapfrog<'_> {
    fn leap(&mut self, point: &mut Point, momentum: &mut [f64], step: f64) {
        for i in 0..momentum.len() {
            momentum[i] += 0.5 * step * self.scales[i] * point.gradient[i];
            point.position[i] += step * self.scales[i] * momentum[i];
        }
        point.log_density = self.target.gradient(&point.position, &mut point.gradient);
        for i in 0..momentum.len() {
            momentum[i] += 0.5 * step * self.scales[i] * point.gradient[i];
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::quartic::Quartic;

    #[test]
    fn steps_back_undo_steps_forward() {
        let mut leapfrog = Leapfrog { target: &mut Quartic, scales: &[0.5, 2.0] };
        let start = Point::with_gradient(&mut Quartic, &[0.7, -1.1]).unwrap();
        let (mut point, mut momentum) = (start.clone(), vec![0.4, 0.9]);
        for step in [0.1, 0.1, 0.1, -0.1, -0.1, -0.1] {
            leapfrog.leap(&mut point, &mut momentum, step);
        }
        for (got, want) in point.position.iter().zip(&start.position) {
            assert!((got - want).abs() < 1e-13, "{got} against {want}");
        }
    }
}
