//! Exactness, on few enough rows to see it: the posterior mean of σ, known in closed form.
//!
//! *By enumeration.* Seven of eight rows are sampled and one is the core. The mean of a replicate
//! over all orders and depths is its last level on the same points, for every form.
//!
//! *By replicates.* 256 rows. Levels by coupled chains have no bias at all; levels by weighted points
//! have that of self-normalised weights, which falls with the number of points.

use super::report::Report;
use crate::Context;
use crate::enumeration::largest_bias;
use crate::methods::anchored::{Anchored, AnchoredSettings, FORM, LevelSizes, PointSource};
use crate::methods::debiased::{Debiasing, PathMean};
use crate::problems::log_gaussian::{named, sigma, truth};
use data::DenseRows;
use debias::{Path, Scheme, Seed, Truncation};
use models::log_gaussian::LogGaussian;
use posterior::Rows;
use records::{DataSource, Quantity, Table};
use samplers::Lagged;
use serde_json::{Value, json};

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
        let (rows, data) = named("a few log-Gaussian rows", seed, count);
        (DenseRows::new(rows.range(0..count)), data)
    };
    let exact = f64::from(u8::from(enumerated(&rows(FEW).0, seed)? < 1e-12));
    report.quantities.push(Quantity::exact("exact/enumeration to 1e-12", exact));

    let (rows, data) = rows(ROWS);
    let work = context.work(settings, &data);
    let truth = truth(rows.block())?;
    let (target, sd) = (truth.means[0], truth.sds[0]);
    // Levels are kept however uneven their weights: refusing some batches would be a bias of its own.
    let anchored = |pairs| {
        let settings = AnchoredSettings::mirrored((ROWS, seed), FIRST, pairs);
        let problem = (&LogGaussian, &LogGaussian, &rows);
        Anchored::new(problem, &sigma(), AnchoredSettings { refuse: false, ..settings })
    };
    let mut found = Vec::new();
    let scheme = Scheme::Independent;
    let with_coupled = anchored(PAIRS[0])?;
    let coupled = with_coupled.coupled_path(LAGGED)?;
    let law = with_coupled.law(&coupled)?;
    let debiasing = Debiasing { form: FORM, law: &law, scheme };
    let mean = debiasing.mean(&work, "exact-coupled", &coupled, replicates)?;
    found.push((COUPLED.to_owned(), mean));
    for pairs in PAIRS {
        let anchored = anchored(pairs)?;
        let path = anchored.path()?;
        let law = anchored.law(&path)?;
        let debiasing = Debiasing { form: FORM, law: &law, scheme };
        let mean = debiasing.mean(&work, &format!("exact-pairs-{pairs}"), &path, replicates)?;
        found.push((format!("{} points", 2 * pairs), mean));
    }
    let mut columns = vec![Vec::new(); 5];
    for (name, PathMean { summary, cost }) in &found {
        let (error, bias) = (summary.standard_error, summary.mean - target);
        for (label, value) in [
            ("bias in standard errors", bias / error),
            ("bias in posterior sds", bias / sd),
            ("standard error in posterior sds", error / sd),
        ] {
            report.quantities.push(Quantity::rough(&format!("exact/{name}/{label}"), value));
        }
        let row = [summary.mean, error, bias / sd, bias / error, *cost];
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

/// The largest |E Z − φ_L| over all forms, by enumeration, with one row of all as the core.
fn enumerated(rows: &DenseRows, seed: Seed) -> anyhow::Result<f64> {
    let settings = AnchoredSettings {
        guess: None,
        core: 1,
        levels: LevelSizes::Explicit(FEW_SIZES.to_vec()),
        points: PointSource::Mirrored(FEW_PAIRS),
        refuse: false,
    };
    let anchored = Anchored::new((&LogGaussian, &LogGaussian, rows), &sigma(), settings)?;
    let path = anchored.path()?;
    let law = Truncation::geometric(0.8, path.levels())?;
    let all: Vec<usize> = (0..rows.count() - 1).collect();
    let (points, _) = path.begin(&mut seed.stream(0))?;
    let last = path.weighted(&points, &all)?.0.value;
    let on_order = (
        |shared: &_, order: &[usize], depth, _: &mut _| path.prefix_on(shared, order, depth),
        |shared: &_, order: &[usize], level, coupling, _: &mut _| {
            path.increment_on(shared, order, level, coupling)
        },
    );
    largest_bias((&path, all.len()), &law, &last, on_order, seed)
}
