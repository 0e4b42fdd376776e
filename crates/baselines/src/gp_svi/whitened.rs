//! q(w) = N(μ, P⁻¹), kept as its natural parameters P and h = Pμ.

use super::{GpSviError, matrices};
use models::linear_algebra::{Cholesky, Symmetric};

/// P, h, and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct Whitened {
    // Invariant: P − I is positive semidefinite, being a mixture of such matrices.
    precision: Symmetric,
    shift: Vec<f64>,
    factor: Cholesky,
    mean: Vec<f64>,
}

impl Whitened {
    /// q = N(0, I), the prior.
    pub(super) fn prior(dimension: usize) -> Result<Whitened, GpSviError> {
        Whitened::new(Symmetric::scaled_identity(dimension, 1.0), vec![0.0; dimension])
    }

    fn new(precision: Symmetric, shift: Vec<f64>) -> Result<Whitened, GpSviError> {
        let inducing = shift.len();
        let factor = precision
            .clone()
            .cholesky()
            .map_err(|source| GpSviError::Singular { inducing, source })?;
        let mut mean = shift.clone();
        factor.solve(&mut mean);
        Ok(Whitened { precision, shift, factor, mean })
    }

    /// μ.
    pub(super) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// R, P = R Rᵀ.
    pub(super) fn factor(&self) -> &Cholesky {
        &self.factor
    }

    /// KL(q ‖ N(0, I)) = ½ (tr P⁻¹ + μᵀμ − m + ln det P).
    pub(super) fn divergence(&self) -> f64 {
        let trace = matrices::trace_of_inverse(&self.factor);
        let square = matrices::dot(&self.mean, &self.mean);
        0.5 * (trace + square - self.mean.len() as f64 + self.factor.log_determinant())
    }

    /// P ← (1 − ρ) P + ρ (I + s Σ φφᵀ), h ← (1 − ρ) h + ρ s Σ φ y.
    pub(super) fn natural_step(
        &self,
        rate: f64,
        scale: f64,
        features: &[f64],
        targets: &[f64],
    ) -> Result<Whitened, GpSviError> {
        let m = self.mean.len();
        let mut precision = matrices::gram(rate * scale, features, m);
        precision.add(1.0 - rate, &self.precision);
        precision.add_diagonal(rate);
        let mut shift: Vec<f64> = self.shift.iter().map(|h| (1.0 - rate) * h).collect();
        for (column, y) in features.chunks_exact(m).zip(targets) {
            shift.iter_mut().zip(column).for_each(|(h, phi)| *h += rate * scale * phi * y);
        }
        Whitened::new(precision, shift)
    }
}
