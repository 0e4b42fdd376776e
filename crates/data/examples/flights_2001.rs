//! Makes the embedded table of the flights of 2001 again, on standard output:
//!
//! ```sh
//! cargo run --release -p unbiased-bayes-data --example flights_2001 -- flights-3m.parquet
//! ```
//!
//! One line for each origin, destination and hour of departure, in this order: how many flights there are,
//! and how many of them are more than two hours late.

use data::{Cells, ParquetTable};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

/// Minutes beyond which a flight counts as late.
const LATE: f64 = 120.0;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the path of flights-3m.parquet is missing")?;
    let columns = ["date", "delay", "origin", "destination"].map(str::to_owned);
    let mut table = ParquetTable::open(&[PathBuf::from(&path)], &path, &columns, || false)?;
    let column = |name: &str| table.column(name);
    let (date, delay) = (column("date")?, column("delay")?);
    let (origin, destination) = (column("origin")?, column("destination")?);
    let mut counts: BTreeMap<(String, String, i64), (u64, u64)> = BTreeMap::new();
    while table.advance()? {
        let text = |column: usize| std::str::from_utf8(table.field(column)).map(str::to_owned);
        let hour = table.moment(date).and_then(|moment| moment.hour).ok_or("no hour")?;
        let minutes = table.number(delay)?.ok_or("no delay")?;
        let (flights, late) = counts.entry((text(origin)?, text(destination)?, hour)).or_default();
        *flights += 1;
        *late += u64::from(minutes > LATE);
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "origin,destination,hour,flights,late")?;
    for ((origin, destination, hour), (flights, late)) in counts {
        writeln!(out, "{origin},{destination},{hour},{flights},{late}")?;
    }
    Ok(out.flush()?)
}
