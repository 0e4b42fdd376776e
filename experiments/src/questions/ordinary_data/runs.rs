//! Every method on one problem.

use super::samplers::Sampled;
use super::{FEW, REPEATED, Size, TARGET, UNIFORM_CAP, hooks, until};
use crate::Work;
use crate::methods::approximations::{Approximations, approximations};
use crate::methods::base_alone::{BaseAlone, base_alone};
use crate::methods::front_door::{Answered, ask};
use crate::methods::nuts::{Nuts, nuts};
use crate::methods::uniform::uniform;
use crate::problems::ordinary::Ordinary;
use anchored::{CountedRows, WholePosterior};
use posterior::{Rows, Smooth, SparseBlock, Target as _};
use records::{MethodId, Quantity, Record};
use serde::Serialize;
use unbiased_bayes::{Method, Stop};

/// Gradients over all rows, equal ones apart, that are timed.
const TIMED: usize = 5;

/// What every method finds on one problem.
pub(super) struct Runs {
    anchored: Answered,
    auto: Answered,
    base: BaseAlone,
    uniform: Result<Answered, String>,
    nuts: Nuts,
    truth: Answered,
    gaussian: Approximations,
    samplers: Vec<(MethodId, Sampled)>,
}

impl Runs {
    pub(super) fn new<M>(
        model: &M,
        problem: &Ordinary,
        samplers: Vec<(MethodId, Sampled)>,
        size: &Size,
        work: &Work<'_>,
    ) -> anyhow::Result<Runs>
    where
        M: Smooth<Block = SparseBlock>,
    {
        let (name, context) = (problem.law.name(), work.context);
        let parts = (model, &problem.rows);
        let step_of = |step: &str| format!("{name}-{step}");
        let seed_of = |step: &str| context.step_seed(&step_of(step)).0;
        // The seed of `anchored`, `auto` and `base` is one: they differ in nothing else.
        let run = |step: &str, seed: &str, method: Method, stop: Stop| {
            let answer =
                |_: &mut debias::Rng| ask(parts, (method, stop), seed_of(seed), hooks(context));
            work.cached(&step_of(step), answer)
        };
        let anchored = run("anchored", "anchored", Method::Anchored, until(TARGET))?;
        let rows = problem.rows.count() as f64;
        let repeats = REPEATED * anchored.distinct_rows <= rows;
        let draws = if problem.law.weights() <= FEW { size.draws.1 } else { size.draws.0 };
        let enough = if repeats { until(TARGET) } else { Stop::Replicates(draws) };
        time_gradients(model, problem, work)?;
        Ok(Runs {
            auto: run("auto", "anchored", Method::Auto, until(TARGET))?,
            base: work.cached(&step_of("base"), |_| {
                base_alone(parts, TARGET, seed_of("anchored"), context.observer)
            })?,
            uniform: work.cached(&step_of("uniform"), |_| {
                uniform(parts, (TARGET, UNIFORM_CAP), seed_of("uniform"), hooks(context))
            })?,
            nuts: work.cached(&step_of("nuts"), |_| {
                nuts(parts, enough, seed_of("nuts"), hooks(context))
            })?,
            truth: run("truth", "truth", Method::Anchored, until(size.truth))?,
            gaussian: work.cached(&step_of("gaussian"), |_| {
                approximations(model, &problem.rows, context.step_seed(&step_of("gaussian")))
            })?,
            anchored,
            samplers,
        })
    }

