//! A method at every budget, asked again and again.

use super::{Race, Row};
use crate::weights::Truth;
use debias::{Estimate, Estimator, Ledger, Rng, Summary};
use records::DataSource;

/// One answer.
pub(super) struct Answer {
    pub(super) means: Vec<f64>,
    /// Half widths of the claimed 95 % intervals; none where no interval is claimed.
    pub(super) halves: Vec<f64>,
    /// Likelihood evaluations, set-up included.
    pub(super) evaluations: f64,
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

/// A baseline, whose answers claim no interval.
pub(super) fn plainly<'a, E: Estimator + Send + 'a>(estimator: E) -> Ask<'a> {
    Box::new(move |rng| {
        let answer = estimator.estimate(0, rng).map_err(failed)?;
        let evaluations = answer.cost.evaluations() as f64;
        Ok(Answer { means: answer.value, halves: Vec::new(), evaluations })
    })
}

/// The mean of replicates, with the interval of the means of their groups.
pub(super) fn averaged(
    values: &[Vec<f64>],
    groups: usize,
    evaluations: f64,
) -> Result<Answer, Failed> {
    let width = values.first().map_or(0, Vec::len);
    let (mut means, mut halves) = (Vec::new(), Vec::new());
    for j in 0..width {
        let column: Vec<f64> = values.iter().map(|value| value[j]).collect();
        let summary = Summary::of_groups(&column, groups).map_err(failed)?;
        means.push(summary.mean);
        halves.push(summary.interval.half_width());
    }
    Ok(Answer { means, halves, evaluations })
}

/// Evaluations of a trial beyond its set-up, for each of its units: iterations, particles, time.
pub(super) fn rate<E: Estimator>(
    trial: &E,
    units: f64,
    setup: f64,
    rng: &mut Rng,
) -> anyhow::Result<f64> {
    let cost = trial.estimate(0, rng)?.cost.evaluations() as f64;
    Ok((cost - setup).max(1.0) / units)
}

/// All budgets of one method, one repetition an estimate.
struct Sweep<'a> {
    asks: Vec<Ask<'a>>,
    expected: f64,
}

impl Estimator for Sweep<'_> {
    type Error = Failed;

    /// For each budget evaluations, means and half widths.
    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, Failed> {
        let mut value = Vec::new();
        let mut cost = Ledger::default();
        for ask in &self.asks {
            let answer = ask(rng)?;
            cost.likelihoods += answer.evaluations as u64;
            value.push(answer.evaluations);
            value.extend(answer.means);
            value.extend(answer.halves);
        }
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.expected
    }
}

impl Race<'_, '_> {
    /// Whether the method is asked for.
    pub(super) fn wants(&self, method: &str) -> bool {
        self.only.is_none_or(|only| only.contains(&method))
    }

    /// Asks a method at all budgets within which it can start.
    pub(super) fn ask<'m>(
        &mut self,
        (problem, method): (&'static str, &'static str),
        truth: &Truth,
        data: &[DataSource],
        mut within: impl FnMut(usize) -> anyhow::Result<Option<Ask<'m>>>,
    ) -> anyhow::Result<()> {
        if !self.wants(method) {
            return Ok(());
        }
        let (mut budgets, mut asks) = (Vec::new(), Vec::new());
        for &passes in self.budgets {
            if let Some(ask) = within(passes)? {
                budgets.push(passes);
                asks.push(ask);
            }
        }
        if asks.is_empty() {
            return Ok(());
        }
        (self.context.say)(&format!("{problem}: {method}"));
        let expected = budgets.iter().sum::<usize>() as f64;
        let sweep = Sweep { asks, expected };
        let step = format!("{problem}-{method}");
        let run = self.context.replicate(&step, self.settings, data, &sweep, self.repetitions)?;
        let width = run.width() / budgets.len();
        for (place, passes) in budgets.into_iter().enumerate() {
            let parts: Vec<&[f64]> = (0..run.count())
                .map(|repetition| &run.value(repetition)[place * width..(place + 1) * width])
                .collect();
            self.rows.push(Row::of(problem, method, passes, &parts, truth));
        }
        Ok(())
    }
}
