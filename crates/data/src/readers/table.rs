//! Tables: values separated by commas, semicolons, tabs or bars under a header.

use super::cells::Cells;
use super::delimited::{Delimited, Fault, MOST_FIELDS};
use super::lines::LONGEST;
use super::place::{Place, excerpt};
use super::table_error::TableError;
use crate::DenseRows;
use posterior::DenseBlock;
use std::collections::HashMap;
use std::io::Read;

/// The longest name of a column.
const LONGEST_NAME: usize = 1000;

/// A table of text: values separated by commas, semicolons, tabs or bars under a header.
pub struct Table<R> {
    records: Delimited<R>,
    header: Vec<String>,
    // The first field under each name, and how many there are.
    columns: HashMap<String, (usize, usize)>,
    file: String,
}

impl<R: Read> Table<R> {
    /// Reads the header; `file` names the table in errors.
    pub fn new(source: R, file: &str) -> Result<Table<R>, TableError> {
        let place = |column| Place { file: file.to_owned(), line: 1, column };
        let mut records = Delimited::new(source).map_err(|fault| refused(fault, 1, file))?;
        if records.beginning().starts_with(b"\xff\xfe")
            || records.beginning().starts_with(b"\xfe\xff")
        {
            return Err(TableError::Wide { file: file.to_owned() });
        }
        let any = records.advance().map_err(|fault| refused(fault, 1, file))?;
        let mut header = Vec::new();
        let mut columns = HashMap::new();
        for column in 0..if any { records.count() } else { 0 } {
            let name = records.field(column).unwrap_or_default().trim_ascii();
            if name.len() > LONGEST_NAME {
                let (length, limit) = (name.len(), LONGEST_NAME);
                return Err(TableError::Name { place: place(column + 1), length, limit });
            }
            let name = match String::from_utf8(name.to_vec()) {
                Ok(name) => name,
                Err(_) => {
                    let (place, value) = (place(column + 1), excerpt(name));
                    return Err(TableError::NameEncoding { place, value });
                }
            };
            columns.entry(name.clone()).or_insert((column, 0)).1 += 1;
            header.push(name);
        }
        Ok(Table { records, header, columns, file: file.to_owned() })
    }
}

impl<R: Read> Cells for Table<R> {
    fn file(&self) -> &str {
        &self.file
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn column(&self, name: &str) -> Result<usize, TableError> {
        match self.columns.get(name) {
            Some(&(column, 1)) => Ok(column),
            other => Err(TableError::Column {
                file: self.file.clone(),
                column: excerpt(name.as_bytes()),
                times: other.map_or(0, |&(_, times)| times),
                header: excerpt(self.header.join(",").as_bytes()),
            }),
        }
    }

    fn advance(&mut self) -> Result<bool, TableError> {
        let line = self.records.next_line();
        self.records.advance().map_err(|fault| refused(fault, line, &self.file))
    }

    fn check_length(&self) -> Result<(), TableError> {
        let (found, expected) = (self.records.count(), self.header.len());
        // A separator at the end of a line ends its last field.
        let one_more = found == expected + 1 && self.field(expected).is_empty();
        if found == expected || one_more {
            return Ok(());
        }
        Err(TableError::Fields { place: self.place(0), found, expected })
    }

    /// Beyond the record's end, nothing.
    fn field(&self, column: usize) -> &[u8] {
        self.records.field(column).unwrap_or(b"").trim_ascii()
    }

    fn place(&self, column: usize) -> Place {
        Place { file: self.file.clone(), line: self.records.line(), column: column + 1 }
    }

    fn empty(&self) -> TableError {
        TableError::Empty { file: self.file.clone(), lines: self.records.line() }
    }
}

/// Appends the numbers of all rows, each of which must be there, to `numbers`, one list per column, and
/// calls `full` whenever these have as many as `most`, and once more at the end; it empties them.
pub(crate) fn gather_numbers<E: From<TableError>>(
    table: &mut impl Cells,
    columns: &[usize],
    most: usize,
    numbers: &mut [Vec<f64>],
    mut full: impl FnMut(&mut [Vec<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    // Rows that are taken one by one, because a cell among them is no number.
    let (mut any, mut rows, mut one_by_one) = (false, 0, 0);
    while table.advance()? {
        table.check_length()?;
        any = true;
        let count = table.held().min(most - rows);
        let taken = count > 1
            && one_by_one == 0
            && columns
                .iter()
                .zip(&mut *numbers)
                .all(|(&column, numbers)| table.append_finite(column, count, numbers));
        if taken {
            table.skip(count - 1);
            rows += count;
        } else {
            one_by_one = if one_by_one == 0 { count - 1 } else { one_by_one - 1 };
            for (&column, numbers) in columns.iter().zip(&mut *numbers) {
                numbers.truncate(rows);
                let number = table.number(column)?;
                numbers.push(number.ok_or_else(|| table.missing(column))?);
            }
            rows += 1;
        }
        if rows == most {
            full(numbers)?;
            rows = 0;
        }
    }
    if !any {
        return Err(table.empty().into());
    }
    full(numbers)
}

/// The named covariates, or all columns but the target if none are named; the target last.
pub(crate) fn choose(
    table: &impl Cells,
    covariates: &[&str],
    target: &str,
) -> Result<Vec<usize>, TableError> {
    let target = table.column(target)?;
    let mut chosen = if covariates.is_empty() {
        (0..table.header().len()).filter(|&column| column != target).collect()
    } else {
        covariates.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?
    };
    chosen.push(target);
    Ok(chosen)
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
    let chosen = choose(&table, covariates, target)?;
    let mut columns = vec![Vec::new(); chosen.len()];
    gather_numbers(&mut table, &chosen, usize::MAX, &mut columns, |_| Ok::<_, TableError>(()))?;
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

fn refused(fault: Fault, line: u64, file: &str) -> TableError {
    let place = Place { file: file.to_owned(), line, column: 1 };
    match fault {
        Fault::Io(source) => TableError::Io { file: file.to_owned(), line: line - 1, source },
        Fault::TooLong => TableError::Long { place, limit: LONGEST },
        Fault::TooMany => TableError::Many { place, limit: MOST_FIELDS },
        Fault::Unclosed => TableError::Unclosed { place },
    }
}
