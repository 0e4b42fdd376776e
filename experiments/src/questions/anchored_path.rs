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
//! rows, the mode and the Laplace mean to the next order, from the records of `log-gaussian`, `logistic-synthetic`, `logistic-exhaustive` and `a9a`;
//! what an anchor 1 to 10 posterior sds off does; and on a9a how large a core it takes, what the
//! noise of the base adds and what control variates take away.
//!
//! There is no pilot: [`debias::unpiloted`] lets corrections cost a quarter of the first level, evenly
//! shared over the levels, a price known beforehand.

use crate::methods::anchored::{AnchoredSettings, BETA, SHARE};
use crate::methods::laplace;
use crate::problems::log_gaussian::sigma;
use crate::problems::truth::Truth;
use crate::problems::{log_gaussian as spread, logistic as regression};
use crate::{Context, Experiment, Race};
use case::Case;
use models::log_gaussian::LogGaussian;
use records::{DataSource, MethodId, Record, Scale};
use report::Report;
use samplers::Functional;
use serde_json::{Value, json};

mod a9a;
mod bad_anchors;
mod case;
mod claims;
mod exact;
mod heavy;
mod levels;
mod report;

/// The experiment `anchored-path`.
pub const EXPERIMENT: Experiment = Experiment {
    needs: &["log-gaussian", "logistic-synthetic", "a9a"],
    timed: &[
        ("ours/anchored-path-logistic", "logistic-anchor"),
        ("ours/anchored-path-a9a", "a9a-debiased"),
    ],
    raced: &[Race {
        claim: "ours/anchored-path-logistic",
        rival: (EXHAUSTIVE, "full-nuts"),
        runs: claims::runs_of_the_chain,
    }],
    ..Experiment::new(
        "anchored-path",
        "ours",
        "How near do partial posteriors come that keep an expansion of all other rows?",
        run,
        claims::claims,
    )
};

/// Pairs of points per replicate.
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
        Size {
            log_gaussian: scale.pick(1 << 26, 1 << 14),
            logistic: scale.pick(100_000_000, 1 << 14),
            heavy: scale.pick(1 << 20, 1 << 13),
            sizes: scale.pick(powers(6..=15), powers(7..=9)),
            trials: scale.pick(40, 4),
            replicates: scale.pick(400, 40),
            heavy_replicates: scale.pick(100, 40),
            exact_replicates: scale.pick(20_000, 400),
            a9a: a9a::Size::of(scale),
        }
    }
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
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
    Ok(Record { data, quantities, notes, tables, ..context.record(&EXPERIMENT, &settings) })
}

/// The settings of a posterior that needs no core.
fn settings_of_path(context: &Context<'_>, name: &str, rows: usize) -> AnchoredSettings {
    // A hundredth of the rows leads near enough to the mode; of few rows, a thousand do.
    let guess = (rows / 100).max(1000).min(rows);
    let seed = context.step_seed(&format!("{name}-anchor"));
    AnchoredSettings::mirrored((guess, seed), FIRST, PAIRS)
}

fn log_gaussian(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (record, source) = context.needed("log-gaussian")?;
    let (name, count) = ("log-gaussian", size.log_gaussian);
    let (rows, mut data) = spread::rows(context.root.child(name).child("rows"), count);
    data.push(source);
    let (target, sd) = (record.value("target")?, record.value("posterior sd")?);
    let case = Case {
        name,
        rows: count,
        functionals: sigma(),
        truth: Truth::exact(vec![target], vec![sd]),
        work: context.work(settings, &data),
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    let model = &LogGaussian;
    case.study((model, model, &rows), settings_of_path(context, name, count), report)?;
    bad_anchors::measure(&case, (model, &rows), &[0.0; 2], report)?;

    let convergence = record.table("convergence")?;
    let errors: Vec<f64> =
        convergence.numbers("sigma")?.iter().map(|sigma| ((sigma - target) / sd).powi(2)).collect();
    report.plain(name, &convergence.numbers("rows")?, &errors);
    for method in ["coupled-sum", "antithetic-single-term", "constant-batch"] {
        let table = record.table(method)?;
        let (sigma, costs) = (table.numbers("sigma")?, table.numbers("evaluations")?);
        let mut spent = record.value(&format!("{method}/set-up cost")).unwrap_or(0.0);
        let (mut sum, mut next) = (0.0, 1.0);
        for (row, (value, cost)) in sigma.iter().zip(&costs).enumerate() {
            let seen = (row + 1) as f64;
            (sum, spent) = (sum + value, spent + cost);
            if seen >= next || row + 1 == sigma.len() {
                report.error(name, method, spent, ((sum / seen - target) / sd).abs());
                next = 1.05 * seen;
            }
        }
    }
    let (next, spent) =
        case.work.cached("log-gaussian-next-order", |_| laplace::log_gaussian(&rows))?;
    let method = MethodId::Laplace.name();
    report.error(name, method, spent.evaluations() as f64, case.truth.error(&next));
    let value = |what: &str| record.value(&format!("full-nuts/{what}"));
    let error = value("error in posterior sds")?.abs();
    report.error(name, "full-nuts", value("total cost")?, error);
    Ok(data)
}

fn logistic(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (record, source) = context.needed("logistic-synthetic")?;
    let (name, count) = ("logistic", size.logistic);
    let (rows, mut data) = regression::rows(context, count);
    data.push(source);
    let exhaustive = context.needed(EXHAUSTIVE).ok();
    data.extend(exhaustive.iter().map(|(_, source)| source.clone()));
    let case = Case {
        name,
        rows: count,
        functionals: Functional::means(regression::WEIGHTS),
        truth: regression::stored_truth(&record)?,
        work: context.work(settings, &data),
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    let model = &regression::model()?;
    case.study((model, model, &rows), settings_of_path(context, name, count), report)?;
    // From the known means, so that finding the mode again takes no pass more than it must.
    bad_anchors::measure(&case, (model, &rows), &case.truth.means, report)?;
    // Their truth is Laplace's to the next order.
    case.approximate((model, &rows), false, report)?;
    report.plain_below(name, record.table("convergence")?, f64::INFINITY)?;
    report.curve(name, record.table("errors")?, Some("anchored"))?;
    if let Some((chains, _)) = &exhaustive {
        for method in ["full-nuts", "firefly"] {
            let value = |what: &str| chains.value(&format!("{method}/{what}"));
            let cost = value("passes")? * count as f64;
            report.error(name, method, cost, value("rms error in posterior sds")?);
            for what in ["passes", "passes an effective draw"] {
                report.rough(name, &format!("{method}/{what}"), value(what)?);
            }
        }
    }
    Ok(data)
}
