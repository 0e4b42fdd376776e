//! Chains on all rows of a9a, and the truth that long ones make.

use super::Level;
use crate::problems::a9a::WEIGHTS;
use crate::problems::truth::Truth;
use debias::{Ledger, Rng};
use models::design::PatternBlock;
use models::logistic::PatternLogistic;
use posterior::PartialPosterior;
use samplers::{Functional, diagnostics};
use serde::{Deserialize, Serialize};

/// The posterior given all rows.
pub(super) struct AllRows<'a> {
    pub model: &'a PatternLogistic,
    pub block: &'a PatternBlock,
}

/// What one chain says of all weights.
#[derive(Serialize, Deserialize)]
pub(super) struct Chain {
    means: Vec<f64>,
    variances: Vec<f64>,
    effective: Vec<f64>,
    cost: Ledger,
}

impl AllRows<'_> {
    pub fn chain(&self, level: &Level, rng: &mut Rng) -> anyhow::Result<Chain> {
        let mut posterior = PartialPosterior::new(self.model, self.block);
        let draws = level.draws(&mut posterior, rng)?;
        let variances: Vec<_> = (0..WEIGHTS).map(Functional::Variance).collect();
        let summary = diagnostics::Summary::of_draws(std::slice::from_ref(&draws));
        // Without enough draws for a diagnosis nothing is known of them.
        let effective = summary.map_or(vec![0.0; WEIGHTS], |summary| {
            summary.iter().map(|weight| weight.ess_bulk).collect()
        });
        Ok(Chain {
            means: draws.functionals(&Functional::means(WEIGHTS)),
            variances: draws.functionals(&variances),
            effective,
            cost: posterior.ledger(),
        })
    }
}

/// The posterior by chains.
pub(super) struct Reference {
    pub truth: Truth,
    pub effective: Vec<f64>,
    /// Likelihood evaluations of all chains.
    pub evaluations: f64,
}

impl Reference {
    pub fn of(chains: &[Chain]) -> Reference {
        let count = chains.len() as f64;
        let average = |column: fn(&Chain) -> &[f64], j: usize| {
            chains.iter().map(|chain| column(chain)[j]).sum::<f64>() / count
        };
        let weights = || 0..WEIGHTS;
        let means = weights().map(|j| average(|chain| &chain.means, j)).collect();
        let sds: Vec<f64> =
            weights().map(|j| average(|chain| &chain.variances, j).sqrt()).collect();
        let effective: Vec<f64> =
            weights().map(|j| count * average(|chain| &chain.effective, j)).collect();
        let errors = sds.iter().zip(&effective).map(|(sd, ess)| sd / ess.sqrt()).collect();
        let mut cost = Ledger::default();
        chains.iter().for_each(|chain| cost += chain.cost);
        let evaluations = cost.evaluations() as f64;
        Reference { truth: Truth { means, sds, errors }, effective, evaluations }
    }

    pub fn least_effective(&self) -> f64 {
        self.effective.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn mean_effective(&self) -> f64 {
        self.effective.iter().sum::<f64>() / self.effective.len() as f64
    }
}
