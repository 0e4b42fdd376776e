//! Consensus Monte Carlo (Scott, Blocker, Bonassi, Chipman, George & McCulloch 2016).
//!
//! ```text
//! π_s(θ) ∝ p(θ)^{1/S} Π_{i ∈ shard s} p(x_i ∣ θ)        Π_s π_s ∝ π
//! θ_g = (Σ_s W_s)⁻¹ Σ_s W_s θ_{s,g}                      W_s⁻¹ = Cov̂(θ_{s,1}, …, θ_{s,G})
//! ```
//!
//! Rows are dealt into S shards at random, a chain runs on each, and draw g is the mean of the
//! shards' draws g, weighed by their precisions. Exact where all π_s are Gaussian with the same
//! precision whatever their rows. Else it is biased, the more the fewer rows a shard has: in logistic
//! regression, shards that happen to see a small weight are surer of it, and weights are pulled
//! towards zero.

use crate::{Budget, Exhausted, Rationed, answer};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::linear_algebra::{Layout, MatrixError, Symmetric};
use posterior::{Differentiable, Model, PartialPosterior, Rows, subset};
use samplers::{ByChain, ChainError, Draws, Sampler};

/// The baseline.
pub struct Consensus<'a, R, M, S> {
    rows: &'a R,
    model: &'a M,
    chain: ByChain<S>,
    // Invariant: between one and the number of rows.
    shards: usize,
    budget: Budget,
}

/// A model with a share of its prior: p(θ)^{1/S}.
#[derive(Clone, Copy, Debug)]
pub struct SubPrior<'a, M> {
    model: &'a M,
    power: f64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ConsensusError {
    /// No shards, or shards without rows.
    #[error("{shards} shards of {rows} rows")]
    Shards {
        /// S.
        shards: usize,
        /// N.
        rows: usize,
    },
    /// Draws too few for a covariance.
    #[error("{draws} draws a shard in {dimension} dimensions")]
    Draws {
        /// G.
        draws: usize,
        /// d.
        dimension: usize,
    },
    /// A chain failed.
    #[error("shard {shard} has no chain")]
    Chain {
        /// Counted from zero.
        shard: usize,
        /// What happened.
        #[source]
        source: ChainError,
    },
    /// A chain hardly moved.
    #[error("the draws of shard {shard} have no covariance")]
    Covariance {
        /// Counted from zero.
        shard: usize,
        /// What is wrong with it.
        #[source]
        source: MatrixError,
    },
    /// The precisions of all shards do not add up to one.
    #[error("the precisions of {shards} shards add up to none")]
    Precision {
        /// S.
        shards: usize,
        /// What is wrong with it.
        #[source]
        source: MatrixError,
    },
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, M, S> Consensus<'a, R, M, S>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    S: Sampler,
{
    /// This chain on each shard. Its control variates are not used: they belong to the shards.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        chain: ByChain<S>,
        shards: usize,
    ) -> Result<Consensus<'a, R, M, S>, ConsensusError> {
        if shards == 0 || shards > rows.count() {
            return Err(ConsensusError::Shards { shards, rows: rows.count() });
        }
        let (draws, dimension) = (chain.length.draws, model.dimension());
        if draws <= dimension {
            return Err(ConsensusError::Draws { draws, dimension });
        }
        Ok(Consensus { rows, model, chain, shards, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> Consensus<'a, R, M, S> {
        Consensus { budget, ..self }
    }

    /// The draws of the consensus, one after the other, and the work of all shards.
    pub fn run(&self, rng: &mut Rng) -> Result<(Vec<f64>, Ledger), ConsensusError> {
        let (count, d) = (self.rows.count(), self.model.dimension());
        let part = SubPrior { model: self.model, power: 1.0 / self.shards as f64 };
        let order = subset(count, count, rng);
        let mut work = Ledger::default();
        let mut precision = Symmetric::zeros(d);
        let mut weighted = vec![0.0; self.chain.length.draws * d];
        for shard in 0..self.shards {
            // Shards differ by one row at most.
            let (from, to) = (shard * count / self.shards, (shard + 1) * count / self.shards);
            let block = self.rows.gather(&order[from..to]);
            let mut posterior = PartialPosterior::new(&part, &block);
            let mut target = Rationed::new(&mut posterior, Ledger::default(), self.left(work));
            let draws = self.chain.draws(&mut target, rng);
            work += posterior.ledger();
            self.budget.check(work)?;
            let draws = draws.map_err(|source| ConsensusError::Chain { shard, source })?;
            let weight = inverse_covariance(&draws)
                .map_err(|source| ConsensusError::Covariance { shard, source })?;
            precision.add(1.0, &weight);
            for (sum, theta) in weighted.chunks_exact_mut(d).zip(draws.iter()) {
                sum.iter_mut().zip(weight.times(theta)).for_each(|(sum, part)| *sum += part);
            }
        }
        let shards = self.shards;
        let factor =
            precision.cholesky().map_err(|source| ConsensusError::Precision { shards, source })?;
        factor.solve(&mut weighted);
        Ok((weighted, work))
    }

    fn left(&self, work: Ledger) -> Budget {
        Budget(self.budget.0.saturating_sub(work.evaluations()))
    }
}

fn inverse_covariance(draws: &Draws) -> Result<Symmetric, MatrixError> {
    let (d, count) = (draws.dimension(), draws.count() as f64);
    let mut mean = vec![0.0; d];
    for theta in draws.iter() {
        mean.iter_mut().zip(theta).for_each(|(mean, x)| *mean += x / count);
    }
    let offsets: Vec<f64> =
        draws.iter().flat_map(|theta| theta.iter().zip(&mean).map(|(x, mean)| x - mean)).collect();
    let mut covariance = Symmetric::zeros(d);
    covariance.add_rank(1.0 / (count - 1.0), &offsets, Layout::VectorByVector);
    Ok(covariance.cholesky()?.inverse())
}

impl<R, M, S> Estimator for Consensus<'_, R, M, S>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    S: Sampler,
{
    type Error = ConsensusError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, ConsensusError> {
        let (positions, cost) = self.run(rng)?;
        let d = self.model.dimension();
        Ok(answer::even(&self.chain.functionals, &positions, d, cost))
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.chain.expected_evaluations * self.rows.count() as f64
    }
}

impl<M: Model> Model for SubPrior<'_, M> {
    type Block = M::Block;

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.power * self.model.log_prior(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &M::Block) -> f64 {
        self.model.log_likelihood(theta, block)
    }
}

impl<M: Differentiable> Differentiable for SubPrior<'_, M> {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let mut slope = vec![0.0; theta.len()];
        let value = self.model.add_prior_gradient(theta, &mut slope);
        gradient.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += self.power * slope);
        self.power * value
    }

    fn add_gradient(&self, theta: &[f64], block: &M::Block, gradient: &mut [f64]) -> f64 {
        self.model.add_gradient(theta, block, gradient)
    }
}
