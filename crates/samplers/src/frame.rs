//! Affine frames θ = μ + C z: where a posterior sits and how wide it is.
//!
//! A Laplace approximation puts μ at the mode and C Cᵀ = H⁻¹, with H = −∇² ln π(μ). Where the
//! model gives no Hessian, column j is taken by central differences of the gradient,
//!
//! ```text
//! H e_j ≈ [∇ ln π(μ − h_j e_j) − ∇ ln π(μ + h_j e_j)] / 2 h_j,   h_j = h · max(1, |μ_j|),
//! ```
//!
//! and made symmetric: 2 d gradients, all counted by the target. A prior with a kink at the mode
//! (Laplace priors put weights at exactly zero) shows as a curvature of about 1/h: take the mode
//! and the Hessian under a smooth prior there, or a larger h.

use crate::{Factor, FactorError};
use posterior::Target;

/// A mean μ and a factor C.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Frame {
    // Invariant: as long as the factor's dimension, finite.
    mean: Vec<f64>,
    factor: Factor,
}

/// Why there is no frame.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FrameError {
    /// Mean and factor, or mean and target, do not go together.
    #[error("a mean of {mean} coordinates in {dimension} dimensions")]
    Dimension {
        /// Length of the mean.
        mean: usize,
        /// Dimension of the factor or the target.
        dimension: usize,
    },
    /// A coordinate of the mean is not finite.
    #[error("coordinate {index} of the mean is {value}")]
    Mean {
        /// Which coordinate.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The step of the differences is not positive.
    #[error("a difference of {difference} gives no derivative")]
    Difference {
        /// h.
        difference: f64,
    },
    /// Too few draws for a covariance.
    #[error("{draws} draws give no covariance in {dimension} dimensions")]
    Draws {
        /// How many there were.
        draws: usize,
        /// d.
        dimension: usize,
    },
    /// The curvature is no precision, or the covariance none.
    #[error(transparent)]
    Factor(#[from] FactorError),
}

impl Frame {
    /// A frame from its parts.
    pub fn new(mean: Vec<f64>, factor: Factor) -> Result<Frame, FrameError> {
        if mean.len() != factor.dimension() {
            let dimension = factor.dimension();
            return Err(FrameError::Dimension { mean: mean.len(), dimension });
        }
        if let Some(index) = mean.iter().position(|value| !value.is_finite()) {
            return Err(FrameError::Mean { index, value: mean[index] });
        }
        Ok(Frame { mean, factor })
    }

    /// μ = 0, C = I.
    pub fn standard(dimension: usize) -> Frame {
        Frame { mean: vec![0.0; dimension], factor: Factor::identity(dimension) }
    }

    /// The Laplace approximation at a mode, the Hessian by differences of step h.
    pub fn laplace(
        target: &mut dyn Target,
        mode: &[f64],
        difference: f64,
    ) -> Result<Frame, FrameError> {
        let d = target.dimension();
        if mode.len() != d {
            return Err(FrameError::Dimension { mean: mode.len(), dimension: d });
        }
        if !(difference > 0.0 && difference.is_finite()) {
            return Err(FrameError::Difference { difference });
        }
        let mut precision = vec![0.0; d * d];
        let mut theta = mode.to_vec();
        let (mut above, mut below) = (vec![0.0; d], vec![0.0; d]);
        for j in 0..d {
            let step = difference * mode[j].abs().max(1.0);
            theta[j] = mode[j] + step;
            target.gradient(&theta, &mut above);
            theta[j] = mode[j] - step;
            target.gradient(&theta, &mut below);
            theta[j] = mode[j];
            for i in 0..d {
                // Half into each triangle: the sum is the symmetric part.
                let half = (below[i] - above[i]) / (4.0 * step);
                precision[i * d + j] += half;
                precision[j * d + i] += half;
            }
        }
        Frame::new(mode.to_vec(), Factor::of_precision(&precision, d)?)
    }

    /// The mean and covariance of weighted points, one after the other; the weights sum to one. A
    /// shrinkage above zero takes that share of the covariances away and leaves the variances, for
    /// points too few to tell 0 from small.
    ///
    /// # Panics
    /// If there is not one weight a point.
    pub fn of_weighted(
        points: &[f64],
        weights: &[f64],
        dimension: usize,
        shrinkage: f64,
    ) -> Result<Frame, FrameError> {
        let draws = points.len() / dimension.max(1);
        assert_eq!(weights.len(), draws, "one weight a point");
        if draws <= dimension {
            return Err(FrameError::Draws { draws, dimension });
        }
        let mut mean = vec![0.0; dimension];
        for (point, weight) in points.chunks_exact(dimension).zip(weights) {
            for (mean, value) in mean.iter_mut().zip(point) {
                *mean += weight * value;
            }
        }
        // 1 − Σ W² is (n − 1)/n for even weights.
        let spread = 1.0 - weights.iter().map(|weight| weight * weight).sum::<f64>();
        let mut covariance = vec![0.0; dimension * dimension];
        for (point, weight) in points.chunks_exact(dimension).zip(weights) {
            for i in 0..dimension {
                let scaled = (point[i] - mean[i]) * weight / spread;
                for j in 0..=i {
                    let share = if i == j { 1.0 } else { 1.0 - shrinkage };
                    covariance[i * dimension + j] += share * scaled * (point[j] - mean[j]);
                }
            }
        }
        Frame::new(mean, Factor::of_covariance(&covariance, dimension)?)
    }

    /// The mean and covariance of points, one after the other.
    pub fn of_points(points: &[f64], dimension: usize) -> Result<Frame, FrameError> {
        let draws = points.len() / dimension.max(1);
        Frame::of_weighted(points, &vec![1.0 / draws as f64; draws], dimension, 0.0)
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// μ.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// C.
    pub fn factor(&self) -> &Factor {
        &self.factor
    }

    /// Overwrites `theta` with μ + C z.
    pub fn place(&self, z: &[f64], theta: &mut [f64]) {
        self.factor.apply(z, theta);
        for (theta, mean) in theta.iter_mut().zip(&self.mean) {
            *theta += mean;
        }
    }

    /// C⁻¹ (θ − μ).
    pub fn coordinates(&self, theta: &[f64]) -> Vec<f64> {
        let mut z: Vec<f64> = theta.iter().zip(&self.mean).map(|(a, b)| a - b).collect();
        self.factor.solve(&mut z);
        z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighted_points_by_hand() {
        // Weights ½, ¼, ¼: means (1, 1), and 1 − Σ W² = 5/8 below every square.
        let points = [0.0, 0.0, 4.0, 0.0, 0.0, 4.0];
        let weights = [0.5, 0.25, 0.25];
        let frame = Frame::of_weighted(&points, &weights, 2, 0.0).unwrap();
        assert_eq!(frame.mean(), [1.0, 1.0]);
        let square = |frame: &Frame, i: usize, j: usize| -> f64 {
            let (a, b) = (frame.factor().row(i), frame.factor().row(j));
            a.iter().zip(b).map(|(a, b)| a * b).sum()
        };
        assert!((square(&frame, 0, 0) - 3.0 / 0.625).abs() < 1e-12);
        assert!((square(&frame, 0, 1) + 1.0 / 0.625).abs() < 1e-12);
        let shrunk = Frame::of_weighted(&points, &weights, 2, 0.5).unwrap();
        assert!((square(&shrunk, 0, 1) + 0.5 / 0.625).abs() < 1e-12);
        assert!((square(&shrunk, 1, 1) - 3.0 / 0.625).abs() < 1e-12);
        let even = Frame::of_points(&points, 2).unwrap();
        assert!((square(&even, 0, 0) - 16.0 / 3.0).abs() < 1e-12);
    }
}
