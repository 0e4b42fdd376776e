//! The mean of a Gaussian with known covariance, in any dimension.
//!
//! ```text
//! θ ~ N(m₀, S₀)     x_i ∣ θ ~ N(θ, Σ)     i = 1 … n
//! A = S₀⁻¹ + n Σ⁻¹                                   posterior precision
//! θ ∣ x ~ N( A⁻¹ (S₀⁻¹ m₀ + Σ⁻¹ Σ_i x_i), A⁻¹ )
//! ```
//!
//! The paper's running example (its Figures 1 and 8). Rows are the covariate columns of a
//! [`DenseBlock`]; targets are ignored.

use crate::lanes;
use crate::linear_algebra::{MatrixError, Symmetric};
use debias::Rng;
use posterior::{
    Block, DenseBlock, Differentiable, LevelEstimate, Model, PartialPosterior, Smooth,
};

/// Prior and likelihood.
#[derive(Clone, Debug)]
pub struct GaussianMean {
    prior_mean: Vec<f64>,
    prior_precision: Symmetric,
    precision: Symmetric,
}

/// A Gaussian law of θ.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianLaw {
    /// E θ.
    pub mean: Vec<f64>,
    /// Cov θ.
    pub covariance: Symmetric,
}

/// Rows seen so far, kept as their number and their sum: the posterior of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningRows {
    count: u64,
    sums: Vec<f64>,
}

/// φ_t = E[θ ∣ 𝒟_t] in closed form.
#[derive(Clone, Copy, Debug)]
pub struct GaussianMeanClosedForm;

/// Why there is no such model or no posterior.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GaussianMeanError {
    /// Σ is not the covariance of anything.
    #[error("the covariance of the rows is not one")]
    Covariance(#[source] MatrixError),
    /// S₀ is not the covariance of anything.
    #[error("the prior covariance is not one")]
    PriorCovariance(#[source] MatrixError),
    /// S₀⁻¹ + n Σ⁻¹ lost its positive definiteness to rounding.
    #[error("the posterior precision is numerically singular")]
    Precision(#[source] MatrixError),
    /// m₀, Σ, S₀ or the rows differ in dimension.
    #[error("dimension {found} where the model has {expected}")]
    Dimension {
        /// That of m₀.
        expected: usize,
        /// The other one.
        found: usize,
    },
    /// An entry of m₀ or the sum of a column is infinite or not a number.
    #[error("coordinate {coordinate} is {value}")]
    NotFinite {
        /// Counted from zero.
        coordinate: usize,
        /// The entry.
        value: f64,
    },
}

impl GaussianMean {
    /// x ∣ θ ~ N(θ, `covariance`), θ ~ N(`prior_mean`, `prior_covariance`); both matrices are
    /// square, symmetric and positive definite, given row by row.
    pub fn new(
        covariance: &[f64],
        prior_mean: &[f64],
        prior_covariance: &[f64],
    ) -> Result<GaussianMean, GaussianMeanError> {
        all_finite(prior_mean)?;
        let inverse = |entries: &[f64]| {
            Ok(Symmetric::from_entries(prior_mean.len(), entries)?.cholesky()?.inverse())
        };
        Ok(GaussianMean {
            prior_mean: prior_mean.to_vec(),
            precision: inverse(covariance).map_err(GaussianMeanError::Covariance)?,
            prior_precision: inverse(prior_covariance)
                .map_err(GaussianMeanError::PriorCovariance)?,
        })
    }

    /// The posterior given these rows.
    pub fn posterior(&self, block: &DenseBlock) -> Result<GaussianLaw, GaussianMeanError> {
        let mut rows = RunningRows::new(self.prior_mean.len());
        rows.absorb(block)?;
        self.posterior_of(&rows)
    }

    /// The posterior given the rows of a stream so far.
    pub fn posterior_of(&self, rows: &RunningRows) -> Result<GaussianLaw, GaussianMeanError> {
        self.check(rows.sums.len())?;
        all_finite(&rows.sums)?;
        let mut precision = self.prior_precision.clone();
        precision.add(rows.count as f64, &self.precision);
        let factor = precision.cholesky().map_err(GaussianMeanError::Precision)?;
        let mut mean = self.prior_precision.times(&self.prior_mean);
        for (mean, sum) in mean.iter_mut().zip(self.precision.times(&rows.sums)) {
            *mean += sum;
        }
        factor.solve(&mut mean);
        Ok(GaussianLaw { mean, covariance: factor.inverse() })
    }

    fn check(&self, found: usize) -> Result<(), GaussianMeanError> {
        let expected = self.prior_mean.len();
        if found == expected {
            Ok(())
        } else {
            Err(GaussianMeanError::Dimension { expected, found })
        }
    }
}

impl RunningRows {
    /// No rows yet.
    pub fn new(dimension: usize) -> RunningRows {
        RunningRows { count: 0, sums: vec![0.0; dimension] }
    }

    /// Takes in the rows of a block, which may then be forgotten.
    pub fn absorb(&mut self, block: &DenseBlock) -> Result<(), GaussianMeanError> {
        if block.width() != self.sums.len() {
            let (expected, found) = (self.sums.len(), block.width());
            return Err(GaussianMeanError::Dimension { expected, found });
        }
        self.count += block.rows() as u64;
        for (j, sum) in self.sums.iter_mut().enumerate() {
            *sum += lanes::sum(block.column(j), |x| x);
        }
        Ok(())
    }

    /// Takes in rows that were absorbed elsewhere.
    ///
    /// # Panics
    /// If they have another dimension.
    pub fn join(&mut self, other: &RunningRows) {
        assert_eq!(self.sums.len(), other.sums.len(), "rows of another dimension");
        self.count += other.count;
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
    }

    /// n.
    pub fn count(&self) -> u64 {
        self.count
    }
}

fn all_finite(values: &[f64]) -> Result<(), GaussianMeanError> {
    match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        Some((coordinate, &value)) => Err(GaussianMeanError::NotFinite { coordinate, value }),
        None => Ok(()),
    }
}

impl Model for GaussianMean {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        self.prior_mean.len()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        let offset = difference(theta, &self.prior_mean);
        -0.5 * self.prior_precision.quadratic_form(&offset)
    }

    /// −½ Σ_jk P_jk Σ_i (x_ij − θ_j)(x_ik − θ_k) with P = Σ⁻¹.
    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        let d = theta.len();
        assert_eq!(block.width(), d, "rows of another dimension");
        let mut total = 0.0;
        for j in 0..d {
            for k in 0..=j {
                let product = |x: f64, y: f64| (x - theta[j]) * (y - theta[k]);
                let scatter = lanes::sum_pairs(block.column(j), block.column(k), product);
                let times = if j == k { 1.0 } else { 2.0 };
                total += times * self.precision.entry(j, k) * scatter;
            }
        }
        -0.5 * total
    }
}

