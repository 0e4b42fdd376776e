//! Ours: every method on the same rows, at budgets that double.
//!
//! *Line-up.* The paper's logistic regression and its log-Gaussian, both small enough for everything to
//! be run many times. Each method answers within budgets of 8, 16, … passes' worth of likelihood
//! evaluations, set-up included; a method that cannot start within a budget has no answer there. With
//! e_{rj} the error of repetition r in weight j, in posterior sds,
//!
//! ```text
//! RMSE = √(mean_{rj} e_{rj}²)        bias = √(mean_j (mean_r e_{rj})²)
//! ```
//!
//! and beside the bias what it would be by noise alone. The truth of the log-Gaussian is in closed form;
//! that of the regression comes from long chains on all rows with control variates.
//!
//! *Coverage.* The 95 % intervals that methods claim, over hundreds of repetitions, for σ of a smaller
//! log-Gaussian.
//!
//! Settings of the rivals follow from their own formulas and were not tuned on the answers. How many
//! iterations fill a budget is found in a trial that is charged to nobody.

use crate::weights::Truth;
use crate::{Context, Experiment};
use anyhow::Context as _;
use baselines::Beginning;
use data::{DenseRows, GaussianLaw, Generated};
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use records::{Claim, DataSource, Quantity, Record, Scale};
use samplers::{ByChain, ByKinkedChain, Framing, Functional, Length, Start};
use serde_json::json;

mod answers;
mod claims;
mod ours;
mod problem;
mod rivals;
mod row;
mod truth;

use problem::{Plain, Problem};
use row::Row;

/// The experiment `baseline-lineup`.
pub struct BaselineLineup;

/// Nine weights and the bias.
const WEIGHTS: usize = 10;
/// Chains inside the levels of plain paths: shorter than the paper's, which would fit no budget here.
const LEVEL: Length = Length { warm_up: 20, draws: 100 };

/// What differs between the scales.
struct Size {
    rows: usize,
    /// Budgets in passes.
    budgets: Vec<usize>,
    repetitions: usize,
    truth: truth::Chains,
    small_rows: usize,
    small_budget: usize,
    small_repetitions: usize,
}

impl Size {
    fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => Size {
                rows: 1 << 14,
                budgets: (3..=11).map(|power| 1 << power).collect(),
                repetitions: 20,
                truth: truth::Chains { count: 8, draws: 3000 },
                small_rows: 1 << 12,
                small_budget: 1 << 10,
                small_repetitions: 400,
            },
            Scale::Smoke => Size {
                rows: 1 << 11,
                budgets: vec![256, 512, 1024],
                repetitions: 4,
                truth: truth::Chains { count: 4, draws: 300 },
                small_rows: 1 << 10,
                small_budget: 1 << 10,
                small_repetitions: 40,
            },
        }
    }
}

impl Experiment for BaselineLineup {
    fn id(&self) -> &'static str {
        "baseline-lineup"
    }

    fn paper(&self) -> &'static str {
        "ours"
    }

    fn question(&self) -> &'static str {
        "Which method errs least for the same likelihood evaluations, and whose intervals can be believed?"
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let settings = json!({
            "rows": size.rows, "passes": size.budgets, "repetitions": size.repetitions,
            "truth_chains": size.truth.count, "truth_draws": size.truth.draws,
            "coverage_rows": size.small_rows, "coverage_passes": size.small_budget,
            "coverage_repetitions": size.small_repetitions,
            "level_warm_up": LEVEL.warm_up, "level_draws": LEVEL.draws,
            "rivals": rivals::settings(), "ours": ours::settings(),
        });
        let mut record = context.record(self, &settings);
        let mut data = Vec::new();
        let mut lineup = Race {
            context,
            settings: &settings,
            budgets: &size.budgets,
            repetitions: size.repetitions,
            only: None,
            rows: Vec::new(),
        };
        logistic(&mut lineup, &size, &mut data, &mut record)?;
        log_gaussian("log-gaussian", size.rows, &mut lineup, &mut data)?;
        let mut coverage = Race {
            context,
            settings: &settings,
            budgets: &[size.small_budget],
            repetitions: size.small_repetitions,
            only: Some(&CLAIMING),
            rows: Vec::new(),
        };
        log_gaussian("coverage", size.small_rows, &mut coverage, &mut data)?;

        let largest = size.budgets.iter().copied().max().unwrap_or(0);
        for row in lineup.rows.iter().filter(|row| row.passes == largest) {
            let name = format!("{}/{}", row.problem, row.method);
            record.quantities.push(Quantity::rough(&format!("{name}/rmse"), row.rmse));
            record.quantities.push(Quantity::rough(&format!("{name}/bias"), row.bias));
        }
        for row in &coverage.rows {
            let name = format!("coverage/{}", row.method);
            record.quantities.push(Quantity::rough(&name, 100.0 * row.share()));
        }
        record.data = data;
        record.tables = vec![Row::table(&lineup.rows), Row::coverage(&coverage.rows)];
        record.notes = vec![
            "Budgets are likelihood evaluations in passes over all rows; what an answer really took is in the \
             table. Anchor and frame are found once and charged to every answer, as is the pilot of the \
             antithetic single term."
                .to_owned(),
        ];
        Ok(record)
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>> {
        claims::claims(record)
    }
}

