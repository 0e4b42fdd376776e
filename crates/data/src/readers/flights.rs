//! Flights with the eight covariates of Hensman, Fusi & Lawrence (2013) and their delays.

use super::cells::Cells;
use super::table::{Table, choose};
use super::table_error::TableError;
use posterior::DenseBlock;
use std::fmt;
use std::io::Read;

/// The covariates, in the order of the paper and of the columns of every block.
pub const FLIGHT_COVARIATES: [&str; 8] =
    ["plane_age", "Distance", "AirTime", "DepTime", "ArrTime", "DayOfWeek", "DayofMonth", "Month"];

/// The target: arrival delay in minutes.
pub const FLIGHT_TARGET: &str = "ArrDelay";

/// What every covariate of a calendar lies between; other columns have no such bounds.
const CALENDAR: [(usize, f64, f64); 3] = [(5, 1.0, 7.0), (6, 1.0, 31.0), (7, 1.0, 12.0)];

/// All flights of which everything is known, and how many were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flights {
    // Invariant: nine columns of one length, the delay last.
    columns: [Vec<f64>; 9],
    dropped: Dropped,
}

/// Flights left out, by the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Cancelled.
    pub cancelled: u64,
    /// Diverted to another airport.
    pub diverted: u64,
    /// Without a tail number, or with one that the table of planes does not list.
    pub unknown_plane: u64,
    /// By a plane whose year of building is not known.
    pub unknown_year: u64,
    /// With any other value missing.
    pub missing: u64,
}

impl Dropped {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.cancelled + self.diverted + self.unknown_plane + self.unknown_year + self.missing
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dropped { cancelled, diverted, unknown_plane, unknown_year, missing } = self;
        write!(
            f,
            "{} dropped: {cancelled} cancelled, {diverted} diverted, {unknown_plane} by unknown \
             planes, {unknown_year} by planes of unknown age, {missing} with a missing value",
            self.total()
        )
    }
}

impl Flights {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.columns[0].len()
    }

    /// How many were left out, and why.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// The flights with these indices, as a block of rows.
    pub fn gather(&self, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), FLIGHT_COVARIATES.len());
        let copy = |from: &[f64], to: &mut [f64]| {
            to.iter_mut().zip(indices).for_each(|(to, &row)| *to = from[row]);
        };
        for j in 0..FLIGHT_COVARIATES.len() {
            copy(&self.columns[j], block.column_mut(j));
        }
        copy(&self.columns[8], block.targets_mut());
        block
    }

    pub(super) fn push(&mut self, values: [f64; 9]) {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }

    pub(super) fn dropped_mut(&mut self) -> &mut Dropped {
        &mut self.dropped
    }
}

/// The covariate, counted as in [`FLIGHT_COVARIATES`], that no calendar has.
pub(super) fn off_calendar(values: &[f64; 9]) -> Option<usize> {
    CALENDAR
        .into_iter()
        .find(|&(j, least, most)| !(least..=most).contains(&values[j]) || values[j].fract() != 0.0)
        .map(|(j, ..)| j)
}

/// Reads a table that already has the eight covariates, under the names of
/// [`FLIGHT_COVARIATES`] and [`FLIGHT_TARGET`]; other columns are passed over, rows with a missing
/// value counted and left out.
pub fn read_flights(source: impl Read, file: &str) -> Result<Flights, TableError> {
    let mut table = Table::new(source, file)?;
    let columns = choose(&table, &FLIGHT_COVARIATES, FLIGHT_TARGET)?;
    let mut flights = Flights::default();
    while table.advance()? {
        table.check_length()?;
        let mut values = [0.0; 9];
        let mut complete = true;
        for (value, &column) in values.iter_mut().zip(&columns) {
            match table.number(column)? {
                Some(number) => *value = number,
                None => complete = false,
            }
        }
        if !complete {
            flights.dropped.missing += 1;
        } else if let Some(j) = off_calendar(&values) {
            return Err(table.bad_value(columns[j]));
        } else {
            flights.push(values);
        }
    }
    if flights.count() == 0 { Err(table.empty()) } else { Ok(flights) }
}
