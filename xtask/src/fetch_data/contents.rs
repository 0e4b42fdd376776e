//! What is in the data sets, as the readers see it.

use crate::fetch::{Entry, Manifest, Store};
use anyhow::Context;
use data::{
    AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineSource, Labels, Planes, a9a, open, read_expo,
    read_libsvm,
};
use debias::Seed;
use posterior::Rows;
use std::io::Read;
use std::path::Path;

/// The seed of the splits that are described; sizes are the same for all.
const SEED: Seed = Seed(2015);

/// The embedded sets, in a line.
pub fn embedded() -> String {
    let adult = a9a();
    format!(
        "a9a, {} × {} with {} positives, sha256 {}; {}",
        adult.count(),
        adult.block().width(),
        adult.positives(),
        data::A9A_SHA256,
        split(&AirlineSource::NewYork2013).unwrap_or_else(|error| format!("{error:#}")),
    )
}

/// What a data set holds, a line each; nothing for sets without a reader.
pub fn describe(manifest: &Manifest, store: &Store) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in &manifest.files {
        let path = store.path(entry);
        match entry.path.as_str() {
            "a9a" | "a9a.t" => {
                let rows = read_libsvm(open(&path)?, &entry.path, 123, Labels::PlusMinus)?;
                lines.push(format!(
                    "{}: {} × {} with {} positives",
                    entry.path,
                    rows.count(),
                    rows.block().width(),
                    rows.positives()
                ));
            }
            "flights_union_8cov.csv.bz2" => lines.push(split(&AirlineSource::Named(path))?),
            "2008.csv.bz2" | "2008-fragment.csv.bz2" => {
                let planes = path.with_file_name("plane-data.csv");
                if !planes.is_file() {
                    lines.push(format!("{}: needs plane-data.csv of airline-2008", entry.path));
                    continue;
                }
                let planes = Planes::read(open(&planes)?, "plane-data.csv")?;
                let flights = read_expo(open(&path)?, &entry.path, &planes)?;
                lines.push(format!(
                    "{}: {} flights kept, {}",
                    entry.path,
                    flights.count(),
                    flights.dropped()
                ));
            }
            _ => {}
        }
    }
    Ok(lines)
}

/// How the airline experiment would split a source.
fn split(source: &AirlineSource) -> anyhow::Result<String> {
    let airline = Airline::prepare(source, AIRLINE_TRAIN, AIRLINE_TEST, SEED)?;
    let (train, test) = (airline.train.count(), airline.test.count());
    Ok(format!("{}, {train} train + {test} test rows", airline.data))
}

/// Counts the rows of a finished download, before it gets its name: lines that are not blank,
/// without the header of a table.
pub fn check_rows(entry: &Entry, path: &Path) -> Result<(), String> {
    let Some(expected) = entry.rows else { return Ok(()) };
    let lines = count_lines(path).map_err(|error| format!("{error:#}"))?;
    let found = if entry.path.contains(".csv") { lines.saturating_sub(1) } else { lines };
    if found == expected { Ok(()) } else { Err(format!("{found} rows, expected {expected}")) }
}

fn count_lines(path: &Path) -> anyhow::Result<u64> {
    let mut source = open(path).with_context(|| path.display().to_string())?;
    let mut buffer = vec![0; 1 << 16];
    let (mut lines, mut blank) = (0, true);
    loop {
        let size = source.read(&mut buffer).with_context(|| path.display().to_string())?;
        if size == 0 {
            return Ok(lines + u64::from(!blank));
        }
        for &byte in &buffer[..size] {
            if byte == b'\n' {
                lines += u64::from(!blank);
                blank = true;
            } else if byte != b'\r' {
                blank = false;
            }
        }
    }
}
