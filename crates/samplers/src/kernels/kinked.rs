//! NUTS through kinks: a posterior with a Laplace prior, in the metric of a frame.
//!
//! ```text
//! ln π(θ) = ℓ(θ) − Σ_j |θ_j| / b,   Σ = C Cᵀ the metric,   momenta p ~ N(0, I)
//!
//! p ← p + ½ ε Cᵀ∇ℓ(θ)
//! θ̈ = −Σ s(θ) / b for a time ε,  s_j = sign θ_j:  θ(t) = θ + C p t − ½ (Σ s / b) t² between kinks
//! p ← p + ½ ε Cᵀ∇ℓ(θ)
//! ```
//!
//! A leapfrog that steps over a kink is wrong in the energy by up to ε |θ̇_j| / b, however smooth
//! the rest, and with a hundred weights about zero these errors, not the curvature, set the step:
//! on a9a five times shorter than a Gaussian of that size would have it. Here prior and motion are
//! solved exactly from kink to kink, as Pakman & Paninski (2014) do for a Gaussian likelihood, and
//! the leapfrog is left with the smooth ℓ. A kink costs d square roots, no gradient.
//!
//! The target is the whole posterior; its own gradient holds −s/b, which is taken out again. Steps are
//! reversible and draws are weighed by the target itself, so that a target without these kinks, or
//! with others, is still sampled rightly, only in shorter steps.

use super::tree::{Leap, Room, grow};
use super::tree_warm_up::Learning;
use super::{Metric, TreeState};
use crate::vectors::add;
use crate::{Factor, Kernel, Length, Point, StartError, Step, Warming};
use debias::Rng;
use posterior::Target;

/// The no-U-turn kernel for a target with a factor exp(−|θ_j| / b_j) in some or all coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct KinkedNoUTurn {
    factor: Factor,
    // Invariant: Σ = C Cᵀ, row by row; empty where no line of it is wanted, or C is an arrow.
    covariance: Vec<f64>,
    // Invariant: 1 / b_j, finite and never negative; zero where there is no kink.
    slopes: Vec<f64>,
    /// ε at the start.
    pub step_size: f64,
    /// The mean acceptance over trees at which the warm-up settles ε.
    pub target_acceptance: f64,
    /// Doublings after which a trajectory ends even if it has not turned.
    pub max_depth: usize,
}

/// A scale that no Laplace prior has.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a Laplace prior of scale {scale}")]
pub struct KinkScale {
    /// b.
    pub scale: f64,
}

impl KinkedNoUTurn {
    /// A metric, and the scale b of the prior. ε begins at ½ and settles at an acceptance of 0.65, the
    /// best for trajectories of a fixed length in many dimensions (Beskos et al. 2013).
    pub fn new(factor: Factor, scale: f64) -> Result<KinkedNoUTurn, KinkScale> {
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(KinkScale { scale });
        }
        let slopes = vec![1.0 / scale; factor.dimension()];
        Ok(KinkedNoUTurn::with_slopes(factor, slopes))
    }

    /// The same with a slope 1 / b_j for each coordinate, zero where the prior has no kink.
    ///
    /// # Panics
    /// If there is not one slope for each coordinate, finite and not negative.
    pub fn with_slopes(factor: Factor, slopes: Vec<f64>) -> KinkedNoUTurn {
        assert_eq!(slopes.len(), factor.dimension(), "one slope for each coordinate");
        assert!(slopes.iter().all(|slope| slope.is_finite() && *slope >= 0.0), "slopes of a prior");
        let wanted = factor.is_dense() && slopes.iter().any(|slope| *slope > 0.0);
        let covariance = if wanted { factor.covariance() } else { Vec::new() };
        let (step_size, target_acceptance, max_depth) = (0.5, 0.65, 10);
        KinkedNoUTurn { factor, covariance, slopes, step_size, target_acceptance, max_depth }
    }

    /// 1 / b_j.
    pub fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// Adds a multiple of a line of Σ.
    fn add_line(&self, sum: &mut [f64], scale: f64, j: usize) {
        let d = sum.len();
        if self.covariance.is_empty() {
            add(sum, scale, &self.factor.covariance_line(j));
        } else {
            add(sum, scale, &self.covariance[j * d..][..d]);
        }
    }

    /// Gradients that a chain of this length takes in the metric of a Laplace approximation, about:
    /// 7.5 a transition.
    pub fn expected_gradients(length: Length) -> f64 {
        7.5 * length.transitions() as f64
    }
}

