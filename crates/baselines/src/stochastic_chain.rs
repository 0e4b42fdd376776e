//! Chains that follow noisy gradients and never reject, in coordinates θ = C z.
//!
//! ```text
//! g = Cᵀ ĝ(θ)      v ← dynamics(v, g)      θ ← θ + C v
//! Z = Σ_t ε_t φ(θ_t) / Σ_t ε_t
//! ```
//!
//! [`Sgld`](crate::Sgld) and [`Sghmc`](crate::Sghmc) are two dynamics. With C the factor of the
//! posterior covariance the target is nearly standard normal, and one step size serves all
//! coordinates. Nothing corrects the noise of ĝ or the length of the steps: the bias stays.

use crate::stochastic_gradient::StochasticGradient;
use crate::{Budget, Centre, Exhausted, Misfit, answer};
use debias::{Estimate, Estimator, Ledger, Rng};
use posterior::{Differentiable, Rows};
use samplers::{Factor, Functional, Length};

/// How a velocity follows a gradient.
pub trait Dynamics: Sync {
    /// Turns the velocity of step t, counted from zero, into the next one; the step's weight in
    /// averages.
    fn accelerate(&self, step: usize, velocity: &mut [f64], gradient: &[f64], rng: &mut Rng)
    -> f64;
}

/// Everything but the dynamics.
#[derive(Clone, Debug)]
pub struct StochasticSettings {
    /// b, rows a mini-batch.
    pub batch: usize,
    /// C.
    pub shape: Factor,
    /// θ_0.
    pub start: Vec<f64>,
    /// θ̂ for control variates; none for plain gradients.
    pub centre: Option<Centre>,
    /// Steps to forget and steps to keep.
    pub length: Length,
    /// φ.
    pub functionals: Vec<Functional>,
}

/// The baseline.
pub struct StochasticChain<'a, R, M, D> {
    rows: &'a R,
    model: &'a M,
    dynamics: D,
    settings: StochasticSettings,
    before: Ledger,
    budget: Budget,
}

/// The kept part of one chain.
#[derive(Clone, Debug, PartialEq)]
pub struct StochasticRun {
    /// θ_t, one after the other.
    pub positions: Vec<f64>,
    /// The weight of each; they sum to one.
    pub weights: Vec<f64>,
    /// All work, what went before and that of the centre included.
    pub ledger: Ledger,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StochasticError {
    /// A batch, a dimension or a length makes no sense.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The steps are too long for the curvature.
    #[error("coordinate {coordinate} is {value} after {steps} steps")]
    Diverged {
        /// Which.
        coordinate: usize,
        /// What became of it.
        value: f64,
        /// Steps done.
        steps: usize,
    },
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, M, D> StochasticChain<'a, R, M, D>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    D: Dynamics,
{
    /// Refuses batches, dimensions and lengths that make no sense.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        dynamics: D,
        settings: StochasticSettings,
    ) -> Result<StochasticChain<'a, R, M, D>, StochasticError> {
        let StochasticSettings { batch, shape, start, centre, length, .. } = &settings;
        let d = model.dimension();
        let centre = centre.as_ref().map_or(d, |centre| centre.theta.len());
        Misfit::batch(*batch, rows.count())?;
        Misfit::dimensions(d, &[start.len(), shape.dimension(), centre])?;
        Misfit::length(*length)?;
        let (before, budget) = (Ledger::default(), Budget::UNLIMITED);
        Ok(StochasticChain { rows, model, dynamics, settings, before, budget })
    }

    /// The same, with the work behind start and shape, a mode for example: it counts in every
    /// answer.
    pub fn after(self, before: Ledger) -> StochasticChain<'a, R, M, D> {
        StochasticChain { before, ..self }
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> StochasticChain<'a, R, M, D> {
        StochasticChain { budget, ..self }
    }

    /// One chain.
    pub fn run(&self, rng: &mut Rng) -> Result<StochasticRun, StochasticError> {
        let StochasticSettings { batch, shape, start, centre, length, .. } = &self.settings;
        let d = start.len();
        let mut noisy = StochasticGradient::new(self.rows, self.model, *batch, centre.as_ref());
        let mut theta = start.clone();
        let (mut gradient, mut slope) = (vec![0.0; d], vec![0.0; d]);
        let (mut velocity, mut displacement) = (vec![0.0; d], vec![0.0; d]);
        let (mut positions, mut weights) = (Vec::with_capacity(length.draws * d), Vec::new());
        for step in 0..length.transitions() {
            noisy.at(&theta, &mut gradient, rng);
            self.budget.check(self.before + noisy.ledger())?;
            shape.apply_transpose(&gradient, &mut slope);
            let weight = self.dynamics.accelerate(step, &mut velocity, &slope, rng);
            shape.apply(&velocity, &mut displacement);
            for (coordinate, (theta, moved)) in theta.iter_mut().zip(&displacement).enumerate() {
                *theta += moved;
                if !theta.is_finite() {
                    let (value, steps) = (*theta, step + 1);
                    return Err(StochasticError::Diverged { coordinate, value, steps });
                }
            }
            if step >= length.warm_up {
                positions.extend_from_slice(&theta);
                weights.push(weight);
            }
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Ok(StochasticRun { positions, weights, ledger: self.before + noisy.ledger() })
    }
}

impl<R, M, D> Estimator for StochasticChain<'_, R, M, D>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    D: Dynamics,
{
    type Error = StochasticError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, StochasticError> {
        let run = self.run(rng)?;
        let StochasticRun { positions, weights, ledger } = run;
        let d = self.model.dimension();
        Ok(answer::weighted(&self.settings.functionals, &positions, d, &weights, ledger))
    }

    fn expected_cost(&self, _: u64) -> f64 {
        let StochasticSettings { batch, centre, length, .. } = &self.settings;
        let gradients = length.transitions() * batch;
        match centre {
            None => gradients as f64,
            Some(centre) => 2.0 * gradients as f64 + centre.ledger.evaluations() as f64,
        }
    }
}
