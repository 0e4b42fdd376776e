//! Dense rows held in memory, column by column.

use posterior::{DenseBlock, Rows};
use std::ops::Range;

/// A data set that is one block, from which smaller ones are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseRows {
    block: DenseBlock,
}

impl DenseRows {
    /// The rows of a block.
    pub fn new(block: DenseBlock) -> DenseRows {
        DenseRows { block }
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
