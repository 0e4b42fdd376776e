//! Figure 8: a stream that is never stored.
//!
//! Rows x ~ N(10, 5000²) come in, are used once and forgotten; prior N(0, 50²) on the mean. Each
//! replicate takes fresh rows. Constant batches of 20 000 rows are pulled to the prior for ever:
//! E = 10 · n/(n + 10⁴) = 6.67. Debiasing with a = 1000, N_max = 1 024 000 and α = 0.79 takes the
//! same 20 000 rows on average when every level is counted by itself, a little more than half of
//! that with nested batches, and E = 9.90. 50 000 replications of either, really generated. Beside
//! them ours with 20 000 rows per replicate, and what the constant batches' own rows give when they
//! are simply kept in a running posterior, which needs two numbers of memory.
//!
//! φ_L is the posterior mean given N_max rows and not the mean of the stream: the last level is
//! dropped, and the bias that stays is of order 1/N_max (the paper says 1/√N_max).

use crate::methods::constant_batch;
use crate::methods::debiased::{Choice, Method};
use crate::problems::stream::Stream;
use crate::{Context, Experiment};
use debias::{Debiased, Depths, Form, PilotSettings, Schedule, Summary, Truncation};
use models::gaussian_mean::GaussianMean;
use records::{Claim, DataSource, Quantity, Record, Table, Verdict};
use serde_json::json;

/// The experiment `streaming`.
pub const EXPERIMENT: Experiment = Experiment::new(
    "streaming",
    "Figure 8",
    "Does debiasing beat constant batches on a stream that is never stored?",
    run,
    claims,
);

const TRUE_MEAN: f64 = 10.0;
const DEVIATION: f64 = 5000.0;
const PRIOR_DEVIATION: f64 = 50.0;
const BATCH: usize = 20_000;
const FIRST: usize = 1000;
const LAST: usize = 1_024_000;
const ALPHA: f64 = 0.79;

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let replicates = context.scale.pick(50_000, 200);
    let model =
        GaussianMean::new(&[DEVIATION * DEVIATION], &[0.0], &[PRIOR_DEVIATION * PRIOR_DEVIATION])?;
    let schedule = Schedule::geometric(FIRST, 2.0, LAST)?;
    let path = Stream { model: &model, schedule: &schedule };
    // All levels: the prior rules up to 10⁴ rows, and the decay shows beyond.
    let pilot = PilotSettings { levels: schedule.levels(), replicates: 200 };
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let paper = Method::coupled_sum(&path, &schedule, law, pilot, context.seed)?;
    let choice = Choice::Optimal { cap: BATCH as f64 };
    let ours = Method::antithetic(&path, &schedule, choice, pilot, context.seed)?;

    let settings = json!({
        "true_mean": TRUE_MEAN, "deviation": DEVIATION, "prior_deviation": PRIOR_DEVIATION,
        "constant_batch": BATCH, "schedule": schedule.sizes(), "alpha": ALPHA,
        "replicates": replicates,
    });
    let data = vec![DataSource {
        name: "Gaussian stream".to_owned(),
        rows: (replicates * BATCH) as u64,
        identity: format!("N(10, 5000²), fresh rows a replicate, seed {}", context.seed.0),
    }];
    let single = Schedule::explicit(vec![BATCH], BATCH)?;
    let batches = Stream { model: &model, schedule: &single };
    let always = Truncation::from_masses(vec![1.0])?;
    let constant =
        Debiased::new(&batches, Form::CoupledSum, Depths::constant(&always, 1, replicates))?;
    let work = context.work(&settings, &data);
    let constant = work.replicate(constant_batch::NAME, &constant, replicates)?;
    let paper_run = paper.run(&work, &path, replicates)?;
    let our_run = ours.run(&work, &path, replicates)?;

    let summary = Summary::of(&constant.functional(0))?;
    let mut quantities = vec![
        Quantity::estimate("constant-batch/mean", summary.mean, summary.standard_error),
        Quantity::exact("constant-batch/distinct rows", constant.total_cost().distinct_rows as f64),
        Quantity::exact("constant-batch/expectation", expectation(BATCH)),
        Quantity::exact("debiased/expectation", expectation(LAST)),
    ];
    let kept = running_posterior(&constant.functional(0));
    quantities.push(Quantity::estimate("running posterior/mean", kept.0, kept.1));
    quantities.extend(paper.describe(&paper_run, &["mean"])?);
    quantities.extend(ours.describe(&our_run, &["mean"])?);
    let notes = vec![
        "The bias that stays is of order 1/N_max, not 1/√N_max as printed.".to_owned(),
        paper.audit(&path, &paper_run),
        ours.audit(&path, &our_run),
    ];
    let depths = |depths: &[u16]| depths.iter().map(|&depth| i64::from(depth)).collect::<Vec<_>>();
    let table = Table::new("replicates")
        .with("constant_batch", constant.functional(0))
        .with("coupled_sum", paper_run.functional(0))
        .with("coupled_sum_depth", depths(paper_run.depths()))
        .with("antithetic_single_term", our_run.functional(0))
        .with("antithetic_single_term_depth", depths(our_run.depths()));
    Ok(Record {
        data,
        quantities,
        notes,
        tables: vec![table],
        ..context.record(&EXPERIMENT, &settings)
    })
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let constant = record.quantity("constant-batch/mean")?;
    let debiased = record.quantity("coupled-sum/mean")?;
    let kept = record.quantity("running posterior/mean")?;
    let bar = |quantity: &Quantity| 1.96 * quantity.error.unwrap_or(f64::NAN);
    let off = |quantity: &Quantity| (quantity.value - TRUE_MEAN).abs();
    let wrong = off(constant) > bar(constant);
    let honest = off(debiased) < bar(debiased) && off(debiased) < off(constant);
    Ok(vec![Claim::printed(
        "streaming/bias",
        "constant batches are overconfidently wrong; debiasing is nearer, with honest bars",
        "prior-pulled against nearly 10",
    )
        .found(format!(
            "{:.2} ± {:.2} against {:.2} ± {:.2}",
            constant.value, bar(constant), debiased.value, bar(debiased)
        ))
        .rule("reproduced if the 95 % bars of the constant batches miss 10 and those of debiasing cover it from \
         nearer by")
        .judged(Verdict::of(wrong && honest), format!(
            "Constant batches are {:.1} half-widths of their bars away from 10, debiasing {:.1}; a \
             running posterior on the constant batches' own rows gives {:.2} ± {:.2} for two \
             numbers of memory.",
            off(constant) / bar(constant),
            off(debiased) / bar(debiased),
            kept.value,
            bar(kept)
        ))])
}

/// The share of the data in the posterior mean given n rows.
fn weight(rows: f64) -> f64 {
    let (prior, row) = (PRIOR_DEVIATION.powi(-2), DEVIATION.powi(-2));
    rows * row / (prior + rows * row)
}

/// E φ_n over the stream.
fn expectation(rows: usize) -> f64 {
    TRUE_MEAN * weight(rows as f64)
}

/// Mean and deviation of the posterior given all rows of the constant batches, whose means follow
/// from their posterior means.
fn running_posterior(batches: &[f64]) -> (f64, f64) {
    let rows = (batches.len() * BATCH) as f64;
    let mean = batches.iter().sum::<f64>() / batches.len() as f64 / weight(BATCH as f64);
    let precision = PRIOR_DEVIATION.powi(-2) + rows * DEVIATION.powi(-2);
    (mean * weight(rows), precision.powf(-0.5))
}
