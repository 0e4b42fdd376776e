//! All diagnostics of one quantity.

use super::chains::{mean, variance};
use super::{Chains, ChainsError, ess_bulk, ess_tail, mcse_mean, rhat};
use crate::Draws;

/// What chains say about one quantity, and how far to trust it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The mean of all draws.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
    /// The standard error of the mean.
    pub mcse: f64,
    /// Effective draws in the centre.
    pub ess_bulk: f64,
    /// Effective draws in the tails.
    pub ess_tail: f64,
    /// R̂.
    pub rhat: f64,
}

impl Summary {
    /// The summary of chains of one quantity.
    pub fn of(chains: &Chains) -> Summary {
        let pooled = chains.pooled();
        Summary {
            mean: mean(&pooled),
            sd: variance(&pooled).sqrt(),
            mcse: mcse_mean(chains),
            ess_bulk: ess_bulk(chains),
            ess_tail: ess_tail(chains),
            rhat: rhat(chains),
        }
    }

    /// The summary of every coordinate of some runs on the same target.
    pub fn of_draws(runs: &[Draws]) -> Result<Vec<Summary>, ChainsError> {
        let dimension = runs.first().map_or(0, Draws::dimension);
        (0..dimension)
            .map(|j| {
                let chains = runs.iter().map(|draws| draws.coordinate(j)).collect();
                Ok(Summary::of(&Chains::new(chains)?))
            })
            .collect()
    }
}
