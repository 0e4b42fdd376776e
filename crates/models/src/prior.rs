//! Independent priors on the weights of a regression.
//!
//! ```text
//! flat        ln p(θ) = 0
//! Gaussian    ln p(θ) = −Σ_j θ_j² / 2 s²
//! Laplace     ln p(θ) = −Σ_j |θ_j| / b
//! Student     ln p(θ) = −½ (ν + 1) Σ_j ln(1 + θ_j² / ν s²)
//! ```
//!
//! A parameter that is the logarithm of a positive number σ may have a law for σ itself,
//!
//! ```text
//! half Student     ln p(θ) = Σ_j θ_j − ½ (ν + 1) ln(1 + exp(2 θ_j) / ν s²),
//! ```
//!
//! where the first term is the Jacobian of σ = exp θ. In [`Priors`] every law but that of Laplace, whose
//! kink stays at zero, may have a centre other than zero.

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
    /// Student's t with ν degrees of freedom.
    Student {
        /// ν.
        degrees: f64,
        /// s.
        scale: f64,
    },
    /// exp θ has the positive half of Student's t.
    HalfStudent {
        /// ν.
        degrees: f64,
        /// s.
        scale: f64,
    },
}

/// The priors of all weights: one law for each, or the same law for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    // Invariant: one law, or one for each weight; never none.
    laws: Vec<Prior>,
    // Invariant: none, or one for each law.
    centres: Vec<f64>,
}

/// A prior that is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PriorError {
    /// A width that is not positive and finite.
    #[error("the width of a prior is {width}")]
    Width {
        /// s or b.
        width: f64,
    },
    /// Degrees of freedom that are not positive and finite.
    #[error("a prior has {degrees} degrees of freedom")]
    Degrees {
        /// ν.
        degrees: f64,
    },
    /// A centre that is not finite, or not zero where it has to be.
    #[error("a prior has the centre {centre}, and a Laplace prior has its kink at zero")]
    Centre {
        /// m.
        centre: f64,
    },
}

impl Prior {
    /// Refuses a width that is not positive and finite.
    pub fn checked(self) -> Result<Prior, PriorError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        match self {
            Prior::Gaussian { standard_deviation: width }
            | Prior::Laplace { scale: width }
            | Prior::Student { scale: width, .. }
            | Prior::HalfStudent { scale: width, .. }
                if !positive(width) =>
            {
                Err(PriorError::Width { width })
            }
            Prior::Student { degrees, .. } | Prior::HalfStudent { degrees, .. }
                if !positive(degrees) =>
            {
                Err(PriorError::Degrees { degrees })
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
            Prior::Student { degrees, scale } => {
                let one = |x: &f64| ((x / scale).powi(2) / degrees).ln_1p();
                -0.5 * (degrees + 1.0) * theta.iter().map(one).sum::<f64>()
            }
            Prior::HalfStudent { degrees, scale } => {
                let far = |x: &f64| 2.0 * (x - scale.ln()) - degrees.ln();
                let one = |x: &f64| x - 0.5 * (degrees + 1.0) * softplus(far(x));
                theta.iter().map(one).sum()
            }
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
                Prior::Student { .. } | Prior::HalfStudent { .. } => self.bends(x).0,
            };
        }
        self.log_density(theta)
    }

    /// The Gaussian prior with the variance 2 b² of a Laplace prior: a smooth stand-in where
    /// curvature is asked for.
    pub fn like_laplace(scale: f64) -> Prior {
        Prior::Gaussian { standard_deviation: std::f64::consts::SQRT_2 * scale }
    }

    /// d/dx and −d²/dx² of ln p for the laws of Student. Far out, where Student's t is not concave, its
    /// curvature is that of the quadratic that touches it and lies below.
    fn bends(&self, x: f64) -> (f64, f64) {
        match *self {
            Prior::Student { degrees, scale } => {
                let weight = (degrees + 1.0) / (degrees * scale * scale + x * x);
                (-weight * x, weight)
            }
            Prior::HalfStudent { degrees, scale } => {
                let far = 2.0 * (x - scale.ln()) - degrees.ln();
                let share = 1.0 / (1.0 + (-far).exp());
                (1.0 - (degrees + 1.0) * share, 2.0 * (degrees + 1.0) * share * (1.0 - share))
            }
            _ => (0.0, 0.0),
        }
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
            Prior::Student { .. } | Prior::HalfStudent { .. } => {
                // Gauss–Hermite: zero, and a pair on either side.
                let nodes = [(0.0, 2.0 / 3.0), (3f64.sqrt(), 1.0 / 6.0), (-3f64.sqrt(), 1.0 / 6.0)];
                nodes.iter().fold((0.0, 0.0), |(slope, bend), (node, weight)| {
                    let here = self.bends(x + node * deviation);
                    (slope + weight * here.0, bend + weight * here.1)
                })
            }
        }
    }

    /// d²/dx² of ln p; a kink counts as flat.
    fn second(&self, x: f64) -> f64 {
        match *self {
            Prior::Flat | Prior::Laplace { .. } => 0.0,
            Prior::Gaussian { standard_deviation } => -standard_deviation.powi(-2),
            Prior::Student { degrees, scale } => {
                let (near, far) = (degrees * scale * scale, x * x);
                -(degrees + 1.0) * (near - far) / (near + far).powi(2)
            }
            Prior::HalfStudent { .. } => -self.bends(x).1,
        }
    }
}

/// ln(1 + exp x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

impl From<Prior> for Priors {
    fn from(prior: Prior) -> Priors {
        Priors { laws: vec![prior], centres: Vec::new() }
    }
}

