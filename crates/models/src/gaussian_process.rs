//! Exact Gaussian process regression, in its dual form: O(n³).
//!
//! ```text
//! f ~ GP(0, k)     y_i ∣ f ~ N(f(x_i), λ)        B = k(X, X) + λI
//! f(x) ∣ y ~ N( k(x, X) B⁻¹ y,  k(x, x) − k(x, X) B⁻¹ k(X, x) )
//! ln p(y) = −½ yᵀB⁻¹y − ½ ln det B − (n/2) ln 2π
//! ```
//!
//! The noise λ > 0 keeps B away from singular, so no jitter is added; where rounding still wins,
//! the smallest eigenvalue is in the error.

use crate::feature_regression::{FeatureRegression, FeatureRegressionError};
use crate::features::{FeatureMap, InducingError, InducingFeatures};
use crate::kernel::{self, SquaredExponential};
use crate::lanes;
use crate::linear_algebra::{Cholesky, MatrixError, Symmetric};
use debias::Rng;
use posterior::{Block, DenseBlock, LevelEstimate, Model, PartialPosterior};
use std::f64::consts::TAU;

/// Test points handled at a time.
const PIECE: usize = 256;

/// k and λ. As a [`Model`] it has no parameters and no product form: the process is integrated
/// out, and rows are reached through level estimates only.
#[derive(Clone, Copy, Debug)]
pub struct GaussianProcess {
    kernel: SquaredExponential,
    noise: f64,
}

/// The process given some rows.
#[derive(Clone, Debug)]
pub struct GaussianProcessPosterior<'a> {
    process: &'a GaussianProcess,
    rows: &'a DenseBlock,
    // B⁻¹ y.
    weights: Vec<f64>,
    // Of B.
    factor: Cholesky,
}

/// φ_t = E[f(x) ∣ 𝒟_t] at the rows of a block of test points, exactly.
#[derive(Clone, Debug)]
pub struct ExactPredictions {
    /// The test points; their targets are ignored.
    pub points: DenseBlock,
}

/// The same by pivoted incomplete Cholesky of each batch: O(n m²).
#[derive(Clone, Debug)]
pub struct PivotedPredictions {
    /// The test points; their targets are ignored.
    pub points: DenseBlock,
    /// m; a smaller batch gives as many pivots as it has rows.
    pub most_pivots: usize,
    /// When to stop before: the share of Σ k(x, x) that may be left unexplained.
    pub tolerance: f64,
}

/// Why there is no such process or no posterior.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GaussianProcessError {
    /// λ is no variance.
    #[error("the noise variance is {noise}")]
    Noise {
        /// λ.
        noise: f64,
    },
    /// B is not positive definite, or a row is not finite.
    #[error("the kernel matrix of {rows} rows is numerically singular")]
    Singular {
        /// n.
        rows: usize,
        /// Its eigenvalues.
        #[source]
        source: MatrixError,
    },
    /// No pivots.
    #[error("no incomplete factor")]
    Pivots(#[from] InducingError),
    /// No regression on the pivots.
    #[error("no regression on the pivots")]
    Regression(#[from] FeatureRegressionError),
}

impl GaussianProcess {
    /// A process with this kernel, seen through noise of variance λ.
    pub fn new(
        kernel: SquaredExponential,
        noise: f64,
    ) -> Result<GaussianProcess, GaussianProcessError> {
        if !(noise > 0.0 && noise.is_finite()) {
            return Err(GaussianProcessError::Noise { noise });
        }
        Ok(GaussianProcess { kernel, noise })
    }

    /// The process given these rows.
    pub fn posterior<'a>(
        &'a self,
        rows: &'a DenseBlock,
    ) -> Result<GaussianProcessPosterior<'a>, GaussianProcessError> {
        let n = rows.rows();
        let mut matrix = Symmetric::zeros(n);
        matrix.fill_lower(&self.kernel.matrix(rows, rows));
        matrix.add_diagonal(self.noise);
        let factor = matrix
            .cholesky()
            .map_err(|source| GaussianProcessError::Singular { rows: n, source })?;
        let mut weights = rows.targets().to_vec();
        factor.solve(&mut weights);
        Ok(GaussianProcessPosterior { process: self, rows, weights, factor })
    }
}

impl GaussianProcessPosterior<'_> {
    /// E f(x) for each test point.
    pub fn predictive_mean(&self, points: &DenseBlock) -> Vec<f64> {
        let mut column = vec![0.0; self.rows.rows()];
        (0..points.rows())
            .map(|i| {
                self.process.kernel.column(self.rows, &kernel::row(points, i), &mut column);
                lanes::dot(&column, &self.weights)
            })
            .collect()
    }

    /// Var f(x) = k(x, x) − |L⁻¹ k(X, x)|² for each test point, B = L Lᵀ.
    pub fn predictive_variance(&self, points: &DenseBlock) -> Vec<f64> {
        let n = self.rows.rows();
        let prior = self.process.kernel.variance();
        let mut variances = Vec::with_capacity(points.rows());
        for start in (0..points.rows()).step_by(PIECE) {
            let indices: Vec<usize> = (start..points.rows().min(start + PIECE)).collect();
            if n == 0 {
                variances.extend(indices.iter().map(|_| prior));
                continue;
            }
            let piece = kernel::take(points, &indices);
            let mut columns = self.process.kernel.matrix(self.rows, &piece);
            self.factor.solve_lower(&mut columns);
            variances.extend(columns.chunks_exact(n).map(|v| prior - lanes::dot(v, v)));
        }
        variances
    }

    /// ln p(y).
    pub fn log_marginal_likelihood(&self) -> f64 {
        let fit = lanes::dot(self.rows.targets(), &self.weights);
        -0.5 * (fit + self.factor.log_determinant() + self.rows.rows() as f64 * TAU.ln())
    }
}

impl Model for GaussianProcess {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        0
    }

    fn log_prior(&self, _theta: &[f64]) -> f64 {
        0.0
    }

    fn log_likelihood(&self, _theta: &[f64], _block: &DenseBlock) -> f64 {
        0.0
    }
}

impl LevelEstimate<GaussianProcess> for ExactPredictions {
    type Error = GaussianProcessError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, GaussianProcess>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, GaussianProcessError> {
        let (process, block) = (posterior.model(), posterior.read_rows());
        let n = block.rows() as u64;
        posterior.count_flops(n * n * n / 3 + 2 * n * (n + self.points.rows() as u64));
        Ok(process.posterior(block)?.predictive_mean(&self.points))
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

impl LevelEstimate<GaussianProcess> for PivotedPredictions {
    type Error = GaussianProcessError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, GaussianProcess>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, GaussianProcessError> {
        let (process, block) = (posterior.model(), posterior.read_rows());
        let most = self.most_pivots.min(block.rows());
        let map = InducingFeatures::by_pivots(process.kernel, block, most, self.tolerance)?;
        let (n, m) = (block.rows() as u64, map.count() as u64);
        // Pivots, features and Gram matrix, each about n m²; two factors of m³/3.
        posterior.count_flops(3 * n * m * m + 2 * m * m * m / 3);
        let regression = FeatureRegression::new(map, process.noise)?;
        Ok(regression.posterior(block)?.predictive_mean(&self.points))
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}
