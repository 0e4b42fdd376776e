//! Ours: the front door on data as people have it, beside its rivals.
//!
//! Seven regressions (see `problems/ordinary.rs`), each answered by [`unbiased_bayes::Estimation`] in the
//! way a user calls it: by the anchored path and by `auto`, to a standard error of 0.05 posterior sds in
//! the worst weight, and by NUTS, which has control variates and puts equal rows together. Beside them
//! the mode, the mean of the Laplace approximation to the next order, Gaussian variational inference, the
//! base of the anchored path alone, and the path with uniform samples of rows, which may give up.
//!
//! *Truth.* A longer anchored run from another seed; NUTS, which shares nothing with it but the model, is
//! the check, by z-scores of all weights.
//!
//! *Cost of NUTS.* It takes four chains of a hundred draws, the fewest of the front door, three hundred where
//! there are few weights, and where rows repeat as many as the target needs. Its cost to 0.05 posterior sds is that of its set-up and of its
//! draws times (its standard error / 0.05 sds)², the warm-up not counted: without control variates, with
//! linear and with cubic ones, all from the same draws. A gradient costs a row each distinct row where equal
//! rows are put together, and all rows where they are not; the draws are the same.
//!
//! *Samplers of rows.* SMH-2, the signed block-Poisson estimator, HMC-ECS and UBUBU sample what rows leave of
//! their expansions at the mode, on the problems that are logistic regressions; see `samplers.rs`.
//!
//! *Coverage.* Answers from many seeds on two smaller sets: how many of the 95 % intervals hold the truth,
//! which is known ten times as well as the answers there. The samplers of rows answer as often, from 50 passes.
//!
//! *Certificates.* What is certified of the Laplace approximation, and quantiles, against long runs of NUTS.

use crate::problems::ordinary::{Law, Regression};
use crate::{Context, Experiment};
use records::{Record, Scale, Table};
use runs::Runs;
use serde_json::json;
use unbiased_bayes::{RunHooks, Stop, Target};

mod certainty;
mod certificates;
mod claims;
mod coverage;
mod rivals;
mod runs;
mod samplers;

/// The experiment `ordinary-data`.
pub const EXPERIMENT: Experiment = Experiment {
    memory: 2.0,
    ..Experiment::new(
        "ordinary-data",
        "ours",
        "Does the front door answer on data as people have it, and what does it cost beside its rivals?",
        run,
        claims::claims,
    )
};

/// The standard error asked for, in posterior sds of the worst weight.
const TARGET: f64 = 0.05;
/// Passes beyond which the path with uniform samples gives up.
const UNIFORM_CAP: f64 = 200.0;
/// Few weights.
const FEW: usize = 16;
/// Rows repeat where there are so many of them to a distinct one: NUTS is cheap there.
const REPEATED: f64 = 4.0;

/// What differs between the scales.
struct Size {
    /// Laws, and how many rows of each.
    laws: [(Law, usize); 7],
    /// The standard error of the truth, in posterior sds.
    truth: f64,
    /// Draws of NUTS on rows that do not repeat, and the same with few weights: the standard error of a skewed
    /// one is uncertain from a hundred draws of each chain.
    draws: (usize, usize),
    /// What intervals are judged on, and how often.
    judged: [Judged; 2],
    repetitions: usize,
    /// What certificates and quantiles are judged on.
    certified: [Certified; 3],
}

/// A set on which certificates and quantiles are judged against long NUTS.
#[derive(Clone, Copy, Debug)]
struct Certified {
    law: Law,
    rows: usize,
    /// Answers, each from a seed of its own.
    repetitions: usize,
    /// Draws of NUTS, all chains together.
    draws: usize,
}

/// A set on which intervals are judged.
#[derive(Clone, Copy, Debug)]
struct Judged {
    law: Law,
    rows: usize,
    /// The standard error of the truth, in posterior sds; answers on `rare` are finer than asked for.
    truth: f64,
}

