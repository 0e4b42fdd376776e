//! Rows and where they come from.

use std::ops::Range;

/// Some rows, contiguous in memory and laid out for the kernel that will read them.
pub trait Block: Send + Sync {
    /// How many rows the block holds.
    fn rows(&self) -> usize;

    /// Case weights: the log-likelihood of a row counts so many times. Without them every row counts
    /// once.
    fn weights(&self) -> Option<&[f64]> {
        None
    }
}

/// A data set of N rows, stored, mapped or generated on demand.
///
/// Row i is the same row whenever, wherever and in whatever company it is asked for.
pub trait Rows: Sync {
    /// The layout in which rows are handed out.
    type Block: Block;

    /// N.
    fn count(&self) -> usize;

    /// The rows with these indices, in this order.
    ///
    /// # Panics
    /// If an index is not below [`Rows::count`].
    fn gather(&self, indices: &[usize]) -> Self::Block;

    /// Consecutive rows, for passes over all the data.
    ///
    /// # Panics
    /// If the range ends beyond [`Rows::count`].
    fn range(&self, range: Range<usize>) -> Self::Block {
        self.gather(&range.collect::<Vec<_>>())
    }
}

/// Rows that are lent.
impl<R: Rows + ?Sized> Rows for &R {
    type Block = R::Block;

    fn count(&self) -> usize {
        (**self).count()
    }

    fn gather(&self, indices: &[usize]) -> R::Block {
        (**self).gather(indices)
    }

    fn range(&self, range: Range<usize>) -> R::Block {
        (**self).range(range)
    }
}
