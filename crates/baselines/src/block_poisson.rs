//! Signed pseudo-marginal Metropolis–Hastings by the block-Poisson estimator (Quiroz, Tran, Villani, Kohn
//! & Dang 2021, "The block-Poisson estimator for optimally tuned exact subsampling MCMC").
//!
//! With λ blocks of X_l ~ Poisson(1) batches of m rows each, drawn with replacement,
//!
//! ```text
//! L̂(θ) = e^{Q(θ)} Π_{l ≤ λ} Π_{h ≤ X_l} (1 + d̂_{lh}(θ)/λ)          d̂_{lh} = (N/m) Σ_{i ∈ batch lh} d_i(θ)
//! E L̂ = Π_l e^{E d̂/λ} = e^{Q(θ) + Σ_i d_i(θ)} = L(θ):
//! ```
//!
//! an unbiased estimate of the likelihood, whatever the rows. (The paper's soft bound a is d(θ*) − λ, its best
//! value at the centre, where d is zero.) It may be negative: the chain targets p |L̂| over θ and all that is
//! random in L̂, and signs s_t go into the answer, Σ s_t φ(θ_t) / Σ s_t, which is consistent for the exact
//! posterior mean. From step to step only κ of the blocks are drawn again, so that the noise of L̂ mostly
//! cancels in the ratio. Proposals are those of [`ScalableMh`](crate::ScalableMh).

use crate::chain_means::{Batches, ChainMeans, no_expectation};
use crate::taylor::{Taylor, learnt};
use crate::{Budget, Exhausted, Misfit};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::design::Design;
use posterior::Rows;
use rand::RngExt;
use rand_distr::{Distribution, Poisson};
use samplers::{Functional, Length};

/// The baseline.
pub struct BlockPoisson<'a, R: Rows> {
    taylor: &'a Taylor<'a, R>,
    settings: BlockPoissonSettings,
    budget: Budget,
}

/// How to estimate the likelihood, how to move, and what to ask.
#[derive(Clone, Debug)]
pub struct BlockPoissonSettings {
    /// λ.
    pub blocks: usize,
    /// m.
    pub batch: usize,
    /// κ, blocks drawn again with each proposal.
    pub renewed: usize,
    /// β with which the warm-up begins.
    pub step: f64,
    /// Steps to forget, in which β is learnt, and steps to keep.
    pub length: Length,
    /// φ; expectations only.
    pub functionals: Vec<Functional>,
}

impl BlockPoissonSettings {
    /// λ and m for which ln |L̂| has a variance of 0.3 and d̂/λ a standard deviation of ¼ at most, so that
    /// hardly an estimate is negative, given the variance of N d_i for one row at random.
    pub fn sizes(noise: f64) -> (usize, usize) {
        let batch = (0.7 * noise).floor().max(1.0);
        let blocks = (noise / (0.3 * batch)).max(4.0 * (noise / batch).sqrt()).max(4.0);
        (blocks.ceil() as usize, batch as usize)
    }
}

/// One chain.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockPoissonRun {
    /// The expectations along it, and the mean of its signs.
    pub means: ChainMeans,
    /// The share of kept proposals that were accepted.
    pub acceptance: f64,
    /// β.
    pub step: f64,
    /// All work, set-up included.
    pub ledger: Ledger,
}

/// Why there is no chain.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BlockPoissonError {
    /// β is outside (0, 1].
    #[error("proposals of step {step}")]
    Step {
        /// β.
        step: f64,
    },
    /// No blocks, no rows in a batch, or no or too many blocks to renew.
    #[error("{blocks} blocks with batches of {batch} rows, of which {renewed} are renewed")]
    Blocks {
        /// λ.
        blocks: usize,
        /// m.
        batch: usize,
        /// κ.
        renewed: usize,
    },
    /// A functional is no expectation.
    #[error("functional {functional} is no expectation")]
    Functional {
        /// Which one, from zero.
        functional: usize,
    },
    /// No draws were asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// What is random in L̂: the rows of each block, batch after batch.
type Drawn = Vec<Vec<usize>>;

/// ln |L̂/e^Q| and its sign.
#[derive(Clone, Copy)]
struct Signed {
    log: f64,
    sign: f64,
}

