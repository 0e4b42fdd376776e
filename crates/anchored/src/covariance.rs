//! The covariance of the Laplace approximation, C = A⁻¹, for a precision A shaped like an arrow.
//!
//! ```text
//! A = ⎡ D   B ⎤      W = D⁻¹ B      M = S − Bᵀ W      C = ⎡ D⁻¹ + W M⁻¹ Wᵀ   −W M⁻¹ ⎤
//!     ⎣ Bᵀ  S ⎦                                           ⎣ −M⁻¹ Wᵀ            M⁻¹  ⎦
//! ```
//!
//! Rows only ask for entries between parameters that meet in one of them, so that of the head's own
//! part the diagonal is enough.

use posterior::ArrowMatrix;
use samplers::{Factor, FactorError};

/// C.
#[derive(Clone, Debug)]
pub struct Covariance {
    /// The entries between parameters that meet in a row.
    pub entries: ArrowMatrix,
    /// D⁻¹ and W.
    pub(crate) inverse: Vec<f64>,
    pub(crate) slopes: Vec<f64>,
}

impl Covariance {
    /// C_jj, for all j.
    pub fn variances(&self) -> Vec<f64> {
        self.entries.diagonal_entries()
    }

    /// C g.
    pub fn times(&self, g: &[f64]) -> Vec<f64> {
        let shape = self.entries.shape();
        if shape.is_dense() {
            return self.entries.times(g);
        }
        let s = shape.tail().len();
        let mut tail: Vec<f64> = shape.tail().iter().map(|&column| g[column]).collect();
        for (line, &column) in self.slopes.chunks_exact(s).zip(shape.head()) {
            tail.iter_mut().zip(line).for_each(|(sum, slope)| *sum -= slope * g[column]);
        }
        let lines = self.entries.corner.chunks_exact(s);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let moved: Vec<f64> = lines.map(|line| dot(line, &tail)).collect();
        let mut product = vec![0.0; g.len()];
        for ((line, &column), inverse) in
            self.slopes.chunks_exact(s).zip(shape.head()).zip(&self.inverse)
        {
            product[column] = inverse * g[column] - dot(line, &moved);
        }
        shape.tail().iter().zip(moved).for_each(|(&column, value)| product[column] = value);
        product
    }

    /// A factor of C.
    pub fn factor(&self) -> Result<Factor, FactorError> {
        let shape = self.entries.shape();
        let tail = Factor::of_covariance(&self.entries.corner, shape.tail().len())?;
        if shape.is_dense() {
            return Ok(tail);
        }
        let deviations = self.inverse.iter().map(|inverse| inverse.sqrt()).collect();
        Ok(tail.with_head(shape, deviations, self.slopes.clone()))
    }
}
