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

/// The priors of all weights: one law for each, or the same law for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    // Invariant: one law, or one for each weight; never none.
    laws: Vec<Prior>,
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

    /// d/dx and −d²/dx² of ln p, averaged over N(x, s²): the kink of a Laplace prior becomes
    /// −(2Φ(x/s) − 1)/b and 2φ(x/s)/(s b).
    fn smoothed(&self, x: f64, deviation: f64) -> (f64, f64) {
        match *self {
            Prior::Flat => (0.0, 0.0),
            Prior::Gaussian { standard_deviation } => {
                let precision = standard_deviation.powi(-2);
                (-x * precision, precision)
            }
            Prior::Laplace { scale } => {
                let z = x / deviation;
                let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
                // 2Φ(z) − 1 = erf(z/√2).
                let slope = statrs::function::erf::erf(z * std::f64::consts::FRAC_1_SQRT_2);
                (-slope / scale, 2.0 * density / (deviation * scale))
            }
        }
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

impl From<Prior> for Priors {
    fn from(prior: Prior) -> Priors {
        Priors { laws: vec![prior] }
    }
}

impl Priors {
    /// One law for each weight, the bias last.
    ///
    /// # Panics
    /// If there is no law at all.
    pub fn each(laws: Vec<Prior>) -> Priors {
        assert!(!laws.is_empty(), "no weight has no prior");
        Priors { laws }
    }

    /// Refuses widths that are not positive and finite.
    pub fn checked(self) -> Result<Priors, PriorError> {
        self.laws.iter().try_for_each(|law| law.checked().map(drop))?;
        Ok(self)
    }

    /// The law of a weight, counted from zero.
    pub fn of(&self, weight: usize) -> Prior {
        self.laws[weight.min(self.laws.len() - 1)]
    }

    /// ln p(θ), up to a constant.
    pub fn log_density(&self, theta: &[f64]) -> f64 {
        match self.laws[..] {
            [law] => law.log_density(theta),
            _ => self.laws.iter().zip(theta).map(|(law, &x)| law.log_density(&[x])).sum(),
        }
    }

    /// Adds ∇ ln p(θ) to `gradient` and returns ln p(θ); zero at the kink of a Laplace prior.
    pub fn add_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        match self.laws[..] {
            [law] => law.add_gradient(theta, gradient),
            _ => {
                let each = self.laws.iter().zip(theta).zip(gradient);
                each.map(|((law, &x), slope)| law.add_gradient(&[x], std::slice::from_mut(slope)))
                    .sum()
            }
        }
    }

    /// Adds ∇² ln p(θ), which is diagonal, to the d² entries of `hessian`.
    pub fn add_hessian(&self, dimension: usize, hessian: &mut [f64]) {
        match self.laws[..] {
            [law] => law.add_hessian(dimension, hessian),
            _ => {
                for (j, law) in self.laws.iter().enumerate() {
                    law.add_hessian(1, &mut hessian[j * dimension + j..][..1]);
                }
            }
        }
    }

    /// Adds first and minus second derivatives of ln p, averaged over N(θ_j, s_j²) in each weight.
    pub fn add_smoothed(
        &self,
        theta: &[f64],
        deviations: &[f64],
        gradient: &mut [f64],
        curvature: &mut [f64],
    ) {
        for j in 0..theta.len() {
            let (slope, bend) = self.of(j).smoothed(theta[j], deviations[j]);
            gradient[j] += slope;
            curvature[j] += bend;
        }
    }

    /// 1/b for each of so many weights, zero where the law has no kink; nothing if none has.
    pub fn kinks(&self, dimension: usize) -> Option<Vec<f64>> {
        let slope = |j| match self.of(j) {
            Prior::Laplace { scale } => 1.0 / scale,
            _ => 0.0,
        };
        let slopes: Vec<f64> = (0..dimension).map(slope).collect();
        slopes.iter().any(|&slope| slope > 0.0).then_some(slopes)
    }

    /// The same with each Laplace law replaced by the Gaussian of its variance.
    pub fn without_kinks(&self) -> Priors {
        let smooth = |law: &Prior| match *law {
            Prior::Laplace { scale } => Prior::like_laplace(scale),
            law => law,
        };
        Priors { laws: self.laws.iter().map(smooth).collect() }
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
