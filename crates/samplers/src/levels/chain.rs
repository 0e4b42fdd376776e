//! φ_t by one chain.
//!
//! ```text
//! φ̂_t = (1/M) Σ_{i=1}^M φ(θ_i),   θ_{−W+1}, …, θ_0 thrown away
//! ```
//!
//! A finite chain is biased by what is left of its start after W steps; `ByCoupledChains` is not.

use super::{Framing, FramingError, Start, StartRuleError};
use crate::{
    ControlError, Draws, Functional, KinkScale, Length, SampleError, Sampler, with_control_variates,
};
use debias::{Caveat, Rng};
use posterior::{Differentiable, LevelEstimate, PartialPosterior, Target};

/// A level estimate by warm-up and draws.
#[derive(Clone, Debug)]
pub struct ByChain<S> {
    /// What moves the chain.
    pub sampler: S,
    /// In which coordinates.
    pub framing: Framing,
    /// From where.
    pub start: Start,
    /// W and M.
    pub length: Length,
    /// φ.
    pub functionals: Vec<Functional>,
    /// Whether to use the gradients at the draws as control variates.
    pub control_variates: bool,
    /// Evaluations of the density that one estimate is expected to take, from a pilot.
    pub expected_evaluations: f64,
}

/// Why a level has no estimate.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// No frame.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// No starting point.
    #[error(transparent)]
    Rule(#[from] StartRuleError),
    /// No chain.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// No control variates.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// No kinks.
    #[error(transparent)]
    Kinks(#[from] KinkScale),
}

impl<S: Sampler> ByChain<S> {
    /// The chain on any target.
    pub fn draws(&self, target: &mut dyn Target, rng: &mut Rng) -> Result<Draws, ChainError> {
        let frame = self.framing.frame(target)?;
        let start = self.start.draw(target.dimension(), frame.as_ref(), rng)?;
        Ok(match &frame {
            Some(frame) => self.sampler.sample_in(frame, target, &start, self.length, rng)?,
            None => self.sampler.sample(target, &start, self.length, rng)?,
        })
    }

    /// The functionals of any target.
    pub fn values(&self, target: &mut dyn Target, rng: &mut Rng) -> Result<Vec<f64>, ChainError> {
        let draws = self.draws(target, rng)?;
        if self.control_variates {
            return Ok(with_control_variates(&draws, &self.functionals)?);
        }
        Ok(draws.functionals(&self.functionals))
    }
}

impl<M: Differentiable, S: Sampler> LevelEstimate<M> for ByChain<S> {
    type Error = ChainError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, ChainError> {
        self.values(posterior, rng)
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::FiniteChain]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.expected_evaluations * rows as f64
    }
}
