//! Hamiltonian Monte Carlo with a fixed number of leapfrog steps (Duane et al. 1987; Neal 2011).
//!
//! ```text
//! p ~ N(0, I);   S times:   p ← p + (ε/2) ∇ ln π(θ),   θ ← θ + ε p,   p ← p + (ε/2) ∇ ln π(θ)
//! accepted with probability min(1, exp(H(θ, p) − H(θ', p'))),   H = −ln π(θ) + |p|²/2
//! ```
//!
//! Each step size is ε times a uniform number between 0.9 and 1.1, drawn afresh: a fixed length can
//! lock on to a period of the target.

use super::Stepped;
use crate::kernel::acceptance;
use crate::{Kernel, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// Static HMC; the warm-up tunes ε to an acceptance of 0.8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hmc {
    /// ε at the start.
    pub step_size: f64,
    /// S.
    pub steps: usize,
}

/// Near the best for a fixed time, on the safe side (Betancourt, Byrne & Girolami 2014).
const BEST_ACCEPTANCE: f64 = 0.8;
/// A loss of energy beyond which the integrator is no longer following the density.
const DIVERGENCE: f64 = 1000.0;

impl Kernel for Hmc {
    type State = Stepped;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Stepped, StartError> {
        Ok(Stepped { point: Point::with_gradient(target, start)?, step_size: self.step_size })
    }

    fn step(&self, target: &mut dyn Target, state: &mut Stepped, rng: &mut Rng) -> Step {
        let momentum: Vec<f64> =
            state.point.position.iter().map(|_| rng.sample(StandardNormal)).collect();
        let step_size = state.step_size * rng.random_range(0.9..1.1);
        let threshold = rng.random::<f64>().ln();
        hamiltonian_step(target, &mut state.point, momentum, step_size, self.steps, threshold)
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

/// One transition, given all its random numbers: a coupling hands the same ones to two chains.
pub(crate) fn hamiltonian_step(
    target: &mut dyn Target,
    point: &mut Point,
    mut momentum: Vec<f64>,
    step_size: f64,
    steps: usize,
    threshold: f64,
) -> Step {
    let energy = hamiltonian(point, &momentum);
    let end = trajectory(target, point, &mut momentum, step_size, steps);
    let log_ratio = energy - hamiltonian(&end, &momentum);
    if threshold < log_ratio {
        *point = end;
    }
    let diverged = log_ratio.is_nan() || log_ratio < -DIVERGENCE;
    Step { acceptance: acceptance(log_ratio), diverged, energy: Some(energy) }
}

/// The leapfrog integrator: the point at the end; `momentum` becomes the momentum there.
pub(crate) fn trajectory(
    target: &mut dyn Target,
    start: &Point,
    momentum: &mut [f64],
    step_size: f64,
    steps: usize,
) -> Point {
    let mut point = start.clone();
    for _ in 0..steps {
        for i in 0..momentum.len() {
            momentum[i] += 0.5 * step_size * point.gradient[i];
            point.position[i] += step_size * momentum[i];
        }
        point.log_density = target.gradient(&point.position, &mut point.gradient);
        for i in 0..momentum.len() {
            momentum[i] += 0.5 * step_size * point.gradient[i];
        }
    }
    point
}

fn hamiltonian(point: &Point, momentum: &[f64]) -> f64 {
    0.5 * momentum.iter().map(|p| p * p).sum::<f64>() - point.log_density
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::quartic::Quartic;

    #[test]
    fn a_trajectory_runs_back_to_where_it_came_from() {
        let start = Point::with_gradient(&mut Quartic, &[0.7, -1.1]).unwrap();
        let mut momentum = vec![0.4, 0.9];
        let end = trajectory(&mut Quartic, &start, &mut momentum, 0.2, 9);
        momentum.iter_mut().for_each(|p| *p = -*p);
        let back = trajectory(&mut Quartic, &end, &mut momentum, 0.2, 9);
        for (got, want) in back.position.iter().zip(&start.position) {
            assert!((got - want).abs() < 1e-12, "{got} against {want}");
        }
        assert!((momentum[0] + 0.4).abs() < 1e-12 && (momentum[1] + 0.9).abs() < 1e-12);
    }

    #[test]
    fn the_energy_error_falls_with_the_square_of_the_step() {
        let start = Point::with_gradient(&mut Quartic, &[0.7, -1.1]).unwrap();
        let error = |step_size: f64, steps: usize| {
            let mut momentum = vec![0.4, 0.9];
            let before = hamiltonian(&start, &momentum);
            let end = trajectory(&mut Quartic, &start, &mut momentum, step_size, steps);
            (hamiltonian(&end, &momentum) - before).abs()
        };
        let ratio = error(0.1, 10) / error(0.05, 20);
        assert!((ratio - 4.0).abs() < 0.5, "{ratio}");
    }
}
