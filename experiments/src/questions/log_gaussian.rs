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

use crate::methods::method::{Method, replicate_table};
use crate::methods::usage::Usage;
use crate::problems::truth::evaluations_a_row;
use crate::{Context, Experiment};
use baselines::{ConstantBatch, FullPosterior};
use data::{GaussianLaw, Generated};
use debias::{Estimate, Estimator, Form, Pilot, PilotSettings, Rng, Schedule, Summary, Truncation};
use models::log_gaussian::{LogGaussian, LogGaussianMoments};
use posterior::{DataPath, Rows, Target};
use records::{DataSource, Quantity, Record, Scale, Table};
use samplers::diagnostics::{Chains, mcse_mean};
use samplers::{ByChain, ChainError, Framing, Functional, Length, Nuts, Start};
use serde_json::json;
use unbiased_bayes::anchored::{Anchor, doubling};

mod claims;

/// The experiment `log-gaussian`.
pub struct LogGaussianExperiment;

const FIRST: usize = 8;
const ALPHA: f64 = 0.95;
const LENGTH: Length = Length { warm_up: 100, draws: 500 };
/// Rows of the first level of the anchored path, pairs of points, and replicates.
const ANCHORED_FIRST: usize = 256;
const PAIRS: usize = 32;
const ANCHORED_REPLICATES: usize = 400;
const SIGMA: [&str; 1] = ["sigma"];

/// What differs between the scales.
struct Size {
    rows: usize,
    trials: usize,
    largest_batch: usize,
    replicates: usize,
}

impl Size {
    fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => {
                Size { rows: 1 << 26, trials: 150, largest_batch: 1 << 17, replicates: 300 }
            }
            Scale::Smoke => {
                Size { rows: 1 << 14, trials: 20, largest_batch: 1 << 9, replicates: 60 }
            }
        }
    }
}

impl Experiment for LogGaussianExperiment {
    fn id(&self) -> &'static str {
        "log-gaussian"
    }

    fn paper(&self) -> &'static str {
        "Figures 3 and 4"
    }

    fn question(&self) -> &'static str {
        "Can the spread of 2²⁶ log-Gaussian rows be estimated without bias from a few thousand of them?"
    }

    fn memory(&self, scale: Scale) -> f64 {
        if scale == Scale::Full { 2.0 } else { 0.5 }
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let seed = context.seed.child("rows");
        let rows = Generated::new(GaussianLaw::log_gaussian(), seed, size.rows);
        let data = vec![DataSource {
            name: "log-Gaussian rows".to_owned(),
            rows: size.rows as u64,
            identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
        }];
        let truth = LogGaussian::moments(&rows.range(0..size.rows))?;
        let level = level(&rows, context)?;
        let schedule = Schedule::halving(size.rows, FIRST)?;
        let path = DataPath::new(&rows, &LogGaussian, &level, &schedule)?;
        let pilot = |form| {
            let settings = PilotSettings { levels: 5, replicates: 40 };
            Pilot::run(&path, &schedule, form, settings, context.seed)
        };
        let law = Truncation::geometric(ALPHA, schedule.levels())?;
        let usage = Usage {
            schedule: &schedule,
            law: &law,
            printed_largest: Some(claims::PRINTED_LARGEST),
        };
        let paper = Method::paper(pilot(Form::CoupledSum)?.predict(law.clone())?);
        let cap = Some(paper.expected_cost());
        let ours = Method::ours(pilot(Form::AntitheticSingleTerm)?.optimal::<ChainError>(cap)?);

        let settings = json!({
            "rows": size.rows, "schedule": schedule.sizes(), "alpha": ALPHA,
            "replicates": size.replicates, "trials": size.trials, "warm_up": LENGTH.warm_up,
            "draws": LENGTH.draws, "anchored_first": ANCHORED_FIRST, "points": 2 * PAIRS,
            "anchored_replicates": ANCHORED_REPLICATES,
        });
        let paper_run = paper.run(context, &path, &settings, &data, size.replicates)?;
        let our_run = ours.run(context, &path, &settings, &data, size.replicates)?;

        // Constant batches for the same money.
        let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
        let constant = ConstantBatch::new(&rows, &LogGaussian, &level, batch)?;
        let constant =
            context.replicate("constant-batch", &settings, &data, &constant, size.replicates)?;

        let anchor = Anchor::climb(&LogGaussian, &rows, &[0.0; 2], size.rows / 100, context.seed)?;
        let steps = doubling(size.rows, ANCHORED_FIRST)?;
        let anchored_path = anchor.path(&steps, &level.functionals, PAIRS)?;
        let anchored = Method::anchored(&anchored_path, &steps, anchor.ledger, context.seed)?;
        let anchored_run =
            anchored.run(context, &anchored_path, &settings, &data, ANCHORED_REPLICATES)?;
        let convergence = convergence(context, &rows, &level, &size, &settings, &data)?;
        let full = FullNuts { rows: &rows, level: &level };
        let full = context.replicate("full-nuts", &settings, &data, &full, 1)?;

        let mut quantities = vec![
            Quantity::exact("target", truth.mean_sigma),
            Quantity::exact("posterior sd", truth.sd_sigma),
            Quantity::exact("true sigma", std::f64::consts::SQRT_2),
            Quantity::rough("constant-batch/batch", batch as f64),
            Quantity::rough("evaluations a row", level.expected_evaluations),
        ];
        quantities.extend(paper.describe(&paper_run, &SIGMA)?);
        quantities.extend(ours.describe(&our_run, &SIGMA)?);
        quantities.extend(anchored.describe(&anchored_run, &SIGMA)?);
        quantities.push(Quantity::exact("anchored/passes", anchor.passes as f64));
        let constant_summary = Summary::of(&constant.functional(0))?;
        let (mean, error) = (constant_summary.mean, constant_summary.standard_error);
        quantities.push(Quantity::estimate("constant-batch/sigma", mean, error));
        quantities.push(Quantity::estimate("full-nuts/sigma", full.value(0)[0], full.value(0)[1]));
        let full_cost = full.total_cost().evaluations() as f64;
        quantities.push(Quantity::rough("full-nuts/total cost", full_cost));
        quantities.extend(usage.describe(paper_run.depths(), context.seed)?);
        quantities.extend(floor(&quantities, &truth, &size)?);

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
                replicate_table("constant-batch", &constant, &SIGMA),
                replicate_table(anchored.name, &anchored_run, &SIGMA),
                convergence,
            ],
            ..context.record(self, &settings)
        })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<records::Claim>> {
        claims::claims(record)
    }
}

