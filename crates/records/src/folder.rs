//! Records on disk.

use crate::{
    Claim, DataSource, Provenance, Quantity, Record, SCHEMA, Scale, Table, TableError, digest,
    write_atomically,
};
use serde_json::{Map, Value};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a record cannot be read or written.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The file cannot be read.
    #[error("{} cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{} cannot be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A quantity is not finite, which JSON cannot say.
    #[error("quantity {name} of {experiment} is {value}, with the error {error:?}")]
    NotFinite {
        /// The experiment.
        experiment: String,
        /// The quantity.
        name: String,
        /// Its value.
        value: f64,
        /// Its error.
        error: Option<f64>,
    },
    /// The file is no record.
    #[error("{} is damaged: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What the parser said, with line and column.
        source: serde_json::Error,
    },
    /// The record follows another layout.
    #[error("{} has schema {found}, this program reads {SCHEMA}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u32,
    },
    /// A table is not the one that the record was written with.
    #[error("{} is damaged or edited: its SHA-256 is {found}, the record says {expected}", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Its digest.
        found: String,
        /// The digest in the record.
        expected: String,
    },
    /// A table is no table.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: TableError,
    },
}

/// record.json, in the order in which people read it.
#[derive(serde::Serialize, serde::Deserialize)]
struct RecordFile {
    schema: u32,
    experiment: String,
    question: String,
    scale: Scale,
    seed: u64,
    settings: Map<String, Value>,
    data: Vec<DataSource>,
    quantities: Vec<Quantity>,
    claims: Vec<Claim>,
    notes: Vec<String>,
    tables: Vec<TableFile>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct TableFile {
    name: String,
    rows: usize,
    sha256: String,
}

/// Writes the tables, then record.json; each file whole or not at all.
pub fn write_record(folder: &Path, record: &Record) -> Result<(), FolderError> {
    let finite = |quantity: &Quantity| {
        quantity.value.is_finite() && quantity.error.is_none_or(f64::is_finite)
    };
    if let Some(bad) = record.quantities.iter().find(|quantity| !finite(quantity)) {
        let (experiment, name) = (record.experiment.clone(), bad.name.clone());
        let (value, error) = (bad.value, bad.error);
        return Err(FolderError::NotFinite { experiment, name, value, error });
    }
    let mut tables = Vec::new();
    for table in &record.tables {
        let text = table.to_csv();
        write(&folder.join(format!("{}.csv", table.name())), text.as_bytes())?;
        let (name, sha256) = (table.name().to_owned(), digest(text.as_bytes()));
        tables.push(TableFile { name, rows: table.rows(), sha256 });
    }
    let record = record.clone();
    let file = RecordFile {
        schema: SCHEMA,
        experiment: record.experiment,
        question: record.question,
        scale: record.scale,
        seed: record.seed,
        settings: record.settings,
        data: record.data,
        quantities: record.quantities,
        claims: record.claims,
        notes: record.notes,
        tables,
    };
    write(&folder.join("record.json"), &json(&file))
}

/// Reads record.json and its tables, and checks every byte of them.
pub fn read_record(folder: &Path) -> Result<Record, FolderError> {
    let path = folder.join("record.json");
    let text = read(&path)?;
    let damaged = |source| FolderError::Json { path: path.clone(), source };
    let value: Value = serde_json::from_str(&text).map_err(damaged)?;
    let found = value.get("schema").and_then(Value::as_u64).unwrap_or(0) as u32;
    if found != SCHEMA {
        return Err(FolderError::Schema { path, found });
    }
    let file: RecordFile = serde_json::from_value(value).map_err(damaged)?;
    let tables =
        file.tables.iter().map(|table| read_table(folder, table)).collect::<Result<_, _>>()?;
    Ok(Record {
        experiment: file.experiment,
        question: file.question,
        scale: file.scale,
        seed: file.seed,
        settings: file.settings,
        data: file.data,
        quantities: file.quantities,
        claims: file.claims,
        notes: file.notes,
        tables,
    })
}

/// Writes provenance.json.
pub fn write_provenance(folder: &Path, provenance: &Provenance) -> Result<(), FolderError> {
    write(&folder.join("provenance.json"), &json(provenance))
}

/// Reads provenance.json.
pub fn read_provenance(folder: &Path) -> Result<Provenance, FolderError> {
    let path = folder.join("provenance.json");
    serde_json::from_str(&read(&path)?).map_err(|source| FolderError::Json { path, source })
}

fn read_table(folder: &Path, file: &TableFile) -> Result<Table, FolderError> {
    let path = folder.join(format!("{}.csv", file.name));
    let text = read(&path)?;
    let found = digest(text.as_bytes());
    if found != file.sha256 {
        return Err(FolderError::Checksum { path, found, expected: file.sha256.clone() });
    }
    Table::from_csv(&file.name, &text).map_err(|source| FolderError::Table { path, source })
}

fn read(path: &Path) -> Result<String, FolderError> {
    fs::read_to_string(path).map_err(|source| FolderError::Read { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    write_atomically(path, bytes)
        .map_err(|source| FolderError::Write { path: path.to_owned(), source })
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("records hold nothing that JSON cannot");
    text.push(b'\n');
    text
}
