//! The flights of the Data Expo 2009, one file a year, joined with its table of planes.
//!
//! As in Hensman, Fusi & Lawrence (2013): flights neither cancelled nor diverted, by a plane whose
//! year of building is known; plane age = year − year of building; nothing missing; times stay
//! hours and minutes written as one number (hhmm).

use super::cells::Cells;
use super::flights::{Flights, off_calendar};
use super::place::{Place, excerpt};
use super::table::{Table, is_missing};
use super::table_error::TableError;
use std::collections::HashMap;
use std::io::Read;
use thiserror::Error;

/// The year in which each plane was built, by tail number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planes {
    // Nothing where the plane is listed without a year.
    built: HashMap<Vec<u8>, Option<f64>>,
}

/// Why a table of planes was refused.
#[derive(Debug, Error)]
pub enum PlanesError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A plane is listed twice.
    #[error("{place}: plane \"{tail}\" is listed a second time")]
    Twice {
        /// The second time.
        place: Place,
        /// The tail number.
        tail: String,
    },
}

impl Planes {
    /// Reads `plane-data.csv`, in which planes of which nothing is known have a line of their tail
    /// number alone, and a missing year is empty, `None` or 0.
    pub fn read(source: impl Read, file: &str) -> Result<Planes, PlanesError> {
        let mut table = Table::new(source, file)?;
        let (tail, year) = (table.column("tailnum")?, table.column("year")?);
        let mut built = HashMap::new();
        while table.advance()? {
            let missing = table.field(year) == b"None";
            let built_in = if missing { None } else { table.number(year)? };
            // The real file also says 0000.
            let built_in = built_in.filter(|&year| year != 0.0);
            if built_in.is_some_and(|year| !YEARS.contains(&year)) {
                return Err(table.bad_value(year).into());
            }
            let tail = table.field(tail);
            if built.insert(tail.to_vec(), built_in).is_some() {
                return Err(PlanesError::Twice { place: table.place(0), tail: excerpt(tail) });
            }
        }
        if built.is_empty() {
            return Err(table.empty().into());
        }
        Ok(Planes { built })
    }

    /// How many planes are listed.
    pub fn count(&self) -> usize {
        self.built.len()
    }
}

/// Planes and flights of any other year are slips of the pen.
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

/// The columns of the Data Expo that are read, the covariates first, in the order of
/// [`super::FLIGHT_COVARIATES`], plane age being made from the year.
const COLUMNS: [&str; 9] = [
    "Year",
    "Distance",
    "AirTime",
    "DepTime",
    "ArrTime",
    "DayOfWeek",
    "DayofMonth",
    "Month",
    "ArrDelay",
];

/// Reads a year of flights, keeps those of which everything is known, and counts the others.
pub fn read_expo(source: impl Read, file: &str, planes: &Planes) -> Result<Flights, TableError> {
    let mut table = Table::new(source, file)?;
    let mut columns = [0; 9];
    for (column, name) in columns.iter_mut().zip(COLUMNS) {
        *column = table.column(name)?;
    }
    let tail = table.column("TailNum")?;
    let (cancelled, diverted) = (table.column("Cancelled")?, table.column("Diverted")?);
    let mut flights = Flights::default();
    while table.advance()? {
        table.check_length()?;
        if flag(&table, cancelled)? {
            flights.dropped_mut().cancelled += 1;
            continue;
        }
        if flag(&table, diverted)? {
            flights.dropped_mut().diverted += 1;
            continue;
        }
        let known =
            if is_missing(table.field(tail)) { None } else { planes.built.get(table.field(tail)) };
        let built = match known {
            None => {
                flights.dropped_mut().unknown_plane += 1;
                continue;
            }
            Some(None) => {
                flights.dropped_mut().unknown_year += 1;
                continue;
            }
            Some(Some(year)) => *year,
        };
        let mut values = [0.0; 9];
        let mut complete = true;
        for (value, column) in values.iter_mut().zip(columns) {
            match table.number(column)? {
                Some(number) => *value = number,
                None => complete = false,
            }
        }
        if !complete {
            flights.dropped_mut().missing += 1;
        } else if !YEARS.contains(&values[0]) {
            return Err(table.bad_value(columns[0]));
        } else if let Some(j) = off_calendar(&values) {
            return Err(table.bad_value(columns[j]));
        } else {
            values[0] -= built;
            flights.push(values);
        }
    }
    if flights.count() == 0 { Err(table.empty()) } else { Ok(flights) }
}

/// A field that is 0 or 1.
fn flag(table: &impl Cells, column: usize) -> Result<bool, TableError> {
    match table.field(column) {
        b"0" => Ok(false),
        b"1" => Ok(true),
        _ => Err(table.bad_value(column)),
    }
}