/// Methods that claim an interval.
const CLAIMING: [&str; 5] =
    ["coupled-sum", "antithetic-single-term", "anchored", "constant-batch", "full-nuts"];

/// Who runs against whom, and what came out.
struct Race<'a, 'c> {
    context: &'a Context<'c>,
    settings: &'a serde_json::Value,
    /// In passes.
    budgets: &'a [usize],
    repetitions: usize,
    /// Methods asked for; all if there is no list.
    only: Option<&'a [&'a str]>,
    rows: Vec<Row>,
}

fn logistic(
    race: &mut Race<'_, '_>,
    size: &Size,
    data: &mut Vec<DataSource>,
    record: &mut Record,
) -> anyhow::Result<()> {
    let context = race.context;
    let (all, source) = crate::logistic_synthetic::rows(context, size.rows);
    data.extend(source);
    let rows = DenseRows::new(all.range(0..size.rows));
    let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: 1.0 })?;
    let seed = context.seed.child("logistic");
    let problem = Problem::new("logistic", &rows, &model, Functional::means(WEIGHTS), seed)?;
    (context.say)("logistic: the truth, by chains on all rows");
    let truth = truth::by_chains(context, &problem, size.truth, race.settings, data)?;
    record.quantities.extend(truth::quantities(&truth, &rows, &model)?);
    let stand_in = DenseLogistic::new(WEIGHTS - 1, Prior::like_laplace(1.0))?;
    let mut level = ByKinkedChain {
        stand_in,
        scale: 1.0,
        framing: Framing::laplace(WEIGHTS),
        length: LEVEL,
        functionals: problem.functionals.clone(),
        expected_evaluations: 0.0,
    };
    level.expected_evaluations =
        crate::weights::evaluations_a_row(context, &rows, &model, &level, 256)?;
    let plain = Plain { first: 32, alpha: 1.0 };
    ours::run(race, &problem, &level, &plain, &truth, data)?;
    let beginning = Beginning::prior(model.prior(), WEIGHTS).context("an improper prior")?;
    rivals::run(race, &problem, &beginning, &truth, data)?;
    rivals::run_logistic(race, &problem, &truth, data)
}

fn log_gaussian(
    name: &'static str,
    count: usize,
    race: &mut Race<'_, '_>,
    data: &mut Vec<DataSource>,
) -> anyhow::Result<()> {
    let context = race.context;
    let seed = context.seed.child("log-gaussian rows");
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, count).range(0..count);
    let rows = DenseRows::new(rows);
    data.push(DataSource {
        name: "log-Gaussian rows".to_owned(),
        rows: count as u64,
        identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
    });
    let moments = LogGaussian::moments(rows.block())?;
    let truth =
        Truth { means: vec![moments.mean_sigma], sds: vec![moments.sd_sigma], errors: vec![0.0] };
    let functionals = vec![Functional::prediction(LogGaussian::sigma)];
    let problem = Problem::new(name, &rows, &LogGaussian, functionals, context.seed.child(name))?;
    let mut level = ByChain {
        sampler: problem::nuts(),
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        length: LEVEL,
        functionals: problem.functionals.clone(),
        control_variates: false,
        expected_evaluations: 0.0,
    };
    level.expected_evaluations =
        crate::weights::evaluations_a_row(context, &rows, &LogGaussian, &level, 64)?;
    let plain = Plain { first: 8, alpha: 0.95 };
    ours::run(race, &problem, &level, &plain, &truth, data)?;
    let beginning = Beginning::FirstBatch { framing: Framing::laplace(2), degrees: 5.0 };
    rivals::run(race, &problem, &beginning, &truth, data)
}
