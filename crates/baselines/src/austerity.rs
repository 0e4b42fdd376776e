//! Austerity in MCMC land (Korattikara, Chen & Welling 2014, Algorithm 1): a sequential t-test.
//!
//! ```text
//! s = (σ̂/√n) √(1 − (n − 1)/(N − 1))        t = (Λ̂ − ψ)/s
//! decide as soon as 1 − F_{n−1}(|t|) < ε,  F_k Student's law with k degrees of freedom
//! ```
//!
//! Rows come in batches of equal size. The test trusts the central limit theorem: where a few rows
//! carry the likelihood, most batches miss them, σ̂ is far too small, and the chain is confidently
//! wrong. Looking again and again makes errors more frequent than ε, too.

use crate::{Evidence, SequentialTest};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Austerity {
    // Invariant: positive.
    batch: usize,
    // Invariant: in (0, 1).
    error: f64,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("batches of {batch} rows and an error of {error}")]
pub struct AusterityError {
    /// Rows a look; a spread needs two.
    pub batch: usize,
    /// ε, outside (0, 1).
    pub error: f64,
}

impl Austerity {
    /// Batches of at least two rows, and an error of each decision in (0, 1).
    pub fn new(batch: usize, error: f64) -> Result<Austerity, AusterityError> {
        if batch >= 2 && error > 0.0 && error < 1.0 {
            Ok(Austerity { batch, error })
        } else {
            Err(AusterityError { batch, error })
        }
    }
}

impl SequentialTest for Austerity {
    fn decides(&self, evidence: &Evidence, threshold: f64) -> bool {
        let Evidence { rows, total, mean, deviation, .. } = *evidence;
        let left = 1.0 - (rows as f64 - 1.0) / (total as f64 - 1.0);
        let spread = deviation * (left / rows as f64).sqrt();
        let distance = ((mean - threshold) / spread).abs();
        match StudentsT::new(0.0, 1.0, rows as f64 - 1.0) {
            // What is not a number decides nothing.
            Ok(law) if !distance.is_nan() => law.sf(distance) < self.error,
            _ => false,
        }
    }

    fn next(&self, rows: usize) -> usize {
        rows + self.batch
    }

    fn needs_range(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t = 2 on four degrees of freedom leaves 0.0581 beyond it, and half the rows shrink s by √½.
    #[test]
    fn decisions_by_hand() {
        let evidence = Evidence {
            rows: 5,
            total: 9,
            mean: 1.0,
            deviation: 10f64.sqrt(),
            range: 0.0,
            looks: 1,
        };
        // s = √10 · √(½ / 5) = 1.
        let decides = |error| Austerity::new(5, error).unwrap().decides(&evidence, -1.0);
        assert!(decides(0.0582) && !decides(0.0580));
        assert_eq!(Austerity::new(5, 0.1).unwrap().next(5), 10);
    }

    #[test]
    fn bad_settings_are_refused_with_their_numbers() {
        for (batch, error) in [(0, 0.1), (1, 0.1), (10, 0.0), (10, 1.0), (10, -0.1)] {
            assert_eq!(Austerity::new(batch, error), Err(AusterityError { batch, error }));
        }
        assert!(Austerity::new(10, f64::NAN).is_err());
    }
}
