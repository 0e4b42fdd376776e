//! Markov kernels: settings that never change, and a state handed in and out.

use debias::Rng;
use posterior::Target;

/// A transition that leaves a target invariant.
///
/// [`Kernel::step`] depends on nothing but the state, so that a chain of steps is Markov and
/// invariant; adaptation happens only in [`Kernel::tune`], which a run calls in its warm-up.
pub trait Kernel: Sync {
    /// All that changes: the point, and what warm-up has learnt.
    type State: Clone;

    /// A chain at its start.
    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Self::State, StartError>;

    /// One transition.
    fn step(&self, target: &mut dyn Target, state: &mut Self::State, rng: &mut Rng) -> Step;

    /// Learns from a step of the warm-up.
    fn tune(&self, _state: &mut Self::State, _step: &Step, _warming: Warming) {}

    /// Where the chain is.
    fn point<'s>(&self, state: &'s Self::State) -> &'s Point;

    /// Stays where it is and asks a target that has changed since the last step; what the warm-up
    /// has learnt is kept.
    fn renew(&self, target: &mut dyn Target, state: &mut Self::State) -> Result<(), StartError> {
        *state = self.init(target, &self.point(state).position.clone())?;
        Ok(())
    }

    /// ε, if the kernel has one.
    fn step_size(&self, _state: &Self::State) -> Option<f64> {
        None
    }
}

/// How far a warm-up is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warming {
    /// Which step has just been taken, from one.
    pub iteration: usize,
    /// How many there will be.
    pub length: usize,
}

/// A point with what the target said there.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// θ.
    pub position: Vec<f64>,
    /// ln π(θ), up to a constant.
    pub log_density: f64,
    /// ∇ ln π(θ); empty if nobody asked.
    pub gradient: Vec<f64>,
}

/// What happened in one transition.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// The probability with which the proposal was accepted; for NUTS its mean over the tree.
    pub acceptance: f64,
    /// Whether the integrator lost the energy by more than a thousand, or met a bad density.
    pub diverged: bool,
    /// −ln π + |momentum|²/2 where the trajectory began, if there is a momentum.
    pub energy: Option<f64>,
}

/// Why a chain cannot start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The starting point has the wrong length.
    #[error("a start of {start} coordinates in {dimension} dimensions")]
    Dimension {
        /// Coordinates given.
        start: usize,
        /// d.
        dimension: usize,
    },
    /// The target is zero, infinite or undefined where the chain should start.
    #[error("the log density at the start is {log_density}")]
    LogDensity {
        /// What the target said.
        log_density: f64,
    },
    /// The gradient is not finite where the chain should start.
    #[error("the gradient at the start is {value} in coordinate {index}")]
    Gradient {
        /// Which coordinate.
        index: usize,
        /// Its value.
        value: f64,
    },
}

impl Point {
    /// The target at θ, without its gradient.
    pub fn at(target: &mut dyn Target, theta: &[f64]) -> Result<Point, StartError> {
        check_dimension(target, theta)?;
        let log_density = target.log_density(theta);
        let point = Point { position: theta.to_vec(), log_density, gradient: Vec::new() };
        point.check()
    }

    /// The target at θ, with its gradient.
    pub fn with_gradient(target: &mut dyn Target, theta: &[f64]) -> Result<Point, StartError> {
        check_dimension(target, theta)?;
        let mut gradient = vec![0.0; theta.len()];
        let log_density = target.gradient(theta, &mut gradient);
        Point { position: theta.to_vec(), log_density, gradient }.check()
    }

    /// The same place on a target that has changed, with a gradient if there was one.
    pub fn renewed(&self, target: &mut dyn Target) -> Result<Point, StartError> {
        match self.gradient.is_empty() {
            true => Point::at(target, &self.position),
            false => Point::with_gradient(target, &self.position),
        }
    }

    fn check(self) -> Result<Point, StartError> {
        if !self.log_density.is_finite() {
            return Err(StartError::LogDensity { log_density: self.log_density });
        }
        match self.gradient.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(StartError::Gradient { index, value: self.gradient[index] }),
            None => Ok(self),
        }
    }
}

fn check_dimension(target: &dyn Target, theta: &[f64]) -> Result<(), StartError> {
    let dimension = target.dimension();
    if theta.len() == dimension {
        Ok(())
    } else {
        Err(StartError::Dimension { start: theta.len(), dimension })
    }
}

/// min(1, exp(log ratio)), and zero where the ratio is undefined: a NaN is never accepted.
pub(crate) fn acceptance(log_ratio: f64) -> f64 {
    if log_ratio.is_nan() { 0.0 } else { log_ratio.min(0.0).exp() }
}
