//! Data as people have it: rare dummies, heavy tails, categories whose levels follow Zipf's law, counts,
//! flights.
//!
//! ```text
//! rare      4 Gaussian covariates, and a dummy set in 15 rows, 3 of them positive
//! heavy     10 covariates, 5 % of them non-zero, Student-t with 2.2 degrees of freedom; few positives
//! tab       8 categories of 50 Zipf levels as dummies, and 5 Gaussian covariates
//! zipf      300 Zipf levels as dummies, and x on 64 values: rows repeat
//! poisson   200 Zipf levels as dummies, and 3 Gaussian covariates; the target is a count
//! flights   real flights of 2001 by origin and destination, more than two hours late or not: rows repeat
//! hours     the same, and the hour of departure
//! ```
//!
//! Row i is a function of the seed and of i; flights are what they are. Priors are Gaussian and centred:
//! their sd is 2.5 on `rare`, `heavy` and `zipf`; on `tab` and `poisson` 1.5 for dummies and 5 for the other
//! weights; on flights 1 for dummies and 5 for the others. The bias is the last weight.

use super::departures::{AIRPORTS, flights};
use data::{FLIGHTS_2001_SHA256, SparseRows};
use debias::{Rng, Seed};
use models::generalised_linear::{GeneralisedLinear, Poisson};
use models::logistic::SparseLogistic;
use models::prior::{Prior, Priors};
use posterior::{Rows, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal, StudentT};
use records::DataSource;
use statrs::distribution::{ContinuousCDF, Normal};

/// A law of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// A dummy that is set in 15 rows.
    Rare,
    /// Sparse covariates with heavy tails.
    Heavy,
    /// So many categories of so many levels, and 5 Gaussian covariates.
    Tab {
        /// Categories.
        categories: usize,
        /// Levels of each.
        levels: usize,
    },
    /// So many levels, and x on 64 values.
    Zipf {
        /// Levels.
        levels: usize,
    },
    /// Counts by so many levels and 3 Gaussian covariates.
    Poisson {
        /// Levels.
        levels: usize,
    },
    /// Flights between the busiest airports.
    Flights {
        /// Origins at most, and destinations at most.
        airports: usize,
        /// Whether the hour of departure is a covariate.
        hours: bool,
    },
}

/// Rows in which the rare dummy is set, and those of them that are positive.
const SET: usize = 15;
const POSITIVE: usize = 3;
/// Covariates of `heavy`, the chance that one is not zero, and its degrees of freedom.
const HEAVY: usize = 10;
const DENSITY: f64 = 0.05;
const DEGREES: f64 = 2.2;
/// Gaussian covariates of `rare` and of `tab`.
const RARE: usize = 4;
const CONTINUOUS: usize = 5;
/// Values of x in `zipf`.
const VALUES: usize = 64;
/// Weights of the Gaussian covariates of `poisson`.
const SLOPES: [f64; 3] = [0.4, -0.3, 0.2];

/// Rows of a law.
pub struct Ordinary {
    /// The law.
    pub law: Law,
    /// The rows.
    pub rows: SparseRows,
    /// What they are called.
    pub data: DataSource,
}

/// The model of a law.
pub enum Regression {
    /// Labels of −1 and 1.
    Logistic(SparseLogistic),
    /// Counts.
    Poisson(GeneralisedLinear<Poisson, SparseBlock>),
}

