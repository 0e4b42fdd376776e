//! Symmetric positive definite matrices behind one small interface.
//!
//! ```text
//! A = L Lᵀ     A x = b  ⇔  L y = b, Lᵀ x = y     ln det A = 2 Σ_i ln L_ii     A ← A + s V Vᵀ
//! ```
//!
//! faer does the work; with the feature `lapack` the system's LAPACK does it. Both run on the
//! calling thread, so that no result depends on how many there are.

#[cfg(all(test, feature = "lapack"))]
mod agreement;
#[cfg_attr(feature = "lapack", allow(dead_code, reason = "kept to be compared with LAPACK"))]
mod by_faer;
#[cfg(feature = "lapack")]
mod by_lapack;
mod cholesky;

#[cfg(not(feature = "lapack"))]
use by_faer as backend;
#[cfg(feature = "lapack")]
use by_lapack as backend;

pub use cholesky::Cholesky;

/// A symmetric d × d matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    dimension: usize,
    // Invariant: d · d entries by column; those above the diagonal mean nothing.
    lower: Vec<f64>,
}

/// How the vectors of a rank-k update lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One vector of d entries after the other.
    VectorByVector,
    /// All k first entries, then all k second entries, …: the columns of a block of rows.
    EntryByEntry,
}

/// Why a matrix is not the covariance that was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MatrixError {
    /// Too many or too few entries.
    #[error("{entries} entries do not make a square matrix of dimension {dimension}")]
    Shape {
        /// d.
        dimension: usize,
        /// What was given instead of d².
        entries: usize,
    },
    /// An entry is infinite or not a number.
    #[error("entry ({row}, {column}) is {value}")]
    NotFinite {
        /// Counted from zero.
        row: usize,
        /// Counted from zero.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// Two mirrored entries differ.
    #[error("entry ({row}, {column}) is {below} and its mirror image {above}")]
    NotSymmetric {
        /// Counted from zero.
        row: usize,
        /// Counted from zero.
        column: usize,
        /// The entry below the diagonal.
        below: f64,
        /// The entry above the diagonal.
        above: f64,
    },
    /// An eigenvalue is zero or negative, or too small beside the largest to be told from zero.
    #[error("eigenvalues reach from {smallest} to {largest}")]
    NotPositiveDefinite {
        /// The smallest eigenvalue.
        smallest: f64,
        /// The largest eigenvalue.
        largest: f64,
    },
}

impl Symmetric {
    /// The matrix of zeros.
    pub fn zeros(dimension: usize) -> Symmetric {
        Symmetric { dimension, lower: vec![0.0; dimension * dimension] }
    }

    /// s · I.
    pub fn scaled_identity(dimension: usize, scale: f64) -> Symmetric {
        let mut matrix = Symmetric::zeros(dimension);
        matrix.add_diagonal(scale);
        matrix
    }

    /// The matrix with these d² entries, row by row.
    pub fn from_entries(dimension: usize, entries: &[f64]) -> Result<Symmetric, MatrixError> {
        if entries.len() != dimension * dimension {
            return Err(MatrixError::Shape { dimension, entries: entries.len() });
        }
        for row in 0..dimension {
            for column in 0..=row {
                let below = entries[row * dimension + column];
                let above = entries[column * dimension + row];
                if let Some(value) = [below, above].into_iter().find(|value| !value.is_finite()) {
                    return Err(MatrixError::NotFinite { row, column, value });
                }
                if below != above {
                    return Err(MatrixError::NotSymmetric { row, column, below, above });
                }
            }
        }
        Ok(Symmetric { dimension, lower: entries.to_vec() })
    }

    /// The matrix whose lower triangle is that of these d² entries, column by column; entries
    /// above the diagonal are not read.
    pub fn from_lower(dimension: usize, entries: Vec<f64>) -> Result<Symmetric, MatrixError> {
        if entries.len() != dimension * dimension {
            return Err(MatrixError::Shape { dimension, entries: entries.len() });
        }
        Ok(Symmetric { dimension, lower: entries })
    }

    /// Overwrites the matrix with d² entries that are known to be symmetric.
    pub(crate) fn fill_lower(&mut self, entries: &[f64]) {
        self.lower.copy_from_slice(entries);
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The entry in this row and column, counted from zero.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        let (column, row) = (row.min(column), row.max(column));
        self.lower[column * self.dimension + row]
    }

    /// A ← A with `value` added at (row, column) and at its mirror image.
    pub fn add_entry(&mut self, row: usize, column: usize, value: f64) {
        let (column, row) = (row.min(column), row.max(column));
        self.lower[column * self.dimension + row] += value;
    }

    /// A ← A + s I.
    pub fn add_diagonal(&mut self, scale: f64) {
        for i in 0..self.dimension {
            self.lower[i * self.dimension + i] += scale;
        }
    }

    /// A ← A + s B.
    pub fn add(&mut self, scale: f64, other: &Symmetric) {
        assert_eq!(self.dimension, other.dimension, "matrices of different dimensions");
        for (own, other) in self.lower.iter_mut().zip(&other.lower) {
            *own += scale * other;
        }
    }

