//! Ours: partial posteriors that do not forget the other rows.
//!
//! ```text
//! π_t(θ) ∝ p(θ) exp{ Σ_{i ∈ K} ℓ_i(θ) + Q_rest(θ) + (N_rest/n_t) Σ_{i ∈ S_t} [ℓ_i(θ) − q_i(θ)] }
//! ```
//!
//! Four problems: the log-Gaussian spread of 2²⁶ rows, the paper's logistic regression on 10⁸, a
//! harder one (2²⁰ rows, 20 covariates with four degrees of freedom mixed by a random matrix and a
//! bias, one label in ten positive), and a9a with a core. On each: the error of a level and of its
//! antithetic increment against the rows it samples, beside plain partial posteriors and their floor
//! √(N/n − 1); the debiased estimate against evaluations, beside constant batches and NUTS on all
//! rows, from the records of `log-gaussian`, `logistic-synthetic`, `logistic-exhaustive` and `a9a`;
//! what an anchor 1 to 10 posterior sds off does; and on a9a how large a core it takes, what the
//! noise of the base adds and what control variates take away.
//!
//! There is no pilot: [`debias::unpiloted`] lets corrections cost a quarter of the first level, evenly
//! shared over the levels, a price known beforehand.

use crate::problems::truth::Truth;
use crate::{Context, Experiment, Race};
use data::{GaussianLaw, Generated};
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{Rows, Smooth};
use problem::Problem;
pub use problem::{BETA, SHARE};
use records::{DataSource, Quantity, Record, Scale, Table};
use report::Report;
use samplers::Functional;
use serde_json::json;
use unbiased_bayes::anchored::{Anchor, doubling};

mod a9a;
mod bad_anchors;
mod claims;
mod exact;
mod heavy;
mod levels;
mod problem;
mod report;

/// The experiment `anchored-path`.
pub struct AnchoredPathExperiment;

/// Pairs of points a replicate.
const PAIRS: usize = 32;
/// Rows of the first level, where there is no core.
const FIRST: usize = 256;
/// The record that is read where it is stored: `all` does not make it.
const EXHAUSTIVE: &str = "logistic-exhaustive";

/// What differs between the scales.
struct Size {
    log_gaussian: usize,
    logistic: usize,
    heavy: usize,
    sizes: Vec<usize>,
    trials: usize,
    replicates: usize,
    heavy_replicates: usize,
    exact_replicates: usize,
    a9a: a9a::Size,
}

impl Size {
    fn of(scale: Scale) -> Size {
        let powers = |range: std::ops::RangeInclusive<u32>| range.map(|k| 1 << k).collect();
        match scale {
            Scale::Full => Size {
                log_gaussian: 1 << 26,
                logistic: 100_000_000,
                heavy: 1 << 20,
                sizes: powers(6..=15),
                trials: 40,
                replicates: 400,
                heavy_replicates: 100,
                exact_replicates: 20_000,
                a9a: a9a::Size::full(),
            },
            Scale::Smoke => Size {
                log_gaussian: 1 << 14,
                logistic: 1 << 14,
                heavy: 1 << 13,
                sizes: powers(7..=9),
                trials: 4,
                replicates: 40,
                heavy_replicates: 40,
                exact_replicates: 400,
                a9a: a9a::Size::smoke(),
            },
        }
    }
}

