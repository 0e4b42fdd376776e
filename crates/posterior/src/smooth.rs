//! Second derivatives, for anchors and Newton's method.

use crate::{Block, Differentiable, Group, Regression};

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

    /// The rows as a regression, where each enters through one linear predictor.
    fn regression(&self) -> Option<&dyn Regression<Self::Block>> {
        None
    }

    /// Adds to `gradient` and `curvature`, coordinate by coordinate, the first and minus the second
    /// derivative of ln p, averaged over a Gaussian around θ with these standard deviations: where
    /// the prior has a kink, that is what an expansion can use. Smooth priors need no average.
    fn add_smoothed_prior(
        &self,
        theta: &[f64],
        _deviations: &[f64],
        gradient: &mut [f64],
        curvature: &mut [f64],
    ) {
        let d = theta.len();
        self.add_prior_gradient(theta, gradient);
        let mut hessian = vec![0.0; d * d];
        self.add_prior_hessian(theta, &mut hessian);
        curvature.iter_mut().enumerate().for_each(|(j, sum)| *sum -= hessian[j * d + j]);
    }

    /// Parameters that share standard deviations which are parameters themselves, the last ones. Where
    /// there are any, [`Smooth::add_smoothed_prior`] averages over the effects, too: the slope in τ is
    /// Σ_j E u_j² exp(−2τ) − G, which vanishes where the marginal likelihood of τ is largest.
    fn groups(&self) -> &[Group] {
        &[]
    }

    /// The slope 1/b_j of the factor exp(−|θ_j| / b_j) that the prior has in each coordinate, zero
    /// where it has none; nothing for a prior without kinks.
    fn kinks(&self) -> Option<Vec<f64>> {
        None
    }
    /// The same model with each kink of the prior replaced by the Gaussian of the same variance, for
    /// modes and curvatures of partial posteriors; nothing for a prior without kinks.
    fn without_kinks(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}
