//! Rows in groups whose effects share an unknown standard deviation.
//!
//! ```text
//! even      G groups of about the same size, and one Gaussian covariate
//! uneven    G groups whose sizes follow a power law: most have few rows
//! flights   real flights of 2001 by origin and by destination, crossed, and by the hour of departure
//! ```
//!
//! Labels are classes with logit P = bias + ½ x + u_g, u_g ~ N(0, 0.8²). Weights and the bias have N(0, 5²)
//! priors; standard deviations the positive half of a Student-t with 3 degrees of freedom and scale 2.5.
//! Parameters are the effects, the covariate, the bias, and the logarithms of the standard deviations.

use super::departures::{AIRPORTS, flights};
use data::{FLIGHTS_2001_SHA256, SparseRows};
use debias::Seed;
use models::hierarchical::Hierarchical;
use models::logistic::SparseLogistic;
use models::prior::{Prior, Priors};
use models::sd_prior::SdPrior;
use posterior::{Rows, SparseBlock};
use rand::RngExt;
use rand_distr::StandardNormal;
use records::DataSource;
use std::ops::Range;

/// The standard deviation of effects, the weight of x, the bias, and the power of uneven sizes.
const SD: f64 = 0.8;
const SLOPE: f64 = 0.5;
const BIAS: f64 = -2.0;
const POWER: f64 = 3.0;

/// How rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grouping {
    /// So many groups, equally likely.
    Even(usize),
    /// So many groups, of which a row has group ⌊G uᵖ⌋ for u uniform.
    Uneven(usize),
    /// Flights between the busiest airports, crossed.
    Flights {
        /// Origins at most, and destinations at most.
        airports: usize,
    },
}

/// Rows and their model.
pub struct Grouped {
    /// The rows.
    pub rows: SparseRows,
    /// Likelihood and priors.
    pub model: Hierarchical<SparseLogistic>,
    /// What the rows are called.
    pub data: DataSource,
}

impl Grouping {
    /// The effects of each group, in order; the covariate and the bias follow.
    fn effects(self) -> Vec<Range<usize>> {
        match self {
            Grouping::Even(groups) | Grouping::Uneven(groups) => {
                std::iter::once(0..groups).collect()
            }
            Grouping::Flights { airports } => {
                let (origins, destinations) = (airports.min(AIRPORTS.0), airports.min(AIRPORTS.1));
                vec![0..origins, origins..origins + destinations]
            }
        }
    }

    /// So many rows of a seed; of flights at most so many.
    pub fn rows(self, seed: Seed, count: usize) -> anyhow::Result<Grouped> {
        let effects = self.effects();
        let width = effects.last().map_or(0, |range| range.end) + 1;
        let mut laws = vec![Prior::Flat; width - 1];
        laws.extend([Prior::Gaussian { standard_deviation: 5.0 }; 2]);
        let model = SparseLogistic::new(width, Priors::each(laws))?;
        let law = SdPrior::HalfStudent { degrees: 3.0, scale: 2.5 };
        let model = Hierarchical::new(model, effects.into_iter().map(|it| (it, law)).collect())?;
        let (rows, identity) = match self {
            Grouping::Flights { airports } => {
                let identity = format!("{self:?}, counts with sha256 {FLIGHTS_2001_SHA256}");
                (flights(airports, true, count), identity)
            }
            _ => (self.drawn(seed, count, width - 1), format!("{self:?}, seed {}", seed.0)),
        };
        let data =
            DataSource { name: "rows in groups".to_owned(), rows: rows.count() as u64, identity };
        Ok(Grouped { rows, model, data })
    }

    fn drawn(self, seed: Seed, count: usize, groups: usize) -> SparseRows {
        let rng = &mut seed.child("effects").stream(0);
        let effects: Vec<f64> =
            (0..groups).map(|_| SD * rng.sample::<f64, _>(StandardNormal)).collect();
        let mut block = SparseBlock::new(groups + 1);
        let seed = seed.child("rows");
        for row in 0..count {
            let rng = &mut seed.stream(row as u64);
            let u: f64 = rng.random();
            let place = if matches!(self, Grouping::Uneven(_)) { u.powf(POWER) } else { u };
            let group = ((groups as f64 * place) as usize).min(groups - 1);
            let x: f64 = rng.sample(StandardNormal);
            let predictor = BIAS + SLOPE * x + effects[group];
            let positive = rng.random::<f64>() < 1.0 / (1.0 + (-predictor).exp());
            let target = if positive { 1.0 } else { -1.0 };
            block.push(&[group as u16, groups as u16], &[1.0, x], target);
        }
        SparseRows::new(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::Model;

    #[test]
    fn parameters_are_effects_covariate_bias_and_log_sds() -> anyhow::Result<()> {
        let even = Grouping::Even(20).rows(Seed(1), 500)?;
        assert_eq!((even.model.dimension(), even.rows.count()), (23, 500));
        let flights = Grouping::Flights { airports: 12 }.rows(Seed(1), 1000)?;
        assert_eq!((flights.model.dimension(), flights.rows.count()), (28, 1000));
        // Most rows of uneven groups are in the first ones.
        let uneven = Grouping::Uneven(20).rows(Seed(1), 500)?;
        let block = uneven.rows.block();
        let first = block.indices().iter().filter(|&column| column == 0).count();
        assert!((120..250).contains(&first), "{first}");
        Ok(())
    }
}
