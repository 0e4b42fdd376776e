//! Figure 7: predicting flight delays.
//!
//! Eight covariates, standardised; the delay, centred and scaled. Bayesian linear regression on
//! m = 1000 random Fourier features of unit length scale, noise variance one on the scaled delay.
//! Convergence of the error of one batch, 500 rows to all. Debiasing: a = 500,
//! P(T = t) ∝ 2^{−t}, R = 100, repeated 20 times, each time with a new basis; the error is the root
//! mean square over the test rows, in minutes, of predictions by the mean of the replicates'
//! weights. Beside the paper's estimator, at its expected cost: our antithetic single term,
//! averaged constant batches, the regression on all rows; and GP-SVI with 1000 inducing points,
//! batches of 1000 and 1000 iterations. GP-SVI learns its hyper-parameters once; its other
//! repetitions are given them and draw inducing points and mini-batches of their own, which takes a
//! small part of the time and flatters it, if anything.
//!
//! The paper's flights are those of early 2008, 700 000 to learn from and 100 000 to predict. Without
//! them (`cargo xtask fetch-data`, or `--flights` with another table) the flights out of New
//! York in 2013 are taken, which travel with the code.

use crate::methods::debiased::{Choice, Method};
use crate::problems::flights::{FIRST, Flights, NOISE, regression};
use crate::{Context, Experiment};
use baselines::ConstantBatch;
use data::{AIRLINE_TEST, AIRLINE_TRAIN};
use debias::{Ledger, PilotSettings, Replicates, Schedule, Summary, Truncation};
use errors::{OneBatch, Running, last};
use models::feature_regression::{FeatureWeights, predict_many};
use posterior::{DataPath, LevelEstimate, PartialPosterior, Rows, subset};
use records::{Quantity, Record, Scale, Table};
use rival::Rival;
use serde_json::json;

mod claims;
mod errors;
mod rival;

/// The experiment `airline`.
pub const EXPERIMENT: Experiment = Experiment {
    memory: 3.0,
    ..Experiment::new(
        "airline",
        "Figure 7",
        "Do debiased feature regressions predict flight delays better than GP-SVI, and for less?",
        run,
        claims::claims,
    )
};

const ALPHA: f64 = 1.0;
/// Methods with replicates, in the order of the tables.
const METHODS: [&str; 3] = ["coupled-sum", "antithetic-single-term", "constant-batch"];

/// What differs between the scales.
struct Size {
    train: usize,
    test: usize,
    features: usize,
    replicates: usize,
    repetitions: usize,
    inducing: usize,
    batch: usize,
    iterations: usize,
    pilot: PilotSettings,
}

impl Size {
    fn of(scale: Scale) -> Size {
        Size {
            train: scale.pick(AIRLINE_TRAIN, 8000),
            test: scale.pick(AIRLINE_TEST, 1000),
            features: scale.pick(1000, 40),
            replicates: scale.pick(100, 20),
            repetitions: scale.pick(20, 2),
            inducing: scale.pick(1000, 30),
            batch: scale.pick(1000, 100),
            iterations: scale.pick(1000, 30),
            pilot: scale.pick(
                PilotSettings { levels: 4, replicates: 40 },
                PilotSettings { levels: 3, replicates: 40 },
            ),
        }
    }
}

