//! Independent priors on the weights of a regression.
//!
//! ```text
//! flat        ln p(θ) = 0
//! Gaussian    ln p(θ) = −Σ_j θ_j² / 2 s²
//! Laplace     ln p(θ) = −Σ_j |θ_j| / b
//! ```

/// The same law for every weight, the bias included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior {
    /// No preference; improper.
    Flat,
    /// N(0, s²).
    Gaussian {
        /// s.
        standard_deviation: f64,
    },
    /// Density exp(−|θ| / b) / 2b.
    Laplace {
        /// b.
        scale: f64,
    },
}

/// A prior whose width is no width.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the width of a prior is {width}")]
pub struct PriorError {
    /// s or b.
    pub width: f64,
}

impl Prior {
    /// Refuses a width that is not positive and finite.
    pub fn checked(self) -> Result<Prior, PriorError> {
        match self {
            Prior::Gaussian { standard_deviation: width } | Prior::Laplace { scale: width }
                if !(width > 0.0 && width.is_finite()) =>
            {
                Err(PriorError { width })
            }
            prior => Ok(prior),
        }
    }

    /// ln p(θ), up to a constant.
    pub fn log_density(&self, theta: &[f64]) -> f64 {
        match *self {
            Prior::Flat => 0.0,
            Prior::Gaussian { standard_deviation } => {
                -0.5 * theta.iter().map(|x| (x / standard_deviation).powi(2)).sum::<f64>()
            }
            Prior::Laplace { scale } => -theta.iter().map(|x| x.abs() / scale).sum::<f64>(),
        }
    }

    /// Adds ∇ ln p(θ) to `gradient` and returns ln p(θ); zero at the kink of a Laplace prior.
    pub fn add_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        for (gradient, &x) in gradient.iter_mut().zip(theta) {
            *gradient += match *self {
                Prior::Flat => 0.0,
                Prior::Gaussian { standard_deviation } => -x / standard_deviation.powi(2),
                Prior::Laplace { .. } if x == 0.0 => 0.0,
                Prior::Laplace { scale } => -x.signum() / scale,
            };
        }
        self.log_density(theta)
    }

    /// The Gaussian prior with the variance 2 b² of a Laplace prior: a smooth stand-in where
    /// curvature is asked for.
    pub fn like_laplace(scale: f64) -> Prior {
        Prior::Gaussian { standard_deviation: std::f64::consts::SQRT_2 * scale }
    }

    /// Adds ∇² ln p(θ), which is diagonal, to the d² entries of `hessian`.
    pub fn add_hessian(&self, dimension: usize, hessian: &mut [f64]) {
        if let Prior::Gaussian { standard_deviation } = *self {
            for j in 0..dimension {
                hessian[j * dimension + j] -= standard_deviation.powi(-2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_slopes_by_hand() {
        let theta = [2.0, 0.0, -1.0];
        let mut gradient = [0.0; 3];
        let gaussian = Prior::Gaussian { standard_deviation: 2.0 };
        assert_eq!(gaussian.add_gradient(&theta, &mut gradient), -0.625);
        assert_eq!(gradient, [-0.5, 0.0, 0.25]);
        let mut gradient = [0.0; 3];
        let laplace = Prior::Laplace { scale: 0.5 };
        assert_eq!(laplace.add_gradient(&theta, &mut gradient), -6.0);
        assert_eq!(gradient, [-2.0, 0.0, 2.0]);
        assert_eq!(Prior::Flat.log_density(&theta), 0.0);
    }

    #[test]
    fn widths_are_checked() {
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Prior::Laplace { scale: width }.checked().is_err());
            assert!(Prior::Gaussian { standard_deviation: width }.checked().is_err());
        }
        assert!(Prior::Flat.checked().is_ok());
    }
}
