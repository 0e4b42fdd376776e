//! Ours: the front door on data as people have it, beside its rivals.
//!
//! Five regressions (see `problems/ordinary.rs`), each answered by [`unbiased_bayes::Estimation`] in the
//! way a user calls it: by the anchored path and by `auto`, to a standard error of 0.05 posterior sds in
//! the worst weight, and by NUTS, which has control variates and puts equal rows together. Beside them
//! the mode, the mean of the Laplace approximation to the next order, and Gaussian variational inference.
//!
//! *Truth.* A longer anchored run from another seed; NUTS, which shares nothing with it but the model, is
//! the check, by z-scores of all weights.
//!
//! *Cost of NUTS.* It takes four chains of a hundred draws, the fewest of the front door, and where rows
//! repeat as many as the target needs. Its cost to 0.05 posterior sds is that of its set-up and of its
//! draws times (its standard error / 0.05 sds)², the warm-up not counted.
//!
//! *Coverage.* Answers from many seeds on two smaller sets: how many of the 95 % intervals hold the truth,
//! which is known ten times as well as the answers there.

use crate::methods::approximations::{Approximations, approximations};
use crate::methods::front_door::{Answered, ask};
use crate::problems::ordinary::{Law, Ordinary, Regression};
use crate::{Context, Experiment, Work};
use posterior::{Rows, Smooth, SparseBlock};
use records::{MethodId, Quantity, Record, Scale, Table};
use serde::Serialize;
use serde_json::json;
use unbiased_bayes::{Method, RunHooks, Stop, Target};

mod claims;
mod coverage;

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
/// Rows repeat where there are so many of them to a distinct one: NUTS is cheap there.
const REPEATED: f64 = 4.0;

/// What differs between the scales.
struct Size {
    /// Laws, and how many rows of each.
    laws: [(Law, usize); 5],
    /// The standard error of the truth, in posterior sds.
    truth: f64,
    /// Draws of NUTS on rows that do not repeat.
    draws: usize,
    /// What intervals are judged on, and how often.
    judged: [Judged; 2],
    repetitions: usize,
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
        let laws = |tab: Law, zipf: usize, poisson: usize| {
            let (zipf, poisson) = (Law::Zipf { levels: zipf }, Law::Poisson { levels: poisson });
            [Law::Rare, Law::Heavy, tab, zipf, poisson].map(|law| (law, rows))
        };
        Size {
            laws: scale
                .pick(laws(Law::Tab { categories: 8, levels: 50 }, 300, 200), laws(small, 20, 20)),
            truth: scale.pick(0.01, 0.02),
            draws: 400,
            judged: [
                Judged { law: Law::Rare, rows: 10_000, truth: scale.pick(0.0005, 0.001) },
                Judged { law: small, rows: 5_000, truth: scale.pick(0.004, 0.02) },
            ],
            repetitions: scale.pick(200, 6),
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
    });
    let mut record = context.record(&EXPERIMENT, &settings);
    let (mut answers, mut weights) = (Vec::new(), Vec::new());
    for (law, rows) in size.laws {
        let problem = law.rows(context.seed.child(law.name()), rows)?;
        record.data.push(problem.data.clone());
        let work = context.work(&settings, std::slice::from_ref(&problem.data));
        let found = match law.regression()? {
            Regression::Logistic(model) => Runs::new(&model, &problem, &size, &work)?,
            Regression::Poisson(model) => Runs::new(&model, &problem, &size, &work)?,
        };
        found.record(&problem, &mut record, &mut answers, &mut weights);
    }
    let covered = coverage::run(context, &size, &settings, &mut record)?;
    record.tables = vec![
        Table::of_rows("answers", &answers),
        Table::of_rows("weights", &weights),
        Table::of_rows("coverage", &covered),
    ];
    record.notes.push(
        "NUTS runs four chains of a hundred draws, and to the target where rows repeat; its cost to the target is \
         that of its set-up and of its draws times (its standard error / the target)², its warm-up not counted. \
         A pass is as many likelihood evaluations as there are rows."
            .to_owned(),
    );
    Ok(record)
}

/// What every method finds on one problem.
struct Runs {
    anchored: Answered,
    auto: Answered,
    nuts: Answered,
    truth: Answered,
    gaussian: Approximations,
}

/// The hooks of an answer inside a step, which is kept as a whole.
fn hooks<'a>(context: &'a Context<'_>) -> RunHooks<'a> {
    RunHooks { observer: context.observer, ..RunHooks::none() }
}

/// Until every weight has this standard error in posterior sds.
fn until(error: f64) -> Stop {
    Stop::Error { target: Target::PosteriorSds(error), budget: None }
}