impl<'a, R> BlockPoisson<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// Chains on rows about a centre.
    pub fn new(
        taylor: &'a Taylor<'a, R>,
        settings: BlockPoissonSettings,
    ) -> Result<BlockPoisson<'a, R>, BlockPoissonError> {
        let BlockPoissonSettings { blocks, batch, renewed, step, length, ref functionals } =
            settings;
        if !(step > 0.0 && step <= 1.0) {
            return Err(BlockPoissonError::Step { step });
        }
        if blocks == 0 || batch == 0 || renewed == 0 || renewed > blocks {
            return Err(BlockPoissonError::Blocks { blocks, batch, renewed });
        }
        if let Some(functional) = no_expectation(functionals) {
            return Err(BlockPoissonError::Functional { functional });
        }
        Misfit::length(length)?;
        Ok(BlockPoisson { taylor, settings, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> BlockPoisson<'a, R> {
        BlockPoisson { budget, ..self }
    }

    /// A chain of this length, from a point of the Gaussian.
    pub fn run(&self, length: Length, rng: &mut Rng) -> Result<BlockPoissonRun, BlockPoissonError> {
        let taylor = self.taylor;
        let BlockPoissonSettings { blocks, renewed, .. } = self.settings;
        let mut ledger = taylor.setup;
        self.budget.check(ledger)?;
        let counts = Poisson::new(1.0).expect("one is a positive mean");
        let mut place = taylor.place(taylor.normal(rng));
        let mut drawn: Drawn = (0..blocks).map(|_| self.block(&counts, rng)).collect();
        let mut estimate = self.likelihood(&place.theta, &drawn, &mut ledger);
        let mut batches = Batches::new(&self.settings.functionals, length.draws);
        let (mut step, mut accepted) = (self.settings.step, 0);
        for iteration in 1..=length.transitions() {
            let proposal = taylor.propose(&place, step, rng);
            // Which blocks are renewed does not depend on where the chain is.
            let first = rng.random_range(0..blocks as u64) as usize;
            let old: Vec<Vec<usize>> = (0..renewed)
                .map(|k| {
                    std::mem::replace(&mut drawn[(first + k) % blocks], self.block(&counts, rng))
                })
                .collect();
            let other = self.likelihood(&proposal.theta, &drawn, &mut ledger);
            self.budget.check(ledger)?;
            let ratio = proposal.free + other.log - place.free - estimate.log;
            // What is not a number is never accepted.
            let accepts = rng.random::<f64>() < ratio.exp();
            if accepts {
                (place, estimate) = (proposal, other);
            } else {
                for (k, block) in old.into_iter().enumerate() {
                    drawn[(first + k) % blocks] = block;
                }
            }
            if iteration <= length.warm_up {
                step = learnt(step, iteration, accepts);
            } else {
                accepted += usize::from(accepts);
                batches.push(&place.theta, estimate.sign);
            }
        }
        let acceptance = accepted as f64 / length.draws as f64;
        Ok(BlockPoissonRun { means: batches.finish(), acceptance, step, ledger })
    }

    /// The rows of Poisson(1) batches.
    fn block(&self, counts: &Poisson<f64>, rng: &mut Rng) -> Vec<usize> {
        let rows = counts.sample(rng) as usize * self.settings.batch;
        (0..rows).map(|_| self.taylor.any_row(rng)).collect()
    }

    fn likelihood(&self, theta: &[f64], drawn: &Drawn, ledger: &mut Ledger) -> Signed {
        let BlockPoissonSettings { blocks, batch, .. } = self.settings;
        let indices: Vec<usize> = drawn.iter().flatten().copied().collect();
        ledger.likelihoods += indices.len() as u64;
        let found = self.taylor.remainders(theta, &self.taylor.rows.gather(&indices), &indices);
        let scale = self.taylor.rows.count() as f64 / (batch * blocks) as f64;
        let mut signed = Signed { log: 0.0, sign: 1.0 };
        for batch in found.chunks_exact(batch) {
            let factor = 1.0 + scale * batch.iter().map(|d| d.value).sum::<f64>();
            signed.log += factor.abs().ln();
            signed.sign *= factor.signum();
        }
        signed
    }
}

impl<R> Estimator for BlockPoisson<'_, R>
where
    R: Rows,
    R::Block: Design,
{
    type Error = BlockPoissonError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, BlockPoissonError> {
        let run = self.run(self.settings.length, rng)?;
        Ok(Estimate { value: run.means.means, depth: 1, cost: run.ledger })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        let BlockPoissonSettings { blocks, batch, length, .. } = self.settings;
        let steps = length.transitions() as f64 + 1.0;
        self.taylor.setup.evaluations() as f64 + steps * (blocks * batch) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, Generated, LogisticLaw};
    use debias::{Seed, Summary};
    use models::logistic::DenseLogistic;
    use models::prior::Prior;

    /// The mean of the estimates, signs included, is the likelihood over e^Q, where many of them are
    /// negative: fails for a right estimator once in about sixteen thousand seeds.
    #[test]
    fn estimates_of_the_likelihood_are_unbiased() {
        let law = LogisticLaw { scale: 1.5, weights: vec![2.0], bias: -0.5 };
        let rows = DenseRows::new(Generated::new(law, Seed(5), 60).range(0..60));
        let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 3.0 }).unwrap();
        let taylor = Taylor::at_mode(&rows, &model).unwrap();
        // Predictors nearer to zero than at the centre bend more than their expansions: d_i < 0.
        let shrunk: Vec<f64> = taylor.sum.anchor.iter().map(|x| 0.5 * x).collect();
        let place = taylor.place(taylor.frame.coordinates(&shrunk));
        let all: Vec<usize> = (0..60).collect();
        let exact: f64 =
            taylor.remainders(&place.theta, rows.block(), &all).iter().map(|d| d.value).sum();
        let settings = BlockPoissonSettings {
            blocks: 2,
            batch: 1,
            renewed: 1,
            step: 1.0,
            length: Length { warm_up: 0, draws: 1 },
            functionals: Functional::means(2),
        };
        let poisson = BlockPoisson::new(&taylor, settings).unwrap();
        let counts = Poisson::new(1.0).unwrap();
        let rng = &mut Seed(7).stream(0);
        let mut negative = 0;
        let ratios: Vec<f64> = (0..100_000)
            .map(|_| {
                let drawn = (0..2).map(|_| poisson.block(&counts, rng)).collect();
                let Signed { log, sign } =
                    poisson.likelihood(&place.theta, &drawn, &mut Ledger::default());
                negative += usize::from(sign < 0.0);
                sign * log.exp() / exact.exp()
            })
            .collect();
        let seen = Summary::of(&ratios).unwrap();
        assert!(negative > 2000, "{negative}");
        assert!((seen.mean - 1.0).abs() < 4.0 * seen.standard_error, "{seen:?}");
    }

    #[test]
    fn sizes_keep_the_noise_low() {
        for noise in [0.0, 0.3, 2.0, 40.0, 5000.0] {
            let (blocks, batch) = BlockPoissonSettings::sizes(noise);
            let (blocks, each) = (blocks as f64, noise / batch as f64);
            assert!(each / blocks <= 0.3 + 1e-9 && each.sqrt() / blocks <= 0.25 + 1e-9, "{noise}");
        }
    }
}
