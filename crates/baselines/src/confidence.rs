//! The confidence sampler (Bardenet, Doucet & Holmes 2014, Algorithm 2): empirical Bernstein
//! bounds.
//!
//! ```text
//! c = σ̂ √(2 ln(3/δ_j)/n) + 3 R ln(3/δ_j)/n         δ_j = δ (p − 1)/(p jᵖ),  p = 2
//! decide as soon as |Λ̂ − ψ| ≥ c
//! ```
//!
//! at look j, with R a bound on the range of the differences (Audibert, Munos & Szepesvári 2009;
//! the bound holds without replacement, too). The δ_j add up to less than δ: a step decides as
//! Metropolis would with probability 1 − δ at least, whatever the law of the rows, and the chain is
//! within O(δ) of the true one. The price is R: where it is large, nearly all rows are needed.

use crate::{Evidence, SequentialTest};

/// The test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    // Invariant: at least two.
    batch: usize,
    // Invariant: above one.
    growth: f64,
    // Invariant: in (0, 1).
    error: f64,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a first batch of {batch} rows growing by {growth}, and an error of {error}")]
pub struct ConfidenceError {
    /// Rows at the first look; a spread needs two.
    pub batch: usize,
    /// γ, not above one.
    pub growth: f64,
    /// δ, outside (0, 1).
    pub error: f64,
}

impl Confidence {
    /// At least two rows, growing by γ > 1 from look to look, and an error of a step in (0, 1).
    pub fn new(batch: usize, growth: f64, error: f64) -> Result<Confidence, ConfidenceError> {
        let grows = growth > 1.0 && growth.is_finite();
        if batch >= 2 && grows && error > 0.0 && error < 1.0 {
            Ok(Confidence { batch, growth, error })
        } else {
            Err(ConfidenceError { batch, growth, error })
        }
    }
}

impl SequentialTest for Confidence {
    fn decides(&self, evidence: &Evidence, threshold: f64) -> bool {
        let Evidence { rows, mean, deviation, range, looks, .. } = *evidence;
        let error = self.error / (2.0 * (looks as f64).powi(2));
        let (log, n) = ((3.0 / error).ln(), rows as f64);
        let bound = deviation * (2.0 * log / n).sqrt() + 3.0 * range * log / n;
        (mean - threshold).abs() >= bound
    }

    fn next(&self, rows: usize) -> usize {
        let grown = (self.growth * rows as f64).ceil() as usize;
        grown.max(rows + 1).max(self.batch)
    }

    fn needs_range(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// δ = 6 e⁻² at the first look gives ln(3/δ_1) = 2: c = 3 · √(4/4) + 3 · 2 · 2/4 = 6.
    #[test]
    fn decisions_by_hand() {
        let test = Confidence::new(4, 2.0, 6.0 * (-2f64).exp()).unwrap();
        let evidence =
            Evidence { rows: 4, total: 9, mean: 1.0, deviation: 3.0, range: 2.0, looks: 1 };
        assert!(test.decides(&evidence, -5.01) && test.decides(&evidence, 7.01));
        assert!(!test.decides(&evidence, -4.99) && !test.decides(&evidence, 6.99));
        assert!(!test.decides(&Evidence { looks: 2, ..evidence }, 7.01));
        assert_eq!((test.next(0), test.next(4), test.next(5)), (4, 8, 10));
    }

    #[test]
    fn bad_settings_are_refused_with_their_numbers() {
        for (batch, growth, error) in
            [(0, 2.0, 0.1), (1, 2.0, 0.1), (9, 1.0, 0.1), (9, 2.0, 0.0), (9, 2.0, 1.0)]
        {
            let refused = ConfidenceError { batch, growth, error };
            assert_eq!(Confidence::new(batch, growth, error), Err(refused));
        }
    }
}