/// Replicates after which the running error is looked at.
fn looks(replicates: usize) -> Vec<usize> {
    let mut looks = vec![1, 2, 5, 10, 20, 50, 100];
    looks.retain(|&count| count < replicates);
    looks.push(replicates);
    looks
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let split = context.seed.child("split");
    let Flights { airline, data, of_paper } =
        Flights::to_be_had(context, size.train, size.test, split)?;
    let (train, test) = (&airline.train, airline.test.block());
    let minutes = airline.standardisation.target().deviation;
    let rmse = |predictions: &[f64]| minutes * root_mean_square(predictions, test.targets());
    let rows = train.count();
    let schedule = Schedule::geometric(FIRST, 2.0, rows)?;
    let halving = Schedule::halving(rows, FIRST)?;
    let settings = json!({
        "rows": rows, "test_rows": test.targets().len(), "features": size.features,
        "length_scale": 1.0, "noise": NOISE, "schedule": schedule.sizes(), "alpha": ALPHA,
        "replicates": size.replicates, "repetitions": size.repetitions,
        "inducing_points": size.inducing, "inducing_batch": size.batch,
        "iterations": size.iterations,
    });
    let work = context.work(&settings, &data);
    let basis = context.seed.child("basis");
    let model = |repetition: u64| regression(size.features, &mut basis.stream(repetition));

    // One pilot, on the first basis.
    let first = model(0)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let mean_batch: f64 =
        (1..=schedule.levels()).map(|t| law.mass(t) * schedule.size(t) as f64).sum();
    let path = DataPath::new(train, &first, &FeatureWeights, &schedule)?;
    let paper = Method::coupled_sum(&path, &schedule, law, size.pilot, context.seed)?;
    let path = DataPath::new(train, &first, &FeatureWeights, &halving)?;
    let choice = Choice::TheseRows { cap: paper.expected_cost() };
    let ours = Method::antithetic(&path, &halving, choice, size.pilot, context.seed)?;
    let batch = (paper.expected_cost().round() as usize).min(rows);

    (context.say)("GP-SVI");
    let rival = Rival { train, test, size: &size };
    let error = |predictions: &[f64]| rmse(predictions);
    let learnt = work.cached("gp-svi", |rng| rival.learn(error, rng))?;
    let again = work.each("gp-svi-again", size.repetitions - 1, |_, rng| {
        rival.fit(&learnt.hyperparameters, error, rng)
    })?;
    let rival_errors = [&[learnt.error], &again[..]].concat();

    let mut sizes = schedule.sizes().to_vec();
    sizes.pop();
    let mut running = Vec::new();
    let mut ladder = Vec::new();
    let mut full = Vec::new();
    let mut totals = [Ledger::default(); 3];
    let mut audits = Vec::new();
    for repetition in 0..size.repetitions as u64 {
        (context.say)(&format!("repetition {} of {}", repetition + 1, size.repetitions));
        let model = model(repetition)?;
        let step = |name: &str| format!("{name}-{}", repetition + 1);
        let paper_path = DataPath::new(train, &model, &FeatureWeights, &schedule)?;
        let our_path = DataPath::new(train, &model, &FeatureWeights, &halving)?;
        let count = size.replicates;
        let constant = ConstantBatch::new(train, &model, &FeatureWeights, batch)?;
        let runs = [
            paper.run_as(&step(METHODS[0]), &work, &paper_path, count)?,
            ours.run_as(&step(METHODS[1]), &work, &our_path, count)?,
            work.replicate(&step(METHODS[2]), &constant, count)?,
        ];
        if repetition == 0 {
            audits = vec![paper.audit(&paper_path, &runs[0]), ours.audit(&our_path, &runs[1])];
        }
        // The weights of one batch of each size, and those given all rows.
        let batches = work.each(&step("batches"), sizes.len(), |index, rng| {
            let block = train.gather(&subset(rows, sizes[index], rng));
            Ok(FeatureWeights.estimate(&mut PartialPosterior::new(&model, &block), rng)?)
        })?;
        let all =
            work.cached(&step("all-rows"), |_| Ok(model.posterior_of_all(train)?.mean().to_vec()))?;

        // All weights at once: the features of the test rows are computed once per repetition.
        let mut weights: Vec<Vec<f64>> = Vec::new();
        for run in &runs {
            weights.extend(looks(count).iter().map(|&seen| mean_of_first(run, seen)));
        }
        weights.extend(batches);
        weights.push(all);
        let weights: Vec<&[f64]> = weights.iter().map(Vec::as_slice).collect();
        let predictions = predict_many(model.map(), &weights, test);
        let mut errors = predictions.iter().map(|predictions| rmse(predictions));
        for (method, run) in METHODS.iter().zip(&runs) {
            let setup = if *method == ours.name { ours.setup_cost() } else { 0.0 };
            for seen in looks(count) {
                let costs = run.costs()[..seen].iter().map(|cost| cost.evaluations() as f64);
                let error = errors.next().unwrap_or(f64::NAN);
                running.push(Running {
                    method,
                    repetition: repetition as i64 + 1,
                    replicates: seen as i64,
                    rows: setup + costs.sum::<f64>(),
                    rmse: error,
                });
            }
        }
        for &size in &sizes {
            let rmse = errors.next().unwrap_or(f64::NAN);
            ladder.push(OneBatch { rows: size as i64, repetition: repetition as i64 + 1, rmse });
        }
        full.extend(errors);
        for (total, run) in totals.iter_mut().zip(&runs) {
            *total += run.total_cost();
        }
    }

    let mut record = context.record(&EXPERIMENT, &settings);
    let repetitions = size.repetitions as f64;
    for (method, total) in METHODS.iter().zip(totals) {
        let end = Summary::of(&last(&running, method, size.replicates))?;
        let label = |what: &str| format!("{method}/{what}");
        record.quantities.extend([
            Quantity::estimate(&label("rmse"), end.mean, end.standard_error),
            Quantity::rough(&label("rows"), total.evaluations() as f64 / repetitions),
            Quantity::rough(&label("operations"), total.flops as f64 / repetitions),
        ]);
    }
    for (name, errors) in [("all-rows/rmse", &full), ("gp-svi/rmse", &rival_errors)] {
        let summary = Summary::of(errors)?;
        record.quantities.push(Quantity::estimate(name, summary.mean, summary.standard_error));
    }
    record.quantities.extend([
        Quantity::rough("gp-svi/rmse, hyper-parameters learnt", learnt.error),
        Quantity::rough("gp-svi/rows", learnt.cost.evaluations() as f64),
        Quantity::rough("gp-svi/operations", learnt.cost.flops as f64),
        Quantity::exact("standard deviation of the delay", minutes),
        Quantity::exact("mean batch", mean_batch),
        Quantity::rough("constant-batch/batch", batch as f64),
        Quantity::rough("antithetic-single-term/set-up cost", ours.setup_cost()),
        Quantity::exact("is 2008", f64::from(u8::from(of_paper))),
    ]);
    for &size in &sizes {
        let summary = Summary::of(
            &ladder
                .iter()
                .filter(|row| row.rows == size as i64)
                .map(|row| row.rmse)
                .collect::<Vec<_>>(),
        )?;
        let name = format!("batch {size}/rmse");
        record.quantities.push(Quantity::estimate(&name, summary.mean, summary.standard_error));
    }
    record.data = data;
    record.notes = audits;
    record.notes.push(
        "GP-SVI learns its hyper-parameters in the first repetition; the others are given them from \
         the start, and draw inducing points and mini-batches of their own."
            .to_owned(),
    );
    let mut side_by_side = Table::new("repetitions")
        .with("repetition", (1..=size.repetitions as i64).collect::<Vec<_>>());
    for method in METHODS {
        side_by_side = side_by_side.with(method, last(&running, method, size.replicates));
    }
    record.tables = vec![
        Table::of_rows("running", &running),
        Table::of_rows("convergence", &ladder),
        side_by_side.with("all-rows", full).with("gp-svi", rival_errors),
        Table::new("gp-svi")
            .with("iteration", (1..=size.iterations as i64).collect::<Vec<_>>())
            .with("bound", learnt.bounds),
    ];
    Ok(record)
}

fn root_mean_square(predictions: &[f64], targets: &[f64]) -> f64 {
    let squares = predictions.iter().zip(targets).map(|(mean, y)| (mean - y).powi(2));
    (squares.sum::<f64>() / targets.len() as f64).sqrt()
}

fn mean_of_first(run: &Replicates, count: usize) -> Vec<f64> {
    let mut mean = vec![0.0; run.width()];
    for replicate in 0..count {
        let value = run.value(replicate);
        mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += value / count as f64);
    }
    mean
}