impl Law {
    /// In records.
    pub fn name(self) -> &'static str {
        match self {
            Law::Rare => "rare",
            Law::Heavy => "heavy",
            Law::Tab { .. } => "tab",
            Law::Zipf { .. } => "zipf",
            Law::Poisson { .. } => "poisson",
            Law::Flights { hours: false, .. } => "flights",
            Law::Flights { hours: true, .. } => "hours",
        }
    }

    /// Dummies and other covariates; the dummy of `rare` counts among the others, as its prior does.
    fn columns(self) -> (usize, usize) {
        match self {
            Law::Rare => (0, RARE + 1),
            Law::Heavy => (0, HEAVY),
            Law::Tab { categories, levels } => (categories * levels, CONTINUOUS),
            Law::Zipf { levels } => (levels, 1),
            Law::Poisson { levels } => (levels, SLOPES.len()),
            Law::Flights { airports, hours } => {
                (airports.min(AIRPORTS.0) + airports.min(AIRPORTS.1), usize::from(hours))
            }
        }
    }

    /// Covariates and the bias.
    pub fn weights(self) -> usize {
        let (dummies, others) = self.columns();
        dummies + others + 1
    }

    /// Likelihood and prior.
    pub fn regression(self) -> anyhow::Result<Regression> {
        let (dummies, others) = self.columns();
        let of = |sd: f64, count: usize| vec![Prior::Gaussian { standard_deviation: sd }; count];
        let priors = Priors::each(match self {
            Law::Rare | Law::Heavy | Law::Zipf { .. } => of(2.5, self.weights()),
            Law::Tab { .. } | Law::Poisson { .. } => {
                [of(1.5, dummies), of(5.0, others + 1)].concat()
            }
            Law::Flights { .. } => [of(1.0, dummies), of(5.0, others + 1)].concat(),
        });
        Ok(match self {
            Law::Poisson { .. } => {
                Regression::Poisson(GeneralisedLinear::new(Poisson, dummies + others, priors)?)
            }
            _ => Regression::Logistic(SparseLogistic::new(dummies + others, priors)?),
        })
    }

    /// So many rows of a seed; of flights at most so many.
    pub fn rows(self, seed: Seed, count: usize) -> anyhow::Result<Ordinary> {
        if let Law::Flights { airports, hours } = self {
            let rows = flights(airports, hours, count);
            let data = DataSource {
                name: format!("{} of 2001", self.name()),
                rows: rows.count() as u64,
                identity: format!("{self:?}, counts with sha256 {FLIGHTS_2001_SHA256}"),
            };
            return Ok(Ordinary { law: self, rows, data });
        }
        let (dummies, others) = self.columns();
        let mut block = SparseBlock::new(dummies + others);
        let effects = Effects::new(self, seed.child("effects"))?;
        let seed_of_rows = seed.child("rows");
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for row in 0..count {
            columns.clear();
            values.clear();
            let rng = &mut seed_of_rows.stream(row as u64);
            let target = effects.draw(row, (&mut columns, &mut values), rng)?;
            block.push(&columns, &values, target);
        }
        let data = DataSource {
            name: format!("{} rows", self.name()),
            rows: count as u64,
            identity: format!("{self:?}, seed {}", seed.0),
        };
        Ok(Ordinary { law: self, rows: SparseRows::new(block), data })
    }
}

/// The weights behind the rows, and what their laws need.
struct Effects {
    law: Law,
    /// Of dummies, and of the others.
    dummies: Vec<f64>,
    others: Vec<f64>,
    /// P(level ≤ k).
    levels: Vec<f64>,
    /// The values that x takes.
    values: Vec<f64>,
    tails: StudentT<f64>,
}

impl Effects {
    fn new(law: Law, seed: Seed) -> anyhow::Result<Effects> {
        let rng = &mut seed.stream(0);
        let mut normal = |sd: f64, count: usize| -> Vec<f64> {
            (0..count).map(|_| sd * rng.sample::<f64, _>(StandardNormal)).collect()
        };
        let (dummies, others) = law.columns();
        let (dummies, others, levels) = match law {
            Law::Rare => (vec![], vec![0.4; RARE], vec![]),
            Law::Heavy => (vec![], normal(0.15, others), vec![]),
            Law::Tab { levels, .. } => {
                (normal(0.6, dummies), normal(0.3, others), zipf(levels, 1.8))
            }
            Law::Zipf { levels } => (normal(1.0, dummies), vec![0.5], zipf(levels, 1.7)),
            Law::Poisson { levels } => (normal(0.7, dummies), SLOPES.to_vec(), zipf(levels, 1.6)),
            Law::Flights { .. } => anyhow::bail!("flights are not drawn"),
        };
        let place = |at: usize| (at as f64 + 0.5) / VALUES as f64;
        let values = (0..VALUES).map(|at| Normal::standard().inverse_cdf(place(at))).collect();
        Ok(Effects { law, dummies, others, levels, values, tails: StudentT::new(DEGREES)? })
    }