    /// A ← A + s Σ_k v_k v_kᵀ, where `vectors` holds whole vectors in the given layout.
    pub fn add_rank(&mut self, scale: f64, vectors: &[f64], layout: Layout) {
        if self.dimension > 0 {
            assert_eq!(vectors.len() % self.dimension, 0, "a vector is cut short");
            backend::add_rank(&mut self.lower, self.dimension, scale, vectors, layout);
        }
    }

    /// A ← A + s T + s Tᵀ − s diag T, where T is the lower triangle of Σ_k a_k b_kᵀ: the triangle is
    /// added, and mirrored. Both slices hold one vector of d entries after the other.
    pub fn add_lower_products(&mut self, scale: f64, left: &[f64], right: &[f64]) {
        if self.dimension > 0 {
            assert_eq!(left.len() % self.dimension, 0, "a vector is cut short");
            assert_eq!(left.len(), right.len(), "vectors without partners");
            backend::add_lower_products(&mut self.lower, self.dimension, scale, left, right);
        }
    }

    /// A x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let d = self.dimension;
        assert_eq!(x.len(), d, "a vector of the wrong length");
        let mut product = vec![0.0; d];
        for column in 0..d {
            let below = &self.lower[column * d..][..d];
            let mut sum = below[column] * x[column];
            for row in column + 1..d {
                product[row] += below[row] * x[column];
                sum += below[row] * x[row];
            }
            product[column] += sum;
        }
        product
    }

    /// xᵀ A x.
    pub fn quadratic_form(&self, x: &[f64]) -> f64 {
        self.times(x).iter().zip(x).map(|(product, x)| product * x).sum()
    }

    /// All entries, row by row.
    pub fn entries(&self) -> Vec<f64> {
        let d = self.dimension;
        (0..d * d).map(|index| self.entry(index / d, index % d)).collect()
    }

    /// The eigenvalues, smallest first; NaN throughout if an entry is not finite.
    pub fn eigenvalues(&self) -> Vec<f64> {
        let d = self.dimension;
        let finite = (0..d).all(|j| self.lower[j * d + j..][..d - j].iter().all(|x| x.is_finite()));
        if !finite || d == 0 {
            return vec![f64::NAN; d];
        }
        backend::eigenvalues(&self.lower, d)
    }

    /// A = L Lᵀ.
    pub fn cholesky(self) -> Result<Cholesky, MatrixError> {
        Cholesky::new(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_update_in_both_layouts() {
        // Two vectors, (1, 2, 3) and (4, 5, 6).
        let mut by_vector = Symmetric::scaled_identity(3, 1.0);
        by_vector.add_rank(2.0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Layout::VectorByVector);
        let mut by_entry = Symmetric::scaled_identity(3, 1.0);
        by_entry.add_rank(2.0, &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], Layout::EntryByEntry);
        let expected = [35.0, 44.0, 54.0, 44.0, 59.0, 72.0, 54.0, 72.0, 91.0];
        assert_eq!(by_vector.entries(), expected);
        assert_eq!(by_entry.entries(), expected);
    }

    #[test]
    fn products_of_two_families_are_mirrored() {
        // (1, 2)(5, 6)ᵀ + (3, 4)(7, 8)ᵀ = [26 30; 38 44].
        let mut matrix = Symmetric::zeros(2);
        matrix.add_lower_products(2.0, &[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]);
        assert_eq!(matrix.entries(), [52.0, 76.0, 76.0, 88.0]);
        assert!(Symmetric::from_lower(2, vec![0.0; 3]).is_err());
        let given = Symmetric::from_lower(2, vec![1.0, 2.0, f64::NAN, 3.0]).unwrap();
        assert_eq!(given.entries(), [1.0, 2.0, 2.0, 3.0]);
    }

    #[test]
    fn product_uses_both_triangles() {
        let matrix = Symmetric::from_entries(2, &[1.0, 2.0, 2.0, 5.0]).unwrap();
        assert_eq!(matrix.times(&[1.0, -1.0]), [-1.0, -3.0]);
        assert_eq!(matrix.quadratic_form(&[1.0, -1.0]), 2.0);
    }

    #[test]
    fn bad_entries_are_named() {
        let shape = Symmetric::from_entries(2, &[1.0; 3]);
        assert_eq!(shape, Err(MatrixError::Shape { dimension: 2, entries: 3 }));
        let askew = Symmetric::from_entries(2, &[1.0, 2.0, 3.0, 1.0]);
        let error = MatrixError::NotSymmetric { row: 1, column: 0, below: 3.0, above: 2.0 };
        assert_eq!(askew, Err(error));
        let infinite = Symmetric::from_entries(1, &[f64::INFINITY]);
        let error = MatrixError::NotFinite { row: 0, column: 0, value: f64::INFINITY };
        assert_eq!(infinite, Err(error));
    }
}
