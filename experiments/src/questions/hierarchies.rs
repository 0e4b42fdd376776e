//! Ours: group effects whose standard deviations are estimated, beside rivals.
//!
//! Four problems (see `problems/grouped.rs`), each asked for the means of all effects, the covariate's weight, the
//! bias and the logarithms of the standard deviations, to a standard error of 0.05 posterior sds in the
//! worst of them: by the anchored path and by NUTS on distinct rows, both as the front door has them. Beside
//! them the mode of everything else at the standard deviations of the largest marginal likelihood, as mixed
//! models are fitted elsewhere, its mean to the next order, and Gaussian variational inference.
//!
//! *Truth.* A longer anchored run from another seed; NUTS, which looks at all rows, is the check, by z-scores of
//! all parameters.
//!
//! *Cost of NUTS.* Four chains of a hundred draws, with control variates; its cost to the target is that of its
//! set-up and of its draws times (its standard error / the target)², the warm-up not counted.

use crate::methods::approximations::approximations;
use crate::methods::front_door::{Answered, ask};
use crate::problems::grouped::{Grouped, Grouping};
use crate::{Context, Experiment};
use records::{MethodId, Quantity, Record, Scale, Table};
use serde::Serialize;
use serde_json::json;
use unbiased_bayes::{Method, RunHooks, Stop, Target};

mod claims;

/// The experiment `hierarchies`.
pub const EXPERIMENT: Experiment = Experiment {
    memory: 2.0,
    ..Experiment::new(
        "hierarchies",
        "ours",
        "Are group effects and their standard deviations estimated from tall data, and at what cost?",
        run,
        claims::claims,
    )
};

/// The standard error asked for, in posterior sds of the worst parameter, and that of the truth.
const TARGET: f64 = 0.05;
const TRUTH: f64 = 0.015;
/// Draws of NUTS, all chains together.
const DRAWS: usize = 400;

