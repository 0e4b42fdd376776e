//! Numbers of Parquet files are taken as whole columns, and are those that a CSV of them has.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use data::{ImportError, MappedDense, ParquetTable, TableError, import_numbers, import_table};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use posterior::Rows;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// As many rows as make batches and chunks end at different places.
const ROWS: usize = 50_001;

fn number(row: usize) -> f64 {
    (row as f64 * 1.7).sin() / 3.0
}

/// A number that may be missing, and a whole one; so many rows per group.
fn write(path: &Path, group: usize, gap: Option<usize>) {
    let schema = "message m { optional double x; required int64 y; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut file =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    for start in (0..ROWS).step_by(group) {
        let rows = start..ROWS.min(start + group);
        let mut writer = file.next_row_group().unwrap();
        let levels: Vec<i16> = rows.clone().map(|row| i16::from(gap != Some(row))).collect();
        let there = rows.clone().filter(|&row| gap != Some(row));
        let values: Vec<f64> = there.map(number).collect();
        let mut column = writer.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&values, Some(&levels), None).unwrap();
        column.close().unwrap();
        let values: Vec<i64> = rows.map(|row| row as i64 - 7).collect();
        let mut column = writer.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
        writer.close().unwrap();
    }
    file.close().unwrap();
}

fn import(path: PathBuf, output: &Path) -> Result<u64, ImportError> {
    let used = ["x", "y"].map(str::to_owned);
    let mut table = ParquetTable::open(&[path], "numbers", &used, || false)?;
    import_numbers(&mut table, output, &["x"], "y")
}

#[test]
fn whole_columns_are_the_rows_of_a_csv() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut text = "x,y\n".to_owned();
    (0..ROWS).for_each(|row| writeln!(text, "{},{}", number(row), row as i64 - 7).unwrap());
    fs::write(at("numbers.csv"), text).unwrap();
    import_table(&at("numbers.csv"), &at("text.rows"), &["x"], "y").unwrap();
    let text = MappedDense::open(&at("text.rows")).unwrap();
    // Groups end before, at and behind the ends of batches and chunks, and within them.
    for group in [1000, 8192, 8193, 16_385, ROWS] {
        write(&at("numbers.parquet"), group, None);
        assert_eq!(import(at("numbers.parquet"), &at("rows")).unwrap(), ROWS as u64);
        assert_eq!(fs::read(at("rows")).unwrap(), fs::read(at("text.rows")).unwrap(), "{group}");
        assert_eq!(MappedDense::open(&at("rows")).unwrap().range(0..ROWS), text.range(0..ROWS));
    }
}

#[test]
fn a_gap_within_a_column_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for gap in [0, 1, 8191, 8192, 20_000, ROWS - 1] {
        write(&at("gaps.parquet"), 20_001, Some(gap));
        let refused = import(at("gaps.parquet"), &at("rows")).unwrap_err();
        let ImportError::Table(TableError::Missing { place, column }) = refused else {
            panic!("{refused}")
        };
        assert_eq!((place.line, place.column, column.as_str()), (gap as u64 + 1, 1, "x"));
        assert!(!at("rows").exists());
    }
}
