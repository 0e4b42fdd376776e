//! The rows of a table that belong together.

use crate::curve::{Curve, Stroke};
use crate::sheet::Point;
use plotters::style::RGBColor;
use records::{Table, TableError};

/// Some rows of a table, in their order.
pub(crate) struct Rows<'a> {
    table: &'a Table,
    rows: Vec<usize>,
}

impl<'a> Rows<'a> {
    /// The rows that hold these words in these columns.
    pub(crate) fn of(table: &'a Table, words: &[(&str, &str)]) -> Result<Rows<'a>, TableError> {
        let mut rows: Vec<usize> = (0..table.rows()).collect();
        for (column, word) in words {
            let cells = table.words(column)?;
            rows.retain(|&row| cells[row] == *word);
        }
        Ok(Rows { table, rows })
    }

    /// The rows that hold this number in this column.
    pub(crate) fn at(table: &'a Table, column: &str, number: f64) -> Result<Rows<'a>, TableError> {
        let cells = table.numbers(column)?;
        let rows = (0..cells.len()).filter(|&row| cells[row] == number).collect();
        Ok(Rows { table, rows })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A column.
    pub(crate) fn column(&self, name: &str) -> Result<Vec<f64>, TableError> {
        let cells = self.table.numbers(name)?;
        Ok(self.rows.iter().map(|&row| cells[row]).collect())
    }

    /// One column against another.
    pub(crate) fn points(&self, x: &str, y: &str) -> Result<Vec<Point>, TableError> {
        Ok(self.column(x)?.into_iter().zip(self.column(y)?).collect())
    }

    /// A curve of one column against another, in the band between two more.
    pub(crate) fn curve(
        &self,
        x: &str,
        [y, low, high]: [&str; 3],
        color: RGBColor,
        stroke: Stroke,
    ) -> Result<Curve, TableError> {
        let band = self.points(x, low)?.into_iter().zip(self.column(high)?);
        let band = band.map(|((x, low), high)| (x, low, high)).collect();
        Ok(Curve::banded(self.points(x, y)?, band, color, stroke))
    }
}

/// The values of every key, keys in ascending order.
pub(crate) fn grouped(keys: &[f64], values: &[f64]) -> Vec<(f64, Vec<f64>)> {
    let of = |size: f64| keys.iter().zip(values).filter(move |(key, _)| **key == size);
    let values = |size: f64| of(size).map(|(_, value)| *value).collect();
    distinct(keys).into_iter().map(|size| (size, values(size))).collect()
}

/// The different values, in ascending order.
pub(crate) fn distinct(values: &[f64]) -> Vec<f64> {
    let mut distinct = values.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    distinct
}

/// The different words of a column, in the order in which they first come.
pub(crate) fn names(table: &Table, column: &str) -> Result<Vec<String>, TableError> {
    let mut names = table.words(column)?.to_vec();
    names.dedup();
    Ok(names)
}
