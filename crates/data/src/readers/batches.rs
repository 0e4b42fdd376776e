//! A table that is read batch by batch, of every column the same rows: Parquet and Arrow files.

use super::batch::Batch;
use super::calendar::Moment;
use super::cells::Cells;
use super::codes::CellCode;
use super::place::Place;
use super::table_error::TableError;

/// Where batches come from.
pub trait BatchSource {
    /// The table, as errors name it.
    fn file(&self) -> &str;

    /// The names of the columns that are used.
    fn header(&self) -> &[String];

    /// Replaces the batches, one per column, by the next ones, and gives their rows; none at the end.
    fn next(&mut self, batches: &mut [Batch]) -> Result<usize, TableError>;

    /// Where a cell of the batch at hand is; its row within the file counts as the line.
    fn place(&self, row: usize, column: usize) -> Place;
}

/// The rows of a source, one after the other.
pub struct Batches<S> {
    source: S,
    // The row at hand, of so many.
    row: usize,
    rows: usize,
    batches: Vec<Batch>,
}

impl<S: BatchSource> Batches<S> {
    pub(super) fn of(source: S) -> Batches<S> {
        let batches = source.header().iter().map(|_| Batch::default()).collect();
        Batches { source, row: 0, rows: 0, batches }
    }
}

impl<S: BatchSource> Cells for Batches<S> {
    fn file(&self) -> &str {
        self.source.file()
    }

    fn header(&self) -> &[String] {
        self.source.header()
    }

    fn advance(&mut self) -> Result<bool, TableError> {
        self.row += 1;
        if self.row >= self.rows {
            self.rows = self.source.next(&mut self.batches)?;
            self.row = 0;
        }
        Ok(self.rows > 0)
    }

    fn field(&self, column: usize) -> &[u8] {
        self.batches[column].cell(self.row)
    }

    fn finite(&self, column: usize) -> Option<f64> {
        self.batches[column].finite(self.row)
    }

    fn is_gap(&self, column: usize) -> bool {
        self.batches[column].is_gap(self.row)
    }

    fn code(&self, column: usize) -> Option<CellCode> {
        self.batches[column].code(self.row)
    }

    fn moment(&self, column: usize) -> Option<Moment> {
        self.batches[column].moment(self.row)
    }

    fn held(&self) -> usize {
        self.rows - self.row
    }

    fn append_finite(&self, column: usize, count: usize, numbers: &mut Vec<f64>) -> bool {
        self.batches[column].append_finite(self.row..self.row + count, numbers)
    }

    fn skip(&mut self, count: usize) {
        self.row += count;
    }

    fn place(&self, column: usize) -> Place {
        self.source.place(self.row, column)
    }

    fn empty(&self) -> TableError {
        TableError::NoRows { file: self.source.file().to_owned() }
    }
}
