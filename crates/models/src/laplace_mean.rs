//! The posterior mean of logistic regression to the next order after the mode.
//!
//! ```text
//! E θ ≈ θ̂ + ½ C Σ_i ℓ‴_i (x_iᵀ C x_i) x_i + Σ_j C_j sign(θ̂_j) 2Φ(−|θ̂_j| / √C_jj) / b
//! C = (−∇² ln π(θ̂))⁻¹
//! ```
//!
//! (Tierney & Kadane 1986, to first order.) The mode is off by O(1/√N) posterior standard
//! deviations, this by O(N^(−3/2)): the truth for data too large to sample from. A Gaussian prior has
//! no third derivative. A Laplace prior of scale b has none away from its kinks, which the last
//! term is for: the slope sign(θ̂_j)/b at the mode is not that beyond the kink, and by Stein's
//! identity E θ − θ̂ = C E[difference of the slopes].

use crate::anchor::Mode;
use crate::design::Design;
use crate::logistic::Logistic;
use crate::prior::Prior;
use debias::Ledger;
use posterior::{Rows, pass};
use statrs::function::erf::erfc;

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
    let mut mean: Vec<f64> =
        mode.theta.iter().zip(&shift).map(|(theta, shift)| theta + 0.5 * shift).collect();
    if let Prior::Laplace { scale } = model.prior() {
        let beyond = |j: usize| {
            let distance = mode.theta[j].abs() / mode.covariance.entry(j, j).sqrt();
            // 2Φ(−x) = erfc(x/√2).
            mode.theta[j].signum() * erfc(distance / std::f64::consts::SQRT_2) / scale
        };
        let slopes: Vec<f64> = (0..d).map(beyond).collect();
        let shift = mode.covariance.times(&slopes);
        mean.iter_mut().zip(&shift).for_each(|(mean, shift)| *mean += shift);
    }
    (mean, Ledger { gradients: count, distinct_rows: count, ..Ledger::default() })
}
