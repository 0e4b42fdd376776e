//! The front door, as people call it: a model and rows in, an answer out.

use posterior::{Rows, Smooth};
use serde::{Deserialize, Serialize};
use unbiased_bayes::{Answer, Estimation, Method, RunHooks, Stop};

/// Transitions that a chain of NUTS discards, by the front door.
const WARM_UP: f64 = 50.0;

/// What of an answer goes into a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// The posterior means.
    pub means: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
    /// Their 95 % intervals.
    pub intervals: Vec<(f64, f64)>,
    /// The posterior sds; zero where the estimate of a variance is not positive.
    pub sds: Vec<f64>,
    /// The method that was used.
    pub method: String,
    /// Why, in one sentence.
    pub reason: String,
    /// Likelihood evaluations, set-up included.
    pub evaluations: f64,
    /// Those before the first replicate or transition.
    pub setup: f64,
    /// What the method was predicted to cost; zero where nothing was predicted.
    pub predicted: f64,
    /// Rows that differ from each other.
    pub distinct_rows: f64,
    /// The smallest effective number of draws of NUTS, or zero.
    pub effective: f64,
    /// Draws of each chain of NUTS, or zero.
    pub draws: f64,
}

/// Asks for the posterior means of all weights.
pub fn ask<R, M>(
    (model, rows): (&M, &R),
    (method, stop): (Method, Stop),
    seed: u64,
    hooks: RunHooks<'_>,
) -> anyhow::Result<Answered>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let question = Estimation::new(model, rows).method(method).stop(stop).seed(seed).hooks(hooks);
    Ok(Answered::from(question.run()?))
}

impl From<Answer> for Answered {
    fn from(answer: Answer) -> Answered {
        let all = &answer.estimates;
        let own = answer.predicted.iter().find(|predicted| predicted.method == answer.method);
        let chains = answer.chains;
        Answered {
            means: all.iter().map(|one| one.summary.mean).collect(),
            errors: all.iter().map(|one| one.summary.standard_error).collect(),
            intervals: all
                .iter()
                .map(|one| (one.summary.interval.low, one.summary.interval.high))
                .collect(),
            sds: all.iter().map(|one| one.posterior_sd.unwrap_or(0.0)).collect(),
            method: answer.method.name().to_owned(),
            evaluations: answer.cost.evaluations() as f64,
            setup: answer.cost.setup.evaluations() as f64,
            predicted: own.map_or(0.0, |predicted| predicted.evaluations),
            distinct_rows: answer.distinct_rows as f64,
            effective: chains.map_or(0.0, |chains| chains.least_effective),
            draws: chains.map_or(0.0, |chains| chains.draws as f64),
            reason: answer.reason,
        }
    }
}

impl Answered {
    /// The largest standard error in these posterior sds.
    pub fn worst_error(&self, sds: &[f64]) -> f64 {
        self.errors.iter().zip(sds).map(|(error, sd)| error / sd).fold(0.0, f64::max)
    }

    /// Evaluations for this standard error in the worst weight, in these posterior sds. Draws of NUTS
    /// are scaled by the square of the ratio of the errors; its warm-up is not counted.
    pub fn evaluations_for(&self, target: f64, sds: &[f64]) -> f64 {
        if self.draws == 0.0 {
            return self.evaluations;
        }
        self.evaluations_at(self.worst_error(sds) / target)
    }

    /// Evaluations of NUTS if its standard error in the worst weight is so many times the target, by
    /// whatever estimate.
    pub fn evaluations_at(&self, times: f64) -> f64 {
        let of_draws = (self.evaluations - self.setup) * self.draws / (self.draws + WARM_UP);
        self.setup + of_draws * times.powi(2)
    }
}
