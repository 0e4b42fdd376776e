//! What claims read from records.

use debias::Summary;
use records::Record;

/// N of the first data set of a record.
pub fn all_rows(record: &Record) -> f64 {
    record.data.first().map_or(f64::NAN, |data| data.rows as f64)
}

/// A setting that is a whole number.
pub fn setting(record: &Record, name: &str) -> u64 {
    record.settings.get(name).and_then(|value| value.as_u64()).unwrap_or(0)
}

/// The trials of a table `convergence` in one column, size by size.
pub fn by_size(record: &Record, column: &str) -> anyhow::Result<Vec<(f64, Summary)>> {
    let table = record.table("convergence")?;
    let (rows, values) = (table.numbers("rows")?, table.numbers(column)?);
    let mut sizes = rows.clone();
    sizes.dedup();
    let summary = |&size: &f64| {
        let at = (0..rows.len()).filter(|&row| rows[row] == size);
        Ok((size, Summary::of(&at.map(|row| values[row]).collect::<Vec<_>>())?))
    };
    sizes.iter().map(summary).collect()
}

/// The smallest size from which on all of them are near enough; infinite if the last is not.
pub fn settled(sizes: &[(f64, Summary)], near: impl Fn(&Summary) -> bool) -> f64 {
    let last = sizes.iter().rev().take_while(|(_, summary)| near(summary)).last();
    last.map_or(f64::INFINITY, |(size, _)| *size)
}
