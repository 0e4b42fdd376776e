//! How answers keep to a budget.
//!
//! *Replicates* run one after the other while they fit. The first that does not is cut short by the
//! end of the budget and thrown away; only the very first is finished whatever it costs. Given their
//! number the kept ones are exchangeable, so that their mean stays unbiased (Glynn & Heidelberger
//! 1990), which it would not be had a cheaper one taken the place of the expensive one.
//!
//! *Lengths* of chains, paths and populations are chosen before: trials at two sizes, which no
//! method is charged for, give a price
//!
//! ```text
//! cost(u) = c + r (u − u_1),     c = mean + 2 standard errors of cost(u_1),
//!                                r = mean + 2 standard errors of (cost(u_2) − cost(u_1)) / (u_2 − u_1),
//! ```
//!
//! and the largest u that it allows is taken.

use super::Race;
use super::answers::{Answer, Setup, plainly};
use debias::{Estimator, Rng, Summary};
use serde::{Serialize, de::DeserializeOwned};

/// The half width of an interval that holds everything.
pub const WHOLE_LINE: f64 = f64::MAX;

/// Units of replicates with independent values, while they fit.
pub fn while_they_fit(
    budget: f64,
    rng: &mut Rng,
    unit: impl Fn(&mut Rng) -> anyhow::Result<(Vec<f64>, f64)>,
) -> anyhow::Result<Answer> {
    let (mut kept, mut spent, mut done): (Vec<Vec<f64>>, f64, f64) = (Vec::new(), 0.0, 0.0);
    while spent < budget {
        let (value, cost) = unit(rng)?;
        done += cost;
        if !kept.is_empty() && spent + cost > budget {
            spent = budget;
        } else {
            spent += cost;
            kept.push(value);
        }
    }
    let width = kept.first().map_or(0, Vec::len);
    let (mut means, mut halves) = (Vec::new(), Vec::new());
    for j in 0..width {
        let column: Vec<f64> = kept.iter().map(|value| value[j]).collect();
        means.push(column.iter().sum::<f64>() / column.len() as f64);
        // One replicate alone has no standard error.
        halves.push(Summary::of(&column).map_or(WHOLE_LINE, |s| s.interval.half_width()));
    }
    Ok(Answer { means, halves, spent, done })
}

/// What a method costs by its size.
pub struct Price {
    smallest: f64,
    cost: f64,
    rate: f64,
}

impl Price {
    /// From trials, each its costs at the two sizes.
    fn of(sizes: [f64; 2], trials: &[[f64; 2]]) -> anyhow::Result<Price> {
        let dear = |values: Vec<f64>| -> anyhow::Result<f64> {
            let summary = Summary::of(&values)?;
            Ok(summary.mean + 2.0 * summary.standard_error)
        };
        let step = sizes[1] - sizes[0];
        let cost = dear(trials.iter().map(|costs| costs[0]).collect())?;
        let rate = dear(trials.iter().map(|costs| (costs[1] - costs[0]) / step).collect())?;
        anyhow::ensure!(rate > 0.0, "in trials {} units cost no more than {}", sizes[1], sizes[0]);
        Ok(Price { smallest: sizes[0], cost, rate })
    }

    /// The size that fills a budget; below the least one nothing fits.
    pub fn size(&self, budget: f64, least: f64) -> Option<f64> {
        let size = self.smallest + (budget - self.cost) / self.rate;
        (size >= least).then_some(size)
    }
}

