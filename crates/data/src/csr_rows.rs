//! Sparse rows in the arrays of a CSR matrix that somebody else owns.

use crate::array_rows::{ArrayLength, SharedNumbers, check};
use posterior::{Indices, Rows, SparseBlock};
use std::sync::Arc;

/// Columns that somebody else owns, as scipy keeps them.
pub type SharedIndices = Arc<dyn AsRef<[i32]> + Send + Sync>;

/// A CSR matrix of covariates, columns behind them, and one target per row: row i holds the columns
/// `indices[starts[i]..starts[i + 1]]`.
#[derive(Clone)]
pub struct CsrRows {
    // Invariant: one start more than rows, growing from zero to the number of indices; indices grow
    // strictly below the width within a row; all others have one number per row.
    starts: Vec<usize>,
    indices: SharedIndices,
    values: SharedNumbers,
    width: usize,
    behind: Vec<SharedNumbers>,
    targets: SharedNumbers,
    binary: bool,
}

/// Why arrays are no CSR matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CsrError {
    /// An array of the wrong length.
    #[error(transparent)]
    Length(#[from] ArrayLength),
    /// Starts that fall, or end elsewhere.
    #[error("row {row} starts beyond its end, or beyond the last of {entries} entries")]
    Start {
        /// Counted from zero.
        row: usize,
        /// All entries.
        entries: usize,
    },
    /// Columns that do not grow, or are too large.
    #[error("the columns of row {row} do not grow strictly from 0 to {width} at most")]
    Columns {
        /// Counted from zero.
        row: usize,
        /// The number of columns.
        width: usize,
    },
}

impl CsrRows {
    /// Rows of a matrix of so many columns.
    pub fn new(
        starts: Vec<usize>,
        indices: SharedIndices,
        values: SharedNumbers,
        width: usize,
        behind: Vec<SharedNumbers>,
        targets: SharedNumbers,
    ) -> Result<CsrRows, CsrError> {
        let (columns, rows) = ((*indices).as_ref(), (*targets).as_ref().len());
        let entries = columns.len();
        check(&values, entries)?;
        behind.iter().try_for_each(|column| check(column, rows))?;
        if starts.len() != rows + 1 {
            return Err(ArrayLength { found: starts.len(), expected: rows + 1 }.into());
        }
        for (row, pair) in starts.windows(2).enumerate() {
            let entry = columns.get(pair[0]..pair[1]);
            let entry = entry.ok_or(CsrError::Start { row, entries })?;
            let grows = entry.windows(2).all(|pair| pair[0] < pair[1]);
            let first = entry.first().is_none_or(|&first| first >= 0);
            if !grows || !first || entry.last().is_some_and(|&last| last as usize >= width) {
                return Err(CsrError::Columns { row, width });
            }
        }
        if starts[0] != 0 || starts[rows] != entries {
            return Err(CsrError::Start { row: rows, entries });
        }
        let ones = behind.is_empty() && (*values).as_ref().iter().all(|&value| value == 1.0);
        Ok(CsrRows { starts, indices, values, width, behind, targets, binary: ones })
    }

    /// The number of columns, those behind the covariates included.
    pub fn width(&self) -> usize {
        self.width + self.behind.len()
    }
}

impl Rows for CsrRows {
    type Block = SparseBlock;

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn gather(&self, indices: &[usize]) -> SparseBlock {
        let (all, values) = ((*self.indices).as_ref(), (*self.values).as_ref());
        let mut block = SparseBlock::new(self.width());
        let (mut columns, mut entries): (Vec<u32>, Vec<f64>) = (Vec::new(), Vec::new());
        for &row in indices {
            let range = self.starts[row]..self.starts[row + 1];
            columns.clear();
            // None is negative.
            columns.extend(all[range.clone()].iter().map(|&column| column as u32));
            entries.clear();
            if !self.binary {
                entries.extend_from_slice(&values[range]);
            }
            for (j, behind) in self.behind.iter().enumerate() {
                columns.push((self.width + j) as u32);
                entries.push((**behind).as_ref()[row]);
            }
            block.append(Indices::Wide(&columns), &entries, (*self.targets).as_ref()[row]);
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[f64], behind: &[f64]) -> Result<CsrRows, CsrError> {
        let shared = |numbers: &[f64]| -> SharedNumbers { Arc::new(numbers.to_vec()) };
        let behind = if behind.is_empty() { Vec::new() } else { vec![shared(behind)] };
        let indices: SharedIndices = Arc::new(vec![1, 8, 0]);
        CsrRows::new(
            vec![0, 2, 2, 3],
            indices,
            shared(values),
            9,
            behind,
            shared(&[1.0, -1.0, -1.0]),
        )
    }

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut expected = SparseBlock::new(9);
        expected.push(&[1, 8], &[], 1.0);
        expected.push(&[], &[], -1.0);
        expected.push(&[0], &[], -1.0);
        assert_eq!(rows(&[1.0; 3], &[]).unwrap().range(0..3), expected);
        let mut expected = SparseBlock::new(10);
        expected.push(&[0, 9], &[-2.0, 7.0], -1.0);
        expected.push(&[1, 8, 9], &[0.5, 1.0, 5.0], 1.0);
        let found = rows(&[0.5, 1.0, -2.0], &[5.0, 6.0, 7.0]).unwrap().gather(&[2, 0]);
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_matrix_is_refused() {
        assert!(matches!(rows(&[1.0; 2], &[]), Err(CsrError::Length(_))));
        let of = |starts: &[usize], indices: &[i32]| {
            let shared = |count: usize| -> SharedNumbers { Arc::new(vec![1.0; count]) };
            let indices: SharedIndices = Arc::new(indices.to_vec());
            let entries = (*indices).as_ref().len();
            CsrRows::new(starts.to_vec(), indices, shared(entries), 3, Vec::new(), shared(2)).err()
        };
        assert_eq!(of(&[0, 2, 1], &[0]), Some(CsrError::Start { row: 0, entries: 1 }));
        assert_eq!(of(&[0, 1, 1], &[0, 1]), Some(CsrError::Start { row: 2, entries: 2 }));
        for wrong in [[0, 0], [1, 0], [0, 3], [-1, 0]] {
            assert_eq!(of(&[0, 0, 2], &wrong), Some(CsrError::Columns { row: 1, width: 3 }));
        }
    }
}
