//! Features from a few inputs: inducing points and pivoted incomplete Cholesky.
//!
//! ```text
//! φ(x) = L⁻¹ k(Z, x),  L Lᵀ = k(Z, Z)        φ(x)·φ(x') = k(x, Z) k(Z, Z)⁻¹ k(Z, x')
//! ```
//!
//! Any m inputs Z will do (Quiñonero-Candela & Rasmussen 2005, subset of regressors). Pivoted
//! incomplete Cholesky (Fine & Scheinberg 2001) picks them from given rows one by one, always the
//! row with the largest k(x, x) − φ(x)·φ(x), and stops when these errors add up to little; its
//! factor of the kernel matrix is then φ on those rows.

use super::FeatureMap;
use crate::kernel::{self, SquaredExponential};
use crate::linear_algebra::{Cholesky, MatrixError, Symmetric};
use posterior::{Block, DenseBlock};
use std::ops::Range;

/// Added to the diagonal of k(Z, Z), in units of k(x, x): what rounding may take away.
const JITTER: f64 = 1e-10;

/// φ.
#[derive(Clone, Debug)]
pub struct InducingFeatures {
    kernel: SquaredExponential,
    inputs: DenseBlock,
    factor: Cholesky,
}

/// Why there are no such features.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InducingError {
    /// No inputs, or more than there are rows to choose from.
    #[error("{inputs} inducing inputs from {rows} rows")]
    Inputs {
        /// m.
        inputs: usize,
        /// Rows at hand.
        rows: usize,
    },
    /// The inputs are so close that even with the jitter k(Z, Z) cannot be told from singular.
    #[error("the kernel matrix of {inputs} inducing inputs is numerically singular")]
    Singular {
        /// m.
        inputs: usize,
        /// Its eigenvalues.
        #[source]
        source: MatrixError,
    },
}

impl InducingFeatures {
    /// Features of these inputs; their targets are ignored.
    pub fn new(
        kernel: SquaredExponential,
        inputs: DenseBlock,
    ) -> Result<InducingFeatures, InducingError> {
        let count = inputs.rows();
        if count == 0 {
            return Err(InducingError::Inputs { inputs: 0, rows: 0 });
        }
        let mut matrix = Symmetric::zeros(count);
        matrix.fill_lower(&kernel.matrix(&inputs, &inputs));
        matrix.add_diagonal(JITTER * kernel.variance());
        let factor = matrix
            .cholesky()
            .map_err(|source| InducingError::Singular { inputs: count, source })?;
        Ok(InducingFeatures { kernel, inputs, factor })
    }

    /// Picks at most `most` of the rows by pivoted incomplete Cholesky, fewer once the errors
    /// k(x, x) − φ(x)·φ(x) of all rows add up to at most `tolerance` times Σ k(x, x).
    pub fn by_pivots(
        kernel: SquaredExponential,
        rows: &DenseBlock,
        most: usize,
        tolerance: f64,
    ) -> Result<InducingFeatures, InducingError> {
        let n = rows.rows();
        if most == 0 || most > n {
            return Err(InducingError::Inputs { inputs: most, rows: n });
        }
        let mut errors = vec![kernel.variance(); n];
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut pivots = Vec::new();
        while pivots.len() < most {
            // The first of the largest, so that ties break the same way everywhere.
            let pivot = (0..n).fold(0, |best, i| if errors[i] > errors[best] { i } else { best });
            // Below the jitter a column would be rounding, and its row a duplicate.
            if errors.iter().sum::<f64>() <= tolerance * kernel.variance() * n as f64
                || errors[pivot] <= JITTER * kernel.variance()
            {
                break;
            }
            let mut column = vec![0.0; n];
            kernel.column(rows, &kernel::row(rows, pivot), &mut column);
            for earlier in &columns {
                let weight = earlier[pivot];
                for (entry, earlier) in column.iter_mut().zip(earlier) {
                    *entry -= weight * earlier;
                }
            }
            let scale = errors[pivot].sqrt();
            for (entry, error) in column.iter_mut().zip(&mut errors) {
                *entry /= scale;
                *error = (*error - *entry * *entry).max(0.0);
            }
            errors[pivot] = 0.0;
            columns.push(column);
            pivots.push(pivot);
        }
        if pivots.is_empty() {
            return Err(InducingError::Inputs { inputs: 0, rows: n });
        }
        InducingFeatures::new(kernel, kernel::take(rows, &pivots))
    }

