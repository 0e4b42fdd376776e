//! Rank-normalised split R̂ (Vehtari et al. 2021).
//!
//! ```text
//! R̂ = √( ((n−1)/n · W + B/n) / W ),   W the mean variance within, B/n the variance between chains
//! ```
//!
//! of the normal scores of the half chains, and the same for the distances from the median, which
//! sees chains of different spread; the larger of the two.

use super::Chains;
use super::chains::{mean, variance};

/// R̂; NaN for chains that never move.
pub fn rhat(chains: &Chains) -> f64 {
    let halves = chains.split();
    let median = halves.quantile(0.5);
    let folded = halves.map(|value| (value - median).abs());
    plain(&halves.normal_scores()).max(plain(&folded.normal_scores()))
}

fn plain(chains: &Chains) -> f64 {
    let means: Vec<f64> = chains.as_slice().iter().map(|chain| mean(chain)).collect();
    let variances: Vec<f64> = chains.as_slice().iter().map(|chain| variance(chain)).collect();
    let n = chains.as_slice()[0].len() as f64;
    let (within, between) = (mean(&variances), variance(&means));
    (((n - 1.0) / n * within + between) / within).sqrt()
}
