//! Sparse rows held in memory: a9a as a bare pattern takes a megabyte.

use posterior::{Block, Rows, SparseBlock};

/// A data set that is one sparse block, from which smaller ones are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseRows {
    block: SparseBlock,
}

impl SparseRows {
    /// The rows of a block.
    pub fn new(block: SparseBlock) -> SparseRows {
        SparseRows { block }
    }

    /// All rows.
    pub fn block(&self) -> &SparseBlock {
        &self.block
    }

    /// Rows with a positive target.
    pub fn positives(&self) -> usize {
        self.block.targets().iter().filter(|&&target| target > 0.0).count()
    }
}

impl Rows for SparseRows {
    type Block = SparseBlock;

    fn count(&self) -> usize {
        self.block.rows()
    }

    fn gather(&self, indices: &[usize]) -> SparseBlock {
        let block = &self.block;
        let mut some = SparseBlock::new(block.width());
        for &row in indices {
            let entries = block.offsets()[row] as usize..block.offsets()[row + 1] as usize;
            let values: &[f64] =
                if block.is_binary() { &[] } else { &block.values()[entries.clone()] };
            some.append(block.indices().range(entries), values, block.targets()[row]);
        }
        some
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_and_general_rows_come_out_as_they_went_in() {
        for values in [&[][..], &[0.5, 2.0, -1.0]] {
            let mut block = SparseBlock::new(9);
            let of = |range: std::ops::Range<usize>| values.get(range).unwrap_or(&[]);
            block.push(&[1, 8], of(0..2), 1.0);
            block.push(&[], &[], -1.0);
            block.push(&[0], of(2..3), -1.0);
            let rows = SparseRows::new(block.clone());
            assert_eq!(rows.gather(&[0, 1, 2]), block);
            let some = rows.gather(&[2, 0]);
            assert_eq!(some.indices().iter().collect::<Vec<_>>(), [0, 1, 8]);
            assert_eq!(some.targets(), [-1.0, 1.0]);
            assert_eq!(some.values().last(), values.get(1));
            assert_eq!((rows.count(), rows.positives()), (3, 1));
        }
    }
}
