//! Figure 8: a stream that is never stored.
//!
//! Rows x ~ N(10, 5000²) come in, are used once and forgotten; prior N(0, 50²) on the mean. Each
//! replicate takes fresh rows. Constant batches of 20 000 rows are pulled to the prior for ever:
//! E = 10 · n/(n + 10⁴) = 6.67. Debiasing with a = 1000, N_max = 1 024 000 and α = 0.79 takes the
//! same 20 000 rows on average when every level is counted by itself, a little more than half of
//! that with nested batches, and E = 9.90. 50 000 replications of either, really generated. Beside
//! them ours with 20 000 rows a replicate, and what the constant batches' own rows give when they
//! are simply kept in a running posterior, which needs two numbers of memory.
//!
//! φ_L is the posterior mean given N_max rows and not the mean of the stream: the last level is
//! dropped, and the bias that stays is of order 1/N_max (the paper says 1/√N_max).

use crate::methods::method::Method;
use crate::{Context, Experiment};
use data::{GaussianLaw, Generated};
use debias::{
    Caveat, Coupling, Debiased, Depths, Form, Ledger, Path, Pilot, PilotSettings, Rng, Schedule,
    Seed, Summary, Term, Truncation,
};
use models::gaussian_mean::{GaussianMean, GaussianMeanError, RunningRows};
use posterior::Rows;
use rand::Rng as _;
use records::{Claim, DataSource, Quantity, Record, Scale, Table, Verdict};
use serde_json::json;
use std::ops::Range;

/// The experiment `streaming`.
pub struct Streaming;

const TRUE_MEAN: f64 = 10.0;
const DEVIATION: f64 = 5000.0;
const PRIOR_DEVIATION: f64 = 50.0;
const BATCH: usize = 20_000;
const FIRST: usize = 1000;
const LAST: usize = 1_024_000;
const ALPHA: f64 = 0.79;
/// Rows generated at a time: they never leave the cache.
const PIECE: usize = 8192;

impl Experiment for Streaming {
    fn id(&self) -> &'static str {
        "streaming"
    }

    fn paper(&self) -> &'static str {
        "Figure 8"
    }

    fn question(&self) -> &'static str {
        "Does debiasing beat constant batches on a stream that is never stored?"
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let replicates = match context.scale {
            Scale::Full => 50_000,
            Scale::Smoke => 200,
        };
        let model = GaussianMean::new(
            &[DEVIATION * DEVIATION],
            &[0.0],
            &[PRIOR_DEVIATION * PRIOR_DEVIATION],
        )?;
        let schedule = Schedule::geometric(FIRST, 2.0, LAST)?;
        let path = Stream { model: &model, schedule: &schedule };
        let pilot = |form| {
            // All levels: the prior rules up to 10⁴ rows, and the decay shows beyond.
            let settings = PilotSettings { levels: schedule.levels(), replicates: 200 };
            Pilot::run(&path, &schedule, form, settings, context.seed)
        };
        let paper = Method::paper(
            pilot(Form::CoupledSum)?.predict(Truncation::geometric(ALPHA, schedule.levels())?)?,
        );
        let cap = Some(BATCH as f64);
        let ours =
            Method::ours(pilot(Form::AntitheticSingleTerm)?.optimal::<GaussianMeanError>(cap)?);

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
        let constant =
            context.replicate("constant-batch", &settings, &data, &constant, replicates)?;
        let paper_run = paper.run(context, &path, &settings, &data, replicates)?;
        let our_run = ours.run(context, &path, &settings, &data, replicates)?;

        let summary = Summary::of(&constant.functional(0))?;
        let mut quantities = vec![
            Quantity::estimate("constant-batch/mean", summary.mean, summary.standard_error),
            Quantity::exact(
                "constant-batch/distinct rows",
                constant.total_cost().distinct_rows as f64,
            ),
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
        let depths =
            |depths: &[u16]| depths.iter().map(|&depth| i64::from(depth)).collect::<Vec<_>>();
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
            ..context.record(self, &settings)
        })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>> {
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
}

/// Fresh rows for every term, used once.
struct Stream<'a> {
    model: &'a GaussianMean,
    schedule: &'a Schedule,
}

impl Stream<'_> {
    /// Generates rows and forgets them.
    fn absorb(
        rows: &Generated<GaussianLaw>,
        range: Range<usize>,
        running: &mut RunningRows,
    ) -> Result<(), GaussianMeanError> {
        for start in range.clone().step_by(PIECE) {
            running.absorb(&rows.range(start..range.end.min(start + PIECE)))?;
        }
        Ok(())
    }

    fn rows(&self, level: usize, rng: &mut Rng) -> Generated<GaussianLaw> {
        Generated::new(GaussianLaw::streaming(), Seed(rng.next_u64()), self.schedule.size(level))
    }

    fn mean(&self, running: &RunningRows) -> Result<f64, GaussianMeanError> {
        Ok(self.model.posterior_of(running)?.mean[0])
    }
}

impl Path for Stream<'_> {
    type Shared = ();
    type Error = GaussianMeanError;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::LastLevelDropped]
    }

    /// A row is read once, however many levels use it: its sums serve them all.
    fn level_cost(&self, level: usize) -> f64 {
        let before = if level == 1 { 0 } else { self.schedule.size(level - 1) };
        (self.schedule.size(level) - before) as f64
    }

    fn increment_cost(&self, level: usize, _: Coupling) -> f64 {
        self.schedule.size(level) as f64
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), GaussianMeanError> {
        Ok(((), Ledger::default()))
    }

    fn prefix(
        &self,
        _: &mut (),
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, GaussianMeanError> {
        let rows = self.rows(depth, rng);
        let mut running = RunningRows::new(1);
        let mut seen = 0;
        (1..=depth)
            .map(|level| {
                let size = self.schedule.size(level);
                Self::absorb(&rows, seen..size, &mut running)?;
                let cost = read(size - seen);
                seen = size;
                Ok(Term { value: vec![self.mean(&running)?], cost })
            })
            .collect()
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, GaussianMeanError> {
        let (rows, size) = (self.rows(level, rng), self.schedule.size(level));
        let mut all = RunningRows::new(1);
        let mut below = 0.0;
        let mut start = 0;
        if level > 1 {
            let part = self.schedule.size(level - 1);
            let groups = match coupling {
                Coupling::Nested => 1,
                Coupling::Antithetic => self.schedule.groups(level),
            };
            for _ in 0..groups {
                let mut group = RunningRows::new(1);
                Self::absorb(&rows, start..start + part, &mut group)?;
                below += self.mean(&group)? / groups as f64;
                all.join(&group);
                start += part;
            }
        }
        Self::absorb(&rows, start..size, &mut all)?;
        Ok(Term { value: vec![self.mean(&all)? - below], cost: read(size) })
    }
}

fn read(rows: usize) -> Ledger {
    Ledger { likelihoods: rows as u64, distinct_rows: rows as u64, ..Ledger::default() }
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
