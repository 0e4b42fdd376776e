//! A precision matrix in units in which it has a unit diagonal, so that units of columns do not matter.

use models::linear_algebra::{Cholesky, MatrixError, Symmetric};
use std::cell::OnceCell;

/// The Cholesky factor of a precision that is scaled to a unit diagonal, and its inverse once wanted.
pub(crate) struct Scaled {
    scales: Vec<f64>,
    factor: Cholesky,
    inverse: OnceCell<Vec<f64>>,
}

impl Scaled {
    pub fn new(d: usize, entry: impl Fn(usize, usize) -> f64) -> Result<Scaled, MatrixError> {
        let scales: Vec<f64> = (0..d)
            .map(|j| entry(j, j))
            .map(|diagonal| if diagonal > 0.0 { diagonal.sqrt().recip() } else { 1.0 })
            .collect();
        let mut scaled = Symmetric::zeros(d);
        for i in 0..d {
            for j in 0..=i {
                scaled.add_entry(i, j, entry(i, j) * scales[i] * scales[j]);
            }
        }
        Ok(Scaled { scales, factor: scaled.cholesky()?, inverse: OnceCell::new() })
    }

    /// A⁻¹ b.
    pub fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = vector.iter().zip(&self.scales).map(|(b, s)| b * s).collect();
        self.factor.solve(&mut solved);
        solved.iter_mut().zip(&self.scales).for_each(|(x, s)| *x *= s);
        solved
    }

    /// A⁻¹, d² entries.
    pub fn inverse(&self) -> Vec<f64> {
        let compute = || {
            let d = self.scales.len();
            let mut entries = self.factor.inverse().entries();
            for i in 0..d {
                for j in 0..d {
                    entries[i * d + j] *= self.scales[i] * self.scales[j];
                }
            }
            entries
        };
        self.inverse.get_or_init(compute).clone()
    }
}