/// NUTS in the coordinates of the Laplace approximation; how much it costs a row is measured.
fn level(rows: &Generated<GaussianLaw>, context: &Context<'_>) -> anyhow::Result<ByChain<Nuts>> {
    let mut level = ByChain {
        sampler: Nuts::default(),
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        length: LENGTH,
        functionals: vec![Functional::prediction(LogGaussian::sigma)],
        control_variates: false,
        expected_evaluations: 0.0,
    };
    level.expected_evaluations = evaluations_a_row(context, rows, &LogGaussian, &level, 64)?;
    Ok(level)
}

/// Level estimates on batches of growing size: mean, spread and root mean square error.
fn convergence(
    context: &Context<'_>,
    rows: &Generated<GaussianLaw>,
    level: &ByChain<Nuts>,
    size: &Size,
    settings: &serde_json::Value,
    data: &[DataSource],
) -> anyhow::Result<Table> {
    let (mut batches, mut trials, mut values) = (vec![], vec![], vec![]);
    let mut batch = FIRST;
    while batch <= size.largest_batch {
        let estimator = ConstantBatch::new(rows, &LogGaussian, level, batch)?;
        let step = format!("batch-{batch}");
        let run = context.replicate(&step, settings, data, &estimator, size.trials)?;
        batches.extend(vec![batch as i64; size.trials]);
        trials.extend(1..=size.trials as i64);
        values.extend(run.functional(0));
        batch *= 2;
    }
    Ok(Table::new("convergence").with("rows", batches).with("trial", trials).with("sigma", values))
}

/// One chain on all rows, all threads.
struct FullNuts<'a> {
    rows: &'a Generated<GaussianLaw>,
    level: &'a ByChain<Nuts>,
}

impl Estimator for FullNuts<'_> {
    type Error = ChainError;

    /// The mean of σ and its Monte Carlo standard error.
    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, ChainError> {
        let mut target = FullPosterior::new(&LogGaussian, self.rows);
        let draws = self.level.draws(&mut target, rng)?;
        let sigmas: Vec<f64> = draws.iter().map(LogGaussian::sigma).collect();
        let mean = sigmas.iter().sum::<f64>() / sigmas.len() as f64;
        let error = Chains::new(vec![sigmas]).map_or(0.0, |chains| mcse_mean(&chains));
        Ok(Estimate { value: vec![mean, error], depth: 1, cost: target.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.level.expected_evaluations * self.rows.count() as f64
    }
}

/// Errors in posterior standard deviations, and what the distinct rows looked at allow.
fn floor(
    quantities: &[Quantity],
    truth: &LogGaussianMoments,
    size: &Size,
) -> anyhow::Result<Vec<Quantity>> {
    let mut errors = Vec::new();
    for method in
        ["coupled-sum", "antithetic-single-term", "constant-batch", "anchored", "full-nuts"]
    {
        let name = format!("{method}/sigma");
        let value =
            quantities.iter().find(|quantity| quantity.name == name).map(|quantity| quantity.value);
        let value = value.ok_or_else(|| anyhow::anyhow!("no quantity {name}"))?;
        let label = format!("{method}/error in posterior sds");
        errors.push(Quantity::rough(&label, (value - truth.mean_sigma) / truth.sd_sigma));
    }
    let rows = quantities.iter().find(|quantity| quantity.name == "coupled-sum/distinct rows");
    let rows = rows.map_or(f64::NAN, |quantity| quantity.value);
    let allowed = (size.rows as f64 / rows - 1.0).max(0.0).sqrt();
    errors.push(Quantity::rough("floor in posterior sds", allowed));
    Ok(errors)
}
