//! Some of the rows, as rows.

use ::posterior::Rows;
use std::ops::Range;

/// The rows with these indices.
pub(super) struct Chosen<'a, R> {
    pub rows: &'a R,
    pub chosen: Vec<usize>,
}

impl<R: Rows> Rows for Chosen<'_, R> {
    type Block = R::Block;

    fn count(&self) -> usize {
        self.chosen.len()
    }

    fn gather(&self, indices: &[usize]) -> R::Block {
        let indices: Vec<usize> = indices.iter().map(|&index| self.chosen[index]).collect();
        self.rows.gather(&indices)
    }

    fn range(&self, range: Range<usize>) -> R::Block {
        self.rows.gather(&self.chosen[range])
    }
}
