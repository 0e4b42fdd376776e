//! Effective sample sizes (Vehtari et al. 2021; Geyer 1992).
//!
//! ```text
//! ρ_t = 1 − (W − mean over chains of the autocovariance at lag t) / var⁺
//! τ = −1 + 2 Σ_k P_k,   P_k = ρ_{2k} + ρ_{2k+1} as long as positive, made monotone
//! ESS = S / max(τ, 1/log₁₀ S)
//! ```

use super::Chains;
use super::chains::{mean, variance};

/// The effective number of draws for the mean of the quantity.
pub fn ess_mean(chains: &Chains) -> f64 {
    effective(&chains.split())
}

/// The effective number of draws for the centre: of the normal scores.
pub fn ess_bulk(chains: &Chains) -> f64 {
    effective(&chains.split().normal_scores())
}

/// The effective number of draws for the tails: the smaller of those for the 5 % and 95 % quantiles.
pub fn ess_tail(chains: &Chains) -> f64 {
    let of_quantile = |probability| {
        let quantile = chains.quantile(probability);
        ess_mean(&chains.map(|value| f64::from(u8::from(value <= quantile))))
    };
    of_quantile(0.05f64).min(of_quantile(0.95))
}

fn effective(chains: &Chains) -> f64 {
    let chains = chains.as_slice();
    let draws = chains[0].len();
    let total = (chains.len() * draws) as f64;
    let centred: Vec<Vec<f64>> = chains
        .iter()
        .map(|chain| {
            let centre = mean(chain);
            chain.iter().map(|value| value - centre).collect()
        })
        .collect();
    // The mean over chains of the autocovariance, with 1/n at every lag.
    let autocovariance = |lag: usize| {
        let of_chain = |chain: &Vec<f64>| {
            chain.iter().zip(&chain[lag..]).map(|(a, b)| a * b).sum::<f64>() / draws as f64
        };
        centred.iter().map(of_chain).sum::<f64>() / centred.len() as f64
    };
    let n = draws as f64;
    let biased = autocovariance(0);
    let within = biased * n / (n - 1.0);
    let mut pooled = biased;
    if chains.len() > 1 {
        let means: Vec<f64> = chains.iter().map(|chain| mean(chain)).collect();
        pooled += variance(&means);
    }
    if pooled <= f64::MIN_POSITIVE {
        // A quantity that never changes is known from every draw.
        return total;
    }
    let correlation = |lag: usize| 1.0 - (within - autocovariance(lag)) / pooled;

    // P_0, …, P_{K−1}, and the pair K at which the positive sequence ended.
    let mut pairs: Vec<f64> = Vec::new();
    let (mut even, mut odd) = (1.0, correlation(1));
    while even + odd > 0.0 && 2 * pairs.len() + 1 < draws.saturating_sub(3) {
        pairs.push(even + odd);
        let lag = 2 * pairs.len();
        (even, odd) = (correlation(lag), correlation(lag + 1));
    }
    for k in 1..pairs.len() {
        pairs[k] = pairs[k].min(pairs[k - 1]);
    }
    // Half of the pair after the last lowers the variance of the estimate for antithetic chains.
    let rest = if even + odd >= 0.0 { even } else { even.max(0.0) };
    let time = -1.0 + 2.0 * pairs.iter().sum::<f64>() + rest;
    total / time.max(1.0 / total.log10())
}
