//! The coordinates in which particles move: where they are and how wide.
//!
//! ```text
//! particles    μ = Σ W θ,   C Cᵀ = Σ W (θ − μ)(θ − μ)ᵀ, its covariances shrunk by d / (d + ESS)
//! curvature    μ = Σ W θ,   C Cᵀ = [ −∇² ln π(μ) ]⁻¹, π the target under a smooth stand-in
//! ```
//!
//! The covariance of K particles is mostly noise unless K is many times d; a curvature is one pass
//! over the rows so far, whatever K. Both depend on the particles before the move and on nothing
//! after, so that the move leaves its target invariant.

use super::particles::{Particles, effective};
use super::tempered::Tempered;
use debias::Ledger;
use models::anchor::Expansion;
use posterior::{Differentiable, Smooth};
use samplers::{Factor, Frame, FrameError};

/// The mean and shrunken covariance of weighted particles.
pub fn of_particles(particles: &Particles, weights: &[f64]) -> Result<Frame, FrameError> {
    let d = particles.dimension;
    let shrinkage = d as f64 / (d as f64 + effective(weights));
    Frame::of_weighted(&particles.positions, weights, d, shrinkage)
}

/// The mean of weighted particles, the curvature of the tempered target there, and the pass.
pub fn of_curvature<M: Differentiable>(
    particles: &Particles,
    weights: &[f64],
    target: &Tempered<'_, M>,
    stand_in: &dyn Smooth<Block = M::Block>,
) -> Result<(Frame, Ledger), FrameError> {
    let mut mean = vec![0.0; particles.dimension];
    for (theta, weight) in particles.iter().zip(weights) {
        mean.iter_mut().zip(theta).for_each(|(mean, x)| *mean += weight * x);
    }
    let mut expansion = Expansion::of_block(stand_in, &mean, target.seen);
    expansion.add(target.power, &Expansion::of_block(stand_in, &mean, target.new));
    let precision = expansion.precision(stand_in);
    let factor = Factor::of_precision(&precision.entries(), mean.len())?;
    let pass = Ledger { gradients: target.rows(), ..Ledger::default() };
    Ok((Frame::new(mean, factor)?, pass))
}
