//! The answers of a method at every budget, over many repetitions.

use super::{Race, Row};
use debias::{Estimator, Rng};
use serde::{Deserialize, Serialize};

/// One answer.
#[derive(Serialize, Deserialize)]
pub struct Answer {
    pub means: Vec<f64>,
    /// Half widths of the claimed 95 % intervals; none where no interval is claimed.
    pub halves: Vec<f64>,
    /// Likelihood evaluations charged to it beyond the set-up.
    pub spent: f64,
    /// Evaluations really done for it: more where a replicate was cut short by the end of the budget.
    pub done: f64,
}

impl Answer {
    /// An answer that claims no interval.
    pub fn plain(means: Vec<f64>, spent: f64) -> Answer {
        Answer { means, halves: Vec::new(), spent, done: spent }
    }
}

/// A method that has been told its budget.
pub type Ask<'a> = Box<dyn Fn(&mut Rng) -> anyhow::Result<Answer> + Send + Sync + 'a>;

/// A baseline, whose answers claim no interval; `setup` evaluations of its own count went before.
pub fn plainly<'a, E: Estimator + Send + 'a>(estimator: E, setup: f64) -> Ask<'a> {
    Box::new(move |rng| {
        let answer = estimator.estimate(0, rng)?;
        Ok(Answer::plain(answer.value, answer.cost.evaluations() as f64 - setup))
    })
}

/// What has to be done once before a method can answer.
#[derive(Clone, Default)]
pub struct Setup {
    /// The step of the run that did it; none if there was nothing to do.
    pub step: String,
    pub evaluations: f64,
}

/// What a method did in all its answers together, set-up not included: evaluations of whole steps, whose
/// seconds are in the provenance.
#[derive(Serialize)]
pub struct Done {
    problem: &'static str,
    method: &'static str,
    #[serde(rename = "set-up")]
    setup: String,
    #[serde(rename = "set-up evaluations")]
    setup_evaluations: f64,
    step: String,
    evaluations: f64,
}

impl Race<'_> {
    /// Whether the method is run.
    pub fn wants(&self, method: &str) -> bool {
        let listed = self.rules.only.is_none_or(|only| only.contains(&method));
        listed && self.budgets(method).next().is_some()
    }

    fn budgets(&self, method: &str) -> impl Iterator<Item = usize> {
        let mut most = if SLOW.contains(&method) { self.rules.slow_most } else { usize::MAX };
        if SAMPLED.contains(&method) {
            most = most.min(self.rules.sampled_most);
        }
        self.rules.budgets.iter().copied().filter(move |passes| *passes <= most)
    }

    /// Evaluations of a budget in passes.
    pub fn evaluations(&self, passes: usize) -> f64 {
        (passes * self.count) as f64
    }

    /// Asks a method at all budgets within which it can start, each as what is left after the set-up.
    pub fn ask<'m>(
        &mut self,
        method: &'static str,
        setup: &Setup,
        mut within: impl FnMut(f64) -> anyhow::Result<Option<Ask<'m>>>,
    ) -> anyhow::Result<()> {
        if !self.wants(method) {
            return Ok(());
        }
        let (mut budgets, mut asks) = (Vec::new(), Vec::new());
        for passes in self.budgets(method) {
            let charged = if self.rules.free_setup { 0.0 } else { setup.evaluations };
            if let Some(ask) = within(self.evaluations(passes) - charged)? {
                budgets.push(passes);
                asks.push(ask);
            }
        }
        if asks.is_empty() {
            self.idle.push(method);
            return Ok(());
        }
        let problem = self.problem;
        (self.work.context.say)(&format!("{problem}: {method}"));
        let step = format!("{problem}-{method}");
        let repetitions =
            if SLOW.contains(&method) { self.rules.slow } else { self.rules.repetitions };
        // One repetition is all budgets.
        let answers: Vec<Vec<Answer>> = self
            .work
            .each(&step, repetitions, |_, rng| asks.iter().map(|ask| ask(rng)).collect())?;
        let done = |answers: &Vec<Answer>| answers.iter().map(|answer| answer.done).sum::<f64>();
        let evaluations = answers.iter().map(|answers| done(answers) as u64).sum::<u64>() as f64;
        let Setup { step: set_up, evaluations: setup_evaluations } = setup.clone();
        let done = Done { problem, method, setup: set_up, setup_evaluations, step, evaluations };
        self.done.push(done);
        for (place, passes) in budgets.into_iter().enumerate() {
            let own: Vec<&Answer> = answers.iter().map(|answers| &answers[place]).collect();
            let budget = (passes, self.evaluations(passes));
            let row = Row::of(problem, method, budget, setup.evaluations, &own, self.truth);
            self.rows.push(row);
        }
        Ok(())
    }
}

/// Methods that take a step for every few evaluations.
pub const SAMPLED: [&str; 4] = ["smh-2", "block-poisson", "hmc-ecs", "ububu"];

/// Methods whose evaluations take so long that they are repeated less often.
pub const SLOW: [&str; 11] = [
    "firefly",
    "zig-zag",
    "sgld",
    "sgld-control-variates",
    "sghmc",
    "austerity",
    "confidence",
    "smh-2",
    "block-poisson",
    "hmc-ecs",
    "ububu",
];
