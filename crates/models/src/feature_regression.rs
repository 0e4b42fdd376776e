//! Bayesian linear regression on features (the paper's primal form of Gaussian processes).
//!
//! ```text
//! w ~ N(0, I)     y_i ∣ w ~ N(φ(x_i)·w, λ)        A = ΦᵀΦ + λI
//! w ∣ y ~ N( A⁻¹ Φᵀy, λ A⁻¹ )
//! f(x) ∣ y ~ N( φ(x)·A⁻¹ Φᵀy, λ φ(x)·A⁻¹ φ(x) )
//! ```
//!
//! The paper prints the variance without its factor λ; for the law of a new observation add λ.
//! With fewer rows than features the mean is had more cheaply as Φᵀ(ΦΦᵀ + λI)⁻¹y.
//! Features are made piece by piece and forgotten, so memory holds m² numbers and one piece,
//! whatever the number of rows or test points.

use crate::features::{FeatureMap, for_each_piece};
use crate::lanes;
use crate::linear_algebra::{Cholesky, Layout, MatrixError, Symmetric};
use debias::Rng;
use posterior::{
    Block, DenseBlock, Differentiable, LevelEstimate, Model, PartialPosterior, Rows, Smooth, pass,
};

/// Prior and likelihood of the weights w; covariates and responses are those of the rows.
#[derive(Clone, Debug)]
pub struct FeatureRegression<F> {
    map: F,
    noise: f64,
}

/// The posterior of w.
#[derive(Clone, Debug)]
pub struct FeaturePosterior<'a, F> {
    map: &'a F,
    noise: f64,
    mean: Vec<f64>,
    // Of A.
    factor: Cholesky,
}

/// φ_t = E[w ∣ 𝒟_t]. Predictive means are linear in w: debias the weights, predict once.
#[derive(Clone, Copy, Debug)]
pub struct FeatureWeights;

/// φ_t = E[f(x) ∣ 𝒟_t] at the rows of a block of test points.
#[derive(Clone, Debug)]
pub struct FeaturePredictions {
    /// The test points; their targets are ignored.
    pub points: DenseBlock,
}

/// Why there is no such model or no posterior.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FeatureRegressionError {
    /// λ is no variance.
    #[error("the noise variance is {noise}")]
    Noise {
        /// λ.
        noise: f64,
    },
    /// Rows of another width than the features'.
    #[error("rows of {found} covariates where the features take {expected}")]
    Width {
        /// That of the features.
        expected: usize,
        /// That of the rows.
        found: usize,
    },
    /// A is not positive definite: λ is lost beside ΦᵀΦ, or a row is not finite.
    #[error("the normal equations are numerically singular")]
    Singular(#[source] MatrixError),
}

/// ΦᵀΦ and Φᵀy over some rows.
struct NormalEquations {
    gram: Symmetric,
    moments: Vec<f64>,
}

impl NormalEquations {
    fn zero(count: usize) -> NormalEquations {
        NormalEquations { gram: Symmetric::zeros(count), moments: vec![0.0; count] }
    }

    fn absorb(&mut self, map: &impl FeatureMap, block: &DenseBlock) {
        for_each_piece(map, block, |rows, features| {
            let n = rows.len();
            self.gram.add_rank(1.0, features, Layout::EntryByEntry);
            let y = &block.targets()[rows];
            for (moment, feature) in self.moments.iter_mut().zip(features.chunks_exact(n)) {
                *moment += lanes::dot(feature, y);
            }
        });
    }
}

impl<F: FeatureMap> FeatureRegression<F> {
    /// Regression on these features with noise of variance λ.
    pub fn new(map: F, noise: f64) -> Result<FeatureRegression<F>, FeatureRegressionError> {
        if !(noise > 0.0 && noise.is_finite()) {
            return Err(FeatureRegressionError::Noise { noise });
        }
        Ok(FeatureRegression { map, noise })
    }

    /// φ.
    pub fn map(&self) -> &F {
        &self.map
    }

