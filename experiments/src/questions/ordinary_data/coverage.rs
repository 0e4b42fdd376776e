//! How many of the 95 % intervals of the anchored path, and of samplers of rows, hold the truth.

use super::samplers::{self, METHODS};
use super::{Judged, Size, TARGET, hooks, until};
use crate::methods::front_door::{Answered, ask};
use crate::problems::ordinary::{Ordinary, Regression};
use crate::{Context, Work};
use posterior::{Smooth, SparseBlock};
use records::{Quantity, Record};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unbiased_bayes::Method;

/// One repetition.
#[derive(Serialize)]
pub(super) struct Covered {
    problem: &'static str,
    repetition: i64,
    /// Intervals that hold the truth, of all.
    covered: i64,
    intervals: i64,
    /// (estimate − truth) / standard error, root mean square over the weights.
    #[serde(rename = "rms z")]
    z: f64,
    evaluations: f64,
}

/// A sampler of rows on a problem, all repetitions together.
#[derive(Serialize)]
pub(super) struct CoveredBySampler {
    problem: &'static str,
    method: &'static str,
    repetitions: i64,
    /// Repetitions with an answer.
    answers: i64,
    covered: i64,
    intervals: i64,
}

/// What is kept of a repetition.
#[derive(Serialize, Deserialize)]
struct Kept {
    covered: i64,
    z: f64,
    evaluations: f64,
}

pub(super) fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    record: &mut Record,
) -> anyhow::Result<(Vec<Covered>, Vec<CoveredBySampler>)> {
    let (mut rows, mut of_samplers) = (Vec::new(), Vec::new());
    for judged in size.judged {
        let Judged { law, rows: count, .. } = judged;
        let problem = law.rows(context.seed.child("coverage").child(law.name()), count)?;
        record.data.push(problem.data.clone());
        let work = context.work(settings, std::slice::from_ref(&problem.data));
        let asked = (judged.truth, size.repetitions);
        let found = match law.regression()? {
            Regression::Logistic(model) => {
                let (truth, found) = repeat(&model, &problem, asked, &work)?;
                let step = format!("coverage-{}-samplers", law.name());
                let step = (step.as_str(), size.repetitions);
                let all = samplers::sampled(&model, &problem, step, &work)?;
                of_samplers.extend(METHODS.map(|method| {
                    let own = all.iter().filter(|(one, _)| *one == method);
                    let covered: Vec<usize> =
                        own.filter_map(|(_, found)| found.covered(&truth.means)).collect();
                    CoveredBySampler {
                        problem: law.name(),
                        method: method.name(),
                        repetitions: size.repetitions as i64,
                        answers: covered.len() as i64,
                        covered: covered.iter().sum::<usize>() as i64,
                        intervals: (covered.len() * law.weights()) as i64,
                    }
                }));
                found
            }
            Regression::Poisson(model) => repeat(&model, &problem, asked, &work)?.1,
        };
        let intervals = law.weights() as i64;
        let all = (found.len() as i64 * intervals) as f64;
        let covered: i64 = found.iter().map(|one| one.covered).sum();
        let share = covered as f64 / all;
        // Intervals of one repetition share points: the error is that of the shares of repetitions.
        let spread = |one: &Kept| (one.covered as f64 / intervals as f64 - share).powi(2);
        let variance =
            found.iter().map(spread).sum::<f64>() / (found.len() as f64 - 1.0) / found.len() as f64;
        let name = format!("{}/coverage", law.name());
        record.quantities.push(Quantity::estimate(&name, share, variance.sqrt()));
        rows.extend((1..).zip(found).map(|(repetition, one)| Covered {
            problem: law.name(),
            repetition,
            covered: one.covered,
            intervals,
            z: one.z,
            evaluations: one.evaluations,
        }));
    }
    Ok((rows, of_samplers))
}

/// The truth, and the repetitions, each from a seed of its own.
fn repeat<M>(
    model: &M,
    problem: &Ordinary,
    (error_of_truth, repetitions): (f64, usize),
    work: &Work<'_>,
) -> anyhow::Result<(Answered, Vec<Kept>)>
where
    M: Smooth<Block = SparseBlock>,
{
    let (context, name) = (work.context, problem.law.name());
    let answer = |error: f64, seed: u64| {
        ask((model, &problem.rows), (Method::Anchored, until(error)), seed, hooks(context))
    };
    let step = format!("coverage-{name}");
    let truth = format!("{step}-truth");
    let truth = work.cached(&truth, |_| answer(error_of_truth, context.step_seed(&truth).0))?;
    let found = work.each(&step, repetitions, |repetition, _| {
        let seed = context.step_seed(&step).child(&repetition.to_string());
        let found = answer(TARGET, seed.0)?;
        let hold = |j: &usize| {
            let (low, high) = found.intervals[*j];
            (low..=high).contains(&truth.means[*j])
        };
        let z = |j: usize| ((found.means[j] - truth.means[j]) / found.errors[j]).powi(2);
        let weights = truth.means.len();
        Ok(Kept {
            covered: (0..weights).filter(hold).count() as i64,
            z: ((0..weights).map(z).sum::<f64>() / weights as f64).sqrt(),
            evaluations: found.evaluations,
        })
    })?;
    Ok((truth, found))
}
