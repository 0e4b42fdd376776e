//! Regression with a dispersion that all rows share, a parameter like any other.
//!
//! ```text
//! η_i = x_i · w + bias (+ offset_i)        ℓ_i(θ) = ln p(y_i ∣ η_i, δ)
//! ```
//!
//! θ holds the weights, the bias and, **last**, δ: the logarithm of a standard deviation, a scale or a
//! shape. A [`Dispersed`] family says what ln p(y ∣ η, δ) is, with its derivatives, or leaves those to
//! [`crate::differentiated`].

use crate::design::Design;
use crate::dispersed_rows::DispersedRows;
use crate::prior::{PriorError, Priors};
use crate::shared_parameters::{self, add_hessian, sweep};
use crate::simd::Level;
use posterior::{Differentiable, Model, Regression, Smooth};
use std::marker::PhantomData;
use std::sync::Arc;

/// A value with its derivatives in (η, δ): ∂ℓ/∂η, ∂ℓ/∂δ; ∂²ℓ/∂η², ∂²ℓ/∂η∂δ, ∂²ℓ/∂δ².
pub type Jet = shared_parameters::Jet<2, 3>;

/// A likelihood of one target given its linear predictor and a dispersion.
pub trait Dispersed: Send + Sync {
    /// ln p(y ∣ η, δ), up to a constant, and its derivatives; δ is the logarithm of the dispersion.
    fn derivatives(&self, target: f64, predictor: f64, log_dispersion: f64) -> Jet;

    /// The curvature in η with which Newton's method steps from far away: where ln p is not concave, that
    /// of a quadratic that touches it from below brings every step closer.
    fn stepping(&self, _target: f64, _predictor: f64, jet: &Jet) -> f64 {
        jet.second[0]
    }

    /// A change of the predictor that matters: one for those that are logarithms or logits, the noise's
    /// standard deviation for those in units of the target.
    fn unit(&self, _log_dispersion: f64) -> f64 {
        1.0
    }
}

/// Families of which only one is known at run time.
impl<F: Dispersed + ?Sized> Dispersed for Box<F> {
    fn derivatives(&self, target: f64, predictor: f64, log_dispersion: f64) -> Jet {
        (**self).derivatives(target, predictor, log_dispersion)
    }

    fn stepping(&self, target: f64, predictor: f64, jet: &Jet) -> f64 {
        (**self).stepping(target, predictor, jet)
    }

    fn unit(&self, log_dispersion: f64) -> f64 {
        (**self).unit(log_dispersion)
    }
}

/// Prior and likelihood, over rows in the layout `B`.
#[derive(Clone, Debug)]
pub struct DispersedLinear<F, B> {
    // Shared, so that a model can be copied whatever its family is.
    rows: Arc<DispersedRows<F>>,
    width: usize,
    prior: Priors,
    start: Vec<f64>,
    layout: PhantomData<fn(B)>,
}

impl<F: Dispersed, B: Design> DispersedLinear<F, B> {
    /// For rows of `width` covariates; the prior holds for the bias and the logarithm of the dispersion
    /// too.
    pub fn new(family: F, width: usize, prior: impl Into<Priors>) -> Result<Self, PriorError> {
        let (prior, level) = (prior.into().checked()?, Level::best());
        let rows = Arc::new(DispersedRows { family, level });
        let start = vec![0.0; width + 2];
        Ok(DispersedLinear { rows, width, prior, start, layout: PhantomData })
    }

    /// The same with a place from which searches for the mode start: a bias, and the logarithm of a
    /// dispersion.
    pub fn starting_at(mut self, bias: f64, log_dispersion: f64) -> Self {
        self.start[self.width..].copy_from_slice(&[bias, log_dispersion]);
        self
    }

    /// The sum of all rows, and its gradient.
    fn sum(&self, theta: &[f64], block: &B, gradient: Option<&mut [f64]>) -> f64 {
        assert_eq!(block.width(), self.width, "rows of another width");
        let (of, mut sum) = (self.rows.of(theta[self.width + 1]), 0.0);
        sweep(self.rows.level, theta, block, gradient, of, |jet| sum += jet.value);
        sum
    }
}

impl<F: Dispersed, B: Design> Model for DispersedLinear<F, B> {
    type Block = B;

    fn dimension(&self) -> usize {
        self.width + 2
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.prior.log_density(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &B) -> f64 {
        self.sum(theta, block, None)
    }
}

impl<F: Dispersed, B: Design> Differentiable for DispersedLinear<F, B> {
    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.prior.add_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &B, gradient: &mut [f64]) -> f64 {
        self.sum(theta, block, Some(gradient))
    }
}

impl<F: Dispersed, B: Design> Smooth for DispersedLinear<F, B> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        self.prior.add_hessian(theta, hessian);
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &B,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let of = self.rows.of(theta[self.width + 1]);
        add_hessian(self.rows.level, theta, block, of, gradient, hessian)
    }

    fn regression(&self) -> Option<&dyn Regression<B>> {
        Some(&*self.rows)
    }

    fn add_smoothed_prior(
        &self,
        theta: &[f64],
        deviations: &[f64],
        gradient: &mut [f64],
        curvature: &mut [f64],
    ) {
        self.prior.add_smoothed(theta, deviations, gradient, curvature);
    }

    fn kinks(&self) -> Option<Vec<f64>> {
        self.prior.kinks(self.width + 2)
    }

    fn without_kinks(&self) -> Option<Self> {
        let (rows, prior) = (Arc::clone(&self.rows), self.prior.without_kinks());
        let (start, width, layout) = (self.start.clone(), self.width, self.layout);
        self.kinks().map(|_| DispersedLinear { rows, width, prior, start, layout })
    }
}
