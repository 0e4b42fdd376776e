//! Logistic regression, dense and sparse.
//!
//! ```text
//! η = x · w + bias        p(y ∣ x, θ) = 1 / (1 + exp(−y η))        y = ±1
//! ℓ = min(z, 0) − ln(1 + exp(−|z|))          ∇ℓ = y s (x, 1)          z = y η
//! ∇²ℓ = −h (x, 1)(x, 1)ᵀ         s = 1 / (1 + exp z),  h = s (1 − s)
//! ```
//!
//! θ holds the weights in the order of the columns and then, **last**, the bias. One sweep over
//! the rows gives log-likelihood and gradient; each row takes one exponential, and its logarithm
//! is left to a product over many rows.

use crate::design::{Design, PatternBlock};
use crate::generalised_linear::Family;
use crate::link::{self, Curvature, LogLikelihood};
use crate::prior::{Prior, PriorError, Priors};
use crate::regression::FamilyRows;
use crate::simd::Level;
use posterior::{DenseBlock, Differentiable, Model, Regression, Smooth, SparseBlock};
use std::marker::PhantomData;

/// Prior and likelihood, over rows in the layout `B`; targets are ±1. Its kernels multiply likelihoods of
/// rows, so that rows with case weights take a [`GeneralisedLinear`] model of the family [`Binomial`].
///
/// [`GeneralisedLinear`]: crate::generalised_linear::GeneralisedLinear
#[derive(Clone, Debug)]
pub struct Logistic<B> {
    width: usize,
    prior: Priors,
    level: Level,
    rows: FamilyRows<Bernoulli>,
    layout: PhantomData<fn(B)>,
}

/// Over dense rows.
pub type DenseLogistic = Logistic<DenseBlock>;
/// Over sparse rows.
pub type SparseLogistic = Logistic<SparseBlock>;
/// Over sparse binary rows, gathered once and swept often.
pub type PatternLogistic = Logistic<PatternBlock>;

impl<B: Design> Logistic<B> {
    /// For rows of `width` covariates; the prior holds for the bias too.
    pub fn new(width: usize, prior: impl Into<Priors>) -> Result<Logistic<B>, PriorError> {
        let (prior, level) = (prior.into().checked()?, Level::best());
        let rows = FamilyRows { family: Bernoulli, level };
        Ok(Logistic { width, prior, level, rows, layout: PhantomData })
    }

    /// The same model on lesser hardware, to compare.
    pub fn at_level(self, level: Level) -> Logistic<B> {
        let rows = FamilyRows { level, ..self.rows };
        Logistic { level, rows, ..self }
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The prior of the weights; of the first one, where they differ.
    pub fn prior(&self) -> Prior {
        self.prior.of(0)
    }

    /// P(y = 1 ∣ x, θ) for each row.
    pub fn probabilities(&self, theta: &[f64], block: &B) -> Vec<f64> {
        self.check(theta, block);
        let mut probabilities = Vec::with_capacity(block.rows());
        let mut link = |_: &[f64], eta: &mut [f64]| {
            // s = 1 / (1 + exp z) at z = −η.
            let mut unused = LogLikelihood::default();
            let targets = vec![-1.0; eta.len()];
            unused.link(self.level, &targets, eta);
            probabilities.extend(eta.iter().map(|weight| -weight));
        };
        block.sweep(self.level, theta, &mut link, None);
        probabilities
    }

    /// ℓ_i for each row, for methods that look at rows one by one.
    pub fn row_log_likelihoods(&self, theta: &[f64], block: &B) -> Vec<f64> {
        self.check(theta, block);
        let mut rows = Vec::with_capacity(block.rows());
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            for (eta, y) in eta.iter_mut().zip(targets) {
                *eta *= y;
            }
            link::losses(self.level, eta);
            rows.extend(eta.iter().map(|loss| -loss));
        };
        block.sweep(self.level, theta, &mut link, None);
        rows
    }