impl Runs {
    fn new<M>(model: &M, problem: &Ordinary, size: &Size, work: &Work<'_>) -> anyhow::Result<Runs>
    where
        M: Smooth<Block = SparseBlock>,
    {
        let (name, context) = (problem.law.name(), work.context);
        // The seed of `anchored` and `auto` is one: they differ in nothing but the choice.
        let run = |step: &str, seed: &str, method: Method, stop: Stop| {
            let seed = context.step_seed(&format!("{name}-{seed}")).0;
            let parts = (model, &problem.rows);
            let answer = |_: &mut debias::Rng| ask(parts, (method, stop), seed, hooks(context));
            work.cached(&format!("{name}-{step}"), answer)
        };
        let anchored = run("anchored", "anchored", Method::Anchored, until(TARGET))?;
        let repeats = REPEATED * anchored.distinct_rows <= problem.rows.count() as f64;
        let enough = if repeats { until(TARGET) } else { Stop::Replicates(size.draws) };
        let seed = context.step_seed(&format!("{name}-gaussian"));
        Ok(Runs {
            auto: run("auto", "anchored", Method::Auto, until(TARGET))?,
            nuts: run("nuts", "nuts", Method::Nuts, enough)?,
            truth: run("truth", "truth", Method::Anchored, until(size.truth))?,
            gaussian: work.cached(&format!("{name}-gaussian"), |_| {
                approximations(model, &problem.rows, seed)
            })?,
            anchored,
        })
    }

    /// Adds quantities, and the rows of tables.
    fn record(
        &self,
        problem: &Ordinary,
        record: &mut Record,
        answers: &mut Vec<Row>,
        weights: &mut Vec<Weight>,
    ) {
        let name = problem.law.name();
        let rows = problem.rows.count() as f64;
        let truth = &self.truth;
        let mut add = |method: MethodId, means: &[f64], (spent, cost): (f64, f64), by: &str| {
            let off = means.iter().zip(&truth.means).zip(&truth.sds);
            let off: Vec<f64> = off.map(|((mean, truth), sd)| (mean - truth).abs() / sd).collect();
            let squares: f64 = off.iter().map(|off| off * off).sum();
            answers.push(Row {
                problem: name,
                method: method.name(),
                evaluations: spent,
                passes: spent / rows,
                worst: off.iter().copied().fold(0.0, f64::max),
                rms: (squares / off.len() as f64).sqrt(),
                claimed: 0.0,
                to_target: cost / rows,
                predicted: 0.0,
                taken: by.to_owned(),
            });
        };
        let gaussian = &self.gaussian;
        for (method, (means, work)) in [
            (MethodId::Mode, &gaussian.mode),
            (MethodId::NextOrderLaplace, &gaussian.next_order),
            (MethodId::GaussianVi, &gaussian.variational),
        ] {
            add(method, means, (*work, *work), method.name());
        }
        for (method, answer) in [
            (MethodId::Anchored, &self.anchored),
            (MethodId::Auto, &self.auto),
            (MethodId::NutsControlVariates, &self.nuts),
        ] {
            let cost = answer.evaluations_for(TARGET, &truth.sds);
            add(method, &answer.means, (answer.evaluations, cost), &answer.method);
        }
        for (row, answer) in answers.iter_mut().rev().zip([&self.nuts, &self.auto, &self.anchored])
        {
            row.claimed = answer.worst_error(&truth.sds);
            row.predicted = answer.predicted / rows;
        }
        for (index, &sd) in truth.sds.iter().enumerate() {
            let of = |answer: &Answered| (answer.means[index], answer.errors[index]);
            let ((anchored, anchored_error), (nuts, nuts_error)) =
                (of(&self.anchored), of(&self.nuts));
            weights.push(Weight {
                problem: name,
                weight: index as i64 + 1,
                truth: truth.means[index],
                truth_error: truth.errors[index],
                sd,
                anchored,
                anchored_error,
                nuts,
                nuts_error,
                mode: gaussian.mode.0[index],
                next_order: gaussian.next_order.0[index],
                variational: gaussian.variational.0[index],
            });
        }
        let mut put = |what: &str, value: f64| {
            record.quantities.push(Quantity::rough(&format!("{name}/{what}"), value));
        };
        put("weights", problem.law.weights() as f64);
        put("distinct rows", self.anchored.distinct_rows);
        put("truth/passes", truth.evaluations / rows);
        put("truth/largest standard error", truth.worst_error(&truth.sds));
        put("nuts/least effective draws", self.nuts.effective);
        put("rms z of anchored and nuts", rms_z(&self.anchored, &self.nuts));
        put("rms z of truth and nuts", rms_z(truth, &self.nuts));
        record.notes.push(format!("{name}: auto took {}.", self.auto.reason));
    }
}

/// The root mean square, over all weights, of differences in their joint standard errors.
fn rms_z(one: &Answered, other: &Answered) -> f64 {
    let z = |j: usize| {
        (one.means[j] - other.means[j]).powi(2) / (one.errors[j].powi(2) + other.errors[j].powi(2))
    };
    ((0..one.means.len()).map(z).sum::<f64>() / one.means.len() as f64).sqrt()
}

/// A method on a problem. Errors are in posterior sds, against the truth.
#[derive(Serialize)]
struct Row {
    problem: &'static str,
    method: &'static str,
    /// Set-up included.
    evaluations: f64,
    passes: f64,
    #[serde(rename = "worst error")]
    worst: f64,
    #[serde(rename = "rms error")]
    rms: f64,
    /// The largest standard error; zero where none is claimed.
    #[serde(rename = "largest standard error")]
    claimed: f64,
    #[serde(rename = "passes to the target")]
    to_target: f64,
    /// Zero where nothing is predicted.
    #[serde(rename = "predicted passes")]
    predicted: f64,
    taken: String,
}

/// One weight by every method.
#[derive(Serialize)]
struct Weight {
    problem: &'static str,
    weight: i64,
    truth: f64,
    #[serde(rename = "error of the truth")]
    truth_error: f64,
    sd: f64,
    anchored: f64,
    #[serde(rename = "error of anchored")]
    anchored_error: f64,
    nuts: f64,
    #[serde(rename = "error of nuts")]
    nuts_error: f64,
    mode: f64,
    #[serde(rename = "next order")]
    next_order: f64,
    variational: f64,
}