    /// λ.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The posterior given the rows of one block.
    pub fn posterior(
        &self,
        block: &DenseBlock,
    ) -> Result<FeaturePosterior<'_, F>, FeatureRegressionError> {
        let (expected, found) = (self.map.width(), block.width());
        if expected != found {
            return Err(FeatureRegressionError::Width { expected, found });
        }
        let mut sums = NormalEquations::zero(self.map.count());
        sums.absorb(&self.map, block);
        self.solve(sums)
    }

    /// The posterior given all rows, block by block on all threads.
    pub fn posterior_of_all<R: Rows<Block = DenseBlock>>(
        &self,
        rows: &R,
    ) -> Result<FeaturePosterior<'_, F>, FeatureRegressionError> {
        let visit = |block: DenseBlock| {
            let mut sums = NormalEquations::zero(self.map.count());
            sums.absorb(&self.map, &block);
            sums
        };
        let none = NormalEquations::zero(self.map.count());
        let sums = pass(rows, visit, none, |total, part| {
            total.gram.add(1.0, &part.gram);
            for (total, part) in total.moments.iter_mut().zip(&part.moments) {
                *total += part;
            }
        });
        self.solve(sums)
    }

    /// E w given the rows of one block, by whichever of m × m and n × n is the smaller matrix.
    pub fn mean(&self, block: &DenseBlock) -> Result<Vec<f64>, FeatureRegressionError> {
        let (n, m) = (block.rows(), self.map.count());
        if n >= m || n == 0 || block.width() != self.map.width() {
            return Ok(self.posterior(block)?.mean);
        }
        let mut features = vec![0.0; m * n];
        self.map.write(block, 0..n, &mut features);
        let mut dual = Symmetric::scaled_identity(n, self.noise);
        dual.add_rank(1.0, &features, Layout::VectorByVector);
        let factor = dual.cholesky().map_err(FeatureRegressionError::Singular)?;
        let mut weights = block.targets().to_vec();
        factor.solve(&mut weights);
        Ok(features.chunks_exact(n).map(|feature| lanes::dot(feature, &weights)).collect())
    }

    fn solve(
        &self,
        sums: NormalEquations,
    ) -> Result<FeaturePosterior<'_, F>, FeatureRegressionError> {
        let NormalEquations { mut gram, moments: mut mean } = sums;
        gram.add_diagonal(self.noise);
        let factor = gram.cholesky().map_err(FeatureRegressionError::Singular)?;
        factor.solve(&mut mean);
        Ok(FeaturePosterior { map: &self.map, noise: self.noise, mean, factor })
    }

    /// n m² for the Gram matrix and m³/3 for its factor, or the same with n and m exchanged.
    fn flops(&self, rows: usize) -> u64 {
        let (n, m) = (rows as u64, self.map.count() as u64);
        let small = n.min(m);
        n.max(m) * small * small + small * small * small / 3
    }

    /// Gives `visit` the residuals y − φ(x)·w of each piece with its features.
    fn residuals(
        &self,
        weights: &[f64],
        block: &DenseBlock,
        mut visit: impl FnMut(&[f64], &[f64]),
    ) {
        for_each_piece(&self.map, block, |rows, features| {
            let mut residuals = block.targets()[rows].to_vec();
            add_product(-1.0, features, weights, &mut residuals);
            visit(&residuals, features);
        });
    }
}

/// out += s Φ w for one piece of features.
fn add_product(scale: f64, features: &[f64], weights: &[f64], out: &mut [f64]) {
    for (feature, weight) in features.chunks_exact(out.len()).zip(weights) {
        for (out, feature) in out.iter_mut().zip(feature) {
            *out += scale * weight * feature;
        }
    }
}

