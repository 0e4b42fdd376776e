//! What the inducing points say about a row: φ = L⁻¹ k(Z, x), L Lᵀ = k(Z, Z).

use super::{GpSviError, Hyperparameters, matrices};
use models::kernel::SquaredExponential;
use models::linear_algebra::{Cholesky, Symmetric};
use posterior::{Block, DenseBlock};
use rayon::prelude::*;
use std::ops::Range;

/// Added to the diagonal of k(Z, Z), in units of v: a thousand points in few dimensions are nearly
/// dependent. The bound stays one, for u is then f(Z) seen through a little noise.
const JITTER: f64 = 1e-6;

/// Z in units of the length scales, k(Z, Z) and L.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    hyperparameters: Hyperparameters,
    // With unit length scale: the inputs are scaled instead.
    kernel: SquaredExponential,
    inputs: DenseBlock,
    covariance: Vec<f64>,
    factor: Cholesky,
}

impl Projection {
    pub(super) fn new(
        hyperparameters: &Hyperparameters,
        inputs: &DenseBlock,
    ) -> Result<Projection, GpSviError> {
        let m = inputs.rows();
        hyperparameters.check()?;
        let value = hyperparameters.variance;
        let name = "the kernel's variance";
        let kernel = SquaredExponential::new(value, 1.0)
            .map_err(|_| GpSviError::Hyperparameter { name, value })?;
        let mut scaled = DenseBlock::zeros(m, inputs.width());
        for c in 0..inputs.width() {
            let length = hyperparameters.length_scale(c);
            for (scaled, input) in scaled.column_mut(c).iter_mut().zip(inputs.column(c)) {
                *scaled = input / length;
            }
        }
        let mut covariance = vec![0.0; m * m];
        covariance.par_chunks_mut(m).enumerate().for_each(|(j, column)| {
            let point: Vec<f64> = (0..scaled.width()).map(|c| scaled.column(c)[j]).collect();
            kernel.column(&scaled, &point, column);
        });
        let singular = |source| GpSviError::Singular { inducing: m, source };
        let mut matrix = Symmetric::from_lower(m, covariance.clone()).map_err(singular)?;
        matrix.add_diagonal(JITTER * value);
        let factor = matrix.cholesky().map_err(singular)?;
        let hyperparameters = hyperparameters.clone();
        Ok(Projection { hyperparameters, kernel, inputs: scaled, covariance, factor })
    }

    /// L.
    pub(super) fn factor(&self) -> &Cholesky {
        &self.factor
    }

    /// v = k(x, x).
    pub(super) fn variance(&self) -> f64 {
        self.kernel.variance()
    }

    /// k(Z, x) of some rows, a column a row.
    pub(super) fn covariances(&self, block: &DenseBlock, rows: Range<usize>) -> Vec<f64> {
        let m = self.inputs.rows();
        let mut columns = vec![0.0; m * rows.len()];
        columns.par_chunks_mut(m).zip(rows).for_each(|(column, row)| {
            self.kernel.column(&self.inputs, &self.scaled(block, row), column);
        });
        columns
    }

    /// φ of the rows whose k(Z, x) are given.
    pub(super) fn features(&self, covariances: Vec<f64>) -> Vec<f64> {
        let mut columns = covariances;
        matrices::solve_lower(&self.factor, &mut columns);
        columns
    }

    /// ∂/∂ ln ℓ_c of anything with these slopes ∂/∂k(Z, x) and ∂/∂k(Z, Z), one for each covariate:
    /// Σ slope · k · (z_c − x_c)²/ℓ_c².
    pub(super) fn length_slopes(
        &self,
        block: &DenseBlock,
        covariances: &[f64],
        slopes: &[f64],
        slopes_within: &[f64],
    ) -> Vec<f64> {
        let across = self.slopes(covariances, slopes, |j| self.scaled(block, j));
        let within = self.slopes(&self.covariance, slopes_within, |j| {
            (0..self.inputs.width()).map(|c| self.inputs.column(c)[j]).collect()
        });
        across.iter().zip(within).map(|(across, within)| across + within).collect()
    }

    fn slopes(
        &self,
        covariances: &[f64],
        slopes: &[f64],
        point: impl Fn(usize) -> Vec<f64> + Sync,
    ) -> Vec<f64> {
        let (m, width) = (self.inputs.rows(), self.inputs.width());
        /// Columns a piece.
        const PIECE: usize = 64;
        let pieces = covariances.par_chunks(PIECE * m).zip(slopes.par_chunks(PIECE * m));
        let parts: Vec<Vec<f64>> = pieces
            .enumerate()
            .map(|(piece, (covariances, slopes))| {
                // A total for each inducing point and covariate: no sum has to wait for another.
                let mut totals = vec![0.0; width * m];
                let mut weights = vec![0.0; m];
                let columns = covariances.chunks_exact(m).zip(slopes.chunks_exact(m));
                for (j, (covariances, slopes)) in columns.enumerate() {
                    for ((w, k), slope) in weights.iter_mut().zip(covariances).zip(slopes) {
                        *w = k * slope;
                    }
                    let x = point(piece * PIECE + j);
                    for (c, totals) in totals.chunks_exact_mut(m).enumerate() {
                        for ((total, w), z) in
                            totals.iter_mut().zip(&weights).zip(self.inputs.column(c))
                        {
                            *total += w * (z - x[c]) * (z - x[c]);
                        }
                    }
                }
                totals.chunks_exact(m).map(|totals| totals.iter().sum()).collect()
            })
            .collect();
        (0..width).map(|c| parts.iter().map(|part| part[c]).sum()).collect()
    }

    /// x/ℓ.
    fn scaled(&self, block: &DenseBlock, row: usize) -> Vec<f64> {
        (0..block.width())
            .map(|c| block.column(c)[row] / self.hyperparameters.length_scale(c))
            .collect()
    }
}
