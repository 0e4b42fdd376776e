//! Laws of a positive number σ, as laws of its logarithm τ = ln σ.
//!
//! ```text
//! half normal      ln p(τ) = τ − exp(2τ) / 2s²
//! half Student     ln p(τ) = τ − ½ (ν + 1) ln(1 + exp(2τ) / ν s²)
//! exponential      ln p(τ) = τ − exp(τ) / s
//! ```
//!
//! The first term is the Jacobian of σ = exp τ.

use crate::prior::{Prior, PriorError};

/// The prior of a standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SdPrior {
    /// The positive half of N(0, s²).
    HalfNormal {
        /// s.
        scale: f64,
    },
    /// The positive half of Student's t.
    HalfStudent {
        /// ν.
        degrees: f64,
        /// s.
        scale: f64,
    },
    /// Density exp(−σ/s) / s.
    Exponential {
        /// s, the mean.
        scale: f64,
    },
}

impl SdPrior {
    /// Refuses a scale or degrees that are not positive and finite.
    pub fn checked(self) -> Result<SdPrior, PriorError> {
        let degrees = match self {
            SdPrior::HalfStudent { degrees, .. } => degrees,
            _ => 1.0,
        };
        Prior::HalfStudent { degrees, scale: self.scale() }.checked().map(|_| self)
    }

    /// s.
    pub fn scale(&self) -> f64 {
        match *self {
            SdPrior::HalfNormal { scale }
            | SdPrior::HalfStudent { scale, .. }
            | SdPrior::Exponential { scale } => scale,
        }
    }

    /// ln p(τ), up to a constant, with its first derivative and minus its second.
    pub fn derivatives(&self, log_sd: f64) -> [f64; 3] {
        let apart = log_sd - self.scale().ln();
        match *self {
            SdPrior::HalfNormal { .. } => {
                let square = (2.0 * apart).exp();
                [log_sd - 0.5 * square, 1.0 - square, 2.0 * square]
            }
            SdPrior::HalfStudent { degrees, scale } => {
                let far = 2.0 * apart - degrees.ln();
                let share = 1.0 / (1.0 + (-far).exp());
                let more = degrees + 1.0;
                let value = Prior::HalfStudent { degrees, scale }.log_density(&[log_sd]);
                [value, 1.0 - more * share, 2.0 * more * share * (1.0 - share)]
            }
            SdPrior::Exponential { .. } => {
                let ratio = apart.exp();
                [log_sd - ratio, 1.0 - ratio, ratio]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let laws = [
            SdPrior::HalfNormal { scale: 2.0 },
            SdPrior::HalfStudent { degrees: 3.0, scale: 0.7 },
            SdPrior::Exponential { scale: 1.5 },
        ];
        for law in laws {
            for at in [-3.0, -0.2, 1.1] {
                let value = |step: f64| law.derivatives(at + step)[0];
                let step = 1e-4;
                let slope = (value(step) - value(-step)) / (2.0 * step);
                let bend = (2.0 * value(0.0) - value(step) - value(-step)) / (step * step);
                let [_, first, second] = law.derivatives(at);
                assert!((first - slope).abs() < 1e-6, "{law:?} at {at}: {first} {slope}");
                assert!((second - bend).abs() < 1e-5, "{law:?} at {at}: {second} {bend}");
            }
            assert!(law.checked().is_ok());
        }
        assert!(SdPrior::HalfNormal { scale: 0.0 }.checked().is_err());
        assert!(SdPrior::HalfStudent { degrees: -1.0, scale: 1.0 }.checked().is_err());
    }

    /// By hand: the densities of σ itself are exp(−σ²/2s²), (1 + σ²/νs²)^{−(ν+1)/2} and exp(−σ/s).
    #[test]
    fn values_are_those_of_sigma_with_the_jacobian() {
        let (low, high) = (0.5_f64, 2.0_f64);
        for (law, expected) in [
            (SdPrior::HalfNormal { scale: 2.0 }, -(4.0 - 0.25) / 8.0),
            (SdPrior::HalfStudent { degrees: 1.0, scale: 1.0 }, -(5.0_f64 / 1.25).ln()),
            (SdPrior::Exponential { scale: 3.0 }, -0.5),
        ] {
            let apart = law.derivatives(high.ln())[0] - law.derivatives(low.ln())[0];
            assert!((apart - expected - (high / low).ln()).abs() < 1e-12, "{law:?}");
        }
    }
}
