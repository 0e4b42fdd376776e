//! The paper's logistic regression and its log-Gaussian, on rows made here.

use super::chains::{self, AllRows};
use super::problem::{Plain, Problem};
use super::{
    Found, Race, Rules, approximations, ours, particles, rivals, subsampling, taylor, truth,
};
use crate::methods::chains::{evaluations_per_row, framed_nuts, kernel, kinked};
use crate::methods::laplace as laplace_mean;
use crate::problems::log_gaussian::sigma;
use crate::problems::logistic::WEIGHTS;
use crate::problems::{log_gaussian as spread, logistic as regression};
use anyhow::Context as _;
use baselines::Beginning;
use data::DenseRows;
use models::log_gaussian::LogGaussian;
use posterior::Rows;
use samplers::{ByChain, Framing, Functional, Length, NoUTurn};

/// Rows of a mini-batch.
const BATCH: usize = 256;
/// Chains inside the levels of plain paths: shorter than the paper's, which would fit no budget here.
pub const LEVEL: Length = Length { warm_up: 20, draws: 100 };

/// The regression.
pub fn logistic(
    name: &'static str,
    count: usize,
    chains: truth::Chains,
    rules: &Rules<'_>,
    into: &mut Found,
) -> anyhow::Result<()> {
    let context = rules.context;
    let (all, data) = regression::rows(context, count);
    let rows = &DenseRows::new(all.range(0..count));
    let (model, smooth) = (&regression::model()?, &regression::smooth()?);
    let functionals = Functional::means(WEIGHTS);
    // On few rows the bias may lie at its kink, where Newton's steps would jump to and fro.
    let climbed = if rules.free_setup { smooth } else { model };
    let problem = Problem::new(name, (model, climbed, rows), &functionals, rules, &data)?;
    let full = all_rows(&problem);
    let truth = truth::by_chains(&rules.work(&data), name, &full, chains)?;
    let mut race = Race::new(name, count, &truth, &data, rules);
    let mut level = kinked(smooth.clone(), Framing::laplace(WEIGHTS), LEVEL);
    level.expected_evaluations = evaluations_per_row(context, (rows, model, &level), 256)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: 32, alpha: 1.0 })?;
    ours::anchored(&mut race, "anchored", &problem.anchored, &problem.setup)?;
    if race.wants("anchored-stand-in") {
        let (name, parts) = (format!("{name}-stand-in"), (model, smooth, rows));
        let off = Problem::new(&name, parts, &functionals, rules, &data)?;
        ours::anchored(&mut race, "anchored-stand-in", &off.anchored, &off.setup)?;
    }
    approximations::regression(&mut race, model, rows)?;
    full.race(&mut race, &problem.setup)?;
    rivals::consensus(&mut race, &problem, |frame, _, length| {
        Ok(chain(Framing::Given(frame.clone()), length, problem.functionals.clone()))
    })?;
    rivals::stochastic(&mut race, &problem, (rows, model), BATCH)?;
    let beginning = Beginning::prior(model.prior(), WEIGHTS).context("an improper prior")?;
    particles::run(&mut race, &problem, &beginning)?;
    subsampling::run(&mut race, rows, model, &problem.functionals)?;
    taylor::run(&mut race, &problem, (rows, model), !rules.free_setup)?;
    into.quantities.push(truth::quantity(name, &truth));
    if rules.free_setup {
        into.quantities.push(truth::beside(name, &truth, &race.rows));
    }
    into.take(race);
    Ok(())
}

/// The log-Gaussian, whose truth is in closed form.
pub fn log_gaussian(
    name: &'static str,
    count: usize,
    rules: &Rules<'_>,
    into: &mut Found,
) -> anyhow::Result<()> {
    let context = rules.context;
    let (rows, data) = spread::rows(context.seed.child("log-gaussian rows"), count);
    let rows = DenseRows::new(rows.range(0..count));
    let truth = spread::truth(rows.block())?;
    let parts = (&LogGaussian, &LogGaussian, &rows);
    let problem = Problem::new(name, parts, &sigma(), rules, &data)?;
    let mut race = Race::new(name, count, &truth, &data, rules);
    let mut level = chain(Framing::laplace(2), LEVEL, sigma());
    level.expected_evaluations = evaluations_per_row(context, (&rows, &LogGaussian, &level), 64)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: 8, alpha: 0.95 })?;
    ours::anchored(&mut race, "anchored", &problem.anchored, &problem.setup)?;
    approximations::next_order(&mut race, || laplace_mean::log_gaussian(&rows))?;
    all_rows(&problem).race(&mut race, &problem.setup)?;
    rivals::consensus(&mut race, &problem, |frame, _, length| {
        Ok(chain(Framing::Given(frame.clone()), length, problem.functionals.clone()))
    })?;
    rivals::stochastic(&mut race, &problem, (&rows, &LogGaussian), BATCH)?;
    let beginning = Beginning::FirstBatch { framing: Framing::laplace(2), degrees: 5.0 };
    particles::run(&mut race, &problem, &beginning)?;
    into.take(race);
    Ok(())
}

/// NUTS on all rows in the frame of the anchor.
fn all_rows<'a, M>(problem: &Problem<'a, DenseRows, M>) -> AllRows<'a, NoUTurn>
where
    M: posterior::Smooth<Block = posterior::DenseBlock>,
{
    AllRows {
        target: chains::all_rows(problem.model, problem.rows),
        kernel: kernel(),
        frame: problem.anchored.anchor.frame.clone(),
        start: problem.anchored.anchor.frame.clone(),
        functionals: problem.functionals.clone(),
    }
}

/// NUTS in a frame.
fn chain(framing: Framing, length: Length, functionals: Vec<Functional>) -> ByChain<NoUTurn> {
    framed_nuts(framing, length, functionals, 4.0 * length.transitions() as f64)
}
