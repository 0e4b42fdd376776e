//! A method at every budget, asked again and again.

use super::{Race, Row};
use debias::{Estimate, Estimator, Ledger, Rng};

/// One answer.
pub(super) struct Answer {
    pub(super) means: Vec<f64>,
    /// Half widths of the claimed 95 % intervals; none where no interval is claimed.
    pub(super) halves: Vec<f64>,
    /// Likelihood evaluations charged to it beyond the set-up.
    pub(super) spent: f64,
    /// Evaluations really done for it: more where a replicate was cut short by the end of the budget.
    pub(super) done: f64,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
#[error("no answer: {0}")]
pub(super) struct Failed(String);

/// A method that has been told its budget.
pub(super) type Ask<'a> = Box<dyn Fn(&mut Rng) -> Result<Answer, Failed> + Send + Sync + 'a>;

/// Any error as ours.
pub(super) fn failed(error: impl std::fmt::Display) -> Failed {
    Failed(error.to_string())
}

/// A baseline, whose answers claim no interval; `setup` evaluations of its own count went before.
pub(super) fn plainly<'a, E: Estimator + Send + 'a>(estimator: E, setup: f64) -> Ask<'a> {
    Box::new(move |rng| {
        let answer = estimator.estimate(0, rng).map_err(failed)?;
        let spent = answer.cost.evaluations() as f64 - setup;
        Ok(Answer { means: answer.value, halves: Vec::new(), spent, done: spent })
    })
}

/// Any function of the stream as an estimator: its values, and its evaluations.
pub(super) struct By<F>(pub(super) F);

impl<F> Estimator for By<F>
where
    F: Fn(&mut Rng) -> Result<(Vec<f64>, f64), Failed> + Sync,
{
    type Error = Failed;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, Failed> {
        let (value, evaluations) = (self.0)(rng)?;
        let cost = Ledger { likelihoods: evaluations as u64, ..Ledger::default() };
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        1.0
    }
}

/// What has to be done once before a method can answer.
#[derive(Clone, Default)]
pub(super) struct Setup {
    /// The step of the run that did it; none if there was nothing to do.
    pub(super) step: String,
    pub(super) evaluations: f64,
}

/// What a method did in all its answers together, set-up not included.
pub(super) struct Work {
    pub(super) problem: &'static str,
    pub(super) method: &'static str,
    pub(super) setup: Setup,
    /// The step of the run.
    pub(super) step: String,
    pub(super) evaluations: f64,
}

impl Race<'_, '_> {
    /// Whether the method is asked for.
    pub(super) fn wants(&self, method: &str) -> bool {
        let listed = self.rules.only.is_none_or(|only| only.contains(&method));
        listed && self.budgets(method).next().is_some()
    }

    fn budgets(&self, method: &str) -> impl Iterator<Item = usize> {
        let most = if DEAR.contains(&method) { self.rules.dear_most } else { usize::MAX };
        self.rules.budgets.iter().copied().filter(move |passes| *passes <= most)
    }

    /// Evaluations of a budget in passes.
    pub(super) fn evaluations(&self, passes: usize) -> f64 {
        (passes * self.count) as f64
    }

    /// Asks a method at all budgets within which it can start, each as what is left after the set-up.
    pub(super) fn ask<'m>(
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
        (self.rules.context.say)(&format!("{problem}: {method}"));
        // One repetition is all budgets: for each the evaluations, means and half widths.
        let sweep = By(|rng: &mut Rng| {
            let (mut value, mut done) = (Vec::new(), 0.0);
            for ask in &asks {
                let answer = ask(rng)?;
                done += answer.done;
                value.push(setup.evaluations + answer.spent);
                value.extend(answer.means);
                value.extend(answer.halves);
            }
            Ok((value, done))
        });
        let step = format!("{problem}-{method}");
        let repetitions =
            if DEAR.contains(&method) { self.rules.dear } else { self.rules.repetitions };
        let run = self.rules.context.replicate(
            &step,
            self.rules.settings,
            self.data,
            &sweep,
            repetitions,
        )?;
        let evaluations = run.total_cost().evaluations() as f64;
        self.work.push(Work { problem, method, setup: setup.clone(), step, evaluations });
        let width = run.width() / budgets.len();
        for (place, passes) in budgets.into_iter().enumerate() {
            let parts: Vec<&[f64]> = (0..run.count())
                .map(|repetition| &run.value(repetition)[place * width..(place + 1) * width])
                .collect();
            let budget = (passes, self.evaluations(passes));
            self.rows.push(Row::of(problem, method, budget, &parts, self.truth));
        }
        Ok(())
    }
}

/// Methods whose evaluations take so long that they are repeated less often.
pub(super) const DEAR: [&str; 7] =
    ["firefly", "zig-zag", "sgld", "sgld-control-variates", "sghmc", "austerity", "confidence"];
