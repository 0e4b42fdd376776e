//! One quantity in several chains, split into halves and ranked.
//!
//! ```text
//! z_i = Φ⁻¹((r_i − 3/8) / (S + 1/4)),   r_i the average rank of value i among all S
//! ```

use statrs::distribution::{ContinuousCDF, Normal};

/// Chains of one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Chains {
    // Invariant: at least one chain, all of the same length, at least four, finite.
    chains: Vec<Vec<f64>>,
}

/// Why chains cannot be diagnosed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChainsError {
    /// There is nothing to look at.
    #[error("{chains} chains of {draws} draws are too few")]
    TooFew {
        /// How many chains.
        chains: usize,
        /// Draws in the first.
        draws: usize,
    },
    /// The chains differ in length.
    #[error("chain {index} has {draws} draws where the first has {first}")]
    Uneven {
        /// Which chain.
        index: usize,
        /// Its draws.
        draws: usize,
        /// Those of the first.
        first: usize,
    },
    /// A draw is not finite.
    #[error("draw {draw} of chain {chain} is {value}")]
    NotFinite {
        /// Which chain.
        chain: usize,
        /// Which draw.
        draw: usize,
        /// Its value.
        value: f64,
    },
}

impl Chains {
    /// Checked chains.
    pub fn new(chains: Vec<Vec<f64>>) -> Result<Chains, ChainsError> {
        let first = chains.first().map_or(0, Vec::len);
        if first < 4 {
            return Err(ChainsError::TooFew { chains: chains.len(), draws: first });
        }
        for (index, chain) in chains.iter().enumerate() {
            if chain.len() != first {
                return Err(ChainsError::Uneven { index, draws: chain.len(), first });
            }
            if let Some(draw) = chain.iter().position(|value| !value.is_finite()) {
                return Err(ChainsError::NotFinite { chain: index, draw, value: chain[draw] });
            }
        }
        Ok(Chains { chains })
    }

    /// The draws of each chain.
    pub fn as_slice(&self) -> &[Vec<f64>] {
        &self.chains
    }

    /// All draws, chain after chain.
    pub(crate) fn pooled(&self) -> Vec<f64> {
        self.chains.concat()
    }

    /// The first and the last half of every chain; a draw in the middle of an odd chain is left out.
    pub(crate) fn split(&self) -> Chains {
        let draws = self.chains[0].len();
        let half = draws / 2;
        let firsts = self.chains.iter().map(|chain| chain[..half].to_vec());
        let lasts = self.chains.iter().map(|chain| chain[draws - half..].to_vec());
        Chains { chains: firsts.chain(lasts).collect() }
    }

    /// The same chains with every value changed.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Chains {
        let chain = |chain: &Vec<f64>| chain.iter().map(|&value| change(value)).collect();
        Chains { chains: self.chains.iter().map(chain).collect() }
    }

    /// The normal scores of the values.
    pub(crate) fn normal_scores(&self) -> Chains {
        let pooled = self.pooled();
        let mut order: Vec<usize> = (0..pooled.len()).collect();
        order.sort_by(|&a, &b| pooled[a].total_cmp(&pooled[b]));
        let normal = Normal::standard();
        let mut scores = vec![0.0; pooled.len()];
        for tie in order.chunk_by(|&a, &b| pooled[a] == pooled[b]) {
            // Ties share the average of their ranks: a run after `before` smaller values.
            let before = order.partition_point(|&index| pooled[index] < pooled[tie[0]]);
            let rank = before as f64 + 0.5 * (tie.len() + 1) as f64;
            let score = normal.inverse_cdf((rank - 0.375) / (pooled.len() as f64 + 0.25));
            for &index in tie {
                scores[index] = score;
            }
        }
        let draws = self.chains[0].len();
        Chains { chains: scores.chunks_exact(draws).map(<[f64]>::to_vec).collect() }
    }

    /// The quantile of all draws, interpolated linearly between order statistics.
    pub(crate) fn quantile(&self, probability: f64) -> f64 {
        let mut pooled = self.pooled();
        pooled.sort_by(f64::total_cmp);
        let place = probability * (pooled.len() - 1) as f64;
        let below = place.floor() as usize;
        let above = (below + 1).min(pooled.len() - 1);
        pooled[below] + (place - below as f64) * (pooled[above] - pooled[below])
    }
}

/// The mean of some values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance of some values, with n − 1.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}
