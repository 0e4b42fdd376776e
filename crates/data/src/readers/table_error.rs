//! Why a table was refused, with file, line, column and value.

use super::place::Place;
use std::io;
use thiserror::Error;

/// Why a table was refused.
#[derive(Debug, Error)]
pub enum TableError {
    /// Reading failed.
    #[error("{file}: cannot read after line {line}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The last line that was read.
        line: u64,
        /// What the system said.
        source: io::Error,
    },
    /// The header lacks a column, or has it twice.
    #[error(
        "{file}: {} in the header \"{header}\"",
        match times {
            0 => format!("there is no column \"{column}\""),
            _ => format!("column \"{column}\" is there {times} times"),
        }
    )]
    Column {
        /// The file.
        file: String,
        /// The column's name.
        column: String,
        /// How often the header names it.
        times: usize,
        /// The beginning of the header.
        header: String,
    },
    /// A record has more or fewer fields than the header.
    #[error(
        "{place}: this line has {found} fields and the header {expected}; mend the line, or put \
         fields that hold a separator into quotes"
    )]
    Fields {
        /// Where the record starts.
        place: Place,
        /// Its fields.
        found: usize,
        /// The header's.
        expected: usize,
    },
    /// A field that must be known is empty or NA.
    #[error("{place}: column \"{column}\" is missing")]
    Missing {
        /// Where.
        place: Place,
        /// The column's name.
        column: String,
    },
    /// A field is no finite number.
    #[error("{place}: column \"{column}\" holds \"{value}\", not a finite number")]
    Value {
        /// Where.
        place: Place,
        /// The column's name.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A word that was not among the levels of its category.
    #[error(
        "{place}: column \"{column}\" holds \"{value}\", which is not one of its levels: {known}"
    )]
    Level {
        /// Where.
        place: Place,
        /// The column's name.
        column: String,
        /// What stands there.
        value: String,
        /// The levels, or the first of them.
        known: String,
    },
    /// A word that is not text.
    #[error(
        "{place}: column \"{column}\" holds \"{value}\", which is not UTF-8; save the file as UTF-8"
    )]
    Encoding {
        /// Where.
        place: Place,
        /// The column's name.
        column: String,
        /// What stands there.
        value: String,
    },
    /// The file is UTF-16.
    #[error("{file}: this is UTF-16 text; save the file as UTF-8")]
    Wide {
        /// The file.
        file: String,
    },
    /// A record that no table has.
    #[error(
        "{place}: a record longer than {limit} bytes; perhaps a quote is never closed, or this is \
         not a table"
    )]
    Long {
        /// Where the record starts.
        place: Place,
        /// The most that is read.
        limit: usize,
    },
    /// A record or header with too many fields.
    #[error("{place}: more than {limit} fields")]
    Many {
        /// Where the record starts.
        place: Place,
        /// The most that are read.
        limit: usize,
    },
    /// Quotes that are opened and not closed.
    #[error("{place}: the file ends within quotes that this record opens")]
    Unclosed {
        /// Where the record starts.
        place: Place,
    },
    /// A name in the header that is not text.
    #[error("{place}: the name of this column, \"{value}\", is not UTF-8; save the file as UTF-8")]
    NameEncoding {
        /// Where in the header.
        place: Place,
        /// What stands there.
        value: String,
    },
    /// A name in the header that nobody could read.
    #[error("{place}: a column name of {length} bytes; names have at most {limit}")]
    Name {
        /// Where in the header.
        place: Place,
        /// Its length.
        length: usize,
        /// The most.
        limit: usize,
    },
    /// A function of a cell that is no finite number.
    #[error(
        "{place}: {term} is not a finite number, because \"{column}\" is {value}; mend the cell, or \
         leave its row out of the file"
    )]
    Function {
        /// Where the cell is.
        place: Place,
        /// The term, as it is written.
        term: String,
        /// The column of the cell.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A part of a point in time that is not there.
    #[error(
        "{place}: {term} is not known, because \"{column}\" holds \"{value}\"; a point in time is \
         written as 2024-01-31 12:30:00, and a date without its time has no hour"
    )]
    Time {
        /// Where the cell is.
        place: Place,
        /// The term, as it is written.
        term: String,
        /// The column of the cell.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A Parquet file cannot be read.
    #[error("{file}: this is not a whole Parquet file: {reason}")]
    Parquet {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An Arrow file or stream cannot be read.
    #[error("{file}: this is not a whole Arrow file or stream: {reason}")]
    Arrow {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A column of a Parquet or Arrow file that is neither number nor text.
    #[error("{file}: column \"{column}\" is {kind}, which is neither a number nor a category")]
    Type {
        /// The file.
        file: String,
        /// The column's name.
        column: String,
        /// What it is.
        kind: String,
    },
    /// Files that are read as one have different columns.
    #[error(
        "{file} has no column \"{column}\", which {other} has; files that are read together \
             have the same columns"
    )]
    Differs {
        /// The file that lacks it.
        file: String,
        /// The column's name.
        column: String,
        /// The file that has it.
        other: String,
    },
    /// A Parquet file without rows.
    #[error("{file}: no rows")]
    NoRows {
        /// The file, or all of them.
        file: String,
    },
    /// No rows at all.
    #[error("{file}: no rows in {lines} lines")]
    Empty {
        /// The file.
        file: String,
        /// How many lines were read.
        lines: u64,
    },
}