impl Priors {
    /// One law for each weight, the bias last.
    ///
    /// # Panics
    /// If there is no law at all.
    pub fn each(laws: Vec<Prior>) -> Priors {
        assert!(!laws.is_empty(), "no weight has no prior");
        Priors { laws, centres: Vec::new() }
    }

    /// The same laws around other centres than zero, one for each law.
    ///
    /// # Panics
    /// If there are more or fewer centres than laws.
    pub fn around(self, centres: Vec<f64>) -> Priors {
        assert_eq!(centres.len(), self.laws.len(), "one centre for each law");
        // Without any the laws are those of before, to the last bit.
        let centres =
            if centres.iter().all(|&centre| centre == 0.0) { Vec::new() } else { centres };
        Priors { centres, ..self }
    }

    /// Refuses widths that are not positive and finite, and centres where none can be.
    pub fn checked(self) -> Result<Priors, PriorError> {
        self.laws.iter().try_for_each(|law| law.checked().map(drop))?;
        for (law, &centre) in self.laws.iter().zip(&self.centres) {
            let fixed = matches!(law, Prior::Laplace { .. }) && centre != 0.0;
            if fixed || !centre.is_finite() {
                return Err(PriorError::Centre { centre });
            }
        }
        Ok(self)
    }

    /// θ_j − m_j.
    fn offset_from_centre(&self, j: usize, x: f64) -> f64 {
        let last = self.centres.len().saturating_sub(1);
        self.centres.get(j.min(last)).map_or(x, |centre| x - centre)
    }

    /// The law of a weight, counted from zero.
    pub fn of(&self, weight: usize) -> Prior {
        self.laws[weight.min(self.laws.len() - 1)]
    }

    /// ln p(θ), up to a constant.
    pub fn log_density(&self, theta: &[f64]) -> f64 {
        match self.laws[..] {
            [law] if self.centres.is_empty() => law.log_density(theta),
            _ => theta.iter().enumerate().fold(0.0, |sum, (j, &x)| {
                sum + self.of(j).log_density(&[self.offset_from_centre(j, x)])
            }),
        }
    }

    /// Adds ∇ ln p(θ) to `gradient` and returns ln p(θ); zero at the kink of a Laplace prior.
    pub fn add_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        match self.laws[..] {
            [law] if self.centres.is_empty() => law.add_gradient(theta, gradient),
            _ => theta.iter().zip(gradient).enumerate().fold(0.0, |sum, (j, (&x, slope))| {
                let x = self.offset_from_centre(j, x);
                sum + self.of(j).add_gradient(&[x], std::slice::from_mut(slope))
            }),
        }
    }

    /// Adds ∇² ln p(θ), which is diagonal, to the d² entries of `hessian`; a kink counts as flat.
    pub fn add_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        for (j, &x) in theta.iter().enumerate() {
            let second = self.of(j).second(self.offset_from_centre(j, x));
            if second != 0.0 {
                hessian[j * theta.len() + j] += second;
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
            let x = self.offset_from_centre(j, theta[j]);
            let (slope, bend) = self.of(j).smoothed(x, deviations[j]);
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
        let (laws, centres) = (self.laws.iter().map(smooth).collect(), self.centres.clone());
        Priors { laws, centres }
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
        assert!(Prior::Student { degrees: 0.0, scale: 1.0 }.checked().is_err());
        let laplace = Priors::from(Prior::Laplace { scale: 1.0 });
        assert!(laplace.clone().around(vec![0.0]).checked().is_ok());
        assert!(laplace.around(vec![1.0]).checked().is_err());
    }

    /// Slopes and curvatures against differences, around centres other than zero.
    #[test]
    fn derivatives_of_every_law() {
        let laws = vec![
            Prior::Gaussian { standard_deviation: 0.7 },
            Prior::Student { degrees: 3.0, scale: 0.5 },
            Prior::HalfStudent { degrees: 3.0, scale: 2.5 },
            Prior::Flat,
        ];
        let priors = Priors::each(laws).around(vec![1.0, -2.0, 0.0, 5.0]);
        for theta in [[0.3, 0.1, -4.0, 0.0], [2.0, -2.4, 3.0, 1.0]] {
            let (mut gradient, mut hessian) = ([0.0; 4], [0.0; 16]);
            let value = priors.add_gradient(&theta, &mut gradient);
            priors.add_hessian(&theta, &mut hessian);
            assert!((value - priors.log_density(&theta)).abs() < 1e-12);
            for j in 0..4 {
                let at = |step: f64| {
                    let mut moved = theta;
                    moved[j] += step;
                    priors.log_density(&moved)
                };
                let step = 1e-4;
                let slope = (at(step) - at(-step)) / (2.0 * step);
                let bend = (at(step) - 2.0 * at(0.0) + at(-step)) / (step * step);
                assert!((gradient[j] - slope).abs() < 1e-5, "{j}: {} {slope}", gradient[j]);
                assert!((hessian[j * 5] - bend).abs() < 1e-4, "{j}: {} {bend}", hessian[j * 5]);
            }
        }
        // exp θ of a half Student has the density of Student: p(σ) dσ = p(θ) dθ.
        let half = Prior::HalfStudent { degrees: 3.0, scale: 2.5 };
        let t = Prior::Student { degrees: 3.0, scale: 2.5 };
        let (low, high) = (0.2_f64, 7.0_f64);
        let apart = half.log_density(&[high.ln()]) - half.log_density(&[low.ln()]);
        let expected = t.log_density(&[high]) - t.log_density(&[low]) + (high / low).ln();
        assert!((apart - expected).abs() < 1e-12);
    }
}
