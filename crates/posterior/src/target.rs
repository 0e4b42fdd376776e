//! What a sampler sees.

use debias::Ledger;

/// A log density on ℝ^d with its gradient; `&mut`, because asking is counted.
pub trait Target {
    /// d.
    fn dimension(&self) -> usize;

    /// The log density at θ, up to a constant; −∞ outside the support.
    fn log_density(&mut self, theta: &[f64]) -> f64;

    /// Overwrites `gradient` with the gradient at θ and returns the log density.
    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64;

    /// The work done so far.
    fn ledger(&self) -> Ledger;
}
