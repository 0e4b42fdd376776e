//! Figures 3 and 4: the standard deviation of 2²⁶ log-Gaussian rows.
//!
//! Rows ln x ~ N(0, 2), flat prior on (μ, σ), posterior mean of σ. Convergence: batches of
//! n = 8, …, 2¹⁷ rows, 150 trials each. Debiasing: a = 8, P(T = t) ∝ 2^{−0.95 t}, R = 300. Partial
//! posteriors by NUTS, 100 + 500 iterations, in the coordinates of their Laplace approximation.
//! Beside the paper's estimator, at its expected cost: our antithetic single term, and constant
//! batches; and the anchored path with its passes. Full NUTS is really run, 100 + 500 iterations on all 2²⁶ rows.
//!
//! The target is φ_N, the posterior mean given these rows, known in closed form; √2 is the parameter
//! behind them, and differs from it by about one posterior standard deviation.

use crate::methods::anchored::{Anchored, AnchoredSettings};
use crate::methods::chains::{PAPER, evaluations_per_row, nuts};
use crate::methods::constant_batch::{self, convergence};
use crate::methods::debiased::{Choice, Method, replicate_table};
use crate::methods::usage::Usage;
use crate::problems::log_gaussian::{SIGMA, rows, sigma, truth};
use crate::problems::truth::{Truth, floor};
use crate::{Context, Experiment};
use baselines::{ConstantBatch, FullPosterior};
use debias::{PilotSettings, Schedule, Summary, Truncation};
use models::log_gaussian::LogGaussian;
use posterior::{DataPath, Rows, Target};
use records::{Quantity, Record};
use samplers::diagnostics::{Chains, mcse_mean};
use serde_json::json;

mod claims;

/// The experiment `log-gaussian`.
pub const EXPERIMENT: Experiment = Experiment {
    memory: 2.0,
    ..Experiment::new(
        "log-gaussian",
        "Figures 3 and 4",
        "Can the spread of 2²⁶ log-Gaussian rows be estimated without bias from a few thousand of them?",
        run,
        claims::claims,
    )
};

