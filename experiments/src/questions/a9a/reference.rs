//! Chains on all rows of a9a, and the truth that long ones make.

use super::{DIMENSION, Level};
use crate::problems::truth::Truth;
use debias::{Estimate, Estimator, Replicates, Rng};
use models::design::PatternBlock;
use models::logistic::PatternLogistic;
use posterior::{Block, PartialPosterior};
use samplers::{ChainError, Functional, diagnostics};

/// One chain on all rows a replicate: means, variances and effective draws of all weights.
pub(super) struct FullNuts<'a> {
    pub model: &'a PatternLogistic,
    pub block: &'a PatternBlock,
    pub level: &'a Level,
}

impl Estimator for FullNuts<'_> {
    type Error = ChainError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, ChainError> {
        let mut posterior = PartialPosterior::new(self.model, self.block);
        let draws = self.level.draws(&mut posterior, rng)?;
        let mut value = draws.functionals(&Functional::means(DIMENSION));
        let variances: Vec<_> = (0..DIMENSION).map(Functional::Variance).collect();
        value.extend(draws.functionals(&variances));
        let summary = diagnostics::Summary::of_draws(std::slice::from_ref(&draws));
        // Without enough draws for a diagnosis nothing is known of them.
        value.extend(summary.map_or(vec![0.0; DIMENSION], |summary| {
            summary.iter().map(|weight| weight.ess_bulk).collect()
        }));
        Ok(Estimate { value, depth: 1, cost: posterior.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.level.expected_evaluations * self.block.rows() as f64
    }
}

/// The posterior by long chains.
pub(super) struct Reference {
    pub truth: Truth,
    pub effective: Vec<f64>,
}

impl Reference {
    pub fn of(chains: &Replicates) -> Reference {
        let count = chains.count() as f64;
        let average = |j: usize| chains.functional(j).iter().sum::<f64>() / count;
        let weights = || 0..DIMENSION;
        let means = weights().map(average).collect();
        let sds: Vec<f64> = weights().map(|j| average(DIMENSION + j).sqrt()).collect();
        let effective: Vec<f64> = weights().map(|j| count * average(2 * DIMENSION + j)).collect();
        let errors = sds.iter().zip(&effective).map(|(sd, ess)| sd / ess.sqrt()).collect();
        Reference { truth: Truth { means, sds, errors }, effective }
    }
}
