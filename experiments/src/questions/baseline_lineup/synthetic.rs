//! The paper's logistic regression and its log-Gaussian, on rows made here.

use super::chains::AllRows;
use super::problem::{Plain, Problem, nuts};
use super::{Race, Rules, laplace, ours, particles, rivals, subsampling, truth};
use crate::problems::truth::Truth;
use anyhow::Context as _;
use baselines::{Beginning, FullPosterior};
use data::{DenseRows, GaussianLaw, Generated};
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use records::DataSource;
use samplers::{ByChain, ByKinkedChain, Frame, Framing, Functional, Length, NoUTurn, Start};

/// Nine weights and the bias.
const WEIGHTS: usize = 10;
/// Of their Laplace priors.
const SCALE: f64 = 1.0;
/// Rows of a mini-batch.
const BATCH: usize = 256;
/// Chains inside the levels of plain paths: shorter than the paper's, which would fit no budget here.
pub(super) const LEVEL: Length = Length { warm_up: 20, draws: 100 };

/// The regression.
pub(super) fn logistic(
    name: &'static str,
    count: usize,
    chains: truth::Chains,
    rules: &Rules<'_, '_>,
    into: &mut super::Found,
) -> anyhow::Result<()> {
    let context = rules.context;
    let (all, source) = crate::questions::logistic_synthetic::rows(context, count);
    let rows = DenseRows::new(all.range(0..count));
    let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: SCALE })?;
    let stand_in = DenseLogistic::new(WEIGHTS - 1, Prior::like_laplace(SCALE))?;
    let functionals = Functional::means(WEIGHTS);
    let keys = (rules.settings, &source[..]);
    // On few rows the bias may lie at its kink, where Newton's steps would jump to and fro.
    let climbed = if rules.free_setup { &stand_in } else { &model };
    let parts = (&rows, &model, climbed);
    let problem = Problem::new(name, parts, functionals, context, keys)?;
    let full = all_rows(&problem);
    let truth = truth::by_chains(context, name, &full, chains, keys)?;
    let mut race = Race::new(name, count, &truth, &source, rules);
    let mut level = ByKinkedChain {
        stand_in: stand_in.clone(),
        scale: SCALE,
        framing: Framing::laplace(WEIGHTS),
        length: LEVEL,
        functionals: problem.functionals.clone(),
        expected_evaluations: 0.0,
    };
    level.expected_evaluations =
        crate::problems::truth::evaluations_a_row(context, &rows, &model, &level, 256)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: 32, alpha: 1.0 })?;
    ours::anchored(&mut race, "anchored", &problem)?;
    if race.wants("anchored-stand-in") {
        let (name, parts) = (format!("{name}-stand-in"), (&rows, &model, &stand_in));
        let off = Problem::new(&name, parts, problem.functionals.clone(), context, keys)?;
        ours::anchored(&mut race, "anchored-stand-in", &off)?;
    }
    laplace::run(&mut race, || laplace::logistic((&model, &stand_in, SCALE), &rows))?;
    full.race(&mut race, &problem.setup)?;
    rivals::consensus(&mut race, &problem, |frame, _, length| {
        Ok(chain(frame, length, problem.functionals.clone()))
    })?;
    rivals::stochastic(&mut race, &problem, (&rows, &model), BATCH)?;
    let beginning = Beginning::prior(model.prior(), WEIGHTS).context("an improper prior")?;
    particles::run(&mut race, &problem, &beginning)?;
    subsampling::run(&mut race, &rows, &model, &problem.functionals)?;
    into.quantities.push(truth::quantity(name, &truth));
    if rules.free_setup {
        into.quantities.push(truth::beside(name, &truth, &race.rows));
    }
    into.take(race, &source);
    Ok(())
}

/// The log-Gaussian, whose truth is in closed form.
pub(super) fn log_gaussian(
    name: &'static str,
    count: usize,
    rules: &Rules<'_, '_>,
    into: &mut super::Found,
) -> anyhow::Result<()> {
    let context = rules.context;
    let seed = context.seed.child("log-gaussian rows");
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, count).range(0..count);
    let rows = DenseRows::new(rows);
    let data = [DataSource {
        name: "log-Gaussian rows".to_owned(),
        rows: count as u64,
        identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
    }];
    let moments = LogGaussian::moments(rows.block())?;
    let truth =
        Truth { means: vec![moments.mean_sigma], sds: vec![moments.sd_sigma], errors: vec![0.0] };
    let functionals = vec![Functional::prediction(LogGaussian::sigma)];
    let keys = (rules.settings, &data[..]);
    let parts = (&rows, &LogGaussian, &LogGaussian);
    let problem = Problem::new(name, parts, functionals, context, keys)?;
    let mut race = Race::new(name, count, &truth, &data, rules);
    let mut level = chain(&Frame::standard(2), LEVEL, problem.functionals.clone());
    level.framing = Framing::laplace(2);
    level.expected_evaluations =
        crate::problems::truth::evaluations_a_row(context, &rows, &LogGaussian, &level, 64)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: 8, alpha: 0.95 })?;
    ours::anchored(&mut race, "anchored", &problem)?;
    laplace::run(&mut race, || laplace::log_gaussian(&rows))?;
    all_rows(&problem).race(&mut race, &problem.setup)?;
    rivals::consensus(&mut race, &problem, |frame, _, length| {
        Ok(chain(frame, length, problem.functionals.clone()))
    })?;
    rivals::stochastic(&mut race, &problem, (&rows, &LogGaussian), BATCH)?;
    let beginning = Beginning::FirstBatch { framing: Framing::laplace(2), degrees: 5.0 };
    particles::run(&mut race, &problem, &beginning)?;
    into.take(race, &data);
    Ok(())
}

/// NUTS on all rows in the frame of the anchor.
fn all_rows<'a, M>(problem: &Problem<'a, DenseRows, M>) -> AllRows<'a, M, NoUTurn>
where
    M: posterior::Smooth<Block = posterior::DenseBlock>,
{
    AllRows {
        posterior: FullPosterior::new(problem.model, problem.rows),
        kernel: nuts(),
        frame: problem.anchor.frame.clone(),
        start: problem.anchor.frame.clone(),
        functionals: problem.functionals.clone(),
    }
}

/// NUTS in a frame.
fn chain(frame: &Frame, length: Length, functionals: Vec<Functional>) -> ByChain<NoUTurn> {
    ByChain {
        sampler: nuts(),
        framing: Framing::Given(frame.clone()),
        start: Start::Frame { spread: 1.0 },
        length,
        functionals,
        control_variates: false,
        expected_evaluations: 4.0 * length.transitions() as f64,
    }
}
