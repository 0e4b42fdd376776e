//! Flight delays: eight covariates, standardised; the delay, centred and scaled. Bayesian linear
//! regression on random Fourier features of unit length scale, noise variance one on the scaled delay.
//!
//! The paper's flights are those of early 2008, 700 000 to learn from and 100 000 to predict. Without
//! them the flights out of New York in 2013 are taken, which travel with the code.

use crate::{Context, MissingData};
use data::{Airline, AirlineError, AirlineSource};
use debias::{Rng, Seed};
use models::feature_regression::FeatureRegression;
use models::features::FourierFeatures;
use posterior::Rows;
use records::DataSource;

/// Covariates of a flight.
pub const COVARIATES: usize = 8;
/// Variance of the scaled delay about the regression.
pub const NOISE: f64 = 1.0;
/// Rows of the first level.
pub const FIRST: usize = 500;

/// The regression on random features.
pub type Regression = FeatureRegression<FourierFeatures>;

/// Flights, split and standardised.
pub struct Flights {
    /// Rows to learn from and rows to predict.
    pub airline: Airline,
    /// What they are called.
    pub data: Vec<DataSource>,
    /// Whether they are the paper's.
    pub of_paper: bool,
}

impl Flights {
    /// The flights that the user named, or that were fetched, or else those of New York.
    pub fn to_be_had(
        context: &Context<'_>,
        train: usize,
        test: usize,
        seed: Seed,
    ) -> anyhow::Result<Flights> {
        let source = match &context.flights {
            Some(path) => AirlineSource::Named(path.clone()),
            None => AirlineSource::choose(&context.downloads, None),
        };
        Flights::of(&source, train, test, seed).map_err(|error| match error {
            AirlineError::Open { path, source } => anyhow::Error::from(MissingData {
                name: format!("{} ({source})", path.display()),
                remedy:
                    "name a table of flights by --flights, or leave it out for those of New York"
                        .to_owned(),
            }),
            other => other.into(),
        })
    }

    /// The flights of a source.
    pub fn of(
        source: &AirlineSource,
        train: usize,
        test: usize,
        seed: Seed,
    ) -> Result<Flights, AirlineError> {
        let sums = source.checksums()?;
        let airline = Airline::prepare(source, train, test, seed)?;
        let sums: Vec<String> =
            sums.iter().map(|(name, sum)| format!("{name} sha256 {sum}")).collect();
        let data = vec![DataSource {
            name: airline.data.clone(),
            rows: airline.train.count() as u64,
            identity: sums.join(", "),
        }];
        Ok(Flights { airline, data, of_paper: matches!(source, AirlineSource::Expo2008 { .. }) })
    }
}

/// The regression on so many features of a new basis.
pub fn regression(features: usize, rng: &mut Rng) -> anyhow::Result<Regression> {
    let map = FourierFeatures::sample(features, COVARIATES, 1.0, rng)?;
    Ok(FeatureRegression::new(map, NOISE)?)
}
