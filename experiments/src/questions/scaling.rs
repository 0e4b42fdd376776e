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
        costs.slopes(size.from, &mut record)?;
    }
    let workers = workers::run(&synthetic)?;
    for (method, most) in workers::most(&workers)? {
        record.quantities.push(Quantity::rough(&format!("{method}/largest speed-up"), most));
    }
    record.data = absolute::data(context, &size);
    record.data.extend(logistic::rows(context, size.most()).1);
    record.data.push(source);
    record.tables = vec![absolute.table("absolute"), relative.table("relative"), workers];
    record.notes = vec![
        "Work × variance of the plain estimators follows from the moments of pilots and their \
         fitted decay; the intervals know of the pilots' noise, and costs leave out the pilot of our law."
            .to_owned(),
    ];
    Ok(record)
}

/// What methods cost at growing N.
#[derive(Default)]
struct Costs {
    methods: Vec<String>,
    rows: Vec<f64>,
    /// Evaluations before the first replicate or draw.
    setup: Vec<f64>,
    /// Work × variance.
    product: Vec<f64>,
    /// Its standard error.
    error: Vec<f64>,
    /// Evaluations to the error that is asked for.
    total: Vec<f64>,
}

impl Costs {
    /// Adds a method at N rows, with the square of the error that is asked for.
    fn push(&mut self, method: &str, rows: usize, setup: f64, product: (f64, f64), square: f64) {
        self.methods.push(method.to_owned());
        self.rows.push(rows as f64);
        self.setup.push(setup);
        self.product.push(product.0);
        self.error.push(product.1);
        self.total.push(setup + product.0 / square);
    }

    /// Slopes in ln N of ln work × variance, where it has an error, and of the logarithm of the cost.
    fn slopes(&self, from: usize, record: &mut Record) -> anyhow::Result<()> {
        let mut methods = self.methods.clone();
        methods.sort();
        methods.dedup();
        for method in &methods {
            let own: Vec<usize> = (0..self.rows.len())
                .filter(|&row| self.methods[row] == *method && self.rows[row] >= from as f64)
                .collect();
            let line = |values: &[f64], errors: Option<&[f64]>| {
                let point = |&row: &usize| {
                    let error = errors.map_or(0.0, |errors| errors[row] / values[row]);
                    (self.rows[row].ln(), values[row].ln(), error)
                };
                slope(&own.iter().map(point).collect::<Vec<_>>())
            };
            let (cost, _) = line(&self.total, None);
            record.quantities.push(Quantity::rough(&format!("{method}/slope of the cost"), cost));
            if own.iter().all(|&row| self.error[row] > 0.0) {
                let (product, error) = line(&self.product, Some(&self.error));
                let name = format!("{method}/slope of work times variance");
                record.quantities.push(Quantity::estimate(&name, product, error));
            }
        }
        Ok(())
    }

    fn table(self, name: &str) -> Table {
        Table::new(name)
            .with("method", self.methods)
            .with("rows", self.rows)
            .with("set-up", self.setup)
            .with("work times variance", self.product)
            .with("error", self.error)
            .with("evaluations", self.total)
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