impl Experiment for AnchoredPathExperiment {
    fn id(&self) -> &'static str {
        "anchored-path"
    }

    fn paper(&self) -> &'static str {
        "ours"
    }

    fn question(&self) -> &'static str {
        "How near do partial posteriors come that keep an expansion of all other rows?"
    }

    fn needs(&self) -> &'static [&'static str] {
        &["log-gaussian", "logistic-synthetic", "a9a"]
    }

    fn timed(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("ours/anchored-path-logistic", "logistic-anchor"),
            ("ours/anchored-path-a9a", "a9a-debiased"),
        ]
    }

    fn raced(&self) -> &'static [Race] {
        &[Race {
            claim: "ours/anchored-path-logistic",
            rival: (EXHAUSTIVE, "full-nuts"),
            runs: claims::runs_of_the_chain,
        }]
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let settings = json!({
            "log_gaussian_rows": size.log_gaussian, "logistic_rows": size.logistic,
            "heavy_rows": size.heavy, "sizes": size.sizes, "trials": size.trials,
            "replicates": size.replicates, "heavy_replicates": size.heavy_replicates,
            "first": FIRST, "points": 2 * PAIRS, "beta": BETA, "share": SHARE,
            "exact": exact::settings(size.exact_replicates), "a9a": size.a9a.settings(),
        });
        let mut report = Report::new();
        let mut data = log_gaussian(context, &size, &settings, &mut report)?;
        data.extend(logistic(context, &size, &settings, &mut report)?);
        data.extend(heavy::run(context, &size, &settings, &mut report)?);
        data.extend(a9a::run(context, &size.a9a, &settings, &mut report)?);
        data.extend(exact::run(context, size.exact_replicates, &settings, &mut report)?);
        let (quantities, notes) = (report.quantities.clone(), report.notes.clone());
        let tables = report.into_tables();
        Ok(Record { data, quantities, notes, tables, ..context.record(self, &settings) })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<records::Claim>> {
        claims::claims(record)
    }
}

/// Anchor, levels and debiased estimate of a posterior that needs no core.
fn without_core<R, M>(
    context: &Context<'_>,
    problem: &Problem<'_>,
    (model, rows): (&M, &R),
    start: &[f64],
    report: &mut Report,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    (context.say)(&format!("{}: the anchor", problem.name));
    let step = problem.step("anchor");
    let anchor = context.timed(&step, problem.settings, problem.data, |_, _| {
        // A hundredth of the rows leads near enough to the mode; of few rows, a thousand do.
        let share = (rows.count() / 100).max(1000).min(rows.count());
        Ok(Anchor::climb(model, rows, start, share, context.step_seed(&step))?)
    })?;
    let schedule = doubling(rows.count(), FIRST)?;
    let path = anchor.path(&schedule, problem.functionals, PAIRS)?;
    let rng = &mut context.step_seed(&problem.step("points")).stream(0);
    let points = (path.draw)(rng).map_err(|error| anyhow::anyhow!("{error}"))?.0;
    let levels = levels::Levels {
        rows: anchor.posterior.rest(),
        reweighting: &anchor.posterior,
        points,
        functionals: problem.functionals,
        sds: &problem.truth.sds,
    };
    let moments = problem.levels(context, &levels, report)?;
    problem.debiased(context, &path, &schedule, anchor.ledger, &moments, report)?;
    let passes = Quantity::exact(&format!("{}/anchor passes", problem.name), anchor.passes as f64);
    report.quantities.push(passes);
    let rows_of = Quantity::exact(&format!("{}/rows", problem.name), problem.rows as f64);
    report.quantities.push(rows_of);
    Ok(())
}

fn log_gaussian(
    context: &Context<'_>,
    size: &Size,
    settings: &serde_json::Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (record, source) = context.needed("log-gaussian")?;
    let seed = context.root.child("log-gaussian").child("rows");
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, size.log_gaussian);
    let identity = format!("ln x ~ N(0, 2), seed {}", seed.0);
    let count = size.log_gaussian as u64;
    let data =
        vec![DataSource { name: "log-Gaussian rows".to_owned(), rows: count, identity }, source];
    let (target, sd) = (record.value("target")?, record.value("posterior sd")?);
    let functionals = [Functional::prediction(LogGaussian::sigma)];
    let problem = Problem {
        name: "log-gaussian",
        rows: size.log_gaussian,
        functionals: &functionals,
        truth: Truth { means: vec![target], sds: vec![sd], errors: vec![0.0] },
        settings,
        data: &data,
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    without_core(context, &problem, (&LogGaussian, &rows), &[0.0; 2], report)?;
    let parts = (&LogGaussian, &rows);
    bad_anchors::measure(context, &problem, parts, &[0.0; 2], size.trials, report)?;

    let convergence = record.table("convergence")?;
    let errors: Vec<f64> =
        convergence.numbers("sigma")?.iter().map(|sigma| ((sigma - target) / sd).powi(2)).collect();
    plain(report, problem.name, &convergence.numbers("rows")?, &errors);
    for method in ["coupled-sum", "antithetic-single-term", "constant-batch"] {
        let table = record.table(method)?;
        let (sigma, costs) = (table.numbers("sigma")?, table.numbers("evaluations")?);
        let mut spent = record.value(&format!("{method}/set-up cost")).unwrap_or(0.0);
        let (mut sum, mut next) = (0.0, 1.0);
        for (row, (value, cost)) in sigma.iter().zip(&costs).enumerate() {
            let seen = (row + 1) as f64;
            (sum, spent) = (sum + value, spent + cost);
            if seen >= next || row + 1 == sigma.len() {
                report.error(problem.name, method, spent, ((sum / seen - target) / sd).abs());
                next = 1.05 * seen;
            }
        }
    }
    let (cost, error) = (
        record.value("full-nuts/total cost")?,
        record.value("full-nuts/error in posterior sds")?.abs(),
    );
    report.error(problem.name, "full-nuts", cost, error);
    Ok(data)
}

