//! Anchors: the second-order expansion of all rows at one point, and what is built on it.
//!
//! ```text
//! q_i(θ) = ℓ_i(θ₀) + ∇ℓ_i(θ₀)·δ + ½ δᵀ ∇²ℓ_i(θ₀) δ        δ = θ − θ₀
//! Q(θ)   = Σ_i q_i(θ)
//! ```
//!
//! A sum of expansions is an expansion: whatever the number of rows, it is one number, one
//! gradient and one Hessian.
//!
//! 1. [`newton`] climbs to a rough mode, one pass over all rows a step, and counts them.
//! 2. [`survey`] makes one more pass there: Q, and the core K of rows that stray most from it.
//!
//! The crate `anchored` builds paths on both.

mod newton;
mod survey;

pub use newton::{Mode, NewtonError, newton};
pub use survey::{CoreChoice, Survey, survey};

use crate::linear_algebra::Symmetric;
use posterior::Smooth;

/// Σ_i q_i over some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// θ₀.
    pub anchor: Vec<f64>,
    /// Σ_i ℓ_i(θ₀).
    pub value: f64,
    /// Σ_i ∇ℓ_i(θ₀).
    pub gradient: Vec<f64>,
    /// Σ_i ∇²ℓ_i(θ₀), d² entries.
    pub hessian: Vec<f64>,
}

impl Expansion {
    /// The expansion of no rows.
    pub fn zero(anchor: &[f64]) -> Expansion {
        let d = anchor.len();
        Expansion {
            anchor: anchor.to_vec(),
            value: 0.0,
            gradient: vec![0.0; d],
            hessian: vec![0.0; d * d],
        }
    }

    /// The expansion of the rows of one block.
    pub fn of_block<M: Smooth + ?Sized>(model: &M, anchor: &[f64], block: &M::Block) -> Expansion {
        let mut sum = Expansion::zero(anchor);
        let Expansion { gradient, hessian, .. } = &mut sum;
        sum.value = model.add_hessian(anchor, block, gradient, hessian);
        sum
    }

    /// Adds s times the expansion of other rows at the same anchor.
    pub fn add(&mut self, scale: f64, other: &Expansion) {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        assert!(self.anchor.iter().zip(&other.anchor).all(same), "expansions at different anchors");
        self.value += scale * other.value;
        for (own, other) in self.gradient.iter_mut().zip(&other.gradient) {
            *own += scale * other;
        }
        for (own, other) in self.hessian.iter_mut().zip(&other.hessian) {
            *own += scale * other;
        }
    }

    /// Σ_i q_i(θ).
    pub fn at(&self, theta: &[f64]) -> f64 {
        self.add_gradient(theta, &mut vec![0.0; theta.len()])
    }

    /// Adds Σ_i ∇q_i(θ) to `gradient` and returns Σ_i q_i(θ).
    pub fn add_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let d = self.anchor.len();
        assert_eq!(theta.len(), d, "a parameter of another dimension");
        let offset: Vec<f64> = theta.iter().zip(&self.anchor).map(|(x, a)| x - a).collect();
        let mut value = self.value;
        for j in 0..d {
            let line = &self.hessian[j * d..][..d];
            let curved: f64 = line.iter().zip(&offset).map(|(h, x)| h * x).sum();
            gradient[j] += self.gradient[j] + curved;
            value += offset[j] * (self.gradient[j] + 0.5 * curved);
        }
        value
    }

    /// −∇²Q − ∇² ln p(θ₀): the posterior precision of the Laplace approximation.
    pub fn precision<M: Smooth + ?Sized>(&self, model: &M) -> Symmetric {
        let d = self.anchor.len();
        let mut hessian = self.hessian.clone();
        model.add_prior_hessian(&self.anchor, &mut hessian);
        let mut precision = Symmetric::zeros(d);
        for row in 0..d {
            for column in 0..=row {
                precision.add_entry(row, column, -hessian[row * d + column]);
            }
        }
        precision
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_by_hand() {
        let expansion = Expansion {
            anchor: vec![1.0, 0.0],
            value: 2.0,
            gradient: vec![1.0, -1.0],
            hessian: vec![-2.0, 0.5, 0.5, -1.0],
        };
        // δ = (1, 2): 2 + (1 − 2) + ½ (−2 + 2·0.5·2 − 4).
        let mut gradient = [10.0, 20.0];
        assert_eq!(expansion.add_gradient(&[2.0, 2.0], &mut gradient), -1.0);
        assert_eq!(gradient, [10.0, 17.5]);
        let mut sum = Expansion::zero(&[1.0, 0.0]);
        sum.add(2.0, &expansion);
        sum.add(-1.0, &expansion);
        assert_eq!(sum, expansion);
    }
}
