//! Ours: every method on the same rows, at budgets that double.
//!
//! *Line-up.* The paper's logistic regression and its log-Gaussian, both small enough for everything to
//! be run many times, and a9a. Each method answers within budgets of so many passes' worth of
//! likelihood evaluations, set-up included; a method that cannot start within a budget has no answer
//! there. With e_{rj} the error of repetition r in weight j, in posterior sds,
//!
//! ```text
//! RMSE = √(mean_{rj} e_{rj}²)        bias = √(mean_j (mean_r e_{rj})²)
//! ```
//!
//! and beside the bias what it would be by noise alone. The truth of the log-Gaussian is in closed form;
//! those of the regressions come from long chains on all rows with control variates.
//!
//! *Coverage.* The 95 % intervals that methods claim, over hundreds of repetitions, for σ of a smaller
//! log-Gaussian and for the weights of a smaller regression. There the budget is what is left after the
//! set-up: the question is what an interval is worth, not what it costs.
//!
//! Settings of the baselines follow from their own formulas and were not tuned on the answers. How answers
//! keep to their budgets is in `budget`.

use crate::problems::truth::Truth;
use crate::{Context, Experiment, Work};
use records::{Claim, DataSource, Quantity, Record, Table};
use serde_json::Value;

mod a9a;
mod answers;
mod approximations;
mod budget;
mod chains;
mod claims;
mod exact_rivals;
mod ours;
mod particles;
mod problem;
mod rivals;
mod row;
mod size;
mod subsampling;
mod synthetic;
mod taylor;
mod truth;
mod winners;

use answers::Done;
use row::Row;
use size::{ANCHORED_FIRST, Size};

/// The experiment `baseline-lineup`.
pub const EXPERIMENT: Experiment = Experiment {
    headline: winners::headline,
    ..Experiment::new(
        "baseline-lineup",
        "ours",
        "Which method errs least for the same likelihood evaluations, and whose intervals can be believed?",
        run,
        judged,
    )
};

fn judged(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok([claims::claims(record)?, exact_rivals::claims(record)?].concat())
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let settings = size.settings();
    let all = Rules {
        context,
        settings: &settings,
        budgets: size.budgets.clone(),
        repetitions: size.repetitions,
        slow: size.slow,
        slow_most: usize::MAX,
        sampled_most: size.sampled_most,
        trials: size.trials,
        anchored_first: ANCHORED_FIRST,
        only: None,
        free_setup: false,
    };
    let mut lineup = Found::default();
    synthetic::logistic("logistic", size.rows, size.truth, &all, &mut lineup)?;
    synthetic::log_gaussian("log-gaussian", size.rows, &all, &mut lineup)?;
    let a9a_rules = Rules {
        budgets: size.a9a_budgets.clone(),
        repetitions: size.a9a_repetitions,
        slow: size.a9a_slow.0,
        slow_most: size.a9a_slow.1,
        sampled_most: usize::MAX,
        // As many shards or bright rows tell as much in fewer trials.
        trials: size.trials.min(4),
        only: size.a9a_only,
        ..all.clone()
    };
    a9a::run(&size.a9a, &a9a_rules, &mut lineup)?;
    let mut coverage = Found::default();
    let claiming = |which: usize| Rules {
        budgets: vec![size.small_budgets[which]],
        anchored_first: size.small_first[which],
        repetitions: size.small_repetitions,
        slow: size.small_slow,
        sampled_most: usize::MAX,
        only: Some(&CLAIMING),
        free_setup: true,
        ..all.clone()
    };
    let ([spread, weights], rules) = (size.small_rows, [0, 1].map(claiming));
    synthetic::log_gaussian("coverage-log-gaussian", spread, &rules[0], &mut coverage)?;
    let name = "coverage-logistic";
    synthetic::logistic(name, weights, size.small_truth, &rules[1], &mut coverage)?;

    let mut quantities = lineup.quantities;
    quantities.extend(coverage.quantities);
    // Each method at the largest of its budgets.
    for (at, row) in lineup.rows.iter().enumerate() {
        let same = |other: &Row| (other.problem, other.method) == (row.problem, row.method);
        if lineup.rows.get(at + 1).is_some_and(same) {
            continue;
        }
        let name = format!("{}/{}", row.problem, row.method);
        quantities.push(Quantity::rough(&format!("{name}/rmse"), row.rmse));
        quantities.push(Quantity::rough(&format!("{name}/bias"), row.bias));
    }
    for row in &coverage.rows {
        if let Some(share) = row.share() {
            let name = format!("{}/{}", row.problem, row.method);
            quantities.push(Quantity::rough(&name, 100.0 * share));
        }
    }
    let mut notes: Vec<String> = NOTES.iter().map(|note| (*note).to_owned()).collect();
    let idle = [lineup.idle, coverage.idle].concat();
    if !idle.is_empty() {
        notes.push(format!("Could start within no budget: {}.", idle.join(", ")));
    }
    let mut data = lineup.data;
    data.extend(coverage.data);
    Ok(Record {
        data,
        quantities,
        notes,
        tables: vec![
            Table::of_rows("lineup", &lineup.rows),
            Row::coverage(&coverage.rows),
            Table::of_rows("work", &lineup.done),
        ],
        ..context.record(&EXPERIMENT, &settings)
    })
}