fn logistic(
    context: &Context<'_>,
    size: &Size,
    settings: &serde_json::Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (record, source) = context.needed("logistic-synthetic")?;
    let (rows, mut data) = crate::questions::logistic_synthetic::rows(context, size.logistic);
    data.push(source);
    let exhaustive = context.needed(EXHAUSTIVE).ok();
    data.extend(exhaustive.iter().map(|(_, source)| source.clone()));
    let weights = record.table("weights")?;
    let (means, sds) = (weights.numbers("mean")?, weights.numbers("sd")?);
    let functionals = Functional::means(means.len());
    let start = vec![0.0; means.len()];
    let problem = Problem {
        name: "logistic",
        rows: size.logistic,
        functionals: &functionals,
        truth: Truth { errors: vec![0.0; means.len()], means, sds },
        settings,
        data: &data,
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    let model = DenseLogistic::new(start.len() - 1, Prior::Laplace { scale: 1.0 })?;
    without_core(context, &problem, (&model, &rows), &start, report)?;
    // From the known means, so that finding the mode again takes no pass more than it must.
    let means = problem.truth.means.clone();
    bad_anchors::measure(context, &problem, (&model, &rows), &means, size.trials, report)?;
    let convergence = record.table("convergence")?;
    let squares: Vec<f64> =
        convergence.numbers("error")?.iter().map(|error| error * error).collect();
    plain(report, problem.name, &convergence.numbers("rows")?, &squares);
    report.curve(problem.name, &without(record.table("errors")?, "anchored")?)?;
    if let Some((chains, _)) = exhaustive {
        for method in ["full-nuts", "firefly"] {
            let value = |what: &str| chains.value(&format!("{method}/{what}"));
            let cost = value("passes")? * size.logistic as f64;
            report.error(problem.name, method, cost, value("rms error in posterior sds")?);
            for what in ["passes", "passes an effective draw"] {
                let name = format!("logistic/{method}/{what}");
                report.quantities.push(Quantity::rough(&name, value(what)?));
            }
        }
    }
    Ok(data)
}

/// Root mean squares of plain level errors in posterior sds, one for each size.
fn plain(report: &mut Report, problem: &str, rows: &[f64], squares: &[f64]) {
    let mut sizes = rows.to_vec();
    sizes.dedup();
    for size in sizes {
        let at: Vec<f64> =
            (0..rows.len()).filter(|&row| rows[row] == size).map(|row| squares[row]).collect();
        let mean = at.iter().sum::<f64>() / at.len() as f64;
        // All rows leave no error but the chain's own; the plot is about fewer.
        report.plain.push(problem, [size, mean.sqrt()]);
    }
}

/// A table of errors without those of one method.
fn without(table: &Table, method: &str) -> anyhow::Result<Table> {
    let methods = table.words("method")?;
    let kept: Vec<usize> = (0..methods.len()).filter(|&row| methods[row] != method).collect();
    let pick = |values: Vec<f64>| kept.iter().map(|&row| values[row]).collect::<Vec<_>>();
    Ok(Table::new("errors")
        .with("method", kept.iter().map(|&row| methods[row].clone()).collect::<Vec<_>>())
        .with("evaluations", pick(table.numbers("evaluations")?))
        .with("error", pick(table.numbers("error")?)))
}
