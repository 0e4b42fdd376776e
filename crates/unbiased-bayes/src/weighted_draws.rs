//! Weighted draws of the posterior from the points of an anchored path.
//!
//! ```text
//! θ_p ~ base density,   w_p ∝ p(θ_p) Π_i p(y_i ∣ θ_p) / base density at θ_p,   E φ ≈ Σ w_p φ(θ_p)
//! ```
//!
//! Replicates rarely look at all rows, so none of them has these weights: each takes a likelihood of every
//! row, one pass per draw. They are the weights of the last level, and with them the draws are a sample of the
//! posterior given all rows, whatever the base was.

use crate::{Answer, Estimation};
use anchored::{EnrichedPath, PointSource, WholePosterior};
use debias::{Ledger, Seed};
use posterior::{Rows, Smooth, Target};
use samplers::SharedPoints;

/// Draws of the posterior with weights that add up to one.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct WeightedDraws {
    /// θ_1, θ_2, …, one after the other.
    pub positions: Vec<f64>,
    /// w_1, w_2, …
    pub weights: Vec<f64>,
}

impl WeightedDraws {
    /// As many draws of equal weight have about the same variance: 1 / Σ w².
    pub fn effective(&self) -> f64 {
        1.0 / self.weights.iter().map(|weight| weight * weight).sum::<f64>()
    }
}

/// Adds the draws that are asked for, with what they cost, to an answer.
pub(crate) fn draw<R, M>(
    question: &Estimation<'_, R, M>,
    path: &EnrichedPath<'_, R, M>,
    seed: Seed,
    answer: &mut Answer,
) where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    if question.draws == 0 {
        return;
    }
    let kinds = path.rows.kinds();
    question.say(&format!("{} weighted draws, each by all {kinds} distinct rows", question.draws));
    let (draws, work) = weighted_draws(path, question.draws, seed);
    answer.cost.setup += work;
    answer.remarks.push(format!(
        "{} weighted draws of the posterior, worth {:.0}, took {:.1} passes",
        draws.weights.len(),
        draws.effective(),
        work.evaluations() as f64 / path.rows.total() as f64
    ));
    answer.weighted = Some(draws);
}

/// So many points of the path, spread over all its chains, or as many as there are; mirrored ones are new.
fn weighted_draws<R, M>(
    path: &EnrichedPath<'_, R, M>,
    count: usize,
    seed: Seed,
) -> (WeightedDraws, Ledger)
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let (mut positions, mut log_base) = (Vec::new(), Vec::new());
    match &path.points {
        PointSource::Chains { chains, .. } => {
            let all: usize = chains.iter().map(|chain| chain.count()).sum();
            let count = count.min(all);
            let mut each = chains.iter().flat_map(|one| one.iter().zip(one.log_densities()));
            let mut taken = 0;
            for draw in 0..all {
                let Some((theta, log_density)) = each.next() else { break };
                // Draws ⌊k all / count⌋, k = 0, 1, …
                if draw == taken * all / count.max(1) && taken < count {
                    positions.extend_from_slice(theta);
                    log_base.push(*log_density);
                    taken += 1;
                }
            }
        }
        PointSource::Mirrored { proposal, .. } => {
            let rng = &mut seed.child("weighted draws").stream(0);
            let drawn = SharedPoints::mirrored(proposal, count.div_ceil(2), rng);
            positions.extend_from_slice(drawn.positions());
            log_base.extend_from_slice(drawn.log_base());
        }
    }
    let mut posterior = WholePosterior::new(path.model, path.regression, path.rows);
    let thetas = positions.chunks_exact(path.model.dimension());
    let logs: Vec<f64> =
        thetas.zip(&log_base).map(|(theta, base)| posterior.log_density(theta) - base).collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut weights: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    (WeightedDraws { positions, weights }, posterior.ledger())
}