const NOTES: [&str; 6] = [
    "Budgets are likelihood evaluations in passes over all rows; what an answer really took is in the \
     table. Anchor and frame are found once and charged to every answer, as is the pilot of the \
     antithetic single term. Trials, from which lengths are planned, are charged to nobody. A replicate \
     that is cut short by the end of a budget is charged up to there.",
    "Firefly, Zig-Zag, stochastic gradients, subsampled walks and the samplers of remainders (SMH-2, block-Poisson, \
     HMC-ECS, UBUBU) are repeated less often than the others, and on a9a at smaller budgets only, because their \
     evaluations take longest; the samplers of remainders, which take a step for every few evaluations, are asked up \
     to 256 passes on the logistic regression, and at the usual budget for their intervals.",
    "Samplers of remainders have the same anchor as ours, and the rows' expansions at it from one pass more, so that a \
     remainder at one point is one evaluation. They are for logistic regression: the log-Gaussian has no bounded \
     third derivative. UBUBU needs smooth forces and is left out where kinks of the prior are within reach. The \
     Gaussian approximations begin at the front door's own anchor; the Laplace mean is that to the next order.",
    "Left out on a9a: IBIS, whose particles would walk at random in 124 dimensions; austerity and the \
     confidence sampler, which tell rows apart in dense layouts only. A method that has no answer at a \
     budget cannot start within it: a pilot, a set-up, or the fewest replicates, draws or particles that \
     make an answer take more.",
    "The anchor of the logistic line-up is the mode under the model's own prior. Beside it stands the mode \
     under a smooth stand-in for that prior, which data with weights at the kinks needs: points that mirror \
     each other there do not cancel.",
    "The truth of the regressions has an error of its own, a number of this record, and it is part of all \
     errors against it.",
];

/// Methods that claim an interval.
const CLAIMING: [&str; 8] = [
    "coupled-sum",
    "antithetic-single-term",
    "anchored",
    "constant-batch",
    "full-nuts",
    "smh-2",
    "block-poisson",
    "hmc-ecs",
];

/// Budgets, repetitions and methods.
#[derive(Clone)]
struct Rules<'a> {
    context: &'a Context<'a>,
    settings: &'a Value,
    /// In passes.
    budgets: Vec<usize>,
    repetitions: usize,
    /// Repetitions of slow methods.
    slow: usize,
    /// The largest budget of slow methods, in passes.
    slow_most: usize,
    /// The same of methods that take a step for every few evaluations.
    sampled_most: usize,
    trials: usize,
    /// Rows of the first anchored level without a core.
    anchored_first: usize,
    /// The methods that are run; all if there is no list.
    only: Option<&'a [&'a str]>,
    /// Whether budgets are what is left after the set-up.
    free_setup: bool,
}

impl Rules<'_> {
    /// The steps on these data.
    fn work<'w>(&'w self, data: &'w [DataSource]) -> Work<'w> {
        self.context.work(self.settings, data)
    }
}

/// All methods on one problem, and what came out.
struct Race<'a> {
    problem: &'static str,
    /// N.
    count: usize,
    truth: &'a Truth,
    work: Work<'a>,
    rules: &'a Rules<'a>,
    rows: Vec<Row>,
    done: Vec<Done>,
    /// Methods that can start within no budget.
    idle: Vec<&'static str>,
}

impl<'a> Race<'a> {
    fn new(
        problem: &'static str,
        count: usize,
        truth: &'a Truth,
        data: &'a [DataSource],
        rules: &'a Rules<'a>,
    ) -> Race<'a> {
        let (rows, done, idle) = (Vec::new(), Vec::new(), Vec::new());
        Race { problem, count, truth, work: rules.work(data), rules, rows, done, idle }
    }
}

/// What came out of several races.
#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    done: Vec<Done>,
    idle: Vec<String>,
    quantities: Vec<Quantity>,
    data: Vec<DataSource>,
}

impl Found {
    fn take(&mut self, race: Race<'_>) {
        self.rows.extend(race.rows);
        self.done.extend(race.done);
        self.idle.extend(race.idle.iter().map(|method| format!("{method} on {}", race.problem)));
        self.data.extend_from_slice(race.work.data);
    }
}
