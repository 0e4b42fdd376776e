//! Regression with Student-t noise whose degrees of freedom are unknown too.
//!
//! ```text
//! y_i = x_i · w + bias (+ offset_i) + exp(δ) t_i,      t_i ~ Student(ν),   ν = exp(κ)
//! ln p = ln Γ((ν + 1)/2) − ln Γ(ν/2) − ½ ln ν − δ − ½ (ν + 1) ln(1 + z²/ν),   z = (y − η) exp(−δ)
//! ν ~ gamma(2, 0.1), whose density of κ is proportional to exp(2κ − 0.1 exp κ)
//! ```
//!
//! θ holds the weights, the bias, δ and, **last**, κ. The prior of ν is that of Juárez and Steel (2010,
//! *Model-based clustering of non-Gaussian panel data*), which Stan's handbook recommends: it keeps ν
//! away from zero, and from infinity, where the likelihood is flat.

use crate::design::Design;
use crate::prior::{PriorError, Priors};
use crate::shared_parameters::{self, add_hessian, sweep};
use crate::simd::Level;
use crate::stirling::stirling;
use crate::student_rows::StudentRows;
use posterior::{Differentiable, Model, Regression, Smooth};
use std::marker::PhantomData;

/// Shape and rate of the prior of ν.
pub const DEGREES_PRIOR: [f64; 2] = [2.0, 0.1];

/// A value with its derivatives in (η, δ, κ); the second ones are ηη, ηδ, ηκ, δδ, δκ, κκ.
pub(crate) type Jet = shared_parameters::Jet<3, 6>;

/// What depends on κ alone: ν, and ln Γ((ν + 1)/2) − ln Γ(ν/2) − ½ κ with its derivatives in κ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Degrees {
    degrees: f64,
    normaliser: [f64; 3],
}

impl Degrees {
    pub fn new(log_degrees: f64) -> Degrees {
        let degrees = log_degrees.exp();
        let (half, more) = (0.5 * degrees, 0.5 * (degrees + 1.0));
        let ([near, near_1, near_2], [far, far_1, far_2]) = (stirling(half), stirling(more));
        // x ln x − x at both ends without their common digits; derivatives likewise, ψ = ln x − G′.
        let apart = (1.0 / degrees).ln_1p();
        let value = half * apart + 0.5 * more.ln() - 0.5 - far + near - 0.5 * log_degrees;
        let slope = apart - far_1 + near_1;
        let bend = 1.0 / more - far_2 - 1.0 / half + near_2;
        let first = half * slope - 0.5;
        Degrees { degrees, normaliser: [value, first, half * slope + half * half * bend] }
    }

    pub fn jet(&self, target: f64, predictor: f64, log_scale: f64) -> Jet {
        let nu = self.degrees;
        let inverse = (-log_scale).exp();
        let z = (target - predictor) * inverse;
        let square = z * z;
        let log = (square / nu).ln_1p();
        let share = square / (nu + square);
        let weight = (nu + 1.0) / (nu + square);
        // Derivatives of −½ (ν + 1) ln(1 + z²/ν) in z, in κ, and in both.
        let (z1, z2) = (-weight * z, weight * (2.0 * share - 1.0));
        let k1 = 0.5 * ((nu + 1.0) * share - nu * log);
        let k2 = nu * share - 0.5 * (nu * log + (nu + 1.0) * share * (1.0 - share));
        let both = -z * nu * (square - 1.0) / ((nu + square) * (nu + square));
        let [value, first, second] = self.normaliser;
        Jet {
            value: value - 0.5 * (nu + 1.0) * log - log_scale,
            first: [-z1 * inverse, -1.0 - z * z1, first + k1],
            second: [
                z2 * inverse * inverse,
                (z1 + z * z2) * inverse,
                -both * inverse,
                z * (z1 + z * z2),
                -z * both,
                second + k2,
            ],
        }
    }
}

/// Prior and likelihood, over rows in the layout `B`.
#[derive(Clone, Debug)]
pub struct StudentLinear<B> {
    rows: StudentRows,
    width: usize,
    prior: Priors,
    start: Vec<f64>,
    layout: PhantomData<fn(B)>,
}

