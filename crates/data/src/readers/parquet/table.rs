//! Parquet files as one table. Of every column that is used one batch of cells is held, and of the
//! file the pages that these cells are on.

use super::column::next_batch;
use crate::readers::batch::{Batch, WORDS};
use crate::readers::batches::{BatchSource, Batches};
use crate::readers::place::{Place, excerpt};
use crate::readers::stored::{StoredColumn, StoredKind};
use crate::readers::table_error::TableError;
use bytes::Bytes;
use memmap2::Mmap;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Cells of a column that are held.
const BATCH: usize = 1 << 14;

/// The columns of some files, which have to be the same by name, and the rows of all.
pub fn parquet_columns(paths: &[PathBuf]) -> Result<(Vec<StoredColumn>, u64), TableError> {
    let (mut first, mut rows): (Option<Vec<StoredColumn>>, _) = (None, 0);
    for path in paths {
        let file = path.display().to_string();
        let reader = open(path)?;
        rows += u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or(0);
        let columns = columns(&reader);
        let Some(known) = &first else {
            first = Some(columns);
            continue;
        };
        let lacks = |these: &[StoredColumn], name: &str| !these.iter().any(|it| it.name == name);
        let other = paths[0].display().to_string();
        let differs = |column: &StoredColumn, file: String, other: String| TableError::Differs {
            file,
            column: excerpt(column.name.as_bytes()),
            other,
        };
        if let Some(column) = known.iter().find(|column| lacks(&columns, &column.name)) {
            return Err(differs(column, file, other));
        }
        if let Some(column) = columns.iter().find(|column| lacks(known, &column.name)) {
            return Err(differs(column, other, file));
        }
    }
    Ok((first.unwrap_or_default(), rows))
}

fn columns(reader: &SerializedFileReader<Bytes>) -> Vec<StoredColumn> {
    let schema = reader.metadata().file_metadata().schema();
    let column = |column: &parquet::schema::types::TypePtr| StoredColumn {
        name: column.name().to_owned(),
        kind: StoredKind::of_parquet(column),
    };
    schema.get_fields().iter().map(column).collect()
}

fn open(path: &Path) -> Result<SerializedFileReader<Bytes>, TableError> {
    let file = path.display().to_string();
    let opened = File::open(path).map_err(|source| TableError::Io {
        file: file.clone(),
        line: 0,
        source,
    })?;
    // SAFETY: the map is only read, and as bytes. Nobody may shorten the file under a running program,
    // as with any mapped file. Threads that share a file would share its cursor.
    let map = unsafe { Mmap::map(&opened) }.map_err(|source| TableError::Io {
        file: file.clone(),
        line: 0,
        source,
    })?;
    SerializedFileReader::new(Bytes::from_owner(map)).map_err(|error| damaged(&file, error))
}

fn damaged(file: &str, error: ParquetError) -> TableError {
    TableError::Parquet { file: file.to_owned(), reason: error.to_string() }
}

/// Parquet files as one table.
pub type ParquetTable = Batches<ParquetFiles>;

/// Parquet files, one after the other.
pub struct ParquetFiles {
    shown: String,
    paths: Vec<PathBuf>,
    header: Vec<String>,
    cancelled: fn() -> bool,
    // The file at hand.
    next_file: usize,
    file: Option<Opened>,
    // Rows of the batch at hand.
    rows: usize,
    // Dictionaries of all batches before.
    dictionaries: u64,
}

/// A file, and where in it we are.
struct Opened {
    reader: SerializedFileReader<Bytes>,
    // Number in the schema, number among the leaves, and kind of every column that is used.
    used: Vec<(usize, usize, StoredKind)>,
    next_group: usize,
    // Readers of the columns of the row group at hand, and the rows that are left in it.
    columns: Vec<ColumnReader>,
    left: usize,
    // Rows before the batch at hand.
    before: u64,
}

impl ParquetTable {
    /// Opens the files as one table of the columns `used`; `shown` names all files together. Reading
    /// fails as soon as `cancelled` says so.
    pub fn open(
        paths: &[PathBuf],
        shown: &str,
        used: &[String],
        cancelled: fn() -> bool,
    ) -> Result<ParquetTable, TableError> {
        let mut files = ParquetFiles {
            shown: shown.to_owned(),
            paths: paths.to_vec(),
            header: used.to_vec(),
            cancelled,
            next_file: 0,
            file: None,
            rows: 0,
            dictionaries: WORDS,
        };
        files.next_file()?;
        Ok(Batches::of(files))
    }
}

