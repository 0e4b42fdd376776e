//! The airline data, embedded and, where the mirror beside the project exists, the larger sets.
use data::{
    AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineSource, Dropped, NEW_YORK_SHA256, Planes, open,
    read_expo,
};
use debias::Seed;
use posterior::Rows;
use std::path::{Path, PathBuf};

/// The mirror of real files, if this machine has it.
fn mirror() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    if !path.is_dir() {
        println!("skipped: there is no mirror beside the project");
        return None;
    }
    Some(path)
}

fn check(source: &AirlineSource, name: &str, train: usize) {
    let airline = Airline::prepare(source, AIRLINE_TRAIN, AIRLINE_TEST, Seed(2015));
    let airline = airline.expect("the flights can be read");
    assert_eq!(airline.data, name);
    assert_eq!((airline.train.count(), airline.test.count()), (train, AIRLINE_TEST));
    for j in 0..8 {
        let column = airline.train.block().column(j);
        let mean = column.iter().sum::<f64>() / train as f64;
        let square = column.iter().map(|x| x * x).sum::<f64>() / train as f64;
        assert!(mean.abs() < 1e-9 && (square - 1.0).abs() < 1e-9, "column {j}: {mean} {square}");
        // Test rows come from the same flights: their mean is within five standard errors.
        let test = airline.test.block().column(j);
        let mean = test.iter().sum::<f64>() / test.len() as f64;
        assert!(mean.abs() < 5.0 / (test.len() as f64).sqrt(), "column {j}: {mean}");
    }
    println!("{}: {train} + {AIRLINE_TEST} rows, {}", airline.data, airline.dropped);
}

#[test]
fn the_embedded_flights_split_as_stated() {
    let source = AirlineSource::choose(Path::new("nowhere"), None);
    check(&source, "New York flights 2013 (embedded)", 173_853);
}

#[test]
fn the_union_of_the_mirror_runs_at_full_scale() {
    let Some(mirror) = mirror() else { return };
    let union = mirror.join("flights_union_8cov.csv.bz2");
    let source = AirlineSource::choose(Path::new("nowhere"), Some(&union));
    check(&source, "flights of flights_union_8cov.csv.bz2", 700_000);
}

#[test]
fn the_fragment_of_2008_is_kept_or_dropped_for_a_reason() {
    let Some(mirror) = mirror() else { return };
    let planes = Planes::read(open(&mirror.join("plane-data.csv")).unwrap(), "plane-data.csv");
    let planes = planes.unwrap();
    assert_eq!(planes.count(), 5029);
    let fragment = open(&mirror.join("2008-fragment.csv.bz2")).unwrap();
    let flights = read_expo(fragment, "2008-fragment.csv", &planes).unwrap();
    println!("{} kept, {}", flights.count(), flights.dropped());
    // The fragment has 8 745 rows; the last one ends without a line end.
    assert_eq!(flights.count(), 8468);
    let dropped = Dropped { cancelled: 155, diverted: 25, unknown_year: 97, ..Dropped::default() };
    assert_eq!(flights.dropped(), dropped);
}

#[test]
fn fetched_files_come_before_a_named_table() {
    let downloads = tempfile::tempdir().unwrap();
    let named = Path::new("mine.csv");
    let choose = || AirlineSource::choose(downloads.path(), Some(named));
    assert_eq!(choose(), AirlineSource::Named(named.into()));
    let flights = downloads.path().join("2008.csv.bz2");
    std::fs::write(&flights, "").unwrap();
    assert_eq!(choose(), AirlineSource::Named(named.into()), "the planes are still missing");
    let planes = downloads.path().join("plane-data.csv");
    std::fs::write(&planes, "").unwrap();
    assert_eq!(choose(), AirlineSource::Expo2008 { flights, planes });
    let sums = choose().checksums().unwrap();
    assert_eq!(sums[0].0, "2008.csv.bz2");
    assert_eq!(sums[1].1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    let embedded = AirlineSource::NewYork2013.checksums().unwrap();
    assert_eq!(embedded, [("nycflights13.csv".to_owned(), NEW_YORK_SHA256.to_owned())]);
}
