//! Posterior means of the logistic regression by long chains on all rows, with control variates.

use super::problem::{Problem, nuts};
use crate::Context;
use crate::weights::Truth;
use baselines::{FullChain, FullPosterior};
use data::DenseRows;
use debias::Summary;
use models::anchor::newton;
use models::laplace_mean::laplace_mean;
use models::logistic::DenseLogistic;
use records::{DataSource, Quantity};
use samplers::{ByChain, Framing, Length, Start};
use serde_json::Value;

/// How many, and how long.
#[derive(Clone, Copy)]
pub(super) struct Chains {
    pub(super) count: usize,
    pub(super) draws: usize,
}

/// Means over chains; standard deviations by the Laplace approximation.
pub(super) fn by_chains(
    context: &Context<'_>,
    problem: &Problem<'_, DenseLogistic>,
    chains: Chains,
    settings: &Value,
    data: &[DataSource],
) -> anyhow::Result<Truth> {
    let posterior = FullPosterior::new(problem.model, problem.rows);
    let frame = &problem.anchor.frame;
    let chain = ByChain {
        sampler: nuts(),
        framing: Framing::Given(frame.clone()),
        start: Start::Frame { spread: 1.0 },
        length: Length { warm_up: 200, draws: chains.draws },
        functionals: problem.functionals.clone(),
        control_variates: true,
        expected_evaluations: 4.0 * chains.draws as f64,
    };
    let chain = FullChain::new(&posterior, chain)?;
    let run = context.replicate("logistic-truth", settings, data, &chain, chains.count)?;
    let (mut means, mut errors) = (Vec::new(), Vec::new());
    for j in 0..run.width() {
        let summary = Summary::of(&run.functional(j))?;
        means.push(summary.mean);
        errors.push(summary.standard_error);
    }
    let square = |j: usize| frame.factor().row(j).iter().map(|entry| entry * entry).sum::<f64>();
    let sds = (0..means.len()).map(|j| square(j).sqrt()).collect();
    Ok(Truth { means, sds, errors })
}

/// How well it is known, and how far Newton's method with the next order is from it.
pub(super) fn quantities(
    truth: &Truth,
    rows: &DenseRows,
    model: &DenseLogistic,
) -> anyhow::Result<Vec<Quantity>> {
    let known = truth.errors.iter().zip(&truth.sds).map(|(error, sd)| (error / sd).powi(2));
    let known = (known.sum::<f64>() / truth.sds.len() as f64).sqrt();
    let mode = newton(model, rows, &vec![0.0; truth.means.len()], 1e-6, 20)?;
    let (laplace, _) = laplace_mean(model, rows, &mode);
    Ok(vec![
        Quantity::rough("logistic/truth/standard error in posterior sds", known),
        Quantity::rough("logistic/truth/distance of the Laplace means", truth.error(&laplace)),
    ])
}
