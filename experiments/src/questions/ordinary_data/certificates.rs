//! Certificates of the Laplace approximation, and quantiles, against long runs of NUTS.
//!
//! Answers are to the error that `unbiased certify` asks for; that of the quantiles has many more replicates. With
//! a few dozen, a standard error is itself so uncertain that z-scores have the tails of a Student-t with as many
//! degrees of freedom, and the largest of a thousand passes four by chance. What NUTS is off by itself is small beside the
//! intervals that are judged, and counted: their half widths are joined in squares with two of its standard
//! errors, and z-scores of quantiles have both errors.

use super::{Certified, Size, hooks, until};
use crate::problems::ordinary::{Law, Ordinary, Regression};
use crate::{Context, Work};
use posterior::{Smooth, SparseBlock};
use records::{Quantity, Record};
use samplers::{Combination, Functional};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unbiased_bayes::{Answer, Estimation, Method, Stop};

/// The standard error that `unbiased certify` asks for, in posterior sds.
const CERTIFY: f64 = 0.02;
/// Replicates of the answer whose quantiles are compared.
pub(super) const MANY: usize = 512;
/// Two standard errors of NUTS, by which intervals are widened when they are judged.
const TWO: f64 = 1.96;
/// The weight of the rare dummy, of which P(θ ≤ 0) is wanted.
const DUMMY: usize = 4;

/// One repetition: how many intervals hold what NUTS says, of all weights.
#[derive(Serialize)]
pub(super) struct Certificate {
    problem: &'static str,
    repetition: i64,
    weights: i64,
    /// Of the certified errors of the Laplace mean, and of the mean to the next order.
    laplace: i64,
    #[serde(rename = "next order")]
    next_order: i64,
    /// Of the posterior means themselves.
    means: i64,
    /// The largest certified error of a Laplace mean, in posterior sds.
    #[serde(rename = "worst laplace")]
    worst: f64,
}

/// One quantile.
#[derive(Serialize)]
pub(super) struct QuantileRow {
    problem: &'static str,
    weight: i64,
    probability: f64,
    anchored: f64,
    #[serde(rename = "error of anchored")]
    anchored_error: f64,
    nuts: f64,
    #[serde(rename = "error of nuts")]
    nuts_error: f64,
    z: f64,
}

/// What is kept of an answer.
#[derive(Serialize, Deserialize)]
struct Kept {
    means: Vec<f64>,
    errors: Vec<f64>,
    sds: Vec<f64>,
    intervals: Vec<(f64, f64)>,
    /// For each approximation, Laplace's and to the next order: its mean, and the interval of its error.
    certified: [Vec<(f64, f64, f64)>; 2],
    /// Probability, value and standard error.
    quantiles: Vec<Vec<(f64, f64, f64)>>,
    /// P(θ ≤ 0) of the rare dummy and its standard error.
    chance: Option<(f64, f64)>,
}

impl Kept {
    fn new(answer: &Answer, weights: usize) -> Kept {
        let (means, rest) = answer.estimates.split_at(weights);
        let of = |name: &str| {
            let own = answer.approximations.iter().find(|one| one.name == name);
            let own = own.map_or(&[][..], |one| &one.parameters[..]);
            let one = |one: &unbiased_bayes::CertifiedParameter| {
                let error = one.error?;
                Some((one.mean?, error.interval.low, error.interval.high))
            };
            own.iter().filter_map(one).collect()
        };
        Kept {
            means: means.iter().map(|one| one.summary.mean).collect(),
            errors: means.iter().map(|one| one.summary.standard_error).collect(),
            sds: means.iter().map(|one| one.posterior_sd.unwrap_or(0.0)).collect(),
            intervals: means
                .iter()
                .map(|one| (one.summary.interval.low, one.summary.interval.high))
                .collect(),
            certified: [of("Laplace"), of("next-order")],
            quantiles: means
                .iter()
                .map(|one| {
                    let all = one.quantiles.iter();
                    all.map(|q| (q.probability, q.value, q.standard_error)).collect()
                })
                .collect(),
            chance: rest.first().map(|one| (one.summary.mean, one.summary.standard_error)),
        }
    }

    /// How many certificates hold against a reference.
    fn holds(&self, approximation: usize, truth: &Kept) -> usize {
        let one = |(j, &(mean, low, high)): (usize, &(f64, f64, f64))| {
            let error = (mean - truth.means[j]) / truth.sds[j];
            inside(error, (low, high), truth.errors[j] / truth.sds[j])
        };
        self.certified[approximation].iter().enumerate().filter(|&one_of| one(one_of)).count()
    }

    /// How many intervals of posterior means hold against a reference.
    fn hold(&self, truth: &Kept) -> usize {
        let one = |j: &usize| inside(truth.means[*j], self.intervals[*j], truth.errors[*j]);
        (0..self.means.len()).filter(one).count()
    }
}

/// Whether an interval holds a value that is itself known up to a standard error.
fn inside(value: f64, (low, high): (f64, f64), error: f64) -> bool {
    (value - 0.5 * (low + high)).abs() <= (0.5 * (high - low)).hypot(TWO * error)
}