impl<B: Design> StudentLinear<B> {
    /// For rows of `width` covariates; the prior holds for the bias and the logarithm of the scale too,
    /// not for the degrees of freedom, which have their own.
    pub fn new(width: usize, prior: impl Into<Priors>) -> Result<Self, PriorError> {
        let prior = prior.into().checked()?;
        let rows = StudentRows { level: Level::best() };
        let mut start = vec![0.0; width + 3];
        // Five degrees: neither normal noise nor a mean that is all but infinite.
        start[width + 2] = 5_f64.ln();
        Ok(StudentLinear { rows, width, prior, start, layout: PhantomData })
    }

    /// The same with a place from which searches for the mode start: a bias, and the logarithm of a
    /// scale.
    pub fn starting_at(mut self, bias: f64, log_scale: f64) -> Self {
        self.start[self.width..][..2].copy_from_slice(&[bias, log_scale]);
        self
    }

    /// The sum of all rows, and its gradient.
    fn sum(&self, theta: &[f64], block: &B, gradient: Option<&mut [f64]>) -> f64 {
        assert_eq!(block.width(), self.width, "rows of another width");
        let (of, mut sum) = (StudentRows::of(&theta[self.width + 1..]), 0.0);
        sweep(self.rows.level, theta, block, gradient, of, |jet| sum += jet.value);
        sum
    }

    /// All parameters but κ, and κ.
    fn parted<'a>(&self, theta: &'a [f64]) -> (&'a [f64], f64) {
        (&theta[..self.width + 2], theta[self.width + 2])
    }
}

impl<B: Design> Model for StudentLinear<B> {
    type Block = B;

    fn dimension(&self) -> usize {
        self.width + 3
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        let (others, kappa) = self.parted(theta);
        let [shape, rate] = DEGREES_PRIOR;
        self.prior.log_density(others) + shape * kappa - rate * kappa.exp()
    }

    fn log_likelihood(&self, theta: &[f64], block: &B) -> f64 {
        self.sum(theta, block, None)
    }
}

impl<B: Design> Differentiable for StudentLinear<B> {
    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let (others, kappa) = self.parted(theta);
        let [shape, rate] = DEGREES_PRIOR;
        let value = self.prior.add_gradient(others, &mut gradient[..self.width + 2]);
        gradient[self.width + 2] += shape - rate * kappa.exp();
        value + shape * kappa - rate * kappa.exp()
    }

    fn add_gradient(&self, theta: &[f64], block: &B, gradient: &mut [f64]) -> f64 {
        self.sum(theta, block, Some(gradient))
    }
}

impl<B: Design> Smooth for StudentLinear<B> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        let (others, kappa) = self.parted(theta);
        let (size, inner) = (theta.len(), others.len());
        let mut of_others = vec![0.0; inner * inner];
        self.prior.add_hessian(others, &mut of_others);
        for (line, own) in hessian.chunks_exact_mut(size).zip(of_others.chunks_exact(inner)) {
            line.iter_mut().zip(own).for_each(|(sum, entry)| *sum += entry);
        }
        hessian[size * size - 1] -= DEGREES_PRIOR[1] * kappa.exp();
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &B,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let of = StudentRows::of(&theta[self.width + 1..]);
        add_hessian(self.rows.level, theta, block, of, gradient, hessian)
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
        let (others, kappa) = self.parted(theta);
        let last = others.len();
        self.prior.add_smoothed(
            others,
            &deviations[..last],
            &mut gradient[..last],
            &mut curvature[..last],
        );
        let [shape, rate] = DEGREES_PRIOR;
        // The mean of exp κ under a Gaussian.
        let mean = (kappa + 0.5 * deviations[last] * deviations[last]).exp();
        gradient[last] += shape - rate * mean;
        curvature[last] += rate * mean;
    }

    fn kinks(&self) -> Option<Vec<f64>> {
        let mut kinks = self.prior.kinks(self.width + 2)?;
        kinks.push(0.0);
        Some(kinks)
    }

    fn without_kinks(&self) -> Option<Self> {
        let (prior, start) = (self.prior.without_kinks(), self.start.clone());
        let StudentLinear { rows, width, layout, .. } = *self;
        self.kinks().map(|_| StudentLinear { rows, width, prior, start, layout })
    }
}