impl<F: FeatureMap> FeaturePosterior<'_, F> {
    /// E w.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Cov w = λ A⁻¹.
    pub fn covariance(&self) -> Symmetric {
        let mut covariance = Symmetric::zeros(self.mean.len());
        covariance.add(self.noise, &self.factor.inverse());
        covariance
    }

    /// E f(x) for each row.
    pub fn predictive_mean(&self, points: &DenseBlock) -> Vec<f64> {
        predict(self.map, &self.mean, points)
    }

    /// Var f(x) = λ |L⁻¹ φ(x)|² for each row, A = L Lᵀ.
    pub fn predictive_variance(&self, points: &DenseBlock) -> Vec<f64> {
        let mut variances = Vec::with_capacity(points.rows());
        for_each_piece(self.map, points, |rows, features| {
            let (n, m) = (rows.len(), self.mean.len());
            let mut by_row = vec![0.0; n * m];
            for (j, feature) in features.chunks_exact(n).enumerate() {
                for (i, &value) in feature.iter().enumerate() {
                    by_row[i * m + j] = value;
                }
            }
            self.factor.solve_lower(&mut by_row);
            variances.extend(by_row.chunks_exact(m).map(|v| self.noise * lanes::dot(v, v)));
        });
        variances
    }
}

/// φ(x)·w for each row, without keeping any features.
pub fn predict(map: &impl FeatureMap, weights: &[f64], points: &DenseBlock) -> Vec<f64> {
    predict_many(map, &[weights], points).remove(0)
}

/// The same for many weights, with the features of a piece computed once for all.
pub fn predict_many(
    map: &impl FeatureMap,
    weights: &[&[f64]],
    points: &DenseBlock,
) -> Vec<Vec<f64>> {
    assert!(weights.iter().all(|w| w.len() == map.count()), "one weight a feature");
    let mut means = vec![vec![0.0; points.rows()]; weights.len()];
    for_each_piece(map, points, |rows, features| {
        for (means, weights) in means.iter_mut().zip(weights) {
            add_product(1.0, features, weights, &mut means[rows.clone()]);
        }
    });
    means
}

impl<F: FeatureMap> Model for FeatureRegression<F> {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        self.map.count()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        -0.5 * lanes::dot(theta, theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        let mut squares = 0.0;
        self.residuals(theta, block, |residuals, _| squares += lanes::dot(residuals, residuals));
        -0.5 * squares / self.noise
    }
}

impl<F: FeatureMap> Differentiable for FeatureRegression<F> {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        for (gradient, weight) in gradient.iter_mut().zip(theta) {
            *gradient -= weight;
        }
        self.log_prior(theta)
    }

    fn add_gradient(&self, theta: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
        let mut squares = 0.0;
        self.residuals(theta, block, |residuals, features| {
            squares += lanes::dot(residuals, residuals);
            let features = features.chunks_exact(residuals.len());
            for (gradient, feature) in gradient.iter_mut().zip(features) {
                *gradient += lanes::dot(feature, residuals) / self.noise;
            }
        });
        -0.5 * squares / self.noise
    }
}

/// The log-likelihood is quadratic: its expansion is exact, and no row strays.
impl<F: FeatureMap> Smooth for FeatureRegression<F> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        for j in 0..theta.len() {
            hessian[j * theta.len() + j] -= 1.0;
        }
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &DenseBlock,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let mut gram = Symmetric::zeros(theta.len());
        for_each_piece(&self.map, block, |_, features| {
            gram.add_rank(-1.0 / self.noise, features, Layout::EntryByEntry);
        });
        for (entry, sum) in hessian.iter_mut().zip(gram.entries()) {
            *entry += sum;
        }
        self.add_gradient(theta, block, gradient)
    }
}

impl<F: FeatureMap> LevelEstimate<FeatureRegression<F>> for FeatureWeights {
    type Error = FeatureRegressionError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, FeatureRegression<F>>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, FeatureRegressionError> {
        let (model, block) = (posterior.model(), posterior.read_rows());
        posterior.count_flops(model.flops(block.rows()));
        model.mean(block)
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

impl<F: FeatureMap> LevelEstimate<FeatureRegression<F>> for FeaturePredictions {
    type Error = FeatureRegressionError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, FeatureRegression<F>>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, FeatureRegressionError> {
        let weights = FeatureWeights.estimate(posterior, rng)?;
        posterior.count_flops(2 * (self.points.rows() * weights.len()) as u64);
        Ok(predict(&posterior.model().map, &weights, &self.points))
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}
