//! Ours: what an answer costs as the data grows from 10⁴ to 10⁸ rows.
//!
//! *A fixed absolute error.* The log-Gaussian spread with closed-form levels, so that nothing is
//! measured but the estimators: work × variance of the paper's coupled sum (a = 8, α = 0.95) and of our
//! antithetic single term under its best law, from the moments of pilots; the cost to a standard error
//! of 0.01 beside constant batches, which pay for their bias with larger batches, and one pass over
//! all rows.
//!
//! *A fixed error in posterior sds*, which shrinks like N^{−1/2}. The paper's logistic regression: the
//! anchored path, NUTS and Firefly on all rows, each really run. The cost to 0.1 posterior sds is
//! S + W/0.1² for the anchored path, with its set-up S and work × variance W, and that of the whole run
//! for a chain, longer where its effective draws were too few. Chains on 10⁸ rows are those of
//! `logistic-exhaustive`, where it is stored.
//!
//! *Many workers.* The measured costs of the replicates of `logistic-synthetic`, dealt in the order of
//! the engine to 1 … 10 000 simulated workers, each taking the next when it is free.

use crate::problems::logistic;
use crate::{Context, Experiment};
use records::{Quantity, Record, Scale, Table};
use serde::Serialize;
use serde_json::json;

mod absolute;
mod claims;
mod relative;
mod workers;

/// The experiment `scaling`.
pub const EXPERIMENT: Experiment = Experiment {
    needs: &["logistic-synthetic"],
    memory: 2.0,
    ..Experiment::new(
        "scaling",
        "ours",
        "What does an answer cost as the data grows from 10⁴ to 10⁸ rows?",
        run,
        claims::claims,
    )
};

/// Standard error of the spread, where the error is absolute.
const ABSOLUTE: f64 = 0.01;
/// Posterior sds, where it is relative.
const RELATIVE: f64 = 0.1;

/// What differs between the scales.
struct Size {
    rows: Vec<usize>,
    /// Rows from which on slopes are fitted.
    from: usize,
    pilot_levels: usize,
    pilot_replicates: usize,
    anchored_replicates: usize,
    /// Rows up to which chains are run here.
    chains: usize,
}

impl Size {
    /// The most rows.
    fn most(&self) -> usize {
        self.rows.iter().copied().max().unwrap_or(0)
    }

    fn of(scale: Scale) -> Size {
        Size {
            rows: scale.pick(
                (4..=8).map(|power| 10_usize.pow(power)).collect(),
                vec![1 << 12, 1 << 13, 1 << 14],
            ),
            from: scale.pick(100_000, 1 << 12),
            pilot_levels: scale.pick(12, 6),
            pilot_replicates: scale.pick(1000, 100),
            anchored_replicates: scale.pick(100, 40),
            chains: scale.pick(10_000_000, 1 << 13),
        }
    }
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let settings = json!({
        "rows": size.rows, "slopes_from": size.from, "absolute_error": ABSOLUTE,
        "relative_error": RELATIVE, "pilot_levels": size.pilot_levels,
        "pilot_replicates": size.pilot_replicates,
        "anchored_replicates": size.anchored_replicates, "chains_up_to": size.chains,
    });
    let mut record = context.record(&EXPERIMENT, &settings);
    let (synthetic, source) = context.needed("logistic-synthetic")?;
    let absolute = absolute::run(context, &size)?;
    let relative = relative::run(context, &size, &settings)?;
    for costs in [&absolute, &relative] {
        slopes(costs, size.from, &mut record);
    }
    let workers = workers::run(&synthetic)?;
    for (method, most) in workers::most(&workers) {
        record.quantities.push(Quantity::rough(&format!("{method}/largest speed-up"), most));
    }
    record.data = absolute::data(context, &size);
    record.data.extend(logistic::rows(context, size.most()).1);
    record.data.push(source);
    record.tables = vec![
        Table::of_rows("absolute", &absolute),
        Table::of_rows("relative", &relative),
        Table::of_rows("workers", &workers),
    ];
    record.notes = vec![
        "Work × variance of the plain estimators follows from the moments of pilots and their \
         fitted decay; the intervals know of the pilots' noise, and costs leave out the pilot of our law."
            .to_owned(),
    ];
    Ok(record)
}

/// What a method costs at N rows.
#[derive(Serialize)]
struct Cost {
    method: &'static str,
    rows: f64,
    /// Evaluations before the first replicate or draw.
    #[serde(rename = "set-up")]
    setup: f64,
    #[serde(rename = "work times variance")]
    product: f64,
    /// Its standard error.
    error: f64,
    /// Evaluations to the error that is asked for.
    evaluations: f64,
}

impl Cost {
    /// From the set-up, work × variance with its error, and the square of the error that is asked for.
    fn new(
        method: &'static str,
        rows: usize,
        setup: f64,
        (product, error): (f64, f64),
        square: f64,
    ) -> Cost {
        let evaluations = setup + product / square;
        Cost { method, rows: rows as f64, setup, product, error, evaluations }
    }
}

/// Slopes in ln N of ln work × variance, where it has an error, and of the logarithm of the cost.
fn slopes(costs: &[Cost], from: usize, record: &mut Record) {
    let mut methods: Vec<&str> = costs.iter().map(|cost| cost.method).collect();
    methods.sort_unstable();
    methods.dedup();
    for method in methods {
        let own = |cost: &&Cost| cost.method == method && cost.rows >= from as f64;
        let own: Vec<&Cost> = costs.iter().filter(own).collect();
        let line = |point: fn(&Cost) -> (f64, f64)| {
            let point = |cost: &&Cost| (cost.rows.ln(), point(cost).0.ln(), point(cost).1);
            slope(&own.iter().map(point).collect::<Vec<_>>())
        };
        let (cost, _) = line(|cost| (cost.evaluations, 0.0));
        record.quantities.push(Quantity::rough(&format!("{method}/slope of the cost"), cost));
        if own.iter().all(|cost| cost.error > 0.0) {
            let (product, error) = line(|cost| (cost.product, cost.error / cost.product));
            let name = format!("{method}/slope of work times variance");
            record.quantities.push(Quantity::estimate(&name, product, error));
        }
    }
}

/// The least-squares slope through (x, y), and its standard error from those of the y.
fn slope(points: &[(f64, f64, f64)]) -> (f64, f64) {
    let center = points.iter().map(|point| point.0).sum::<f64>() / points.len() as f64;
    let square: f64 = points.iter().map(|point| (point.0 - center).powi(2)).sum();
    let slope: f64 = points.iter().map(|point| (point.0 - center) * point.1).sum();
    let error: f64 = points.iter().map(|point| ((point.0 - center) * point.2).powi(2)).sum();
    (slope / square, error.sqrt() / square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        let (value, error) = slope(&[(1.0, 5.0, 0.3), (2.0, 7.0, 0.0), (3.0, 9.0, 0.4)]);
        assert!((value - 2.0).abs() < 1e-12);
        // (−1, 0, 1) · y / 2: errors of 0.3 and 0.4 give 0.25.
        assert!((error - 0.25).abs() < 1e-12);
    }
}