    /// Z, with the targets that came along.
    pub fn inputs(&self) -> &DenseBlock {
        &self.inputs
    }
}

impl FeatureMap for InducingFeatures {
    fn count(&self) -> usize {
        self.inputs.rows()
    }

    fn width(&self) -> usize {
        self.inputs.width()
    }

    fn write(&self, block: &DenseBlock, rows: Range<usize>, features: &mut [f64]) {
        let (count, n) = (self.count(), rows.len());
        assert_eq!(features.len(), count * n, "m features a row");
        let mut by_row = vec![0.0; count * n];
        for (column, index) in by_row.chunks_exact_mut(count).zip(rows) {
            self.kernel.column(&self.inputs, &kernel::row(block, index), column);
        }
        self.factor.solve_lower(&mut by_row);
        for (i, column) in by_row.chunks_exact(count).enumerate() {
            for (j, &feature) in column.iter().enumerate() {
                features[j * n + i] = feature;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(count: usize) -> DenseBlock {
        let mut block = DenseBlock::zeros(count, 1);
        for i in 0..count {
            block.column_mut(0)[i] = i as f64 * 0.1;
        }
        block
    }

    fn products(map: &InducingFeatures, rows: &DenseBlock) -> impl Fn(usize, usize) -> f64 {
        let n = rows.rows();
        let mut features = vec![0.0; map.count() * n];
        map.write(rows, 0..n, &mut features);
        let count = map.count();
        move |a, b| (0..count).map(|j| features[j * n + a] * features[j * n + b]).sum()
    }

    /// Where inputs and rows are the same, the kernel is met to the jitter.
    #[test]
    fn exact_at_the_inputs() {
        let kernel = SquaredExponential::new(1.5, 0.2).unwrap();
        let rows = line(12);
        let map = InducingFeatures::new(kernel, rows.clone()).unwrap();
        let product = products(&map, &rows);
        let matrix = kernel.matrix(&rows, &rows);
        for i in 0..12 {
            for j in 0..12 {
                assert!((product(i, j) - matrix[i * 12 + j]).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn pivots_reach_the_tolerance_with_few_inputs() {
        let kernel = SquaredExponential::new(1.0, 1.0).unwrap();
        let rows = line(100);
        let map = InducingFeatures::by_pivots(kernel, &rows, 100, 1e-6).unwrap();
        assert!((8..30).contains(&map.count()), "{} pivots", map.count());
        let product = products(&map, &rows);
        let error: f64 = (0..100).map(|i| 1.0 - product(i, i)).sum();
        assert!(error < 2e-6 * 100.0, "{error:e}");
        // The first pivot is the first row, the second so far off that they know nothing of each
        // other in double precision.
        let inputs = map.inputs().column(0);
        assert!(inputs[0] == 0.0 && inputs[1] > 6.0, "{inputs:?}");
        let few = InducingFeatures::by_pivots(kernel, &rows, 3, 0.0).unwrap();
        assert_eq!(few.count(), 3);
    }

    #[test]
    fn duplicates_are_picked_once_and_bad_numbers_refused() {
        let kernel = SquaredExponential::new(1.0, 1.0).unwrap();
        let same = DenseBlock::zeros(10, 1);
        assert_eq!(InducingFeatures::by_pivots(kernel, &same, 10, 0.0).unwrap().count(), 1);
        let none = InducingFeatures::by_pivots(kernel, &same, 0, 0.0);
        assert_eq!(none.err(), Some(InducingError::Inputs { inputs: 0, rows: 10 }));
        let many = InducingFeatures::by_pivots(kernel, &same, 11, 0.0);
        assert_eq!(many.err(), Some(InducingError::Inputs { inputs: 11, rows: 10 }));
        assert!(InducingFeatures::new(kernel, DenseBlock::zeros(0, 1)).is_err());
        let mut broken = line(3);
        broken.column_mut(0)[1] = f64::NAN;
        let broken = InducingFeatures::new(kernel, broken);
        assert!(matches!(broken, Err(InducingError::Singular { inputs: 3, .. })));
    }
}
