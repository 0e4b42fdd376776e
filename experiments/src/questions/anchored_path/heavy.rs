//! The harder regression: heavy tails, correlated covariates, few positives.
//!
//! Priors N(0, 2), of the variance of the paper's. The truth is Newton's method over all rows and the
//! mean to the next order; NUTS on all rows is run beside it, and has to agree.

use super::problem::Problem;
use super::report::Report;
use super::{Size, bad_anchors, plain, without_core};
use crate::Context;
use crate::methods::method::Method;
use crate::problems::truth::Truth;
use baselines::{ConstantBatch, FullPosterior};
use data::{Generated, HeavyLogisticLaw};
use debias::{Estimate, Estimator, Form, Pilot, PilotSettings, Replicates, Rng, Schedule};
use models::anchor::newton;
use models::laplace_mean::laplace_mean;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DataPath, Rows, Target};
use records::{DataSource, Quantity, Scale};
use samplers::diagnostics::Summary;
use samplers::{
    ByChain, ChainError, Frame, Framing, Functional, Length, Metric, NoUTurn, SampleError, Sampler,
    Start,
};
use serde_json::Value;
use unbiased_bayes::anchored::frame_of;

const COVARIATES: usize = 20;
/// Makes about one label in ten positive.
const BIAS: f64 = -2.5;
const CHAIN: Length = Length { warm_up: 50, draws: 250 };
/// Rows of the first level of a plain path.
const PLAIN_FIRST: usize = 512;
/// Chains on batches, for plain partial posteriors.
const BATCH_CHAIN: Length = Length { warm_up: 100, draws: 500 };

pub fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let seed = context.seed.child("heavy");
    let law = HeavyLogisticLaw::new(COVARIATES, BIAS, seed.child("law"));
    let rows = Generated::new(law, seed.child("rows"), size.heavy);
    let data = vec![DataSource {
        name: "heavy-tailed logistic rows".to_owned(),
        rows: size.heavy as u64,
        identity: format!("t4 covariates mixed, bias {BIAS}, seed {}", seed.0),
    }];
    let model = DenseLogistic::new(COVARIATES, Prior::like_laplace(1.0))?;
    let start = [0.0; COVARIATES + 1];
    let mode = newton(&model, &rows, &start, 1e-6, 50)?;
    let (means, _) = laplace_mean(&model, &rows, &mode);
    let sds: Vec<f64> = (0..means.len()).map(|j| mode.covariance.entry(j, j).sqrt()).collect();
    let functionals = Functional::means(means.len());
    let problem = Problem {
        name: "heavy",
        rows: size.heavy,
        functionals: &functionals,
        truth: Truth { errors: vec![0.0; means.len()], means, sds },
        settings,
        data: &data,
        replicates: size.heavy_replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    without_core(context, &problem, (&model, &rows), &start, report)?;
    bad_anchors::measure(context, &problem, (&model, &rows), &start, size.trials, report)?;

    (context.say)("heavy: NUTS on all rows");
    let frame = frame_of(&mode.theta, &mode.covariance)?;
    let full = FullChain { model: &model, rows: &rows, frame: &frame };
    let full = context.replicate("heavy-full-nuts", settings, &data, &full, 1)?;
    let (means, rest) = full.value(0).split_at(functionals.len());
    let (errors, effective) = rest.split_at(functionals.len());
    let truth = &problem.truth;
    let off = means.iter().zip(&truth.means).zip(errors);
    let worst =
        off.map(|((mean, truth), error)| ((mean - truth) / error).abs()).fold(0.0, f64::max);
    let inverse = effective.iter().map(|draws| 1.0 / draws).sum::<f64>() / effective.len() as f64;
    let cost = full.total_cost().evaluations() as f64;
    report.error("heavy", "full-nuts", cost, truth.error(means));
    for (label, value) in [
        ("passes", cost / size.heavy as f64),
        ("passes an effective draw", cost / size.heavy as f64 * inverse),
        ("largest error in Monte Carlo standard errors", worst),
    ] {
        report.quantities.push(Quantity::rough(&format!("heavy/full-nuts/{label}"), value));
    }

    let level = ByChain {
        sampler: kernel(),
        framing: Framing::laplace(functionals.len()),
        start: Start::Frame { spread: 1.0 },
        length: BATCH_CHAIN,
        functionals: functionals.clone(),
        control_variates: false,
        expected_evaluations: 2500.0,
    };
    let (batches, trials): (&[usize], usize) = match context.scale {
        Scale::Full => (&[512, 2048, 8192], 10),
        Scale::Smoke => (&[512], 2),
    };
    let parts = (&rows, &model, &level);
    let table = truth.convergence(context, parts, batches, trials, settings, &data)?;

    (context.say)("heavy: plain paths and constant batches");
    let schedule = Schedule::halving(size.heavy, PLAIN_FIRST)?;
    let path = DataPath::new(&rows, &model, &level, &schedule)?;
    let pilot = PilotSettings { levels: 4, replicates: 40 };
    let pilot = Pilot::run(&path, &schedule, Form::AntitheticSingleTerm, pilot, seed)?;
    let plainly = Method::ours(pilot.best::<ChainError>()?);
    let (step, replicates) = (problem.step(plainly.name), size.heavy_replicates);
    let run = plainly.run_as(&step, context, &path, settings, &data, replicates)?;
    let batch = (plainly.expected_cost() / level.expected_evaluations).round() as usize;
    let constant = ConstantBatch::new(&rows, &model, &level, batch.min(size.heavy))?;
    let step = problem.step("constant-batch");
    let constant = context.replicate(&step, settings, &data, &constant, replicates)?;
    let runs = [(plainly.name, &run, plainly.setup_cost()), ("constant-batch", &constant, 0.0)];
    report.curve("heavy", &truth.running(&runs))?;
    let last = |run: &Replicates| {
        let mean = |j| run.functional(j).iter().sum::<f64>() / run.count() as f64;
        truth.error(&(0..functionals.len()).map(mean).collect::<Vec<_>>())
    };
    for (name, run, _) in runs {
        let name = format!("heavy/{name}/rms error in posterior sds");
        report.quantities.push(Quantity::rough(&name, last(run)));
    }
    report.notes.push(format!("heavy, plain path: {}", plainly.audit(&path, &run)));
    let squares: Vec<f64> = table.numbers("error")?.iter().map(|error| error * error).collect();
    plain(report, "heavy", &table.numbers("rows")?, &squares);
    Ok(data)
}

/// NUTS for a frame that fits: a unit metric, and the acceptance that costs least there.
fn kernel() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, target_acceptance: 0.65, ..NoUTurn::default() }
}

/// One chain on all rows and all threads: means, their errors, effective draws.
struct FullChain<'a> {
    model: &'a DenseLogistic,
    rows: &'a Generated<HeavyLogisticLaw>,
    frame: &'a Frame,
}

impl Estimator for FullChain<'_> {
    type Error = SampleError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, SampleError> {
        let mut target = FullPosterior::new(self.model, self.rows);
        let start = self.frame.mean();
        let draws = kernel().sample_in(self.frame, &mut target, start, CHAIN, rng)?;
        let summary = Summary::of_draws(std::slice::from_ref(&draws))
            .expect("250 draws are enough for a diagnosis");
        let column = |value: fn(&Summary) -> f64| summary.iter().map(value).collect::<Vec<_>>();
        let value = [column(|w| w.mean), column(|w| w.mcse), column(|w| w.ess_bulk)].concat();
        Ok(Estimate { value, depth: 1, cost: target.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        8.0 * CHAIN.transitions() as f64 * self.rows.count() as f64
    }
}
