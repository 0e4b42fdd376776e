//! The posterior mean of logistic regression to the next order after the mode.
//!
//! ```text
//! E θ ≈ θ̂ + ½ C Σ_i ℓ‴_i (x_iᵀ C x_i) x_i        C = (−∇² ln π(θ̂))⁻¹
//! ```
//!
//! (Tierney & Kadane 1986, to first order.) The mode is off by O(1/√N) posterior standard
//! deviations, this by O(N^(−3/2)): the truth for data too large to sample from. Gaussian and
//! Laplace priors have no third derivative, away from the kink of the latter.

use crate::anchor::Mode;
use crate::design::Design;
use crate::logistic::Logistic;
use debias::Ledger;
use posterior::{Rows, pass};

/// One pass over all rows at the mode; the mean, and the work.
pub fn laplace_mean<R, B>(model: &Logistic<B>, rows: &R, mode: &Mode) -> (Vec<f64>, Ledger)
where
    R: Rows<Block = B>,
    B: Design,
{
    let d = mode.theta.len();
    let covariance = mode.covariance.entries();
    let visit = |block: B| {
        let mut sum = vec![0.0; d];
        model.add_skew(&mode.theta, &covariance, &block, &mut sum);
        (sum, block.rows() as u64)
    };
    let (skew, count) = pass(rows, visit, (vec![0.0; d], 0), |total, part| {
        total.0.iter_mut().zip(&part.0).for_each(|(total, part)| *total += part);
        total.1 += part.1;
    });
    let shift = mode.covariance.times(&skew);
    let mean = mode.theta.iter().zip(&shift).map(|(theta, shift)| theta + 0.5 * shift).collect();
    (mean, Ledger { gradients: count, distinct_rows: count, ..Ledger::default() })
}
