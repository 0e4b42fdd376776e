//! Text files into mapped ones, in one streaming pass that holds one chunk of rows.

use super::format::CHUNK;
use super::writer::{DenseWriter, MixedWriter, SparseWriter};
use crate::readers::{
    Cells, Coding, Encoder, Labels, LibsvmError, MixedRow, Table, TableError, choose,
    gather_numbers, open, visit_libsvm,
};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file was not imported; nothing is then left under the name of the output.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The input cannot be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// The input.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The output.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The libsvm file is faulty.
    #[error(transparent)]
    Libsvm(#[from] LibsvmError),
    /// The table is faulty.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Labels must be known before the first row is written.
    #[error("labels of an import must be declared")]
    Labels,
}

/// Imports a libsvm file, plain or compressed, for [`crate::MappedSparse`]; returns its rows.
pub fn import_libsvm(
    input: &Path,
    output: &Path,
    width: usize,
    labels: Labels,
) -> Result<u64, ImportError> {
    import_libsvm_from(source(input)?, &input.display().to_string(), output, width, labels)
}

/// The same from text that is being read; `file` names it in errors.
pub fn import_libsvm_from(
    source: impl Read,
    file: &str,
    output: &Path,
    width: usize,
    labels: Labels,
) -> Result<u64, ImportError> {
    let write = |source| ImportError::Write { path: output.to_owned(), source };
    let positive = match labels {
        Labels::PlusMinus | Labels::ZeroOne => 1,
        Labels::OneTwo => 2,
        Labels::Detect => return Err(ImportError::Labels),
    };
    let mut writer = SparseWriter::create(output, width).map_err(write)?;
    visit_libsvm(BufReader::new(source), file, width, labels, |row| {
        let target = if row.label == positive { 1.0 } else { -1.0 };
        let columns = row.columns.iter().map(|&column| u32::from(column));
        writer.push(columns, row.values, target).map_err(write)
    })?;
    writer.finish(output).map_err(write)
}

/// Imports a table, plain or compressed, for [`crate::MappedDense`]; returns its rows. Columns are
/// chosen as by [`crate::read_table`].
pub fn import_table(
    input: &Path,
    output: &Path,
    covariates: &[&str],
    target: &str,
) -> Result<u64, ImportError> {
    import_table_from(source(input)?, &input.display().to_string(), output, covariates, target)
}

/// The same from text that is being read; `file` names it in errors.
pub fn import_table_from(
    source: impl Read,
    file: &str,
    output: &Path,
    covariates: &[&str],
    target: &str,
) -> Result<u64, ImportError> {
    import_numbers(&mut Table::new(source, file)?, output, covariates, target)
}

/// The same from any table.
pub fn import_numbers(
    table: &mut impl Cells,
    output: &Path,
    covariates: &[&str],
    target: &str,
) -> Result<u64, ImportError> {
    let write = |source| ImportError::Write { path: output.to_owned(), source };
    let columns = choose(table, covariates, target)?;
    let mut writer = DenseWriter::create(output, columns.len() - 1).map_err(write)?;
    let mut numbers = vec![Vec::with_capacity(CHUNK); columns.len()];
    gather_numbers(table, &columns, CHUNK, &mut numbers, |chunk| {
        writer.put_chunk(chunk).map_err(write)
    })?;
    writer.finish(output).map_err(write)
}

/// Imports a table under a coding: rows for [`crate::MappedMixed`] if any column is a category, else dense
/// ones. Returns the rows that were imported, not those that were left out.
pub fn import_coded(
    source: impl Read,
    file: &str,
    output: &Path,
    coding: &Coding,
) -> Result<u64, ImportError> {
    import_cells(&mut Table::new(source, file)?, output, coding)
}

/// The same from any table.
pub fn import_cells(
    table: &mut impl Cells,
    output: &Path,
    coding: &Coding,
) -> Result<u64, ImportError> {
    let write = |source| ImportError::Write { path: output.to_owned(), source };
    let mut encoder = Encoder::new(coding, table, true)?;
    let width = coding.width();
    if coding.has_categories() {
        let shape = encoder.shape().map_err(|_| LibsvmError::Width { width })?;
        let mut row = MixedRow::new(&shape);
        let mut writer = MixedWriter::create(output, shape).map_err(write)?;
        while table.advance()? {
            table.check_length()?;
            let Some(target) = encoder.row(table, &mut row)? else { continue };
            writer.push(&row.numbers, &row.codes, target).map_err(write)?;
        }
        return writer.finish(output).map_err(write);
    }
    let mut entries: Vec<(usize, f64)> = Vec::new();
    let mut writer = DenseWriter::create(output, width).map_err(write)?;
    let mut row = vec![0.0; width + 1];
    while table.advance()? {
        table.check_length()?;
        let Some(target) = encoder.row(table, &mut entries)? else { continue };
        row.fill(0.0);
        entries.iter().for_each(|&(column, value)| row[column] = value);
        row[width] = target;
        writer.push(&row).map_err(write)?;
    }
    writer.finish(output).map_err(write)
}

fn source(path: &Path) -> Result<Box<dyn Read + Send>, ImportError> {
    open(path).map_err(|source| ImportError::Open { path: path.to_owned(), source })
}
