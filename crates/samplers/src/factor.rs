//! Lower triangular factors: Σ = C Cᵀ.
//!
//! Kept as full rows, row after row; the dimensions here are those of parameters, at most a few
//! hundreds, where a plain loop is fast enough.

use crate::vectors::dot;

/// A lower triangular matrix C with a positive diagonal, standing for the covariance C Cᵀ.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Factor {
    dimension: usize,
    // Invariant: dimension² entries, row by row; zeros above the diagonal, which is positive.
    entries: Vec<f64>,
}

/// Why a matrix has no factor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FactorError {
    /// The entries do not fill a square.
    #[error("{entries} entries are no square matrix of {dimension} rows")]
    Shape {
        /// Rows asked for.
        dimension: usize,
        /// Entries given.
        entries: usize,
    },
    /// The matrix is not positive definite, or not finite.
    #[error("pivot {index} is {value}, so the matrix is not positive definite")]
    Pivot {
        /// Which pivot, from zero.
        index: usize,
        /// Its value, which should have been positive.
        value: f64,
    },
}

impl Factor {
    /// C = I.
    pub fn identity(dimension: usize) -> Factor {
        let mut entries = vec![0.0; dimension * dimension];
        for i in 0..dimension {
            entries[i * dimension + i] = 1.0;
        }
        Factor { dimension, entries }
    }

    /// The Cholesky factor of a covariance, given row by row; only its lower half is read.
    pub fn of_covariance(covariance: &[f64], dimension: usize) -> Result<Factor, FactorError> {
        if covariance.len() != dimension * dimension {
            return Err(FactorError::Shape { dimension, entries: covariance.len() });
        }
        let mut entries = vec![0.0; dimension * dimension];
        for i in 0..dimension {
            for j in 0..=i {
                let (above, below) = entries.split_at(i * dimension);
                let row_j = if j == i { &below[..j] } else { &above[j * dimension..][..j] };
                let sum = covariance[i * dimension + j] - dot(&below[..j], row_j);
                if i == j {
                    if !(sum > 0.0 && sum.is_finite()) {
                        return Err(FactorError::Pivot { index: i, value: sum });
                    }
                    entries[i * dimension + i] = sum.sqrt();
                } else {
                    entries[i * dimension + j] = sum / entries[j * dimension + j];
                }
            }
        }
        Ok(Factor { dimension, entries })
    }

    /// The factor of the inverse of a precision H, given row by row: C Cᵀ = H⁻¹.
    ///
    /// With the order of the coordinates reversed, H = U Uᵀ for an upper triangular U, and
    /// C = U⁻ᵀ is lower triangular again.
    pub fn of_precision(precision: &[f64], dimension: usize) -> Result<Factor, FactorError> {
        let reversed: Vec<f64> = precision.iter().rev().copied().collect();
        let lower = Factor::of_covariance(&reversed, dimension).map_err(|error| match error {
            FactorError::Pivot { index, value } => {
                FactorError::Pivot { index: dimension - 1 - index, value }
            }
            shape => shape,
        })?;
        let mut entries = vec![0.0; dimension * dimension];
        let mut column = vec![0.0; dimension];
        for j in 0..dimension {
            column.fill(0.0);
            column[j] = 1.0;
            lower.solve(&mut column);
            // U⁻¹ is the reversal of the inverse just solved for; C is its transpose.
            for i in j..dimension {
                entries[(dimension - 1 - j) * dimension + dimension - 1 - i] = column[i];
            }
        }
        Ok(Factor { dimension, entries })
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The first entries of a row, up to its diagonal.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.dimension..][..=i]
    }

    /// C Cᵀ, row by row.
    pub fn covariance(&self) -> Vec<f64> {
        let d = self.dimension;
        let mut covariance = vec![0.0; d * d];
        for i in 0..d {
            for j in 0..=i {
                let entry = dot(&self.row(i)[..=j], self.row(j));
                covariance[i * d + j] = entry;
                covariance[j * d + i] = entry;
            }
        }
        covariance
    }

    /// Overwrites `out` with C z.
    pub fn apply(&self, z: &[f64], out: &mut [f64]) {
        for i in 0..self.dimension {
            out[i] = dot(self.row(i), &z[..=i]);
        }
    }

    /// Overwrites `out` with Cᵀ g.
    pub fn apply_transpose(&self, g: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.add_transpose(g, out);
    }

    /// Adds Cᵀ g to `out`.
    pub fn add_transpose(&self, g: &[f64], out: &mut [f64]) {
        for i in 0..self.dimension {
            for (out, entry) in out.iter_mut().zip(self.row(i)) {
                *out += entry * g[i];
            }
        }
    }

    /// Replaces x by C⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        for i in 0..self.dimension {
            let row = self.row(i);
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
    }

    /// Replaces x by C⁻ᵀ x.
    pub fn solve_transpose(&self, x: &mut [f64]) {
        for i in (0..self.dimension).rev() {
            let row = self.row(i);
            x[i] /= row[i];
            let value = x[i];
            for (x, entry) in x[..i].iter_mut().zip(&row[..i]) {
                *x -= entry * value;
            }
        }
    }

    /// ln det C.
    pub fn log_determinant(&self) -> f64 {
        (0..self.dimension).map(|i| self.row(i)[i].ln()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVARIANCE: [f64; 9] = [4.0, 2.0, 0.6, 2.0, 3.0, 0.5, 0.6, 0.5, 1.0];

    #[test]
    fn a_covariance_is_the_square_of_its_factor() {
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        for (got, want) in factor.covariance().iter().zip(COVARIANCE) {
            assert!((got - want).abs() < 1e-14);
        }
    }

    #[test]
    fn a_precision_gives_the_factor_of_its_inverse() {
        // The inverse by solving with the Cholesky factor, column by column.
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        let mut precision = vec![0.0; 9];
        for j in 0..3 {
            let mut column = vec![0.0; 3];
            column[j] = 1.0;
            factor.solve(&mut column);
            factor.solve_transpose(&mut column);
            for i in 0..3 {
                precision[i * 3 + j] = column[i];
            }
        }
        let back = Factor::of_precision(&precision, 3).unwrap();
        for (got, want) in back.covariance().iter().zip(COVARIANCE) {
            assert!((got - want).abs() < 1e-13);
        }
    }

    #[test]
    fn solving_undoes_applying() {
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        let x = [0.3, -1.0, 2.0];
        let mut out = [0.0; 3];
        factor.apply(&x, &mut out);
        factor.solve(&mut out);
        assert!(x.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-15));
        factor.apply_transpose(&x, &mut out);
        factor.solve_transpose(&mut out);
        assert!(x.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn a_matrix_that_is_no_covariance_is_refused() {
        assert_eq!(
            Factor::of_covariance(&[-1.0, 3.0, 3.0, 1.0], 2),
            Err(FactorError::Pivot { index: 0, value: -1.0 })
        );
        assert_eq!(
            Factor::of_covariance(&[1.0], 2),
            Err(FactorError::Shape { dimension: 2, entries: 1 })
        );
        let nan = Factor::of_covariance(&[1.0, 0.0, 0.0, f64::NAN], 2);
        assert!(matches!(nan, Err(FactorError::Pivot { index: 1, .. })));
    }
}
