//! Tables: comma-separated values under a header.

use super::place::{Place, excerpt};
use crate::DenseRows;
use posterior::DenseBlock;
use std::io::{self, Read};
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
    #[error("{file}: column \"{column}\" is there {times} times in the header \"{header}\"")]
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
    #[error("{place}: {found} fields under a header of {expected}")]
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
    /// No rows at all.
    #[error("{file}: no rows in {lines} lines")]
    Empty {
        /// The file.
        file: String,
        /// How many lines were read.
        lines: u64,
    },
}

/// A table being read, one record at a time.
pub(crate) struct Table<R> {
    reader: csv::Reader<R>,
    record: csv::ByteRecord,
    header: Vec<String>,
    file: String,
    line: u64,
}

impl<R: Read> Table<R> {
    pub fn new(source: R, file: &str) -> Result<Table<R>, TableError> {
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).buffer_capacity(1 << 16).from_reader(source);
        let header = reader.byte_headers().map_err(|error| io_error(file, 0, error))?;
        let header = header
            .iter()
            .map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned())
            .collect();
        let record = csv::ByteRecord::new();
        Ok(Table { reader, record, header, file: file.to_owned(), line: 1 })
    }

    /// The number of the field under this name.
    pub fn column(&self, name: &str) -> Result<usize, TableError> {
        let times = self.header.iter().filter(|found| *found == name).count();
        match self.header.iter().position(|found| found == name) {
            Some(column) if times == 1 => Ok(column),
            _ => Err(TableError::Column {
                file: self.file.clone(),
                column: name.to_owned(),
                times,
                header: excerpt(self.header.join(",").as_bytes()),
            }),
        }
    }

    /// Moves to the next record; false at the end.
    pub fn advance(&mut self) -> Result<bool, TableError> {
        let more = self.reader.read_byte_record(&mut self.record);
        let more = more.map_err(|error| io_error(&self.file, self.line, error))?;
        if more {
            self.line = self.record.position().map_or(self.line + 1, csv::Position::line);
        }
        Ok(more)
    }

    /// Fails if the record is not as long as the header.
    pub fn check_length(&self) -> Result<(), TableError> {
        if self.record.len() == self.header.len() {
            return Ok(());
        }
        let (found, expected) = (self.record.len(), self.header.len());
        Err(TableError::Fields { place: self.place(0), found, expected })
    }

    /// A field of the record without blanks around it; beyond the record's end, nothing.
    pub fn field(&self, column: usize) -> &[u8] {
        self.record.get(column).unwrap_or(b"").trim_ascii()
    }

    /// A number, or nothing where the field is empty or NA.
    pub fn number(&self, column: usize) -> Result<Option<f64>, TableError> {
        let field = self.field(column);
        if is_missing(field) {
            return Ok(None);
        }
        match number(field) {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad_value(column)),
        }
    }

    pub fn bad_value(&self, column: usize) -> TableError {
        TableError::Value {
            place: self.place(column),
            column: self.header[column].clone(),
            value: excerpt(self.field(column)),
        }
    }

    pub fn place(&self, column: usize) -> Place {
        Place { file: self.file.clone(), line: self.line, column: column + 1 }
    }

    pub fn empty(&self) -> TableError {
        TableError::Empty { file: self.file.clone(), lines: self.line }
    }

    /// Calls `visit` with the numbers of every record, all of which must be there.
    pub fn visit_numbers<E: From<TableError>>(
        &mut self,
        columns: &[usize],
        mut visit: impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut rows = 0;
        let mut values = vec![0.0; columns.len()];
        while self.advance()? {
            self.check_length()?;
            for (value, &column) in values.iter_mut().zip(columns) {
                *value = self.number(column)?.ok_or_else(|| TableError::Missing {
                    place: self.place(column),
                    column: self.header[column].clone(),
                })?;
            }
            visit(&values)?;
            rows += 1;
        }
        if rows == 0 { Err(self.empty().into()) } else { Ok(rows) }
    }

    /// The named covariates, or all columns but the target if none are named; the target last.
    pub fn choose(&self, covariates: &[&str], target: &str) -> Result<Vec<usize>, TableError> {
        let target = self.column(target)?;
        let mut chosen = if covariates.is_empty() {
            (0..self.header.len()).filter(|&column| column != target).collect()
        } else {
            covariates.iter().map(|name| self.column(name)).collect::<Result<Vec<_>, _>>()?
        };
        chosen.push(target);
        Ok(chosen)
    }
}

/// The names in the header of a table.
pub fn read_header(source: impl Read, file: &str) -> Result<Vec<String>, TableError> {
    Ok(Table::new(source, file)?.header)
}

/// Reads the named covariates and the target of every row; with no covariates named, all columns
/// but the target. A missing value is an error: dropping rows is for readers that count them.
pub fn read_table(
    source: impl Read,
    file: &str,
    covariates: &[&str],
    target: &str,
) -> Result<DenseRows, TableError> {
    let mut table = Table::new(source, file)?;
    let chosen = table.choose(covariates, target)?;
    let mut columns = vec![Vec::new(); chosen.len()];
    table.visit_numbers(&chosen, |values| {
        columns.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        Ok::<_, TableError>(())
    })?;
    let (target, covariates) = columns.split_last().expect("the target is always chosen");
    let mut block = DenseBlock::zeros(target.len(), covariates.len());
    for (j, column) in covariates.iter().enumerate() {
        block.column_mut(j).copy_from_slice(column);
    }
    block.targets_mut().copy_from_slice(target);
    Ok(DenseRows::new(block))
}

pub(crate) fn is_missing(field: &[u8]) -> bool {
    field.is_empty() || field == b"NA"
}

/// A finite number; short whole numbers, by far the most, without a detour over text.
fn number(field: &[u8]) -> Option<f64> {
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() <= 9 && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        let value = digits.iter().fold(0.0, |sum, digit| 10.0 * sum + f64::from(digit - b'0'));
        return Some(if digits.len() < field.len() { -value } else { value });
    }
    super::libsvm::parse(field).filter(|value: &f64| value.is_finite())
}

fn io_error(file: &str, line: u64, error: csv::Error) -> TableError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    };
    TableError::Io { file: file.to_owned(), line, source }
}
