//! The quadratic lower bound on a logistic likelihood (Jaakkola & Jordan 1997).
//!
//! ```text
//! ln L(η) = yη/2 − h(η),                          h(η) = ln(2 cosh(η/2))
//! ln B(η) = yη/2 − h(ξ) − λ(ξ) (η² − ξ²),         λ(ξ) = tanh(ξ/2) / 4ξ
//! g(η)    = ln L − ln B = h(ξ) − h(η) + λ(ξ) (η² − ξ²)  ≥ 0
//! ```
//!
//! The bound touches at η = ±ξ, in value and in slope; the gap g does not depend on the label. With
//! ξ_i = |x_iᵀθ*| all bounds touch at θ*, so that there their sum has the value and the gradient of
//! the log-likelihood and the Hessian −2 Σ_i λ(ξ_i) x_i x_iᵀ: one pass, whatever N is.

use debias::Ledger;
use models::anchor::Expansion;
use models::design::Design;
use models::logistic::Logistic;
use models::simd::Level;
use posterior::{Differentiable, Rows, pass};

/// h(η).
fn log_cosh(eta: f64) -> f64 {
    0.5 * eta.abs() + (-eta.abs()).exp().ln_1p()
}

/// λ(ξ).
fn curvature(xi: f64) -> f64 {
    // Below that the next term of the series, ξ²/96, is under the rounding.
    if xi.abs() < 1e-7 { 0.125 } else { (0.5 * xi).tanh() / (4.0 * xi) }
}

/// The bound of one row: where it touches, and what is computed from that once.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    xi: f64,
    curvature: f64,
    // h(ξ).
    height: f64,
}

/// What a row says at one η.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// g, never below zero.
    pub gap: f64,
    /// g′.
    pub slope: f64,
}

impl Bound {
    /// The bound that touches at ±ξ.
    pub fn touching(xi: f64) -> Bound {
        Bound { xi, curvature: curvature(xi), height: log_cosh(xi) }
    }

    /// g and g′ at η, with one exponential and one logarithm.
    pub fn gap(self, eta: f64) -> Gap {
        let Bound { xi, curvature, height } = self;
        let e = (-eta.abs()).exp();
        let fall = height - 0.5 * eta.abs() - e.ln_1p();
        let tanh = eta.signum() * (1.0 - e) / (1.0 + e);
        Gap {
            gap: (fall + curvature * (eta - xi) * (eta + xi)).max(0.0),
            slope: 2.0 * curvature * eta - 0.5 * tanh,
        }
    }
}

/// The bounds of all rows: their sum and, 8 bytes a row, where each of them touches.
pub struct Bounds {
    /// Σ_i ln B_i, exactly quadratic, about θ*.
    pub sum: Expansion,
    /// ξ_i.
    pub touching: Vec<f64>,
    /// The pass.
    pub ledger: Ledger,
}

impl Bounds {
    /// Bounds that touch at θ*.
    pub fn touching_at<R, B>(model: &Logistic<B>, rows: &R, centre: &[f64]) -> Bounds
    where
        R: Rows<Block = B>,
        B: Design,
    {
        let level = Level::best();
        let visit = |block: B| {
            let mut part = (Expansion::zero(centre), Vec::with_capacity(block.rows()));
            let (sum, touching) = &mut part;
            sum.value = model.add_gradient(centre, &block, &mut sum.gradient);
            let mut link = |_: &[f64], eta: &mut [f64]| {
                touching.extend(eta.iter().map(|eta| eta.abs()));
            };
            block.sweep(level, centre, &mut link, None);
            let weights: Vec<f64> = touching.iter().map(|&xi| -2.0 * curvature(xi)).collect();
            block.add_gram(level, &weights, &mut sum.hessian);
            part
        };
        let none = (Expansion::zero(centre), Vec::with_capacity(rows.count()));
        let (sum, touching) = pass(rows, visit, none, |total, part| {
            total.0.add(1.0, &part.0);
            total.1.extend(part.1);
        });
        let count = touching.len() as u64;
        let ledger = Ledger { gradients: count, distinct_rows: count, ..Ledger::default() };
        Bounds { sum, touching, ledger }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_stays_below_and_touches() {
        for xi in [0.0, 1e-9, 0.3, 1.0, 4.0, 30.0] {
            let bound_at = |eta: f64| Bound::touching(xi).gap(eta);
            assert!(bound_at(xi).gap < 1e-15 && bound_at(-xi).gap < 1e-15);
            assert!(bound_at(xi).slope.abs() < 1e-15);
            for step in -80..=80 {
                let eta = f64::from(step) * 0.5 + 0.01;
                let likelihood = |y: f64| -(-y * eta).exp().ln_1p();
                let bound =
                    |y: f64| 0.5 * y * eta - log_cosh(xi) - curvature(xi) * (eta * eta - xi * xi);
                for y in [-1.0, 1.0] {
                    let direct = likelihood(y) - bound(y);
                    assert!(direct > -1e-12, "{eta} {xi}");
                    assert!((bound_at(eta).gap - direct).abs() < 1e-12 * (1.0 + direct));
                }
                let difference = (bound_at(eta + 1e-5).gap - bound_at(eta - 1e-5).gap) / 2e-5;
                assert!((bound_at(eta).slope - difference).abs() < 1e-8 * (1.0 + eta.abs()));
            }
        }
    }
}
