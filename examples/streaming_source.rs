//! A source of your own: a stream that is read once and never stored.
//!
//! ```text
//! x_i ~ N(μ, σ²) for ever,   μ ~ N(0, τ²)        φ_t = Σ_{i≤n_t} x_i / (n_t + σ²/τ²)
//! ```
//!
//! A data set that can be asked for row i is a [`posterior::Rows`]. A stream cannot; but all that
//! debiasing needs is a [`Path`]: φ_1, …, φ_L whose means do not depend on what else is asked for.
//! Here each replicate takes fresh readings, keeps one sum and lets them go. There is no last row, so
//! the last level is a choice and the estimate says so: what stays is the pull of the prior given
//! n_L readings.
//!
//! ```sh
//! cargo run --release --package examples --bin streaming-source
//! ```

use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{
    Caveat, Coupling, Debiased, Depths, Form, Ledger, Path, Rng, Schedule, Scheme, Seed, Summary,
    Term, Truncation,
};
use rand::RngExt;
use rand_distr::StandardNormal;
use std::convert::Infallible;

/// Readings about ten, with a deviation of 500, and a prior of deviation 50 about zero.
struct Sensor {
    schedule: Schedule,
}

/// σ²/τ²: how many readings the prior is worth.
const PRIOR_READINGS: f64 = 100.0;
const MEAN: f64 = 10.0;

impl Sensor {
    /// The sum of the next readings, which are then gone.
    fn read(&self, count: usize, rng: &mut Rng) -> f64 {
        (0..count).map(|_| MEAN + 500.0 * rng.sample::<f64, _>(StandardNormal)).sum()
    }

    /// The posterior mean given n readings.
    fn posterior_mean(count: usize, sum: f64) -> f64 {
        sum / (count as f64 + PRIOR_READINGS)
    }
}

fn cost(readings: usize) -> Ledger {
    let readings = readings as u64;
    Ledger { likelihoods: readings, distinct_rows: readings, ..Ledger::default() }
}

impl Path for Sensor {
    type Shared = ();
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::LastLevelDropped]
    }

    fn level_cost(&self, level: usize) -> f64 {
        let before = if level == 1 { 0 } else { self.schedule.size(level - 1) };
        (self.schedule.size(level) - before) as f64
    }

    fn increment_cost(&self, level: usize, _: Coupling) -> f64 {
        self.schedule.size(level) as f64
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), Infallible> {
        Ok(((), Ledger::default()))
    }

    /// One stream through all levels: each adds its readings to the sum.
    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, Infallible> {
        let (mut seen, mut sum) = (0, 0.0);
        let mut level = |level: usize| {
            let size = self.schedule.size(level);
            sum += self.read(size - seen, rng);
            let term =
                Term { value: vec![Self::posterior_mean(size, sum)], cost: cost(size - seen) };
            seen = size;
            term
        };
        Ok((1..=depth).map(&mut level).collect())
    }

    /// Groups of n_{t−1} readings, one after the other; what they have in common cancels.
    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, Infallible> {
        let size = self.schedule.size(level);
        let (mut sum, mut below, mut read) = (0.0, 0.0, 0);
        if level > 1 {
            let part = self.schedule.size(level - 1);
            let groups = match coupling {
                Coupling::Nested => 1,
                Coupling::Antithetic => self.schedule.groups(level),
            };
            for _ in 0..groups {
                let group = self.read(part, rng);
                below += Self::posterior_mean(part, group) / groups as f64;
                sum += group;
                read += part;
            }
        }
        sum += self.read(size - read, rng);
        let value = vec![Self::posterior_mean(size, sum) - below];
        Ok(Term { value, cost: cost(size) })
    }
}

/// Debiased means of this many replicates, and the readings behind them.
fn debiased(replicates: usize) -> Result<(Summary, u64), Box<dyn std::error::Error>> {
    let sensor = Sensor { schedule: Schedule::geometric(50, 2.0, 51_200)? };
    let law = Truncation::geometric(1.2, sensor.levels())?;
    let depths = Depths::draw(&law, Scheme::Independent, replicates, 1, Seed(1))?;
    let estimator = Debiased::new(&sensor, Form::AntitheticSingleTerm, depths)?;
    let run = replicate(&estimator, 0..replicates as u64, Seed(2), &Forgetful, &Unobserved)?;
    Ok((Summary::of(&run.functional(0))?, run.total_cost().distinct_rows))
}

/// E φ_n: the pull of the prior given n readings.
fn expectation(readings: usize) -> f64 {
    Sensor::posterior_mean(readings, readings as f64 * MEAN)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (found, readings) = debiased(20_000)?;
    let each = (readings / 20_000) as usize;
    println!("{:.2} ± {:.2} from {each} readings a replicate", found.mean, found.standard_error);
    println!("a constant batch of as many stays at {:.2}", expectation(each));
    println!("the posterior mean given 51 200 readings is {:.2} on average", expectation(51_200));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It finds E φ_L, one false alarm in sixteen thousand seeds, and can tell it from a constant
    /// batch of the same size.
    #[test]
    fn the_pull_of_the_prior_is_gone() {
        let (found, readings) = debiased(20_000).unwrap();
        let z = |expected: f64| (found.mean - expected) / found.standard_error;
        assert!(z(expectation(51_200)).abs() < 4.0, "{found:?}");
        assert!(z(expectation(readings as usize / 20_000)) > 4.0, "{found:?}");
    }
}
