//! Full MCMC: a chain on the posterior given all rows.
//!
//! ```text
//! Z = (1/M) Σ_{i=1}^M φ(θ_i),   θ_i from a chain that leaves p(θ) Π_{i=1}^N p(x_i ∣ θ) invariant
//! ```
//!
//! The chain is a [`ByChain`]: any sampler, plain or in the coordinates of a Laplace approximation.
//! A frame that was found before the chain has its price: hand it over by [`FullChain::after`].

use crate::{Budget, Exhausted, FullPosterior, Misfit, Rationed};
use debias::{Estimate, Estimator, Ledger, Rng};
use posterior::{Differentiable, Target};
use samplers::{ByChain, ChainError, Draws, Sampler};

/// One chain an answer.
pub struct FullChain<'a, M: Differentiable, S> {
    posterior: &'a FullPosterior<'a, M>,
    // Invariant: at least one draw.
    chain: ByChain<S>,
    before: Ledger,
    budget: Budget,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FullChainError {
    /// No draws were asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The chain failed.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, M: Differentiable, S: Sampler> FullChain<'a, M, S> {
    /// This chain on this posterior.
    pub fn new(
        posterior: &'a FullPosterior<'a, M>,
        chain: ByChain<S>,
    ) -> Result<FullChain<'a, M, S>, FullChainError> {
        Misfit::length(chain.length)?;
        let (before, budget) = (Ledger::default(), Budget::UNLIMITED);
        Ok(FullChain { posterior, chain, before, budget })
    }

    /// The same, with the work that went before: it counts in every answer.
    pub fn after(self, before: Ledger) -> FullChain<'a, M, S> {
        FullChain { before, ..self }
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> FullChain<'a, M, S> {
        FullChain { budget, ..self }
    }

    /// The draws of one chain, and its work.
    pub fn run(&self, rng: &mut Rng) -> Result<(Draws, Ledger), FullChainError> {
        self.rationed(|target| self.chain.draws(target, rng))
    }

    fn rationed<T>(
        &self,
        ask: impl FnOnce(&mut dyn Target) -> Result<T, ChainError>,
    ) -> Result<(T, Ledger), FullChainError> {
        let mut posterior = self.posterior.uncounted();
        let mut target = Rationed::new(&mut posterior, self.before, self.budget);
        let answer = ask(&mut target);
        // What a starved chain says, be it an error, is not the reason.
        target.check()?;
        Ok((answer?, target.ledger()))
    }
}

impl<M: Differentiable, S: Sampler> Estimator for FullChain<'_, M, S> {
    type Error = FullChainError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, FullChainError> {
        let (value, cost) = self.rationed(|target| self.chain.values(target, rng))?;
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.before.evaluations() as f64
            + self.chain.expected_evaluations * self.posterior.rows() as f64
    }
}
