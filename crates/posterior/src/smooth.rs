//! Second derivatives, for anchors and Newton's method.

use crate::{Block, Differentiable};

/// A model whose rows have second derivatives.
///
/// A Hessian is a slice of d² entries, symmetric, row by row; like gradients, Hessians are added
/// into what the caller owns.
pub trait Smooth: Differentiable {
    /// Adds ∇² ln p(θ) to `hessian`; a kink counts as flat.
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]);

    /// Adds Σ_i ∇ ln p(x_i ∣ θ) to `gradient`, Σ_i ∇² ln p(x_i ∣ θ) to `hessian`, and returns
    /// Σ_i ln p(x_i ∣ θ).
    fn add_hessian(
        &self,
        theta: &[f64],
        block: &Self::Block,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64;

    /// For each row, how far its log-likelihood is expected to stray from its second-order
    /// expansion at an anchor when θ − anchor has a covariance (d² entries, row by row). Only
    /// the order of rows matters: those that stray most are to be kept exact. A quadratic
    /// log-likelihood is its own expansion, and no row strays.
    fn remainder_scores(&self, _: &[f64], _: &[f64], block: &Self::Block) -> Vec<f64> {
        vec![0.0; block.rows()]
    }
}
