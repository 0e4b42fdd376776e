//! Settings that do not fit the rows or the model, checked once for all methods.

use samplers::Length;

/// Why settings were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// No rows in a batch, or more than there are.
    #[error("batches of {batch} rows out of {rows}")]
    Batch {
        /// n.
        batch: usize,
        /// N.
        rows: usize,
    },
    /// A point or a matrix has another dimension than the model.
    #[error("{found} coordinates where the model has {expected}")]
    Dimension {
        /// The model's.
        expected: usize,
        /// The other one.
        found: usize,
    },
    /// No draws to keep.
    #[error("a chain of {warm_up} steps of warm-up and no draws")]
    Empty {
        /// Steps to forget.
        warm_up: usize,
    },
}

impl Misfit {
    /// Refuses no rows, and more than there are.
    pub(crate) fn batch(batch: usize, rows: usize) -> Result<(), Misfit> {
        let some = batch > 0 && batch <= rows;
        if some { Ok(()) } else { Err(Misfit::Batch { batch, rows }) }
    }

    /// Refuses the first of some dimensions that is not the model's.
    pub(crate) fn dimensions(expected: usize, all: &[usize]) -> Result<(), Misfit> {
        let other = all.iter().find(|&&found| found != expected);
        other.map_or(Ok(()), |&found| Err(Misfit::Dimension { expected, found }))
    }

    /// Refuses a chain that keeps nothing.
    pub(crate) fn length(length: Length) -> Result<(), Misfit> {
        let Length { warm_up, draws } = length;
        if draws > 0 { Ok(()) } else { Err(Misfit::Empty { warm_up }) }
    }
}
