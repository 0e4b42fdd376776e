//! ℓ, v, λ and their logarithms, in which Adam moves.

use super::GpSviError;

/// The kernel's length scales and variance, and the variance of the noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperparameters {
    /// ℓ: one for all covariates, or one each (automatic relevance determination).
    pub length_scales: Vec<f64>,
    /// v.
    pub variance: f64,
    /// λ.
    pub noise: f64,
}

impl Hyperparameters {
    /// All must be positive and finite.
    pub(super) fn check(&self) -> Result<(), GpSviError> {
        let lengths = self.length_scales.iter().map(|&value| ("a length scale", value));
        let others = [("the kernel's variance", self.variance), ("the noise variance", self.noise)];
        match lengths.chain(others).find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            Some((name, value)) => Err(GpSviError::Hyperparameter { name, value }),
            None => Ok(()),
        }
    }

    /// (ln ℓ, ln v, ln λ).
    pub fn logarithms(&self) -> Vec<f64> {
        let others = [self.variance.ln(), self.noise.ln()];
        self.length_scales.iter().map(|length| length.ln()).chain(others).collect()
    }

    /// The way back.
    pub fn from_logarithms(logarithms: &[f64]) -> Hyperparameters {
        let (lengths, others) = logarithms.split_at(logarithms.len() - 2);
        Hyperparameters {
            length_scales: lengths.iter().map(|length| length.exp()).collect(),
            variance: others[0].exp(),
            noise: others[1].exp(),
        }
    }

    /// ℓ_c.
    pub(super) fn length_scale(&self, covariate: usize) -> f64 {
        self.length_scales[if self.length_scales.len() == 1 { 0 } else { covariate }]
    }
}
