//! A table of named columns, kept as CSV that pandas and R read as it is.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::fmt::Write;
use thiserror::Error;

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Numbers, written with the fewest digits that read back the same.
    Numbers(Vec<f64>),
    /// Words, without commas, quotes or line breaks.
    Words(Vec<String>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Integers(cells) => cells.len(),
            Column::Numbers(cells) => cells.len(),
            Column::Words(cells) => cells.len(),
        }
    }
}

impl From<Vec<f64>> for Column {
    fn from(cells: Vec<f64>) -> Column {
        Column::Numbers(cells)
    }
}

impl From<Vec<i64>> for Column {
    fn from(cells: Vec<i64>) -> Column {
        Column::Integers(cells)
    }
}

impl From<Vec<String>> for Column {
    fn from(cells: Vec<String>) -> Column {
        Column::Words(cells)
    }
}

/// A named table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    name: String,
    // Invariant: names differ, columns are of one length.
    columns: Vec<(String, Column)>,
}

/// Why a table is not one, or does not hold what is asked of it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableError {
    /// A column that is not there, or of another kind.
    #[error("table {table} has no {kind} column {column}")]
    NoColumn {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The kind asked for.
        kind: &'static str,
    },
    /// Text that is not CSV.
    #[error("table {table} cannot be read: {reason}")]
    Csv {
        /// The table.
        table: String,
        /// What the parser said.
        reason: String,
    },
}

impl Table {
    /// A table without columns yet.
    pub fn new(name: &str) -> Table {
        Table { name: name.to_owned(), columns: Vec::new() }
    }

    /// Adds a column.
    ///
    /// # Panics
    /// If its length is not that of the others, or its name is taken: a bug in an experiment.
    #[must_use]
    pub fn with(mut self, name: &str, column: impl Into<Column>) -> Table {
        let column = column.into();
        assert!(self.columns.iter().all(|(taken, _)| taken != name), "column {name} twice");
        assert!(
            self.columns.is_empty() || self.rows() == column.len(),
            "column {name} is too long or short"
        );
        self.columns.push((name.to_owned(), column));
        self
    }

    /// A table with a row for each value and a column for each of its fields, under their names and in
    /// their order. A number that is not finite becomes NaN.
    ///
    /// # Panics
    /// If a value is no structure of numbers and words: a bug in an experiment.
    pub fn of_rows<T: Serialize>(name: &str, rows: &[T]) -> Table {
        let values: Vec<Value> = rows
            .iter()
            .map(|row| serde_json::to_value(row).expect("rows hold nothing that JSON cannot"))
            .collect();
        let fields = values.first().and_then(Value::as_object);
        fields.into_iter().flatten().fold(Table::new(name), |table, (field, first)| {
            let cells = values.iter().map(|row| &row[field]);
            let column: Column = if first.is_string() {
                let words: Option<Vec<_>> = cells.map(|c| c.as_str().map(str::to_owned)).collect();
                words.expect("a column is all words").into()
            } else if first.is_i64() {
                cells.filter_map(Value::as_i64).collect::<Vec<_>>().into()
            } else {
                cells.map(|cell| cell.as_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>().into()
            };
            table.with(field, column)
        })
    }

    /// The rows as values with a field for each column that they want.
    pub fn read_rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, TableError> {
        let cell = |column: &Column, row: usize| match column {
            Column::Integers(cells) => Value::from(cells[row]),
            Column::Numbers(cells) => Value::from(cells[row]),
            Column::Words(cells) => Value::from(cells[row].clone()),
        };
        let row = |row: usize| {
            let fields =
                self.columns.iter().map(|(name, column)| (name.clone(), cell(column, row)));
            serde_json::from_value(Value::Object(fields.collect())).map_err(|error| {
                TableError::Csv { table: self.name.clone(), reason: error.to_string() }
            })
        };
        (0..self.rows()).map(row).collect()
    }

    /// Its name; the file is `<name>.csv`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Names of the columns.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// A column of numbers; whole numbers count as numbers.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, TableError> {
        match self.find(name) {
            Some(Column::Numbers(cells)) => Ok(cells.clone()),
            Some(Column::Integers(cells)) => Ok(cells.iter().map(|&cell| cell as f64).collect()),
            _ => Err(self.missing(name, "number")),
        }
    }

    /// A column of words.
    pub fn words(&self, name: &str) -> Result<&[String], TableError> {
        match self.find(name) {
            Some(Column::Words(cells)) => Ok(cells),
            _ => Err(self.missing(name, "word")),
        }
    }

    /// As CSV with a header.
    pub fn to_csv(&self) -> String {
        let mut text = self.column_names().collect::<Vec<_>>().join(",");
        text.push('\n');
        for row in 0..self.rows() {
            for (place, (_, column)) in self.columns.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                match column {
                    Column::Integers(cells) => write!(text, "{comma}{}", cells[row]),
                    Column::Numbers(cells) => write!(text, "{comma}{:?}", cells[row]),
                    Column::Words(cells) => write!(text, "{comma}{}", cells[row]),
                }
                .expect("writing to a string cannot fail");
            }
            text.push('\n');
        }
        text
    }

    /// From CSV with a header. A column is of whole numbers if all cells are, of numbers if all
    /// cells are, and else of words.
    pub fn from_csv(name: &str, text: &str) -> Result<Table, TableError> {
        let fail = |error: csv::Error| TableError::Csv {
            table: name.to_owned(),
            reason: error.to_string(),
        };
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let names: Vec<String> =
            reader.headers().map_err(fail)?.iter().map(str::to_owned).collect();
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); names.len()];
        for row in reader.records() {
            for (column, cell) in cells.iter_mut().zip(row.map_err(fail)?.iter()) {
                column.push(cell.to_owned());
            }
        }
        let columns = names.into_iter().zip(cells.into_iter().map(typed)).collect();
        Ok(Table { name: name.to_owned(), columns })
    }

    fn find(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(found, _)| found == name).map(|(_, column)| column)
    }

    fn missing(&self, column: &str, kind: &'static str) -> TableError {
        TableError::NoColumn { table: self.name.clone(), column: column.to_owned(), kind }
    }
}

fn typed(cells: Vec<String>) -> Column {
    if let Ok(integers) = cells.iter().map(|cell| cell.parse()).collect() {
        return Column::Integers(integers);
    }
    if let Ok(numbers) = cells.iter().map(|cell| cell.parse()).collect() {
        return Column::Numbers(numbers);
    }
    Column::Words(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let table = Table::new("replicates")
            .with("replicate", vec![1_i64, 2, 3])
            .with("value", vec![0.1 + 0.2, -1e-300, f64::INFINITY])
            .with("form", vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
        assert_eq!(Table::from_csv("replicates", &table.to_csv()).unwrap(), table);
        assert_eq!(table.numbers("replicate").unwrap(), [1.0, 2.0, 3.0]);
        assert!(table.numbers("form").is_err());
    }

    #[test]
    fn ragged_text_is_refused() {
        let error = Table::from_csv("t", "a,b\n1,2\n3\n").unwrap_err();
        assert!(error.to_string().starts_with("table t cannot be read"), "{error}");
    }
}
