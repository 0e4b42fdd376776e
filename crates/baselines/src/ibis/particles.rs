//! Weighted points: how even their weights are, and how they are made even again.
//!
//! ```text
//! W_k = w_k / Σ w,    ESS = 1 / Σ W_k²
//! ```
//!
//! Systematic resampling (Kitagawa 1996) takes particle k once for every point (u + i)/K, i < K, that
//! falls into its stretch of the unit interval: ⌊K W_k⌋ or ⌈K W_k⌉ times, K W_k on average.

use debias::Rng;
use rand::RngExt;

/// K points in d dimensions.
#[derive(Clone, Debug)]
pub struct Particles {
    /// d.
    pub dimension: usize,
    /// The points, one after the other.
    pub positions: Vec<f64>,
    /// ln w_k.
    pub log_weights: Vec<f64>,
}

impl Particles {
    /// The points, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.positions.chunks_exact(self.dimension)
    }

    /// The weights times the exponentials of these, summing to one, and the logarithm of what the
    /// mean weight is multiplied by; none if all weights vanish.
    pub fn tilted(&self, increments: &[f64]) -> Option<(Vec<f64>, f64)> {
        let (before, _) = normalised(&self.log_weights)?;
        let logs: Vec<f64> =
            before.iter().zip(increments).map(|(weight, more)| weight.ln() + more).collect();
        normalised(&logs)
    }

    /// Even weights on the points of a systematic resample.
    pub fn resample(&mut self, weights: &[f64], rng: &mut Rng) {
        let chosen = systematic(weights, rng.random());
        let point = |&k: &usize| &self.positions[k * self.dimension..][..self.dimension];
        self.positions = chosen.iter().flat_map(point).copied().collect();
        self.log_weights.fill(0.0);
    }
}

/// 1 / Σ W².
pub fn effective(weights: &[f64]) -> f64 {
    1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>()
}

/// exp(logs) over their sum, and the logarithm of the sum.
fn normalised(logs: &[f64]) -> Option<(Vec<f64>, f64)> {
    let highest = logs.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let sum: f64 = logs.iter().map(|log| (log - highest).exp()).sum();
    let weights = logs.iter().map(|log| (log - highest).exp() / sum).collect();
    (highest.is_finite() && sum.is_finite()).then_some((weights, highest + sum.ln()))
}

/// The indices of a systematic resample, given u in [0, 1).
fn systematic(weights: &[f64], uniform: f64) -> Vec<usize> {
    let count = weights.len();
    let mut chosen = Vec::with_capacity(count);
    let mut reached = 0.0;
    for (k, weight) in weights.iter().enumerate() {
        reached += weight * count as f64;
        while chosen.len() < count && chosen.len() as f64 + uniform < reached {
            chosen.push(k);
        }
    }
    // The sum of all weights may fall short of one by its rounding.
    chosen.resize(count, count - 1);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampling_is_as_even_as_can_be() {
        let weights = [0.1, 0.55, 0.0, 0.35];
        assert_eq!(systematic(&weights, 0.3), [0, 1, 1, 3]);
        assert_eq!(systematic(&weights, 0.9), [1, 1, 3, 3]);
        // Averaged over u, particle k comes 4 W_k times.
        let mut counts = [0.0; 4];
        for step in 0..1000 {
            for k in systematic(&weights, (f64::from(step) + 0.5) / 1000.0) {
                counts[k] += 1e-3;
            }
        }
        for (count, weight) in counts.iter().zip(&weights) {
            assert!((count - 4.0 * weight).abs() < 2e-3, "{counts:?}");
        }
    }

    #[test]
    fn weights_and_their_mean_by_hand() {
        let log_weights = vec![0.0, 3f64.ln()];
        let particles = Particles { dimension: 1, positions: vec![1.0, 2.0], log_weights };
        let (weights, log_mean) = particles.tilted(&[1e3, 1e3 + 2f64.ln()]).unwrap();
        assert!((weights[0] - 1.0 / 7.0).abs() < 1e-12);
        assert!((log_mean - 1e3 - (0.25f64 + 1.5).ln()).abs() < 1e-12);
        assert!((effective(&weights) - 49.0 / 37.0).abs() < 1e-12);
        assert!(particles.tilted(&[f64::NEG_INFINITY; 2]).is_none());
    }
}