impl Race<'_> {
    /// Tries a method at two sizes, again and again.
    pub fn price(
        &self,
        method: &str,
        sizes: [f64; 2],
        cost: impl Fn(f64, &mut Rng) -> anyhow::Result<f64> + Sync,
    ) -> anyhow::Result<Price> {
        let trials = self.trials(method, |rng| Ok([cost(sizes[0], rng)?, cost(sizes[1], rng)?]))?;
        Price::of(sizes, &trials)
    }

    /// Asks a baseline whose answers claim no interval, at the size that trials say fills each budget:
    /// `sizes` are those of the trials, and below `least` there is no answer.
    pub fn planned<'m, E: Estimator + Send + 'm>(
        &mut self,
        method: &'static str,
        setup: &Setup,
        (sizes, least): ([f64; 2], f64),
        baseline: impl Fn(f64) -> anyhow::Result<E> + Sync,
    ) -> anyhow::Result<()> {
        if !self.wants(method) {
            return Ok(());
        }
        let price = self.price(method, sizes, |size, rng| {
            Ok(baseline(size)?.estimate(0, rng)?.cost.evaluations() as f64)
        })?;
        self.ask(method, setup, |left| {
            let size = price.size(left, least);
            size.map(|size| Ok(plainly(baseline(size)?, 0.0))).transpose()
        })
    }

    /// The values of a trial, again and again.
    pub fn trials<T>(
        &self,
        method: &str,
        trial: impl Fn(&mut Rng) -> anyhow::Result<T> + Sync,
    ) -> anyhow::Result<Vec<T>>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let step = format!("{}-{method}-trial", self.problem);
        self.work.each(&step, self.rules.trials, |_, rng| trial(rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Seed;
    use rand::RngExt;

    /// Costs of one or, one time in ten, thirty: value and cost go together, so that a wrong rule of
    /// stopping shows as a bias.
    fn unit(rng: &mut Rng) -> anyhow::Result<(Vec<f64>, f64)> {
        let cost = if rng.random::<f64>() < 0.1 { 30.0 } else { 1.0 };
        Ok((vec![cost], cost))
    }

    #[test]
    fn replicates_keep_to_their_budget_and_stay_unbiased() {
        const BUDGET: f64 = 40.0;
        let rng = &mut Seed(1).stream(0);
        let answers: Vec<Answer> =
            (0..20_000).map(|_| while_they_fit(BUDGET, rng, unit).unwrap()).collect();
        assert!(answers.iter().all(|answer| answer.spent == BUDGET && answer.done >= BUDGET));
        let means: Vec<f64> = answers.iter().map(|answer| answer.means[0]).collect();
        let summary = Summary::of(&means).unwrap();
        // E = 0.9 + 3. Fails for a right rule once in about sixteen thousand seeds.
        assert!((summary.mean - 3.9).abs() < 4.0 * summary.standard_error, "{summary:?}");
    }

    #[test]
    fn the_first_replicate_is_finished_whatever_it_costs() {
        let dear = |_: &mut Rng| Ok((vec![1.0], 7.0));
        let answer = while_they_fit(5.0, &mut Seed(1).stream(0), dear).unwrap();
        assert_eq!((answer.spent, answer.done, answer.means[0]), (7.0, 7.0, 1.0));
        assert_eq!(answer.halves[0], WHOLE_LINE);
    }

    /// A chain of u steps, each of which costs a random number of evaluations with a mean of 5.
    #[test]
    fn a_length_planned_by_trials_keeps_its_budget() {
        let chain = |length: f64, rng: &mut Rng| -> f64 {
            20.0 + (0..length as usize).map(|_| 10.0 * rng.random::<f64>()).sum::<f64>()
        };
        let seed = Seed(3);
        let trial = |i: u64| {
            let rng = &mut seed.stream(i);
            [chain(50.0, rng), chain(150.0, rng)]
        };
        let trials: Vec<[f64; 2]> = (0..8).map(trial).collect();
        let price = Price::of([50.0, 150.0], &trials).unwrap();
        const BUDGET: f64 = 10_000.0;
        let length = price.size(BUDGET, 50.0).unwrap();
        let spent: f64 = (8..108).map(|i| chain(length, &mut seed.stream(i))).sum::<f64>() / 100.0;
        assert!((0.9 * BUDGET..=1.02 * BUDGET).contains(&spent), "{spent}");
        assert!(price.size(100.0, 50.0).is_none());
    }
}