impl Differentiable for GaussianMean {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let offset = difference(theta, &self.prior_mean);
        let slope = self.prior_precision.times(&offset);
        for (gradient, slope) in gradient.iter_mut().zip(&slope) {
            *gradient -= slope;
        }
        -0.5 * lanes::dot(&offset, &slope)
    }

    fn add_gradient(&self, theta: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
        let residuals: Vec<f64> =
            (0..theta.len()).map(|j| lanes::sum(block.column(j), |x| x - theta[j])).collect();
        for (gradient, slope) in gradient.iter_mut().zip(self.precision.times(&residuals)) {
            *gradient += slope;
        }
        self.log_likelihood(theta, block)
    }
}

/// The log-likelihood is quadratic: its expansion is exact, and no row strays.
impl Smooth for GaussianMean {
    fn add_prior_hessian(&self, _theta: &[f64], hessian: &mut [f64]) {
        for (entry, precision) in hessian.iter_mut().zip(self.prior_precision.entries()) {
            *entry -= precision;
        }
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &DenseBlock,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        for (entry, precision) in hessian.iter_mut().zip(self.precision.entries()) {
            *entry -= block.rows() as f64 * precision;
        }
        self.add_gradient(theta, block, gradient)
    }
}

impl LevelEstimate<GaussianMean> for GaussianMeanClosedForm {
    type Error = GaussianMeanError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, GaussianMean>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, GaussianMeanError> {
        let block = posterior.read_rows();
        Ok(posterior.model().posterior(block)?.mean)
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len(), "vectors of different dimensions");
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[[f64; 2]]) -> DenseBlock {
        let mut block = DenseBlock::zeros(values.len(), 2);
        for (i, row) in values.iter().enumerate() {
            block.column_mut(0)[i] = row[0];
            block.column_mut(1)[i] = row[1];
        }
        block
    }

    #[test]
    fn one_dimension_by_hand() {
        // Prior N(1, 4), rows of variance 2, x = 3, 5: precision 1/4 + 1, mean (1/4 + 4) / (5/4).
        let model = GaussianMean::new(&[2.0], &[1.0], &[4.0]).unwrap();
        let mut block = DenseBlock::zeros(2, 1);
        block.column_mut(0).copy_from_slice(&[3.0, 5.0]);
        let law = model.posterior(&block).unwrap();
        assert!((law.mean[0] - 3.4).abs() < 1e-14);
        assert!((law.covariance.entry(0, 0) - 0.8).abs() < 1e-14);
    }

    /// The closed form is where the gradient vanishes, and its covariance the inverse curvature.
    #[test]
    fn the_mean_is_the_mode() {
        let covariance = [3.0, -1.0, -1.0, 3.0];
        let model = GaussianMean::new(&covariance, &[0.5, -0.5], &[1.0, 0.2, 0.2, 2.0]).unwrap();
        let block = rows(&[[2.0, 1.0], [0.0, 4.0], [-1.0, 2.5]]);
        let law = model.posterior(&block).unwrap();
        let mut gradient = [0.0; 2];
        model.add_prior_gradient(&law.mean, &mut gradient);
        model.add_gradient(&law.mean, &block, &mut gradient);
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-13), "{gradient:?}");
        let density = |theta: &[f64]| model.log_prior(theta) + model.log_likelihood(theta, &block);
        let step = law.covariance.times(&[1.0, 0.0]);
        let moved: Vec<f64> = law.mean.iter().zip(&step).map(|(m, s)| m + s).collect();
        // ½ eᵀ C C⁻¹ C e = ½ C_00.
        let drop = density(&law.mean) - density(&moved);
        assert!((drop - 0.5 * law.covariance.entry(0, 0)).abs() < 1e-13);
    }

    #[test]
    fn a_stream_in_pieces_is_the_block_at_once() {
        let model = GaussianMean::new(&[1.0, 0.0, 0.0, 1.0], &[0.0; 2], &[1.0, 0.0, 0.0, 1.0]);
        let model = model.unwrap();
        let all = [[1.0, 2.0], [3.0, -1.0], [0.25, 0.5]];
        let mut stream = RunningRows::new(2);
        stream.absorb(&rows(&all[..1])).unwrap();
        stream.absorb(&rows(&all[1..])).unwrap();
        assert_eq!(stream.count(), 3);
        assert_eq!(model.posterior_of(&stream), model.posterior(&rows(&all)));
    }

    #[test]
    fn the_printed_covariance_is_refused() {
        let identity = [1.0, 0.0, 0.0, 1.0];
        let printed = [-1.0, 3.0, 3.0, 1.0];
        match GaussianMean::new(&printed, &[0.0; 2], &identity) {
            Err(GaussianMeanError::Covariance(MatrixError::NotPositiveDefinite {
                smallest,
                largest,
            })) => {
                assert!((smallest + 10f64.sqrt()).abs() < 1e-14);
                assert!((largest - 10f64.sqrt()).abs() < 1e-14);
            }
            other => panic!("{other:?}"),
        }
        let as_prior = GaussianMean::new(&identity, &[0.0; 2], &printed);
        assert!(matches!(as_prior, Err(GaussianMeanError::PriorCovariance(_))));
        let askew = GaussianMean::new(&[1.0, 0.5, 0.0, 1.0], &[0.0; 2], &identity);
        assert!(matches!(askew, Err(GaussianMeanError::Covariance(_))));
    }

    #[test]
    fn bad_rows_are_named() {
        let model = GaussianMean::new(&[1.0], &[0.0], &[1.0]).unwrap();
        let error = GaussianMeanError::Dimension { expected: 1, found: 2 };
        assert_eq!(model.posterior(&rows(&[[0.0; 2]])), Err(error));
        let mut block = DenseBlock::zeros(1, 1);
        block.column_mut(0)[0] = f64::INFINITY;
        let error = GaussianMeanError::NotFinite { coordinate: 0, value: f64::INFINITY };
        assert_eq!(model.posterior(&block), Err(error));
    }
}
