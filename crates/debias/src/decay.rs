//! The rate at which increments shrink: ν_t ≈ c · n_t^{−β}.
//!
//! Least squares of ln ν_t on ln n_t. The paper's Appendix B: the variance stays bounded under a
//! geometric law when α < β. Under any law of bounded cost, work × variance behaves like
//! (Σ n_t^{(1−β)/2})²: bounded for β > 1, log² N at β = 1, N^{1−β} below.

use thiserror::Error;

/// A fitted power law.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Decay {
    /// ln c.
    pub intercept: f64,
    /// β.
    pub beta: f64,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DecayError {
    /// A line needs two points.
    #[error("{positive} of {levels} levels have a positive moment; a fit needs two")]
    TooFew {
        /// Levels with something to fit.
        positive: usize,
        /// Levels looked at.
        levels: usize,
    },
}

impl Decay {
    /// Fits sizes n_t and moments ν_t; moments that are not positive have no logarithm and are
    /// left out.
    pub fn fit(sizes: &[f64], moments: &[f64]) -> Result<Decay, DecayError> {
        let points: Vec<(f64, f64)> = sizes
            .iter()
            .zip(moments)
            .filter(|&(_, &moment)| moment > 0.0)
            .map(|(size, moment)| (size.ln(), moment.ln()))
            .collect();
        if points.len() < 2 {
            return Err(DecayError::TooFew { positive: points.len(), levels: sizes.len() });
        }
        let count = points.len() as f64;
        let x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let xx: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let xy: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let beta = -xy / xx;
        Ok(Decay { intercept: y + beta * x, beta })
    }

    /// c · n^{−β}.
    pub fn at(&self, size: f64) -> f64 {
        (self.intercept - self.beta * size.ln()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_exactly() {
        let sizes = [8.0, 16.0, 32.0, 64.0];
        let moments: Vec<f64> = sizes.iter().map(|n: &f64| 3.0 * n.powf(-1.5)).collect();
        let decay = Decay::fit(&sizes, &moments).unwrap();
        assert!((decay.beta - 1.5).abs() < 1e-12);
        assert!((decay.at(128.0) - 3.0 * 128f64.powf(-1.5)).abs() < 1e-12);
        assert_eq!(
            Decay::fit(&sizes, &[1.0, 0.0, -1.0, 0.0]),
            Err(DecayError::TooFew { positive: 1, levels: 4 })
        );
    }
}