impl ParquetFiles {
    fn name(&self) -> String {
        self.paths[self.next_file.saturating_sub(1)].display().to_string()
    }

    /// Opens the next file; false if there is none.
    fn next_file(&mut self) -> Result<bool, TableError> {
        let Some(path) = self.paths.get(self.next_file) else { return Ok(false) };
        self.next_file += 1;
        let (reader, file) = (open(path)?, path.display().to_string());
        let columns = columns(&reader);
        let schema = reader.metadata().file_metadata().schema_descr();
        let mut used = Vec::new();
        for name in &self.header {
            let mut named = (0..columns.len()).filter(|&at| columns[at].name == *name);
            let (Some(root), None) = (named.next(), named.next()) else {
                let header: Vec<&str> = columns.iter().map(|it| it.name.as_str()).collect();
                return Err(TableError::Column {
                    file,
                    column: excerpt(name.as_bytes()),
                    times: columns.iter().filter(|column| column.name == *name).count(),
                    header: excerpt(header.join(",").as_bytes()),
                });
            };
            let kind = columns[root].kind.clone();
            if let StoredKind::Other(kind) = kind {
                let column = excerpt(name.as_bytes());
                return Err(TableError::Type { file, column, kind });
            }
            let mut leaves = 0..schema.num_columns();
            let leaf = leaves.find(|&leaf| schema.get_column_root_idx(leaf) == root);
            used.push((root, leaf.expect("a column that is no group is a leaf"), kind));
        }
        let (columns, next_group) = (Vec::new(), 0);
        self.file = Some(Opened { reader, used, next_group, columns, left: 0, before: 0 });
        self.rows = 0;
        Ok(true)
    }

    /// Reads the next batch; no rows at the end of the last file.
    fn next_batch(&mut self, batches: &mut [Batch]) -> Result<usize, TableError> {
        loop {
            if (self.cancelled)() {
                let source = io::Error::other("interrupted");
                return Err(TableError::Io { file: self.name(), line: 0, source });
            }
            let name = self.name();
            let Some(file) = &mut self.file else { return Ok(0) };
            file.before += self.rows as u64;
            self.rows = 0;
            if file.left == 0 && !file.next_group().map_err(|error| damaged(&name, error))? {
                if self.next_file()? {
                    continue;
                }
                self.file = None;
                return Ok(0);
            }
            let count = file.left.min(BATCH);
            self.dictionaries += 1;
            let dictionary = self.dictionaries;
            // Columns are unpacked side by side.
            let read: Vec<Result<(Batch, usize), ParquetError>> = file
                .columns
                .par_iter_mut()
                .zip(&file.used)
                .map(|(column, (_, _, kind))| next_batch(column, kind, count, dictionary))
                .collect();
            for (read, batch) in read.into_iter().zip(&mut *batches) {
                let rows;
                (*batch, rows) = read.map_err(|error| damaged(&name, error))?;
                if rows != count {
                    let reason = format!("a column ends {} rows early", count - rows);
                    return Err(TableError::Parquet { file: name, reason });
                }
            }
            file.left -= count;
            self.rows = count;
            if count > 0 {
                return Ok(count);
            }
        }
    }
}

impl Opened {
    /// Opens the columns of the next row group; false if there is none.
    fn next_group(&mut self) -> Result<bool, ParquetError> {
        if self.next_group == self.reader.num_row_groups() {
            return Ok(false);
        }
        let group: Box<dyn RowGroupReader + '_> = self.reader.get_row_group(self.next_group)?;
        self.left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let columns = self.used.iter().map(|&(_, leaf, _)| group.get_column_reader(leaf));
        self.columns = columns.collect::<Result<_, _>>()?;
        self.next_group += 1;
        Ok(true)
    }
}

impl BatchSource for ParquetFiles {
    fn file(&self) -> &str {
        &self.shown
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn next(&mut self, batches: &mut [Batch]) -> Result<usize, TableError> {
        self.next_batch(batches)
    }

    fn place(&self, row: usize, column: usize) -> Place {
        let (before, column) =
            self.file.as_ref().map_or((0, 0), |file| (file.before, file.used[column].0));
        Place { file: self.name(), line: before + row as u64 + 1, column: column + 1 }
    }
}