impl Kernel for KinkedNoUTurn {
    type State = TreeState;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<TreeState, StartError> {
        let dimension = self.factor.dimension();
        if start.len() != dimension {
            return Err(StartError::Dimension { start: start.len(), dimension });
        }
        let point = Point::with_gradient(target, start)?;
        let learning = Learning::new(dimension, self.step_size);
        Ok(TreeState { point, learning, room: Room::default() })
    }

    fn step(&self, target: &mut dyn Target, state: &mut TreeState, rng: &mut Rng) -> Step {
        let TreeState { point, learning, room } = state;
        let mut leap = ThroughKinks::new(self, target);
        grow(&mut leap, point, room, learning.step_size, self.max_depth, rng)
    }

    fn tune(&self, state: &mut TreeState, step: &Step, warming: Warming) {
        let TreeState { point, learning, .. } = state;
        learning.learn(point, step.acceptance, self.target_acceptance, Metric::Unit, warming);
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

/// The integrator, with room to work in.
struct ThroughKinks<'a> {
    kernel: &'a KinkedNoUTurn,
    target: &'a mut dyn Target,
    // s, θ̇ and −θ̈, and ∫ s dt over the step.
    signs: Vec<f64>,
    velocity: Vec<f64>,
    pull: Vec<f64>,
    passed: Vec<f64>,
    kick: Vec<f64>,
}

impl<'a> ThroughKinks<'a> {
    fn new(kernel: &'a KinkedNoUTurn, target: &'a mut dyn Target) -> ThroughKinks<'a> {
        let zeros = || vec![0.0; kernel.factor.dimension()];
        ThroughKinks {
            kernel,
            target,
            signs: zeros(),
            velocity: zeros(),
            pull: zeros(),
            passed: zeros(),
            kick: zeros(),
        }
    }

    /// Moves θ through the time `span`, and fills `passed`; `velocity` holds θ̇.
    fn drift(&mut self, theta: &mut [f64], span: f64) {
        let kernel = self.kernel;
        let slopes = &kernel.slopes;
        let d = theta.len();
        for j in 0..d {
            // At a kink, the side the motion leads to.
            let side = if theta[j] == 0.0 { self.velocity[j] } else { theta[j] };
            self.signs[j] = 1f64.copysign(side);
        }
        self.pull.fill(0.0);
        for j in (0..d).filter(|&j| slopes[j] > 0.0) {
            kernel.add_line(&mut self.pull, slopes[j] * self.signs[j], j);
        }
        self.passed.fill(0.0);
        let mut left = span;
        loop {
            let (crossing, time) = self.next_kink(theta, left);
            for j in 0..d {
                theta[j] += time * (self.velocity[j] - 0.5 * time * self.pull[j]);
                self.velocity[j] -= time * self.pull[j];
                self.passed[j] += time * self.signs[j];
            }
            let Some(j) = crossing else { break };
            left -= time;
            theta[j] = 0.0;
            self.signs[j] = -self.signs[j];
            kernel.add_line(&mut self.pull, 2.0 * slopes[j] * self.signs[j], j);
        }
    }

    /// Which coordinate is the first to reach zero before time is up, and when.
    ///
    /// With x = s θ ≥ 0, w = s θ̇ and c = −s θ̈, the first t > 0 with x + w t − ½ c t² = 0 after which
    /// x would be negative.
    fn next_kink(&self, theta: &[f64], left: f64) -> (Option<usize>, f64) {
        let (mut crossing, mut first) = (None, left);
        for j in (0..theta.len()).filter(|&j| self.kernel.slopes[j] > 0.0) {
            let sign = self.signs[j];
            let (x, w, c) =
                ((sign * theta[j]).max(0.0), sign * self.velocity[j], sign * self.pull[j]);
            // Bent towards zero, a path that ends above it was above it all the time; bent away, it
            // gets there on the way down or never.
            let crosses = if c >= 0.0 { x + first * (w - 0.5 * first * c) < 0.0 } else { w < 0.0 };
            if !crosses {
                continue;
            }
            let root = (w * w + 2.0 * c * x).sqrt();
            // Written so that nothing cancels; a NaN, no crossing, fails the comparison below.
            let time = if w < 0.0 { 2.0 * x / (root - w) } else { (w + root) / c };
            // At rest on a kink there is no side to go to.
            if time < first && (time > 0.0 || w < 0.0) {
                (crossing, first) = (Some(j), time);
            }
        }
        (crossing, first)
    }

