//! The squared exponential kernel: k(x, x') = v exp(−|x − x'|² / 2ℓ²).

use crate::elementary;
use crate::simd::{Kernel, LANES, Level, Simd};
use posterior::{Block, DenseBlock};

/// v and ℓ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredExponential {
    variance: f64,
    length_scale: f64,
}

/// A variance or a length that is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a kernel of variance {variance} and length scale {length_scale}")]
pub struct KernelError {
    /// v.
    pub variance: f64,
    /// ℓ.
    pub length_scale: f64,
}

impl SquaredExponential {
    /// Both must be positive and finite.
    pub fn new(variance: f64, length_scale: f64) -> Result<SquaredExponential, KernelError> {
        let good = |x: f64| x > 0.0 && x.is_finite();
        if good(variance) && good(length_scale) {
            Ok(SquaredExponential { variance, length_scale })
        } else {
            Err(KernelError { variance, length_scale })
        }
    }

    /// v = k(x, x).
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// k(x_i, x) for all rows x_i of a block and one x.
    pub fn column(&self, rows: &DenseBlock, x: &[f64], out: &mut [f64]) {
        assert_eq!(rows.width(), x.len(), "rows of another width");
        assert_eq!(out.len(), rows.rows(), "one value a row");
        Level::best().run(Column { kernel: self, rows, x, out });
    }

    /// k(x_i, x'_j) for all rows of two blocks, one column of x_i after the other.
    pub fn matrix(&self, rows: &DenseBlock, others: &DenseBlock) -> Vec<f64> {
        let mut matrix = vec![0.0; rows.rows() * others.rows()];
        if rows.rows() > 0 {
            for (j, column) in matrix.chunks_exact_mut(rows.rows()).enumerate() {
                self.column(rows, &row(others, j), column);
            }
        }
        matrix
    }
}

/// The covariates of one row.
pub(crate) fn row(block: &DenseBlock, index: usize) -> Vec<f64> {
    (0..block.width()).map(|c| block.column(c)[index]).collect()
}

/// Some rows of a block, in the given order.
pub(crate) fn take(block: &DenseBlock, indices: &[usize]) -> DenseBlock {
    let mut taken = DenseBlock::zeros(indices.len(), block.width());
    for c in 0..block.width() {
        for (value, &index) in taken.column_mut(c).iter_mut().zip(indices) {
            *value = block.column(c)[index];
        }
    }
    for (target, &index) in taken.targets_mut().iter_mut().zip(indices) {
        *target = block.targets()[index];
    }
    taken
}

struct Column<'a> {
    kernel: &'a SquaredExponential,
    rows: &'a DenseBlock,
    x: &'a [f64],
    out: &'a mut [f64],
}

impl Kernel for Column<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let exponent = simd.splat(-0.5 / self.kernel.length_scale.powi(2));
        let variance = simd.splat(self.kernel.variance);
        let (values, stride) = (self.rows.padded_values(), self.rows.stride());
        for (group, out) in self.out.chunks_mut(LANES).enumerate() {
            let mut square = simd.splat(0.0);
            for (c, &x) in self.x.iter().enumerate() {
                let lanes = &values[c * stride + group * LANES..].as_chunks::<LANES>().0[0];
                let distance = simd.sub(simd.load(lanes), simd.splat(x));
                square = simd.mul_add(distance, distance, square);
            }
            let value = simd.mul(variance, elementary::exp(simd, simd.mul(exponent, square)));
            let mut lanes = [0.0; LANES];
            simd.store(value, &mut lanes);
            out.copy_from_slice(&lanes[..out.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand_and_bad_settings() {
        let kernel = SquaredExponential::new(2.0, 0.5).unwrap();
        let mut block = DenseBlock::zeros(9, 2);
        for i in 0..9 {
            block.column_mut(0)[i] = i as f64 * 0.25;
            block.column_mut(1)[i] = 1.0;
        }
        let mut out = [0.0; 9];
        kernel.column(&block, &[0.0, 0.5], &mut out);
        for (i, value) in out.iter().enumerate() {
            let expected = 2.0 * (-2.0 * ((i as f64 * 0.25).powi(2) + 0.25)).exp();
            assert!((value - expected).abs() < 1e-15);
        }
        let matrix = kernel.matrix(&block, &take(&block, &[8, 2]));
        assert_eq!((matrix[8], matrix[9 + 2]), (2.0, 2.0));
        assert!(SquaredExponential::new(0.0, 1.0).is_err());
        assert!(SquaredExponential::new(1.0, f64::INFINITY).is_err());
    }
}