const FIRST: usize = 8;
const ALPHA: f64 = 0.95;
/// Rows of the first level of the anchored path, pairs of points, and replicates.
const ANCHORED_FIRST: usize = 256;
const PAIRS: usize = 32;
const ANCHORED_REPLICATES: usize = 400;
const PILOT: PilotSettings = PilotSettings { levels: 5, replicates: 40 };

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (count, largest_batch) = context.scale.pick((1 << 26, 1 << 17), (1 << 14, 1 << 9));
    let (trials, replicates) = context.scale.pick((150, 300), (20, 60));
    let (rows, data) = rows(context.seed.child("rows"), count);
    let truth = truth(&rows.range(0..count))?;
    let schedule = Schedule::halving(count, FIRST)?;
    let settings = json!({
        "rows": count, "schedule": schedule.sizes(), "alpha": ALPHA,
        "replicates": replicates, "trials": trials, "warm_up": PAPER.warm_up,
        "draws": PAPER.draws, "anchored_first": ANCHORED_FIRST, "points": 2 * PAIRS,
        "anchored_replicates": ANCHORED_REPLICATES,
    });
    let work = context.work(&settings, &data);
    let mut level = nuts(PAPER, sigma(), 2);
    level.expected_evaluations = evaluations_per_row(context, (&rows, &LogGaussian, &level), 64)?;
    let path = DataPath::new(&rows, &LogGaussian, &level, &schedule)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let usage =
        Usage { schedule: &schedule, law: &law, printed_largest: Some(claims::PRINTED_LARGEST) };
    let paper = Method::coupled_sum(&path, &schedule, law.clone(), PILOT, context.seed)?;
    let choice = Choice::Optimal { cap: paper.expected_cost() };
    let ours = Method::antithetic(&path, &schedule, choice, PILOT, context.seed)?;
    let paper_run = paper.run(&work, &path, replicates)?;
    let our_run = ours.run(&work, &path, replicates)?;

    // Constant batches at the same expected cost.
    let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
    let constant = ConstantBatch::new(&rows, &LogGaussian, &level, batch)?;
    let constant = work.replicate(constant_batch::NAME, &constant, replicates)?;

    let settings_of_path =
        AnchoredSettings::mirrored((count / 100, context.seed), ANCHORED_FIRST, PAIRS);
    let problem = (&LogGaussian, &LogGaussian, &rows);
    let anchored = Anchored::new(problem, &sigma(), settings_of_path)?;
    let anchored_path = anchored.path()?;
    let passes = anchored.anchor.passes as f64;
    let anchored = Method::anchored(&anchored, &anchored_path, context.seed)?;
    let anchored_run = anchored.run(&work, &anchored_path, ANCHORED_REPLICATES)?;

    let doublings = (0..).map(|power| FIRST << power);
    let sizes: Vec<usize> = doublings.take_while(|&batch| batch <= largest_batch).collect();
    let parts = (&rows, &LogGaussian, &level);
    let batches = constant_batch::growing(&work, "", parts, &sizes, trials)?;
    let sigmas = batches.iter().flat_map(|run| run.functional(0)).collect();
    let convergence = convergence("convergence", &sizes, trials, vec![("sigma", sigmas)]);

    // One chain on all rows, with the Monte Carlo standard error of its mean.
    let (full, full_error, full_cost) = work.cached("full-nuts", |rng| {
        let mut target = FullPosterior::new(&LogGaussian, &rows);
        let draws = level.draws(&mut target, rng)?;
        let sigmas: Vec<f64> = draws.iter().map(LogGaussian::sigma).collect();
        let mean = sigmas.iter().sum::<f64>() / sigmas.len() as f64;
        let error = Chains::new(vec![sigmas]).map_or(0.0, |chains| mcse_mean(&chains));
        Ok((mean, error, target.ledger()))
    })?;

    let mut quantities = vec![
        Quantity::exact("target", truth.means[0]),
        Quantity::exact("posterior sd", truth.sds[0]),
        Quantity::exact("true sigma", std::f64::consts::SQRT_2),
        Quantity::rough("constant-batch/batch", batch as f64),
        Quantity::rough("evaluations a row", level.expected_evaluations),
    ];
    for (method, run) in [(&paper, &paper_run), (&ours, &our_run), (&anchored, &anchored_run)] {
        quantities.extend(method.describe(run, &SIGMA)?);
    }
    quantities.push(Quantity::exact("anchored/passes", passes));
    let constant_summary = Summary::of(&constant.functional(0))?;
    let (mean, error) = (constant_summary.mean, constant_summary.standard_error);
    quantities.push(Quantity::estimate("constant-batch/sigma", mean, error));
    quantities.push(Quantity::estimate("full-nuts/sigma", full, full_error));
    quantities.push(Quantity::rough("full-nuts/total cost", full_cost.evaluations() as f64));
    quantities.extend(usage.describe(paper_run.depths(), context.seed)?);
    quantities.extend(errors(&quantities, &truth)?);
    let seen = paper_run.total_cost().distinct_rows as f64;
    quantities.push(Quantity::rough("floor in posterior sds", floor(count, seen)));

    let notes = vec![
        "Partial posteriors are sampled by NUTS in the coordinates of their Laplace approximation; \
         nuts-rs adapts within 100 iterations, where Stan at its defaults would not."
            .to_owned(),
        paper.audit(&path, &paper_run),
        ours.audit(&path, &our_run),
        anchored.audit(&anchored_path, &anchored_run),
    ];
    Ok(Record {
        data,
        quantities,
        notes,
        tables: vec![
            replicate_table(paper.name, &paper_run, &SIGMA),
            replicate_table(ours.name, &our_run, &SIGMA),
            replicate_table(constant_batch::NAME, &constant, &SIGMA),
            replicate_table(anchored.name, &anchored_run, &SIGMA),
            convergence,
        ],
        ..context.record(&EXPERIMENT, &settings)
    })
}

/// Errors of all methods in posterior standard deviations.
fn errors(quantities: &[Quantity], truth: &Truth) -> anyhow::Result<Vec<Quantity>> {
    let methods =
        ["coupled-sum", "antithetic-single-term", "constant-batch", "anchored", "full-nuts"];
    let error = |method: &str| {
        let name = format!("{method}/sigma");
        let found = quantities.iter().find(|quantity| quantity.name == name);
        let found = found.ok_or_else(|| anyhow::anyhow!("no quantity {name}"))?;
        let error = (found.value - truth.means[0]) / truth.sds[0];
        Ok(Quantity::rough(&format!("{method}/error in posterior sds"), error))
    };
    methods.into_iter().map(error).collect()
}
