//! Rows in which every covariate is a one or a zero, as sparse rows.

use posterior::{MixedBlock, Rows, SparseBlock};
use std::ops::Range;

/// Categories from which on it pays to look for patterns among them: each costs a look-up, and a9a's
/// fourteen make three or four patterns.
const MANY: usize = 6;

/// Where the rows come from.
pub enum Ones<'a> {
    /// A libsvm file, or a CSR matrix.
    Sparse(&'a dyn Rows<Block = SparseBlock>),
    /// A table that has nothing but categories.
    Categories(&'a dyn Rows<Block = MixedBlock>),
}

impl Ones<'_> {
    /// Whether a table has nothing but categories, and many of them.
    pub fn suit(rows: &dyn Rows<Block = MixedBlock>) -> bool {
        let none = rows.range(0..0);
        none.shape().numbers().is_empty() && none.shape().factors().len() >= MANY
    }
}

impl Rows for Ones<'_> {
    type Block = SparseBlock;

    fn count(&self) -> usize {
        match self {
            Ones::Sparse(rows) => rows.count(),
            Ones::Categories(rows) => rows.count(),
        }
    }

    fn gather(&self, indices: &[usize]) -> SparseBlock {
        match self {
            Ones::Sparse(rows) => rows.gather(indices),
            Ones::Categories(rows) => rows.gather(indices).try_into().expect("no numbers"),
        }
    }

    fn range(&self, range: Range<usize>) -> SparseBlock {
        match self {
            Ones::Sparse(rows) => rows.range(range),
            Ones::Categories(rows) => rows.range(range).try_into().expect("no numbers"),
        }
    }
}