    /// Appends the columns and values of a row that are not zero, and returns its target.
    fn draw(
        &self,
        row: usize,
        (columns, values): (&mut Vec<u16>, &mut Vec<f64>),
        rng: &mut Rng,
    ) -> anyhow::Result<f64> {
        let mut predictor = 0.0;
        let mut push = |column: usize, value: f64, effect: f64| {
            columns.push(column as u16);
            values.push(value);
            predictor += effect * value;
        };
        for category in 0..self.dummies.len().checked_div(self.levels.len()).unwrap_or(0) {
            let u: f64 = rng.random();
            let level = self.levels.partition_point(|&below| below <= u);
            let column = category * self.levels.len() + level.min(self.levels.len() - 1);
            push(column, 1.0, self.dummies[column]);
        }
        for (other, &effect) in self.others.iter().enumerate() {
            let value = match self.law {
                Law::Heavy if rng.random::<f64>() >= DENSITY => continue,
                Law::Heavy => self.tails.sample(rng),
                Law::Zipf { .. } => self.values[rng.random_range(0..VALUES)],
                _ => rng.sample(StandardNormal),
            };
            push(self.dummies.len() + other, value, effect);
        }
        let bias = match self.law {
            Law::Rare => -1.5,
            Law::Heavy => -5.0,
            Law::Tab { .. } | Law::Zipf { .. } => -4.0,
            Law::Poisson { .. } => -3.0,
            Law::Flights { .. } => anyhow::bail!("flights are not drawn"),
        };
        if self.law == Law::Rare && row < SET {
            push(RARE, 1.0, 0.0);
            return Ok(if row < POSITIVE { 1.0 } else { -1.0 });
        }
        let predictor = bias + predictor;
        Ok(match self.law {
            Law::Poisson { .. } => rand_distr::Poisson::new(predictor.exp())?.sample(rng),
            _ if rng.random::<f64>() < 1.0 / (1.0 + (-predictor).exp()) => 1.0,
            _ => -1.0,
        })
    }
}

/// P(level ≤ k) where P(level = k) ∝ k^{−power}.
fn zipf(levels: usize, power: f64) -> Vec<f64> {
    let weights: Vec<f64> = (1..=levels).map(|level| (level as f64).powf(-power)).collect();
    let total: f64 = weights.iter().sum();
    let mut sum = 0.0;
    let below = |weight: &f64| {
        sum += weight / total;
        sum
    };
    weights.iter().map(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_their_laws() -> anyhow::Result<()> {
        let rare = Law::Rare.rows(Seed(1), 1000)?;
        let block = rare.rows.block();
        let set = block.indices().iter().filter(|&column| column == RARE).count();
        assert_eq!(set, SET);
        assert_eq!(block.targets()[..4], [1.0, 1.0, 1.0, -1.0]);
        // A longer set begins with the rows of a shorter one.
        let longer = Law::Rare.rows(Seed(1), 2000)?;
        assert_eq!(&longer.rows.range(0..1000), block);

        let tab = Law::Tab { categories: 3, levels: 18 };
        assert_eq!(tab.weights(), 60);
        let entries = tab.rows(Seed(1), 100)?.rows.block().indices().len();
        assert_eq!(entries, 100 * (3 + CONTINUOUS));
        Ok(())
    }

    #[test]
    fn levels_follow_zipfs_law() {
        let below = zipf(3, 1.0);
        // 1, 1/2 and 1/3 over 11/6.
        assert!((below[0] - 6.0 / 11.0).abs() < 1e-12);
        assert!((below[2] - 1.0).abs() < 1e-12);
    }
}
