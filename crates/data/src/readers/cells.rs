//! Rows of named cells, one row at a time, wherever they come from: text, Parquet files, or a view that
//! computes cells from those of another table.

use super::calendar::Moment;
use super::codes::CellCode;
use super::derived::Derived;
use super::kind::is_gap;
use super::numbers::number;
use super::place::{Place, excerpt};
use super::table::is_missing;
use super::table_error::TableError;

/// A table being read. Cells are text, as in a CSV, whatever they were in the file: a number is its
/// shortest decimal, a gap is empty.
pub trait Cells {
    /// The table, as errors name it.
    fn file(&self) -> &str;

    /// The names of the columns.
    fn header(&self) -> &[String];

    /// The number of the column with this name.
    fn column(&self, name: &str) -> Result<usize, TableError> {
        let times = self.header().iter().filter(|known| *known == name).count();
        match self.header().iter().position(|known| known == name) {
            Some(column) if times == 1 => Ok(column),
            _ => Err(TableError::Column {
                file: self.file().to_owned(),
                column: excerpt(name.as_bytes()),
                times,
                header: excerpt(self.header().join(",").as_bytes()),
            }),
        }
    }

    /// Moves to the next row; false at the end.
    fn advance(&mut self) -> Result<bool, TableError>;

    /// Fails if the row has not as many cells as the header.
    fn check_length(&self) -> Result<(), TableError> {
        Ok(())
    }

    /// A cell of the row at hand without blanks around it.
    fn field(&self, column: usize) -> &[u8];

    /// The finite number that a cell holds.
    fn finite(&self, column: usize) -> Option<f64> {
        number(self.field(column))
    }

    /// Whether a cell is a gap.
    fn is_gap(&self, column: usize) -> bool {
        is_gap(self.field(column))
    }

    /// What stands for the text of a cell: two cells of a column that have the same code hold the same.
    fn code(&self, _column: usize) -> Option<CellCode> {
        None
    }

    /// The point in time that a cell holds.
    fn moment(&self, column: usize) -> Option<Moment> {
        Moment::read(self.field(column))
    }

    /// Rows that are held, the one at hand and those behind it. Columns of numbers can be taken from
    /// them whole, and a table that has no batches holds one row.
    fn held(&self) -> usize {
        1
    }

    /// Appends a column of the first `count` rows that are held, if all its cells are finite numbers;
    /// false if one is not, and then some may have been appended.
    fn append_finite(&self, column: usize, count: usize, numbers: &mut Vec<f64>) -> bool {
        debug_assert_eq!(count, 1, "one row is held");
        numbers.extend(self.finite(column));
        self.finite(column).is_some()
    }

    /// Moves on by so many rows, all of which are held.
    fn skip(&mut self, _count: usize) {}

    /// Where that cell is.
    fn place(&self, column: usize) -> Place;

    /// There was no row.
    fn empty(&self) -> TableError;

    /// A number, or nothing where the cell is empty or NA.
    fn number(&self, column: usize) -> Result<Option<f64>, TableError> {
        match self.finite(column) {
            Some(value) => Ok(Some(value)),
            None if is_missing(self.field(column)) => Ok(None),
            None => Err(self.bad_value(column)),
        }
    }

    /// No finite number.
    fn bad_value(&self, column: usize) -> TableError {
        bad_value(self, column)
    }

    /// A gap where a value must be.
    fn missing(&self, column: usize) -> TableError {
        let name = excerpt(self.header()[column].as_bytes());
        TableError::Missing { place: self.place(column), column: name }
    }

    /// A word that is not among `known`.
    fn unseen(&self, column: usize, known: &str) -> TableError {
        TableError::Level {
            place: self.place(column),
            column: excerpt(self.header()[column].as_bytes()),
            value: excerpt(self.field(column))
                .replace(&Derived::BETWEEN.escape_debug().to_string(), ":"),
            known: known.to_owned(),
        }
    }

    /// Bytes that are not UTF-8.
    fn not_text(&self, column: usize) -> TableError {
        TableError::Encoding {
            place: self.place(column),
            column: excerpt(self.header()[column].as_bytes()),
            value: excerpt(self.field(column)),
        }
    }
}

/// No finite number.
pub(super) fn bad_value<C: Cells + ?Sized>(table: &C, column: usize) -> TableError {
    TableError::Value {
        place: table.place(column),
        column: excerpt(table.header()[column].as_bytes()),
        value: excerpt(table.field(column)),
    }
}

impl<C: Cells + ?Sized> Cells for Box<C> {
    fn file(&self) -> &str {
        (**self).file()
    }

    fn header(&self) -> &[String] {
        (**self).header()
    }

    fn column(&self, name: &str) -> Result<usize, TableError> {
        (**self).column(name)
    }

    fn advance(&mut self) -> Result<bool, TableError> {
        (**self).advance()
    }

    fn check_length(&self) -> Result<(), TableError> {
        (**self).check_length()
    }

    fn field(&self, column: usize) -> &[u8] {
        (**self).field(column)
    }

    fn finite(&self, column: usize) -> Option<f64> {
        (**self).finite(column)
    }

    fn is_gap(&self, column: usize) -> bool {
        (**self).is_gap(column)
    }

    fn code(&self, column: usize) -> Option<CellCode> {
        (**self).code(column)
    }

    fn moment(&self, column: usize) -> Option<Moment> {
        (**self).moment(column)
    }

    fn held(&self) -> usize {
        (**self).held()
    }

    fn append_finite(&self, column: usize, count: usize, numbers: &mut Vec<f64>) -> bool {
        (**self).append_finite(column, count, numbers)
    }

    fn skip(&mut self, count: usize) {
        (**self).skip(count);
    }

    fn place(&self, column: usize) -> Place {
        (**self).place(column)
    }

    fn empty(&self) -> TableError {
        (**self).empty()
    }

    fn bad_value(&self, column: usize) -> TableError {
        (**self).bad_value(column)
    }
}
