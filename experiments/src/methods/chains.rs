//! Chains: level estimates by NUTS, and chains on all rows.

use crate::Context;
use debias::Ledger;
use posterior::{LevelEstimate, Model, Rows};
use samplers::diagnostics::Summary;
use samplers::{
    ByChain, ByKinkedChain, Draws, Framing, Functional, Length, Metric, NoUTurn, Nuts, Start,
};
use serde::{Deserialize, Serialize};

/// The chains inside the paper's levels.
pub const PAPER: Length = Length { warm_up: 100, draws: 500 };

/// NUTS for a target whose frame fits: a unit metric, and the acceptance that costs least there.
pub fn kernel() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, target_acceptance: 0.65, ..NoUTurn::default() }
}

/// Levels by nuts-rs in the coordinates of their Laplace approximation.
pub fn nuts(length: Length, functionals: Vec<Functional>, dimension: usize) -> ByChain<Nuts> {
    by(Nuts::default(), Framing::laplace(dimension), length, functionals, 0.0)
}

/// Levels by NUTS in a frame; so many evaluations per row are expected.
pub fn framed_nuts(
    framing: Framing,
    length: Length,
    functionals: Vec<Functional>,
    evaluations: f64,
) -> ByChain<NoUTurn> {
    by(kernel(), framing, length, functionals, evaluations)
}

/// Levels by chains that start from the frame.
fn by<S>(
    sampler: S,
    framing: Framing,
    length: Length,
    functionals: Vec<Functional>,
    expected_evaluations: f64,
) -> ByChain<S> {
    let start = Start::Frame { spread: 1.0 };
    let control_variates = false;
    ByChain { sampler, framing, start, length, functionals, control_variates, expected_evaluations }
}

/// Levels by NUTS in the metric of their Laplace approximation, which is found under a smooth prior, and
/// exactly through the kinks of Laplace(1) priors.
pub fn kinked<M: Model>(smooth: M, framing: Framing, length: Length) -> ByKinkedChain<M> {
    let functionals = Functional::means(smooth.dimension());
    ByKinkedChain {
        stand_in: smooth,
        scale: 1.0,
        framing,
        length,
        functionals,
        expected_evaluations: 0.0,
    }
}

/// How many evaluations a level estimate takes per row, measured on batches of its own.
pub fn evaluations_per_row<R, M, E>(
    context: &Context<'_>,
    (rows, model, level): (&R, &M, &E),
    batch: usize,
) -> anyhow::Result<f64>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    const TRIALS: u64 = 20;
    let measured =
        unbiased_bayes::evaluations_per_row(rows, model, level, batch, TRIALS, context.seed)?;
    Ok(measured.0)
}

/// What a chain on all rows says of all weights.
#[derive(Serialize, Deserialize)]
pub struct ChainAnswer {
    /// Posterior means.
    pub means: Vec<f64>,
    /// Their Monte Carlo standard errors.
    pub errors: Vec<f64>,
    /// Effective draws.
    pub effective: Vec<f64>,
    /// All work, set-up included.
    pub cost: Ledger,
}

impl ChainAnswer {
    /// From the draws of one chain.
    pub fn of(draws: &Draws, cost: Ledger) -> anyhow::Result<ChainAnswer> {
        let summary = Summary::of_draws(std::slice::from_ref(draws))?;
        let column = |value: fn(&Summary) -> f64| summary.iter().map(value).collect();
        let (means, errors) = (column(|weight| weight.mean), column(|weight| weight.mcse));
        Ok(ChainAnswer { means, errors, effective: column(|weight| weight.ess_bulk), cost })
    }

    /// Effective draws of the weight that has fewest.
    pub fn least_effective(&self) -> f64 {
        self.effective.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The largest error in Monte Carlo standard errors.
    pub fn worst(&self, truth: &[f64]) -> f64 {
        let errors = self.means.iter().zip(truth).zip(&self.errors);
        errors.map(|((mean, truth), error)| ((mean - truth) / error).abs()).fold(0.0, f64::max)
    }
}
