//! Families with a dispersion: normal and Student-t noise, negative binomial counts, gamma.
//!
//! Derivatives are those of ln p(y ∣ η, δ) in η and in δ, the logarithm of the dispersion.

use crate::dispersed::{Dispersed, Jet};
use crate::stirling::stirling;

/// y = η + σ z with standard normal z, or Student's t; the dispersion is σ.
///
/// ```text
/// ln p = −δ + g(z),   z = (y − η) exp(−δ)          normal:   g = −z²/2
///                                                   Student:  g = −½ (ν + 1) ln(1 + z²/ν)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    // Invariant: none, or positive and finite.
    degrees: Option<f64>,
}

/// Degrees of freedom that are none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("noise with {degrees} degrees of freedom")]
pub struct DegreesError {
    /// ν.
    pub degrees: f64,
}

impl Noise {
    /// Normal noise.
    pub fn normal() -> Noise {
        Noise { degrees: None }
    }

    /// Noise with Student's t of so many degrees of freedom.
    pub fn student(degrees: f64) -> Result<Noise, DegreesError> {
        if degrees > 0.0 && degrees.is_finite() {
            Ok(Noise { degrees: Some(degrees) })
        } else {
            Err(DegreesError { degrees })
        }
    }
}

impl Dispersed for Noise {
    fn derivatives(&self, target: f64, predictor: f64, log_dispersion: f64) -> Jet {
        let inverse = (-log_dispersion).exp();
        let z = (target - predictor) * inverse;
        // g, g′ and g″.
        let [value, first, second] = match self.degrees {
            None => [-0.5 * z * z, -z, -1.0],
            Some(degrees) => {
                let weight = (degrees + 1.0) / (degrees + z * z);
                let bend = 2.0 * z * z * weight * weight / (degrees + 1.0);
                let value = -0.5 * (degrees + 1.0) * (z * z / degrees).ln_1p();
                [value, -weight * z, bend - weight]
            }
        };
        Jet {
            value: value - log_dispersion,
            first: [-first * inverse, -1.0 - z * first],
            second: [
                second * inverse * inverse,
                (first + z * second) * inverse,
                z * (first + z * second),
            ],
        }
    }

    /// Student's t is touched by −½ w z², w = (ν + 1) / (ν + z²), whose slope is the same.
    fn stepping(&self, target: f64, predictor: f64, jet: &Jet) -> f64 {
        let residual = target - predictor;
        if residual == 0.0 { jet.second[0] } else { -jet.first[0] / residual }
    }

    fn unit(&self, log_dispersion: f64) -> f64 {
        log_dispersion.exp()
    }
}

/// Counts with mean μ = exp η and variance μ + μ²/k; the dispersion is the shape k.
///
/// ```text
/// ln p = ln Γ(y + k) − ln Γ(k) + k ln k + y η − (y + k) ln(k + μ)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegativeBinomial;

impl Dispersed for NegativeBinomial {
    fn derivatives(&self, y: f64, predictor: f64, log_dispersion: f64) -> Jet {
        let k = log_dispersion.exp();
        let apart = predictor - log_dispersion;
        let e = (-apart.abs()).exp();
        // p = μ / (k + μ), and ln(1 + μ/k).
        let (p, softplus) =
            (if apart > 0.0 { 1.0 } else { e } / (1.0 + e), apart.max(0.0) + e.ln_1p());
        let (near, far) = (stirling(k), stirling(k + y));
        let rise = (y / k).ln_1p();
        let value = (k + y) * (rise - softplus) - y + near[0] - far[0] + y * predictor;
        let slope = rise + near[1] - far[1] - softplus + p;
        let of_dispersion = k * slope - y * (1.0 - p);
        let bend = 1.0 / (k + y) - 1.0 / k + near[2] - far[2];
        Jet {
            value,
            first: [y * (1.0 - p) - k * p, of_dispersion],
            second: [
                -(y + k) * p * (1.0 - p),
                p * (y * (1.0 - p) - k * p),
                of_dispersion + k * k * bend + k * p * p + y * (1.0 - p) * (1.0 - p),
            ],
        }
    }
}

/// Positive numbers with mean exp η and variance exp(2η)/a; the dispersion is the shape a.
///
/// ```text
/// ln p = a ln a − ln Γ(a) + (a − 1) ln y − a η − a y exp(−η)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma;

impl Dispersed for Gamma {
    fn derivatives(&self, y: f64, predictor: f64, log_dispersion: f64) -> Jet {
        let a = log_dispersion.exp();
        let apart = y.ln() - predictor;
        let ratio = apart.exp();
        let [value, first, second] = stirling(a);
        let slope = apart - ratio + 1.0;
        let of_dispersion = a * (slope + first);
        Jet {
            value: a * slope + value - y.ln(),
            first: [a * (ratio - 1.0), of_dispersion],
            second: [-a * ratio, a * (ratio - 1.0), of_dispersion + a * a * second],
        }
    }
}