    /// Cᵀ∇ℓ times half a step, added to the momentum.
    fn kick(&mut self, gradient: &[f64], position: &[f64], momentum: &mut [f64], half: f64) {
        let slopes = &self.kernel.slopes;
        for j in 0..position.len() {
            self.kick[j] = half * (gradient[j] + slopes[j] * sign(position[j]));
        }
        self.kernel.factor.add_transpose(&self.kick, momentum);
    }
}

/// The sign of a weight, as the gradient of a Laplace prior has it: none at the kink.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl Leap for ThroughKinks<'_> {
    fn leap(&mut self, point: &mut Point, momentum: &mut [f64], step: f64) {
        let kernel = self.kernel;
        let Point { position, log_density, gradient } = point;
        self.kick(gradient, position, momentum, 0.5 * step);
        // To go back is to go forward with the momentum turned round.
        let direction = step.signum();
        kernel.factor.apply(momentum, &mut self.velocity);
        self.velocity.iter_mut().for_each(|v| *v *= direction);
        self.drift(position, step.abs());
        for (time, slope) in self.passed.iter_mut().zip(&kernel.slopes) {
            *time *= -slope * direction;
        }
        kernel.factor.add_transpose(&self.passed, momentum);
        *log_density = self.target.gradient(position, gradient);
        self.kick(gradient, position, momentum, 0.5 * step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Ledger;

    /// −Σ |θ_j| / b and a Gaussian around (1, −½).
    struct Lasso;

    impl Target for Lasso {
        fn dimension(&self) -> usize {
            2
        }

        fn log_density(&mut self, theta: &[f64]) -> f64 {
            self.gradient(theta, &mut [0.0; 2])
        }

        fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
            let smooth = [1.0 - theta[0], -0.5 - theta[1]];
            for j in 0..2 {
                gradient[j] = smooth[j] - 2.0 * sign(theta[j]);
            }
            -0.5 * (smooth[0] * smooth[0] + smooth[1] * smooth[1])
                - 2.0 * (theta[0].abs() + theta[1].abs())
        }

        fn ledger(&self) -> Ledger {
            Ledger::default()
        }
    }

    fn kernel() -> KinkedNoUTurn {
        let factor = Factor::of_covariance(&[1.0, 0.6, 0.6, 0.8], 2).unwrap();
        KinkedNoUTurn::new(factor, 0.5).unwrap()
    }

    #[test]
    fn steps_back_undo_steps_forward() {
        let (kernel, mut lasso) = (kernel(), Lasso);
        let start = Point::with_gradient(&mut lasso, &[0.7, -0.4]).unwrap();
        let mut leap = ThroughKinks::new(&kernel, &mut lasso);
        let (mut point, mut momentum) = (start.clone(), vec![-1.4, 0.9]);
        for step in [0.6, 0.6, 0.6, -0.6, -0.6, -0.6] {
            leap.leap(&mut point, &mut momentum, step);
        }
        for (got, want) in point.position.iter().zip(&start.position) {
            assert!((got - want).abs() < 1e-13, "{got} against {want}");
        }
        assert!((momentum[0] + 1.4).abs() < 1e-13 && (momentum[1] - 0.9).abs() < 1e-13);
    }

    /// With no likelihood the motion is exact: the energy stays, whatever the step.
    #[test]
    fn the_prior_alone_keeps_its_energy_across_many_kinks() {
        struct Prior;
        impl Target for Prior {
            fn dimension(&self) -> usize {
                2
            }
            fn log_density(&mut self, theta: &[f64]) -> f64 {
                -2.0 * (theta[0].abs() + theta[1].abs())
            }
            fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
                gradient[0] = -2.0 * sign(theta[0]);
                gradient[1] = -2.0 * sign(theta[1]);
                self.log_density(theta)
            }
            fn ledger(&self) -> Ledger {
                Ledger::default()
            }
        }
        let kernel = kernel();
        let mut point = Point::with_gradient(&mut Prior, &[0.3, -0.2]).unwrap();
        let mut momentum = vec![1.1, 0.4];
        let energy =
            |point: &Point, p: &[f64]| 0.5 * (p[0] * p[0] + p[1] * p[1]) - point.log_density;
        let before = energy(&point, &momentum);
        ThroughKinks::new(&kernel, &mut Prior).leap(&mut point, &mut momentum, 20.0);
        let after = energy(&point, &momentum);
        assert!((after - before).abs() < 1e-12, "{before} became {after}");
    }

    #[test]
    fn a_scale_that_is_none_is_refused() {
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(KinkedNoUTurn::new(Factor::identity(1), scale).is_err());
        }
    }
}
