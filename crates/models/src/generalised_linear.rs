//! Regression with any likelihood of a linear predictor, from one small trait.
//!
//! ```text
//! η_i = x_i · w + bias        ℓ_i(θ) = ln p(y_i ∣ η_i)
//! ∇ℓ_i = ℓ′ (x_i, 1)          ∇²ℓ_i = ℓ″ (x_i, 1)(x_i, 1)ᵀ
//! ```
//!
//! θ holds the weights in the order of the columns and then, **last**, the bias. A [`Family`] says
//! what ln p(y ∣ η) is, and its first two derivatives in η; everything else is here: dense and
//! sparse rows, gradients, Hessians, anchors. [`Gaussian`] noise makes linear regression.

use crate::design::Design;
use crate::prior::{PriorError, Priors};
use crate::regression::FamilyRows;
use crate::simd::Level;
use posterior::{Differentiable, Model, Regression, Smooth};
use std::marker::PhantomData;
use std::sync::Arc;

/// A likelihood of one target given its linear predictor.
pub trait Family: Send + Sync {
    /// ln p(y ∣ η), up to a constant in η, and its first and second derivative in η.
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3];

    /// The same for many rows at once: `predictors` are overwritten with first derivatives. A family
    /// with a kernel of its own overrides it.
    fn evaluate(
        &self,
        _level: Level,
        targets: &[f64],
        predictors: &mut [f64],
        values: &mut [f64],
        seconds: &mut [f64],
    ) {
        for (i, (eta, &target)) in predictors.iter_mut().zip(targets).enumerate() {
            [values[i], *eta, seconds[i]] = self.derivatives(target, *eta);
        }
    }
}

/// Families of which only one is known at run time.
impl<F: Family + ?Sized> Family for Box<F> {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        (**self).derivatives(target, predictor)
    }

    fn evaluate(
        &self,
        level: Level,
        targets: &[f64],
        predictors: &mut [f64],
        values: &mut [f64],
        seconds: &mut [f64],
    ) {
        (**self).evaluate(level, targets, predictors, values, seconds);
    }
}

/// Prior and likelihood, over rows in the layout `B`.
#[derive(Clone, Debug)]
pub struct GeneralisedLinear<F, B> {
    // Shared, so that a model can be copied whatever its family is.
    rows: Arc<FamilyRows<F>>,
    width: usize,
    prior: Priors,
    layout: PhantomData<fn(B)>,
}

/// A row as a sweep sees it; the derivatives are multiplied by its weight.
struct Visited {
    target: f64,
    predictor: f64,
    weight: f64,
    derivatives: [f64; 3],
}

/// y ∣ η ~ N(η, λ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    // Invariant: positive and finite.
    noise: f64,
}

/// A noise variance that is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the noise variance is {noise}")]
pub struct NoiseError {
    /// λ.
    pub noise: f64,
}

impl Gaussian {
    /// Noise of this variance.
    pub fn new(noise: f64) -> Result<Gaussian, NoiseError> {
        if noise > 0.0 && noise.is_finite() {
            Ok(Gaussian { noise })
        } else {
            Err(NoiseError { noise })
        }
    }
}

impl Family for Gaussian {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let residual = target - predictor;
        [-0.5 * residual * residual / self.noise, residual / self.noise, -1.0 / self.noise]
    }
}

/// y ∣ η ~ Poisson(exp η).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson;

impl Family for Poisson {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let mean = predictor.exp();
        [target * predictor - mean, target - mean, -mean]
    }
}

impl<F: Family, B: Design> GeneralisedLinear<F, B> {
    /// For rows of `width` covariates; the prior holds for the bias too.
    pub fn new(family: F, width: usize, prior: impl Into<Priors>) -> Result<Self, PriorError> {
        let (prior, level) = (prior.into().checked()?, Level::best());
        let rows = Arc::new(FamilyRows { family, level });
        Ok(GeneralisedLinear { rows, width, prior, layout: PhantomData })
    }

    /// The family.
    pub fn family(&self) -> &F {
        &self.rows.family
    }

    /// Hands `visit` every row, in order.
    fn sweep(
        &self,
        theta: &[f64],
        block: &B,
        gradient: Option<&mut [f64]>,
        mut visit: impl FnMut(Visited),
    ) {
        assert_eq!(block.width(), self.width, "rows of another width");
        assert_eq!(theta.len(), self.width + 1, "one weight a column and a bias");
        let (weights, mut at) = (block.weights(), 0);
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            for (eta, &target) in eta.iter_mut().zip(targets) {
                let weight = weights.map_or(1.0, |weights| weights[at]);
                let derivatives = self.rows.family.derivatives(target, *eta);
                let derivatives = derivatives.map(|derivative| weight * derivative);
                visit(Visited { target, predictor: *eta, weight, derivatives });
                *eta = derivatives[1];
                at += 1;
            }
        };
        block.sweep(self.rows.level, theta, &mut link, gradient);
    }
}

impl<F: Family, B: Design> Model for GeneralisedLinear<F, B> {
    type Block = B;

    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.prior.log_density(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &B) -> f64 {
        let mut sum = 0.0;
        self.sweep(theta, block, None, |row| sum += row.derivatives[0]);
        sum
    }
}

impl<F: Family, B: Design> Differentiable for GeneralisedLinear<F, B> {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.prior.add_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &B, gradient: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        self.sweep(theta, block, Some(gradient), |row| sum += row.derivatives[0]);
        sum
    }
}

impl<F: Family, B: Design> Smooth for GeneralisedLinear<F, B> {
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
        let (mut sum, mut weights) = (0.0, Vec::with_capacity(block.rows()));
        self.sweep(theta, block, Some(gradient), |row| {
            sum += row.derivatives[0];
            weights.push(row.derivatives[2]);
        });
        block.add_gram(self.rows.level, &weights, hessian);
        sum
    }

    /// The mean of |ℓ(η ± v) − ℓ ∓ v ℓ′ − v² ℓ″/2|, where v² = (x, 1)ᵀ C (x, 1) is the variance of η.
    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &B) -> Vec<f64> {
        let mut scores = block.quadratic_forms(covariance);
        let mut at = 0;
        self.sweep(anchor, block, None, |row| {
            let variance = scores[at].max(0.0);
            let [value, first, second] = row.derivatives;
            let strayed = |step: f64| {
                let there = self.rows.family.derivatives(row.target, row.predictor + step);
                let there = row.weight * there[0];
                (there - value - step * first - 0.5 * variance * second).abs()
            };
            scores[at] = 0.5 * (strayed(variance.sqrt()) + strayed(-variance.sqrt()));
            at += 1;
        });
        scores
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
        self.prior.kinks(self.width + 1)
    }

    fn without_kinks(&self) -> Option<Self> {
        let (rows, prior) = (Arc::clone(&self.rows), self.prior.without_kinks());
        let GeneralisedLinear { width, layout, .. } = *self;
        self.kinks().map(|_| GeneralisedLinear { rows, width, prior, layout })
    }
}
