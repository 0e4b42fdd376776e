//! Exactness, on few enough rows to see it: the posterior mean of σ, known in closed form.
//!
//! *By enumeration.* Seven of eight rows are sampled and one is the core. The mean of a replicate
//! over all orders and depths is its last level on the same points, for every form.
//!
//! *By replicates.* 256 rows. Levels by coupled chains have no bias at all; levels by weighted points
//! have that of self-normalised weights, which falls with the number of points.

use super::report::Report;
use super::{BETA, SHARE};
use crate::methods::path_mean::{FORM, PathMean};
use crate::{Context, enumeration};
use data::{DenseRows, GaussianLaw, Generated};
use debias::{Form, Path, Schedule, Seed, Tradeoff, Truncation, unpiloted};
use models::log_gaussian::LogGaussian;
use posterior::Rows;
use records::{DataSource, Quantity, Table};
use samplers::{Functional, Lagged, SharedPath};
use serde_json::{Value, json};
use unbiased_bayes::anchored::{Anchor, doubling};

/// Rows of which the mean is enumerated, and those of its levels outside a core of one.
const FEW: usize = 8;
const FEW_SIZES: [usize; 3] = [2, 4, 7];
const FEW_PAIRS: usize = 4;
const ROWS: usize = 256;
const FIRST: usize = 32;
/// Pairs of points of the paths beside the coupled one.
const PAIRS: [usize; 3] = [2, 8, 32];
const LAGGED: Lagged = Lagged { lag: 10, burn_in: 20, last: 120, budget: 1_000_000 };
/// The path of coupled chains.
pub const COUPLED: &str = "coupled chains";

pub fn settings(replicates: usize) -> Value {
    json!({
        "enumerated": FEW, "rows": ROWS, "first": FIRST, "pairs": PAIRS, "lag": LAGGED.lag,
        "burn_in": LAGGED.burn_in, "last": LAGGED.last, "replicates": replicates,
    })
}

pub fn run(
    context: &Context<'_>,
    replicates: usize,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    (context.say)("exactness: 8 rows, then 256");
    let seed = context.seed.child("exact");
    let rows = |count| {
        DenseRows::new(Generated::new(GaussianLaw::log_gaussian(), seed, count).range(0..count))
    };
    let largest = enumerated(&rows(FEW), &FEW_SIZES, seed)?;
    let exact = f64::from(u8::from(largest < 1e-12));
    report.quantities.push(Quantity::exact("exact/enumeration to 1e-12", exact));

    let rows = rows(ROWS);
    let identity = format!("ln x ~ N(0, 2), seed {}", seed.0);
    let name = "a few log-Gaussian rows".to_owned();
    let data = vec![DataSource { name, rows: ROWS as u64, identity }];
    let truth = LogGaussian::moments(rows.block())?;
    let functionals = sigma();
    let anchor = Anchor::climb(&LogGaussian, &rows, &[0.0; 2], ROWS, seed)?;
    let schedule = doubling(ROWS, FIRST)?;
    let mut found = Vec::new();
    let coupled = anchor.path_by_coupled_chains(&schedule, &functionals, LAGGED)?;
    let step = "exact-coupled";
    let law = without_pilot(&coupled, &schedule)?;
    let mean = PathMean::run(context, step, &coupled, &law, settings, &data, replicates)?;
    found.push((COUPLED.to_owned(), mean));
    for pairs in PAIRS {
        // However uneven the weights: refusing some batches would be a bias of its own.
        let path = anchor.path(&schedule, &functionals, pairs)?;
        let path = SharedPath { floor: 0.0, ..path };
        let step = format!("exact-pairs-{pairs}");
        let law = without_pilot(&path, &schedule)?;
        let mean = PathMean::run(context, &step, &path, &law, settings, &data, replicates)?;
        found.push((format!("{} points", 2 * pairs), mean));
    }
    let mut columns = vec![Vec::new(); 5];
    for (name, PathMean { summary, cost }) in &found {
        let (error, bias) = (summary.standard_error, summary.mean - truth.mean_sigma);
        for (label, value) in [
            ("bias in standard errors", bias / error),
            ("bias in posterior sds", bias / truth.sd_sigma),
            ("standard error in posterior sds", error / truth.sd_sigma),
        ] {
            report.quantities.push(Quantity::rough(&format!("exact/{name}/{label}"), value));
        }
        let row = [summary.mean, error, bias / truth.sd_sigma, bias / error, *cost];
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let names = ["sigma", "error", "bias_sds", "bias_errors", "evaluations"];
    let words: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
    let table = Table::new("exact").with("levels", words);
    let table = names
        .into_iter()
        .zip(columns)
        .fold(table, |table, (name, column)| table.with(name, column));
    report.tables.push(table);
    Ok(data)
}

fn without_pilot<P: Path>(path: &P, schedule: &Schedule) -> anyhow::Result<Truncation> {
    Ok(unpiloted(schedule.sizes(), &Tradeoff::level_costs(path, FORM), BETA, SHARE)?)
}

fn sigma() -> Vec<Functional> {
    vec![Functional::prediction(LogGaussian::sigma)]
}

/// The largest |E Z − φ_L| over all forms, by enumeration, with one row of all as the core; `sizes`
/// are those of the levels.
fn enumerated(rows: &DenseRows, sizes: &[usize], seed: Seed) -> anyhow::Result<f64> {
    let model = &LogGaussian;
    let anchor = Anchor::settle(model, model, rows, &[0.0; 2], None, 1)?;
    let rest = rows.count() - 1;
    let schedule = Schedule::explicit(sizes.to_vec(), rest)?;
    let functionals = sigma();
    let path = anchor.path(&schedule, &functionals, FEW_PAIRS)?;
    let path = SharedPath { floor: 0.0, ..path };
    let law = Truncation::geometric(0.8, schedule.levels())?;
    let all: Vec<usize> = (0..rest).collect();
    let (points, _) = path.begin(&mut seed.stream(0))?;
    let last = path.weighted(&points, &all)?.0.value;
    let mut largest: f64 = 0.0;
    for form in Form::ALL {
        let mean = enumeration::mean(&path, form, &law, seed)?;
        largest = largest.max((mean[0] - last[0]).abs());
    }
    Ok(largest)
}