    /// Adds quantities, and the rows of tables.
    pub(super) fn record(
        &self,
        problem: &Ordinary,
        record: &mut Record,
        answers: &mut Vec<Row>,
        weights: &mut Vec<Weight>,
    ) {
        let name = problem.law.name();
        let rows = problem.rows.count() as f64;
        let (truth, gaussian) = (&self.truth, &self.gaussian);
        let mut add = |method: MethodId, means: &[f64], figures: Figures, by: &str| {
            let off = means.iter().zip(&truth.means).zip(&truth.sds);
            let off: Vec<f64> = off.map(|((mean, truth), sd)| (mean - truth).abs() / sd).collect();
            let squares: f64 = off.iter().map(|off| off * off).sum();
            answers.push(Row {
                problem: name,
                method: method.name(),
                evaluations: figures.spent,
                passes: figures.spent / rows,
                worst: off.iter().copied().fold(0.0, f64::max),
                rms: (squares / off.len() as f64).sqrt(),
                claimed: figures.claimed,
                to_target: figures.cost / rows,
                predicted: figures.predicted / rows,
                taken: by.to_owned(),
            });
        };
        for (method, (means, work)) in [
            (MethodId::Mode, &gaussian.mode),
            (MethodId::NextOrderLaplace, &gaussian.next_order),
            (MethodId::GaussianVi, &gaussian.variational),
            (MethodId::BaseAlone, &(self.base.averages.means.clone(), self.base.evaluations)),
        ] {
            add(method, means, Figures::without_error(*work), method.name());
        }
        let mut silent = Vec::new();
        let nuts = &self.nuts.linear;
        let uniform = self.uniform.as_ref().ok();
        for (method, answer) in [
            (MethodId::AnchoredUniform, uniform),
            (MethodId::Anchored, Some(&self.anchored)),
            (MethodId::Auto, Some(&self.auto)),
            (MethodId::NutsControlVariates, Some(nuts)),
        ] {
            let Some(answer) = answer else { continue };
            let figures = Figures {
                spent: answer.evaluations,
                cost: answer.evaluations_for(TARGET, &truth.sds),
                claimed: answer.worst_error(&truth.sds),
                predicted: answer.predicted,
            };
            add(method, &answer.means, figures, &answer.method);
        }
        for (method, sampled) in &self.samplers {
            match sampled.figures(&truth.sds) {
                Some((means, figures)) => add(*method, means, figures, method.name()),
                None => silent.push((*method, sampled.sentence().unwrap_or_default())),
            }
        }
        // The same draws, other estimates and other counts of the rows of a gradient.
        let apart = rows / nuts.distinct_rows;
        let Nuts { plain, cubic, .. } = &self.nuts;
        for (method, means, claimed, times) in [
            (MethodId::NutsCubic, &cubic.means, cubic.worst_error(&truth.sds), 1.0),
            (MethodId::FullNuts, &plain.means, plain.worst_error(&truth.sds), apart),
            (MethodId::NutsAllRowsLinear, &nuts.means, nuts.worst_error(&truth.sds), apart),
            (MethodId::NutsAllRowsCubic, &cubic.means, cubic.worst_error(&truth.sds), apart),
        ] {
            let cost = times * nuts.evaluations_at(claimed / TARGET);
            let figures =
                Figures { spent: times * nuts.evaluations, cost, claimed, predicted: 0.0 };
            add(method, means, figures, "nuts");
        }
        for (index, &sd) in truth.sds.iter().enumerate() {
            let of = |answer: &Answered| (answer.means[index], answer.errors[index]);
            let ((anchored, anchored_error), (nuts, nuts_error)) = (of(&self.anchored), of(nuts));
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
                base: self.base.averages.means[index],
            });
        }
        let mut put = |what: &str, value: f64| {
            record.quantities.push(Quantity::rough(&format!("{name}/{what}"), value));
        };
        put("weights", problem.law.weights() as f64);
        put("distinct rows", self.anchored.distinct_rows);
        put("base rows", self.base.rows as f64);
        put("truth/passes", truth.evaluations / rows);
        put("truth/largest standard error", truth.worst_error(&truth.sds));
        put("nuts/least effective draws", nuts.effective);
        put("uniform/answered", f64::from(u8::from(self.uniform.is_ok())));
        put("rms z of anchored and nuts", rms_z(&self.anchored, (&nuts.means, &nuts.errors)));
        put("rms z of truth and nuts", rms_z(truth, (&nuts.means, &nuts.errors)));
        let Nuts { early, early_share, .. } = &self.nuts;
        let claimed = early.worst_error(&truth.sds) * early_share.sqrt();
        put("nuts/passes to the target at first", nuts.evaluations_at(claimed / TARGET) / rows);
        put(
            "rms z of anchored and nuts at first",
            rms_z(&self.anchored, (&early.means, &early.errors)),
        );
        record.notes.push(format!("{name}: auto took {}.", self.auto.reason));
        for (method, sentence) in silent {
            record.notes.push(format!("{name}: no answer by {}: {sentence}.", method.label()));
        }
        if let Err(sentence) = &self.uniform {
            record.notes.push(format!("{name}: no answer with uniform samples: {sentence}."));
        }
    }
}

/// Work and errors of an answer.
pub(super) struct Figures {
    /// Evaluations.
    pub(super) spent: f64,
    /// Evaluations to the target.
    pub(super) cost: f64,
    /// The largest standard error in posterior sds.
    pub(super) claimed: f64,
    /// Evaluations that were predicted.
    pub(super) predicted: f64,
}

impl Figures {
    /// Of an answer that states no error.
    fn without_error(spent: f64) -> Figures {
        Figures { spent, cost: spent, claimed: 0.0, predicted: 0.0 }
    }
}

/// A step whose seconds are those of a few gradients over all rows, equal ones apart.
fn time_gradients<M>(model: &M, problem: &Ordinary, work: &Work<'_>) -> anyhow::Result<()>
where
    M: Smooth<Block = SparseBlock>,
{
    let regression = model.regression();
    let regression = regression.ok_or_else(|| anyhow::anyhow!("no linear predictors"))?;
    let mut rows = CountedRows::each(&problem.rows);
    rows.keep(model.dimension());
    work.timed(&format!("{}-gradients", problem.law.name()), || {
        let mut posterior = WholePosterior::new(model, regression, &rows);
        let (theta, mut gradient) = (model.start(), vec![0.0; model.dimension()]);
        for _ in 0..TIMED {
            std::hint::black_box(posterior.gradient(&theta, &mut gradient));
        }
        Ok(())
    })
}

/// The root mean square, over all weights, of differences in their joint standard errors.
fn rms_z(one: &Answered, (means, errors): (&[f64], &[f64])) -> f64 {
    let z =
        |j: usize| (one.means[j] - means[j]).powi(2) / (one.errors[j].powi(2) + errors[j].powi(2));
    ((0..one.means.len()).map(z).sum::<f64>() / one.means.len() as f64).sqrt()
}

/// A method on a problem. Errors are in posterior sds, against the truth.
#[derive(Serialize)]
pub(super) struct Row {
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
pub(super) struct Weight {
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
    base: f64,
}
