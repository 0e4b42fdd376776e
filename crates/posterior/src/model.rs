//! A prior and a likelihood that factorises over rows: p(θ) Π_i p(x_i ∣ θ).

use crate::Block;

/// An unnormalised posterior density, evaluated a block of rows at a time.
pub trait Model: Sync {
    /// The layout of rows that the likelihood reads.
    type Block: Block;

    /// The number of parameters.
    fn dimension(&self) -> usize;

    /// ln p(θ), up to a constant.
    fn log_prior(&self, theta: &[f64]) -> f64;

    /// Σ_i ln p(x_i ∣ θ) over the rows of the block, up to a constant per row.
    fn log_likelihood(&self, theta: &[f64], block: &Self::Block) -> f64;
}

/// A model whose log density has a gradient.
pub trait Differentiable: Model {
    /// Where a search for the mode may start.
    fn start(&self) -> Vec<f64> {
        vec![0.0; self.dimension()]
    }

    /// Adds ∇ ln p(θ) to `gradient` and returns ln p(θ).
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64;

    /// Adds Σ_i ∇ ln p(x_i ∣ θ) to `gradient` and returns Σ_i ln p(x_i ∣ θ).
    fn add_gradient(&self, theta: &[f64], block: &Self::Block, gradient: &mut [f64]) -> f64;
}
