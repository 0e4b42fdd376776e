//! Two classes, however they are written, as −1 and +1.

use posterior::{DenseBlock, Rows};
use std::ops::Range;

/// Rows whose target is +1 where it equals the positive label, else −1; without a label they stay.
pub struct Relabelled<R> {
    pub rows: R,
    pub positive: Option<f64>,
}

impl<R> Relabelled<R> {
    fn relabel(&self, mut block: DenseBlock) -> DenseBlock {
        if let Some(positive) = self.positive {
            for target in block.targets_mut() {
                *target = if *target == positive { 1.0 } else { -1.0 };
            }
        }
        block
    }
}

impl<R: Rows<Block = DenseBlock>> Rows for Relabelled<R> {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.rows.count()
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        self.relabel(self.rows.gather(indices))
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        self.relabel(self.rows.range(range))
    }
}