/// Names, groupings, and how many rows of each.
fn problems(scale: Scale) -> [(&'static str, Grouping, usize); 4] {
    let of = |even: [usize; 2], uneven, airports, rows: [usize; 2]| {
        [
            ("few groups", Grouping::Even(even[0]), rows[0]),
            ("many groups", Grouping::Even(even[1]), rows[0]),
            ("uneven groups", Grouping::Uneven(uneven), rows[0]),
            ("crossed flights", Grouping::Flights { airports }, rows[1]),
        ]
    };
    let (million, flights) = (1_000_000, 3_000_000);
    scale
        .pick(of([200, 1000], 2000, 1000, [million, flights]), of([20, 40], 50, 12, [8_000, 8_000]))
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let problems = problems(context.scale);
    let settings = json!({
        "target": TARGET, "truth": TRUTH, "nuts_draws": DRAWS,
        "problems": problems.map(|(name, law, rows)| format!("{name}: {law:?}, {rows} rows")),
    });
    let mut record = context.record(&EXPERIMENT, &settings);
    let (mut answers, mut parameters) = (Vec::new(), Vec::new());
    for (name, grouping, rows) in problems {
        let problem = grouping.rows(context.seed.child(name), rows)?;
        record.data.push(problem.data.clone());
        let found = Found::new(context, &settings, name, &problem)?;
        found.record(name, &problem, &mut record, &mut answers, &mut parameters);
    }
    record.tables =
        vec![Table::of_rows("answers", &answers), Table::of_rows("parameters", &parameters)];
    Ok(record)
}

/// What every method finds on one problem.
struct Found {
    anchored: Answered,
    nuts: Answered,
    truth: Answered,
    /// Means and evaluations.
    others: Vec<(MethodId, Vec<f64>, f64)>,
}

impl Found {
    fn new(
        context: &Context<'_>,
        settings: &serde_json::Value,
        name: &str,
        problem: &Grouped,
    ) -> anyhow::Result<Found> {
        let work = context.work(settings, std::slice::from_ref(&problem.data));
        let parts = (&problem.model, &problem.rows);
        let until = |error: f64| Stop::Error { target: Target::PosteriorSds(error), budget: None };
        let ask = |step: &str, method: Method, stop: Stop| {
            let step = format!("{}-{step}", name.replace(' ', "-"));
            let seed = context.step_seed(&step).0;
            let hooks = RunHooks { observer: context.observer, ..RunHooks::none() };
            work.cached(&step, |_: &mut debias::Rng| ask(parts, (method, stop), seed, hooks))
        };
        let step = format!("{}-gaussian", name.replace(' ', "-"));
        let found = work.cached(&step, |_: &mut debias::Rng| {
            approximations(&problem.model, &problem.rows, context.step_seed(&step))
        })?;
        Ok(Found {
            anchored: ask("anchored", Method::Anchored, until(TARGET))?,
            nuts: ask("nuts", Method::Nuts, Stop::Replicates(DRAWS))?,
            truth: ask("truth", Method::Anchored, until(TRUTH))?,
            others: vec![
                (MethodId::Mode, found.mode.0, found.mode.1),
                (MethodId::NextOrderLaplace, found.next_order.0, found.next_order.1),
                (MethodId::GaussianVi, found.variational.0, found.variational.1),
            ],
        })
    }

    fn record(
        &self,
        name: &'static str,
        problem: &Grouped,
        record: &mut Record,
        answers: &mut Vec<Row>,
        parameters: &mut Vec<Parameter>,
    ) {
        use posterior::{Rows, Smooth};
        let Found { anchored, nuts, truth, others } = self;
        let rows = problem.rows.count() as f64;
        let mut add = |method: MethodId, means: &[f64], spent: f64, to_target: f64| {
            let off = |j: usize| (means[j] - truth.means[j]).abs() / truth.sds[j];
            let sds = problem.model.groups().iter().map(|group| off(group.log_sd));
            answers.push(Row {
                problem: name,
                method: method.name(),
                passes: spent / rows,
                worst: (0..means.len()).map(off).fold(0.0, f64::max),
                of_sds: sds.fold(0.0, f64::max),
                to_target: to_target / rows,
            });
        };
        for (method, means, spent) in others {
            add(*method, means, *spent, *spent);
        }
        for (method, answer) in
            [(MethodId::Anchored, anchored), (MethodId::NutsControlVariates, nuts)]
        {
            let to_target = answer.evaluations_for(TARGET, &truth.sds);
            add(method, &answer.means, answer.evaluations, to_target);
        }
        let log_sds: Vec<usize> = problem.model.groups().iter().map(|group| group.log_sd).collect();
        for j in 0..truth.means.len() {
            parameters.push(Parameter {
                problem: name,
                parameter: j as i64 + 1,
                log_sd: i64::from(log_sds.contains(&j)),
                truth: truth.means[j],
                sd: truth.sds[j],
                anchored: anchored.means[j],
                anchored_error: anchored.errors[j],
                nuts: nuts.means[j],
                nuts_error: nuts.errors[j],
            });
        }
        let mut put = |what: &str, value: f64| {
            record.quantities.push(Quantity::rough(&format!("{name}/{what}"), value));
        };
        put("parameters", truth.means.len() as f64);
        put("distinct rows", anchored.distinct_rows);
        put("anchored/largest standard error", anchored.worst_error(&truth.sds));
        put("truth/largest standard error", truth.worst_error(&truth.sds));
        put("nuts/least effective draws", nuts.effective);
    }
}

/// A method on a problem. Errors are in posterior sds, against the truth.
#[derive(Serialize)]
struct Row {
    problem: &'static str,
    method: &'static str,
    /// Set-up included.
    passes: f64,
    #[serde(rename = "worst error")]
    worst: f64,
    /// In the logarithms of the standard deviations.
    #[serde(rename = "error of the sds")]
    of_sds: f64,
    #[serde(rename = "passes to the target")]
    to_target: f64,
}

/// One parameter by both methods that state an error.
#[derive(Serialize)]
struct Parameter {
    problem: &'static str,
    parameter: i64,
    #[serde(rename = "is a log sd")]
    log_sd: i64,
    truth: f64,
    sd: f64,
    anchored: f64,
    #[serde(rename = "error of anchored")]
    anchored_error: f64,
    nuts: f64,
    #[serde(rename = "error of nuts")]
    nuts_error: f64,
}