impl Size {
    fn of(scale: Scale) -> Size {
        let small = Law::Tab { categories: 3, levels: 18 };
        let rows = scale.pick(1_000_000, 20_000);
        let airports = scale.pick(1000, 12);
        let flights = |hours: bool| Law::Flights { airports, hours };
        let laws = |tab: Law, zipf: usize, poisson: usize| {
            let (zipf, poisson) = (Law::Zipf { levels: zipf }, Law::Poisson { levels: poisson });
            let drawn = [Law::Rare, Law::Heavy, tab, zipf, poisson].map(|law| (law, rows));
            let [rare, heavy, tab, zipf, poisson] = drawn;
            let real = scale.pick(3_000_000, 20_000);
            [rare, heavy, tab, zipf, poisson, (flights(false), real), (flights(true), real)]
        };
        let certified = |law: Law, rows: usize, repetitions: usize, draws: usize| Certified {
            law,
            rows,
            repetitions: scale.pick(repetitions, 2),
            draws: scale.pick(draws, 2000),
        };
        Size {
            laws: scale
                .pick(laws(Law::Tab { categories: 8, levels: 50 }, 300, 200), laws(small, 20, 20)),
            truth: scale.pick(0.01, 0.02),
            draws: (400, 1200),
            judged: [
                Judged { law: Law::Rare, rows: 10_000, truth: scale.pick(0.0005, 0.001) },
                Judged { law: small, rows: 5_000, truth: scale.pick(0.004, 0.02) },
            ],
            repetitions: scale.pick(200, 6),
            certified: [
                certified(Law::Rare, 10_000, 20, 20_000),
                certified(small, 5_000, 20, 20_000),
                certified(flights(false), scale.pick(3_000_000, 20_000), 3, 40_000),
            ],
        }
    }
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let settings = json!({
        "target": TARGET, "truth": size.truth, "nuts_draws": size.draws,
        "laws": size.laws.map(|(law, rows)| format!("{law:?}, {rows} rows")),
        "judged": size.judged.map(|judged| format!("{judged:?}")),
        "repetitions": size.repetitions,
        "uniform_cap": UNIFORM_CAP,
        "sampler_passes": samplers::PASSES, "samplers": crate::methods::taylor::settings(),
        "quantile_replicates": certificates::MANY,
        "certified": size.certified.map(|certified| format!("{certified:?}")),
    });
    let mut record = context.record(&EXPERIMENT, &settings);
    let (mut answers, mut weights) = (Vec::new(), Vec::new());
    for (law, rows) in size.laws {
        let problem = law.rows(context.seed.child(law.name()), rows)?;
        record.data.push(problem.data.clone());
        let work = context.work(&settings, std::slice::from_ref(&problem.data));
        let found = match law.regression()? {
            Regression::Logistic(model) => {
                let step = format!("{}-samplers", law.name());
                let others = samplers::sampled(&model, &problem, (&step, 1), &work)?;
                Runs::new(&model, &problem, others, &size, &work)?
            }
            Regression::Poisson(model) => Runs::new(&model, &problem, Vec::new(), &size, &work)?,
        };
        found.record(&problem, &mut record, &mut answers, &mut weights);
    }
    let (covered, of_samplers) = coverage::run(context, &size, &settings, &mut record)?;
    let (certificates, quantiles) = certificates::run(context, &size, &settings, &mut record)?;
    record.tables = vec![
        Table::of_rows("answers", &answers),
        Table::of_rows("weights", &weights),
        Table::of_rows("coverage", &covered),
        Table::of_rows("coverage_of_samplers", &of_samplers),
        Table::of_rows("certificates", &certificates),
        Table::of_rows("quantiles", &quantiles),
    ];
    record.notes.push(
        "NUTS runs four chains of a hundred draws, of three hundred with up to sixteen weights, and to the target \
         where rows repeat; its cost to the target is \
         that of its set-up and of its draws times (its standard error / the target)², its warm-up not counted. \
         A pass is as many likelihood evaluations as there are rows."
            .to_owned(),
    );
    Ok(record)
}

/// The hooks of an answer inside a step, which is kept as a whole.
fn hooks<'a>(context: &'a Context<'_>) -> RunHooks<'a> {
    RunHooks { observer: context.observer, ..RunHooks::none() }
}

/// Until every weight has this standard error in posterior sds.
fn until(error: f64) -> Stop {
    Stop::Error { target: Target::PosteriorSds(error), budget: None }
}
