//! Rows that are a pure function of (seed, index).

use super::tile::{Reader, TILE, Values, Words};
use debias::Seed;
use posterior::{DenseBlock, Rows};
use std::ops::Range;

/// The law of one row: how many random words it takes and what becomes of them.
pub trait Law: Sync {
    /// The number of covariates.
    fn width(&self) -> usize;

    /// Random words a row.
    fn words(&self) -> usize;

    /// Turns the words of a tile into its columns, the target last.
    ///
    /// Row by row: a value may depend on its own row's words only.
    fn fill(&self, words: &[Words], columns: &mut [Values]);
}

/// N independent rows of a law, made when asked for: no file, no memory.
#[derive(Clone, Debug)]
pub struct Generated<L> {
    law: L,
    seed: Seed,
    count: usize,
}

impl<L: Law> Generated<L> {
    /// The first `count` rows of the sequence that the seed begins.
    pub fn new(law: L, seed: Seed, count: usize) -> Generated<L> {
        Generated { law, seed, count }
    }

    /// The law of a row.
    pub fn law(&self) -> &L {
        &self.law
    }

    /// Where the random words come from.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// Fills a block tile by tile; `read` finds the words of the rows start..start + size.
    fn fill(
        &self,
        rows: usize,
        mut read: impl for<'r> FnMut(&'r mut Reader, usize, usize) -> &'r [Words],
    ) -> DenseBlock {
        let width = self.law.width();
        let mut block = DenseBlock::zeros(rows, width);
        let mut reader = Reader::new(self.seed, self.law.words());
        let mut columns = vec![[0.0; TILE]; width + 1];
        for start in (0..rows).step_by(TILE) {
            let size = TILE.min(rows - start);
            self.law.fill(read(&mut reader, start, size), &mut columns);
            for (j, column) in columns[..width].iter().enumerate() {
                block.column_mut(j)[start..start + size].copy_from_slice(&column[..size]);
            }
            block.targets_mut()[start..start + size].copy_from_slice(&columns[width][..size]);
        }
        block
    }
}

impl<L: Law> Rows for Generated<L> {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.count
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        if let Some(row) = indices.iter().find(|&&row| row >= self.count) {
            panic!("row {row} of {} was asked for", self.count);
        }
        self.fill(indices.len(), |reader, start, size| reader.gather(&indices[start..start + size]))
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        assert!(range.end <= self.count, "rows {range:?} of {} were asked for", self.count);
        self.fill(range.len(), |reader, start, size| reader.range(range.start + start, size))
    }
}