pub(super) fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    record: &mut Record,
) -> anyhow::Result<(Vec<Certificate>, Vec<QuantileRow>)> {
    let (mut certificates, mut quantiles) = (Vec::new(), Vec::new());
    for certified in size.certified {
        let law = certified.law;
        let seed = context.seed.child("certificates").child(law.name());
        let problem = law.rows(seed, certified.rows)?;
        record.data.push(problem.data.clone());
        let work = context.work(settings, std::slice::from_ref(&problem.data));
        let Answers { truth, found, fine } = match law.regression()? {
            Regression::Logistic(model) => answers(&model, &problem, certified, &work)?,
            Regression::Poisson(model) => answers(&model, &problem, certified, &work)?,
        };
        for (repetition, one) in (1..).zip(&found) {
            let off = one.certified[0].iter().zip(&one.means).zip(&one.sds);
            let off = off.map(|((approximate, mean), sd)| ((approximate.0 - mean) / sd).abs());
            certificates.push(Certificate {
                problem: law.name(),
                repetition,
                weights: one.means.len() as i64,
                laplace: one.holds(0, &truth) as i64,
                next_order: one.holds(1, &truth) as i64,
                means: one.hold(&truth) as i64,
                worst: off.fold(0.0, f64::max),
            });
        }
        let mut put = |what: &str, value: f64| {
            record.quantities.push(Quantity::rough(&format!("{}/{what}", law.name()), value));
        };
        // As they were judged at first: of an answer as it is asked for, with its few dozen replicates.
        put("quantiles/largest z at first", largest_z(&rows_of(law, &found[0], &truth)));
        let own = rows_of(law, &fine, &truth);
        let squares: f64 = own.iter().map(|one| one.z * one.z).sum();
        put("quantiles", own.len() as f64);
        put("quantiles/largest z", largest_z(&own));
        put("quantiles/rms z", (squares / own.len() as f64).sqrt());
        quantiles.extend(own);
        if let (Some((ours, error)), Some((theirs, other))) = (fine.chance, truth.chance) {
            put("chance", ours);
            put("chance/standard error", error);
            put("chance/nuts", theirs);
            put("chance/z", (ours - theirs) / error.hypot(other));
        }
    }
    Ok((certificates, quantiles))
}

/// All quantiles of an answer beside those of NUTS.
fn rows_of(law: Law, ours: &Kept, nuts: &Kept) -> Vec<QuantileRow> {
    let mut rows = Vec::new();
    for (weight, (ours, theirs)) in (1..).zip(ours.quantiles.iter().zip(&nuts.quantiles)) {
        for (&(probability, anchored, error), &(_, nuts, nuts_error)) in ours.iter().zip(theirs) {
            rows.push(QuantileRow {
                problem: law.name(),
                weight,
                probability,
                anchored,
                anchored_error: error,
                nuts,
                nuts_error,
                z: (anchored - nuts) / error.hypot(nuts_error),
            });
        }
    }
    rows
}

fn largest_z(rows: &[QuantileRow]) -> f64 {
    rows.iter().map(|one| one.z.abs()).fold(0.0, f64::max)
}

/// The long run of NUTS, and the answers that are judged by it.
struct Answers {
    truth: Kept,
    found: Vec<Kept>,
    /// The one with many replicates.
    fine: Kept,
}

fn answers<M>(
    model: &M,
    problem: &Ordinary,
    certified: Certified,
    work: &Work<'_>,
) -> anyhow::Result<Answers>
where
    M: Smooth<Block = SparseBlock>,
{
    let (context, weights) = (work.context, problem.law.weights());
    let mut wanted: Vec<(String, Functional)> = (1..)
        .zip(Functional::means(weights))
        .map(|(weight, mean)| (format!("θ{weight}"), mean))
        .collect();
    if problem.law == Law::Rare {
        let dummy = Combination(vec![(DUMMY, 1.0)]);
        wanted.push(("P(dummy ≤ 0)".to_owned(), Functional::Below(dummy, 0.0)));
    }
    let question = |method: Method, stop: Stop, seed: u64| {
        let question = Estimation::new(model, &problem.rows).asking(wanted.clone());
        question.method(method).stop(stop).seed(seed).hooks(hooks(context))
    };
    let step = format!("certificates-{}", problem.law.name());
    let nuts = format!("{step}-nuts");
    let truth = work.cached(&nuts, |_| {
        let stop = Stop::Replicates(certified.draws);
        let answer = question(Method::Nuts, stop, context.step_seed(&nuts).0).run()?;
        Ok(Kept::new(&answer, weights))
    })?;
    let quantiles = format!("{step}-quantiles");
    let fine = work.cached(&quantiles, |_| {
        let seed = context.step_seed(&quantiles).0;
        let answer = question(Method::Anchored, Stop::Replicates(MANY), seed).run()?;
        Ok(Kept::new(&answer, weights))
    })?;
    let found = work.each(&step, certified.repetitions, |repetition, _| {
        let seed = context.step_seed(&step).child(&repetition.to_string());
        let answer = question(Method::Anchored, until(CERTIFY), seed.0).certify(Vec::new())?;
        Ok(Kept::new(&answer, weights))
    })?;
    Ok(Answers { truth, found, fine })
}
