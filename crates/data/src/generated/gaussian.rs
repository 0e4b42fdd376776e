//! One normal number a row: the log-Gaussian toy and the streaming mean.
//!
//! ```text
//! y ~ N(m, s²)
//! ```

use super::bulk::normals;
use super::law::Law;
use super::tile::{Values, Words};

/// y ~ N(m, s²), the only column; there is no target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianLaw {
    /// m.
    pub mean: f64,
    /// s.
    pub deviation: f64,
}

impl GaussianLaw {
    /// y = ln x for x log-normal with σ² = 2, as in the paper's first experiment.
    ///
    /// The log-Gaussian likelihood reads x only through its logarithm, so that is what is kept.
    pub fn log_gaussian() -> GaussianLaw {
        GaussianLaw { mean: 0.0, deviation: std::f64::consts::SQRT_2 }
    }

    /// N(10, 5000²), the paper's stream.
    pub fn streaming() -> GaussianLaw {
        GaussianLaw { mean: 10.0, deviation: 5000.0 }
    }
}

impl Law for GaussianLaw {
    fn width(&self) -> usize {
        1
    }

    fn words(&self) -> usize {
        1
    }

    fn fill(&self, words: &[Words], columns: &mut [Values]) {
        normals(&words[0], &mut columns[0]);
        for y in &mut columns[0] {
            *y = self.mean + self.deviation * *y;
        }
    }
}
