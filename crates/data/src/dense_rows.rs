//! Dense rows held in memory, column by column.

use posterior::{DenseBlock, Rows};
use std::ops::Range;

/// A data set that is one block, from which smaller ones are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseRows {
    block: DenseBlock,
}

/// Why arrays are no rows.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DenseRowsError {
    /// Rows of different lengths.
    #[error("row {row} has {columns} columns where the first has {expected}")]
    Width {
        /// Counted from zero.
        row: usize,
        /// Its columns.
        columns: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// Not one target for each row.
    #[error("{targets} targets for {rows} rows")]
    Targets {
        /// Targets given.
        targets: usize,
        /// Rows given.
        rows: usize,
    },
    /// A value is missing or infinite.
    #[error("row {row} holds {value} in column {column}, which is not a finite number")]
    NotFinite {
        /// Counted from zero.
        row: usize,
        /// Counted from zero; the target comes after the last.
        column: usize,
        /// What is there.
        value: f64,
    },
}

impl DenseRows {
    /// The rows of a block.
    pub fn new(block: DenseBlock) -> DenseRows {
        DenseRows { block }
    }

    /// From rows of equal length and one target each; no targets at all mean zeros.
    pub fn from_rows<X: AsRef<[f64]>>(x: &[X], y: &[f64]) -> Result<DenseRows, DenseRowsError> {
        let width = x.first().map_or(0, |row| row.as_ref().len());
        let mut block = DenseBlock::zeros(x.len(), width);
        for (i, row) in x.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != width {
                return Err(DenseRowsError::Width { row: i, columns: row.len(), expected: width });
            }
            for (j, &value) in row.iter().enumerate() {
                block.column_mut(j)[i] = value;
            }
        }
        DenseRows::with_targets(block, y)
    }

    /// From a matrix with a row for each row, and one target each; no targets at all mean zeros.
    pub fn from_view(
        x: ndarray::ArrayView2<'_, f64>,
        y: &[f64],
    ) -> Result<DenseRows, DenseRowsError> {
        let mut block = DenseBlock::zeros(x.nrows(), x.ncols());
        for (j, column) in x.columns().into_iter().enumerate() {
            block.column_mut(j).iter_mut().zip(column).for_each(|(to, from)| *to = *from);
        }
        DenseRows::with_targets(block, y)
    }

    fn with_targets(mut block: DenseBlock, y: &[f64]) -> Result<DenseRows, DenseRowsError> {
        let rows = block.targets().len();
        if !y.is_empty() && y.len() != rows {
            return Err(DenseRowsError::Targets { targets: y.len(), rows });
        }
        block.targets_mut()[..y.len()].copy_from_slice(y);
        let finite = |values: &[f64]| values.iter().position(|value| !value.is_finite());
        for j in 0..block.width() {
            if let Some(row) = finite(block.column(j)) {
                return Err(DenseRowsError::NotFinite {
                    row,
                    column: j,
                    value: block.column(j)[row],
                });
            }
        }
        if let Some(row) = finite(block.targets()) {
            let (column, value) = (block.width(), block.targets()[row]);
            return Err(DenseRowsError::NotFinite { row, column, value });
        }
        Ok(DenseRows { block })
    }

    /// All rows.
    pub fn block(&self) -> &DenseBlock {
        &self.block
    }

    fn build(&self, rows: usize, copy: impl Fn(&[f64], &mut [f64])) -> DenseBlock {
        let mut block = DenseBlock::zeros(rows, self.block.width());
        for j in 0..self.block.width() {
            copy(self.block.column(j), block.column_mut(j));
        }
        copy(self.block.targets(), block.targets_mut());
        block
    }
}

impl Rows for DenseRows {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.block.targets().len()
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        self.build(indices.len(), |from, to| {
            for (to, &row) in to.iter_mut().zip(indices) {
                *to = from[row];
            }
        })
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        self.build(range.len(), |from, to| to.copy_from_slice(&from[range.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut block = DenseBlock::zeros(5, 2);
        block.column_mut(0).copy_from_slice(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        block.column_mut(1).copy_from_slice(&[0.0, 10.0, 20.0, 30.0, 40.0]);
        block.targets_mut().copy_from_slice(&[1.0, -1.0, 1.0, -1.0, 1.0]);
        let rows = DenseRows::new(block.clone());
        assert_eq!(rows.range(0..5), block);
        let some = rows.gather(&[3, 1, 3]);
        assert_eq!(some.column(1), [30.0, 10.0, 30.0]);
        assert_eq!(some.targets(), [-1.0; 3]);
        assert_eq!(rows.range(1..3), rows.gather(&[1, 2]));
    }
}
