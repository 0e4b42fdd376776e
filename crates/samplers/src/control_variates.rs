//! Zero-variance control variates (Mira, Solgi & Imparato 2013), linear.
//!
//! ```text
//! E_π ∇ ln π = 0,   so   E_π φ = E_π [φ + aᵀ ∇ ln π]   for every a,
//! a = −Cov(∇ ln π)⁻¹ Cov(∇ ln π, φ)
//! ```
//!
//! The gradients are those that the kernel has computed anyway. For a Gaussian posterior and a
//! linear φ nothing random is left. The density must be continuous and vanish at the ends; a kink,
//! as of a Laplace prior, does no harm. With a taken from the draws themselves the estimate has a
//! bias of the order of d over the effective number of draws times the standard error.

use crate::{Draws, Factor, FactorError, Functional};

/// Why control variates could not be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// The kernel computes no gradients.
    #[error("the {draws} draws come without gradients")]
    NoGradients {
        /// How many draws there are.
        draws: usize,
    },
    /// A regression on d gradients needs more draws than that.
    #[error("{draws} draws are too few for a regression on {dimension} gradients")]
    TooFew {
        /// How many draws there are.
        draws: usize,
        /// d.
        dimension: usize,
    },
    /// The gradients do not span the space.
    #[error("the covariance of the gradients: {0}")]
    Singular(#[from] FactorError),
}

/// The functionals of the draws, each helped by its own regression on the gradients.
pub fn with_control_variates(
    draws: &Draws,
    functionals: &[Functional],
) -> Result<Vec<f64>, ControlError> {
    let (n, d) = (draws.count(), draws.dimension());
    let gradients = draws.gradients().ok_or(ControlError::NoGradients { draws: n })?;
    if n < 2 * (d + 1) {
        return Err(ControlError::TooFew { draws: n, dimension: d });
    }
    let regression = Regression::new(gradients, n, d)?;
    let value = |functional: &Functional| {
        let mut values: Vec<f64> = draws.iter().map(|theta| functional.integrand(theta)).collect();
        let mean = regression.intercept(&values);
        if functional.is_expectation() {
            return mean;
        }
        values.iter_mut().for_each(|value| *value = (*value - mean).powi(2));
        regression.intercept(&values)
    };
    Ok(functionals.iter().map(value).collect())
}

/// Least squares on the gradients, with the covariance factored once for all functionals.
struct Regression<'a> {
    gradients: &'a [f64],
    mean: Vec<f64>,
    factor: Factor,
}

impl Regression<'_> {
    fn new(gradients: &[f64], n: usize, d: usize) -> Result<Regression<'_>, FactorError> {
        let mut mean = vec![0.0; d];
        for gradient in gradients.chunks_exact(d) {
            for (mean, value) in mean.iter_mut().zip(gradient) {
                *mean += value / n as f64;
            }
        }
        let mut covariance = vec![0.0; d * d];
        for gradient in gradients.chunks_exact(d) {
            for i in 0..d {
                for j in 0..=i {
                    covariance[i * d + j] +=
                        (gradient[i] - mean[i]) * (gradient[j] - mean[j]) / n as f64;
                }
            }
        }
        Ok(Regression { gradients, mean, factor: Factor::of_covariance(&covariance, d)? })
    }

    /// The regression's value where the gradient is zero, which is its mean under the posterior.
    fn intercept(&self, values: &[f64]) -> f64 {
        let n = values.len() as f64;
        let d = self.mean.len();
        let mean = values.iter().sum::<f64>() / n;
        let mut slope = vec![0.0; d];
        for (gradient, value) in self.gradients.chunks_exact(d).zip(values) {
            for j in 0..d {
                slope[j] += (gradient[j] - self.mean[j]) * (value - mean) / n;
            }
        }
        self.factor.solve(&mut slope);
        self.factor.solve_transpose(&mut slope);
        mean - slope.iter().zip(&self.mean).map(|(a, b)| a * b).sum::<f64>()
    }
}
