//! The record itself.

use crate::{Claim, Quantity, Table};
use serde_json::{Map, Value};
use thiserror::Error;

/// The version of the layout; a change of meaning raises it.
pub const SCHEMA: u32 = 1;

/// How much of an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// A cut-down version for checks; all experiments together take a minute.
    Smoke,
    /// The sizes of the paper.
    Full,
}

impl Scale {
    /// What is chosen at this scale.
    pub fn pick<T>(self, full: T, smoke: T) -> T {
        match self {
            Scale::Full => full,
            Scale::Smoke => smoke,
        }
    }

    /// The folder under results.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Smoke => "smoke",
            Scale::Full => "full",
        }
    }
}

/// A data set that was read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DataSource {
    /// Its name, for people.
    pub name: String,
    /// N.
    pub rows: u64,
    /// SHA-256 of the file, or a formula with its seed for generated rows.
    pub identity: String,
}

/// All that an experiment found.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The experiment's id.
    pub experiment: String,
    /// What it asks.
    pub question: String,
    /// How much of it was run.
    pub scale: Scale,
    /// The seed of everything in it.
    pub seed: u64,
    /// All settings, in the paper's words.
    pub settings: Map<String, Value>,
    /// The data read.
    pub data: Vec<DataSource>,
    /// The numbers it reports.
    pub quantities: Vec<Quantity>,
    /// The claims that they decide.
    pub claims: Vec<Claim>,
    /// Choices made where the paper is ambiguous or wrong.
    pub notes: Vec<String>,
    /// Raw replicates and curves.
    pub tables: Vec<Table>,
}

/// What a record does not hold.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecordError {
    /// No quantity of that name.
    #[error("the record of {experiment} has no quantity {name}")]
    NoQuantity {
        /// The experiment.
        experiment: String,
        /// The name asked for.
        name: String,
    },
    /// No table of that name.
    #[error("the record of {experiment} has no table {name}")]
    NoTable {
        /// The experiment.
        experiment: String,
        /// The name asked for.
        name: String,
    },
}

impl Record {
    /// A quantity by name.
    pub fn quantity(&self, name: &str) -> Result<&Quantity, RecordError> {
        self.quantities.iter().find(|quantity| quantity.name == name).ok_or_else(|| {
            RecordError::NoQuantity { experiment: self.experiment.clone(), name: name.to_owned() }
        })
    }

    /// The value of a quantity by name.
    pub fn value(&self, name: &str) -> Result<f64, RecordError> {
        self.quantity(name).map(|quantity| quantity.value)
    }

    /// A table by name.
    pub fn table(&self, name: &str) -> Result<&Table, RecordError> {
        self.tables.iter().find(|table| table.name() == name).ok_or_else(|| RecordError::NoTable {
            experiment: self.experiment.clone(),
            name: name.to_owned(),
        })
    }
}
