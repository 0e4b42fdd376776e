//! Monte Carlo standard errors (Vehtari et al. 2021).
//!
//! ```text
//! MCSE(mean) = sd / √ESS,
//! MCSE(sd)² = (E d² − (E d)²) / (4 E d · ESS_d),   d = (θ − mean)²
//! ```

use super::chains::{mean, variance};
use super::{Chains, ess_mean};

/// The standard error of the mean over all draws.
pub fn mcse_mean(chains: &Chains) -> f64 {
    (variance(&chains.pooled()) / ess_mean(chains)).sqrt()
}

/// The standard error of the standard deviation over all draws.
pub fn mcse_sd(chains: &Chains) -> f64 {
    let centre = mean(&chains.pooled());
    let squares = chains.map(|value| (value - centre).powi(2));
    let first = mean(&squares.pooled());
    let second = mean(&squares.map(|square| square * square).pooled());
    ((second - first * first) / ess_mean(&squares) / first / 4.0).sqrt()
}
