//! q(w) = N(μ, P⁻¹), kept as its natural parameters P and h = Pμ.

use super::{GpSviError, matrices};
use models::linear_algebra::{Cholesky, Symmetric};

/// P and h: all that a natural step moves.
#[derive(Clone, Debug)]
pub(super) struct Natural {
    // Invariant: P − I is positive semidefinite, being a mixture of such matrices.
    precision: Symmetric,
    shift: Vec<f64>,
}

impl Natural {
    /// q = N(0, I), the prior.
    pub(super) fn prior(dimension: usize) -> Natural {
        let precision = Symmetric::scaled_identity(dimension, 1.0);
        Natural { precision, shift: vec![0.0; dimension] }
    }

    /// P ← (1 − ρ) P + ρ (I + s Σ φφᵀ), h ← (1 − ρ) h + ρ s Σ φ y.
    pub(super) fn step(&mut self, rate: f64, scale: f64, features: &[f64], targets: &[f64]) {
        let m = self.shift.len();
        let mut precision = matrices::gram(rate * scale, features, m);
        precision.add(1.0 - rate, &self.precision);
        precision.add_diagonal(rate);
        self.precision = precision;
        self.shift.iter_mut().for_each(|h| *h *= 1.0 - rate);
        self.add_shift(rate * scale, features, targets);
    }

    /// P ← P + s Σ φφᵀ, h ← h + s Σ φ y.
    pub(super) fn add(&mut self, scale: f64, features: &[f64], targets: &[f64]) {
        self.precision.add(1.0, &matrices::gram(scale, features, self.shift.len()));
        self.add_shift(scale, features, targets);
    }

    fn add_shift(&mut self, scale: f64, features: &[f64], targets: &[f64]) {
        for (column, y) in features.chunks_exact(self.shift.len()).zip(targets) {
            self.shift.iter_mut().zip(column).for_each(|(h, phi)| *h += scale * phi * y);
        }
    }

    /// R and μ, which bounds and predictions need.
    pub(super) fn solved(&self) -> Result<Whitened, GpSviError> {
        let inducing = self.shift.len();
        let factor = self
            .precision
            .clone()
            .cholesky()
            .map_err(|source| GpSviError::Singular { inducing, source })?;
        let mut mean = self.shift.clone();
        factor.solve(&mut mean);
        Ok(Whitened { factor, mean })
    }
}

/// What follows from P and h.
#[derive(Clone, Debug)]
pub(super) struct Whitened {
    factor: Cholesky,
    mean: Vec<f64>,
}

impl Whitened {
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
}