    /// Adds Σ_i ℓ‴_i v_i (x_i, 1) to `sum`, where ℓ‴ = y h (1 − 2 s) is the third derivative in η
    /// and v_i = (x_i, 1)ᵀ C (x_i, 1): what skews the posterior, for [`laplace_mean`].
    ///
    /// [`laplace_mean`]: crate::laplace_mean::laplace_mean
    pub fn add_skew(&self, theta: &[f64], covariance: &[f64], block: &B, sum: &mut [f64]) {
        self.check(theta, block);
        let variances = block.quadratic_forms(covariance);
        let mut at = 0;
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            LogLikelihood::default().link(self.level, targets, eta);
            for ((u, variance), y) in eta.iter_mut().zip(&variances[at..]).zip(targets) {
                let Curvature { s, h } = Curvature::of(*u);
                *u = y * h * (1.0 - 2.0 * s) * variance;
            }
            at += eta.len();
        };
        block.sweep(self.level, theta, &mut link, Some(sum));
    }

    fn check(&self, theta: &[f64], block: &B) {
        assert_eq!(block.width(), self.width, "rows of another width");
        assert_eq!(theta.len(), self.width + 1, "one weight a column and a bias");
        assert!(block.weights().is_none(), "weighted rows take GeneralisedLinear with Binomial");
    }

    fn sweep(&self, theta: &[f64], block: &B, gradient: Option<&mut [f64]>) -> f64 {
        self.check(theta, block);
        let mut sum = LogLikelihood::default();
        let mut link = |targets: &[f64], eta: &mut [f64]| sum.link(self.level, targets, eta);
        block.sweep(self.level, theta, &mut link, gradient);
        sum.total()
    }
}

impl<B: Design> Model for Logistic<B> {
    type Block = B;

    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.prior.log_density(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &B) -> f64 {
        self.sweep(theta, block, None)
    }
}

impl<B: Design> Differentiable for Logistic<B> {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.prior.add_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &B, gradient: &mut [f64]) -> f64 {
        self.sweep(theta, block, Some(gradient))
    }
}

impl<B: Design> Smooth for Logistic<B> {
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
        self.check(theta, block);
        let mut sum = LogLikelihood::default();
        let mut weights = Vec::with_capacity(block.rows());
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            sum.link(self.level, targets, eta);
            weights.extend(eta.iter().map(|&u| -Curvature::of(u).h));
        };
        block.sweep(self.level, theta, &mut link, Some(gradient));
        block.add_gram(self.level, &weights, hessian);
        sum.total()
    }

    /// v³ h |1 − 2 s| + v⁴ h / 4, where v² = (x, 1)ᵀ C (x, 1) is the variance of η.
    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &B) -> Vec<f64> {
        self.check(anchor, block);
        let mut scores = block.quadratic_forms(covariance);
        let mut at = 0;
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            LogLikelihood::default().link(self.level, targets, eta);
            for (score, &u) in scores[at..].iter_mut().zip(&*eta) {
                let Curvature { s, h } = Curvature::of(u);
                let variance = score.max(0.0);
                *score = h * variance * (variance.sqrt() * (1.0 - 2.0 * s).abs() + variance / 4.0);
            }
            at += eta.len();
        };
        block.sweep(self.level, anchor, &mut link, None);
        scores
    }

    fn regression(&self) -> Option<&dyn Regression<B>> {
        Some(&self.rows)
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
        let Logistic { width, level, rows, layout, .. } = *self;
        let prior = self.prior.without_kinks();
        self.kinks().map(|_| Logistic { width, prior, level, rows, layout })
    }
}

/// y = ±1 with P(y ∣ η) = 1 / (1 + exp(−y η)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bernoulli;

impl Family for Bernoulli {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let z = target * predictor;
        let e = (-z.abs()).exp();
        let s = if z > 0.0 { e } else { 1.0 } / (1.0 + e);
        [z.min(0.0) - e.ln_1p(), target * s, -s * (1.0 - s)]
    }

    fn evaluate(
        &self,
        level: Level,
        targets: &[f64],
        predictors: &mut [f64],
        values: &mut [f64],
        seconds: &mut [f64],
    ) {
        for ((value, eta), y) in values.iter_mut().zip(&*predictors).zip(targets) {
            *value = y * eta;
        }
        link::losses(level, values);
        values.iter_mut().for_each(|value| *value = -*value);
        LogLikelihood::default().link(level, targets, predictors);
        for (second, &u) in seconds.iter_mut().zip(&*predictors) {
            *second = -Curvature::of(u).h;
        }
    }
}

/// A proportion y of successes, with p(y ∣ η) = exp(y η) / (1 + exp η) per trial: the number of trials is
/// the weight of the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial;

impl Family for Binomial {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let [value, failure, second] = Bernoulli.derivatives(-1.0, predictor);
        [target * predictor + value, target + failure, second]
    }

    fn evaluate(
        &self,
        level: Level,
        targets: &[f64],
        predictors: &mut [f64],
        values: &mut [f64],
        seconds: &mut [f64],
    ) {
        let linear: Vec<f64> = predictors.iter().zip(targets).map(|(eta, y)| eta * y).collect();
        let failures = vec![-1.0; targets.len()];
        Bernoulli.evaluate(level, &failures, predictors, values, seconds);
        for (i, y) in targets.iter().enumerate() {
            values[i] += linear[i];
            predictors[i] += y;
        }
    }
}
