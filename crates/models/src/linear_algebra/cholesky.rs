//! The Cholesky factor of a symmetric positive definite matrix: A = L Lᵀ, L lower triangular.

use super::{MatrixError, Symmetric, backend};

/// L.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    dimension: usize,
    // Invariant: d · d entries by column, positive on the diagonal; nothing above it counts.
    lower: Vec<f64>,
}

impl Cholesky {
    pub(super) fn new(matrix: Symmetric) -> Result<Cholesky, MatrixError> {
        let d = matrix.dimension;
        let mut lower = matrix.lower.clone();
        // LAPACK does not take a matrix without entries.
        let positive = (d == 0 || backend::cholesky(&mut lower, d))
            && (0..d).all(|i| lower[i * d + i].is_finite() && lower[i * d + i] > 0.0);
        if !positive {
            let eigenvalues = matrix.eigenvalues();
            return Err(MatrixError::NotPositiveDefinite {
                smallest: eigenvalues.first().copied().unwrap_or(f64::NAN),
                largest: eigenvalues.last().copied().unwrap_or(f64::NAN),
            });
        }
        Ok(Cholesky { dimension: d, lower })
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// L_ij, counted from zero; zero above the diagonal.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        if row < column { 0.0 } else { self.lower[column * self.dimension + row] }
    }

    /// Overwrites each vector b of d entries with A⁻¹ b.
    pub fn solve(&self, vectors: &mut [f64]) {
        self.solve_lower(vectors);
        self.solve_transposed(vectors);
    }

    /// Overwrites each vector b of d entries with L⁻¹ b, whose squared length is bᵀ A⁻¹ b.
    pub fn solve_lower(&self, vectors: &mut [f64]) {
        if self.count(vectors) > 0 {
            backend::solve_lower(&self.lower, self.dimension, vectors);
        }
    }

    /// Overwrites each vector b of d entries with L⁻ᵀ b, of covariance A⁻¹ if b is white noise.
    pub fn solve_transposed(&self, vectors: &mut [f64]) {
        if self.count(vectors) > 0 {
            backend::solve_transposed(&self.lower, self.dimension, vectors);
        }
    }

    /// L z, of covariance A if z is white noise.
    pub fn times(&self, z: &[f64]) -> Vec<f64> {
        assert_eq!(z.len(), self.dimension, "a vector of the wrong length");
        let mut product = vec![0.0; self.dimension];
        for column in 0..self.dimension {
            for row in column..self.dimension {
                product[row] += self.entry(row, column) * z[column];
            }
        }
        product
    }

    /// ln det A.
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.dimension).map(|i| self.entry(i, i).ln()).sum::<f64>()
    }

    /// A⁻¹.
    pub fn inverse(&self) -> Symmetric {
        let d = self.dimension;
        let mut inverse = Symmetric::scaled_identity(d, 1.0);
        self.solve(&mut inverse.lower);
        inverse
    }

    fn count(&self, vectors: &[f64]) -> usize {
        if self.dimension == 0 {
            return 0;
        }
        assert_eq!(vectors.len() % self.dimension, 0, "a vector is cut short");
        vectors.len() / self.dimension
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Symmetric {
        // L = [2; 6 1; −8 5 3].
        let entries = [4.0, 12.0, -16.0, 12.0, 37.0, -43.0, -16.0, -43.0, 98.0];
        Symmetric::from_entries(3, &entries).unwrap()
    }

    #[test]
    fn factor_worked_by_hand() {
        let factor = example().cholesky().unwrap();
        let rows = [[2.0, 0.0, 0.0], [6.0, 1.0, 0.0], [-8.0, 5.0, 3.0]];
        for (i, row) in rows.iter().enumerate() {
            for (j, &value) in row.iter().enumerate() {
                assert!((factor.entry(i, j) - value).abs() < 1e-13, "L[{i}, {j}]");
            }
        }
        assert!((factor.log_determinant() - 36f64.ln()).abs() < 1e-13);
        assert_eq!(factor.times(&[1.0, 0.0, 0.0]).len(), 3);
    }

    #[test]
    fn solve_and_inverse_undo_the_product() {
        let matrix = example();
        let factor = matrix.clone().cholesky().unwrap();
        let x = [1.0, -2.0, 0.5];
        let mut solved = [matrix.times(&x), matrix.times(&x)].concat();
        factor.solve(&mut solved);
        let inverted = factor.inverse().times(&matrix.times(&x));
        for i in 0..3 {
            for value in [solved[i], solved[3 + i], inverted[i]] {
                assert!((value - x[i]).abs() < 1e-10, "{value} for {}", x[i]);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused_with_its_eigenvalues() {
        // The covariance as the paper prints it.
        let printed = Symmetric::from_entries(2, &[-1.0, 3.0, 3.0, 1.0]).unwrap();
        match printed.cholesky() {
            Err(MatrixError::NotPositiveDefinite { smallest, largest }) => {
                assert!((smallest + 10f64.sqrt()).abs() < 1e-14);
                assert!((largest - 10f64.sqrt()).abs() < 1e-14);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_singular_matrix_and_a_broken_one_are_refused() {
        assert!(Symmetric::zeros(2).cholesky().is_err());
        let mut broken = Symmetric::scaled_identity(2, 1.0);
        broken.add_entry(1, 0, f64::NAN);
        assert!(broken.cholesky().is_err());
    }
}
