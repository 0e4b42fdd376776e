//! Rows where they are: in a mapped file, or in arrays of another program.

use crate::interruption::Watched;
use data::{MappedDense, MappedError, MappedMixed, MappedSparse, Written};
use posterior::{Block, DenseBlock, MixedBlock, Rows, SparseBlock};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rows of any layout.
pub enum Stored {
    /// Numbers.
    Dense(Held<DenseBlock>),
    /// Of a libsvm file or a CSR matrix: most values are zero.
    Sparse(Held<SparseBlock>),
    /// Of a table with categories.
    Mixed(Held<MixedBlock>),
}

/// Rows of one layout.
pub struct Held<B> {
    /// The rows; which they are is known at run time only, which spares a copy of all methods for each.
    pub rows: Box<dyn Rows<Block = B> + Send>,
    /// Columns, those behind the covariates included.
    pub width: usize,
    /// A sum of all that they hold.
    pub sum: String,
}

impl<B: Block> Held<B> {
    fn new(rows: impl Rows<Block = B> + Send + 'static, width: usize, sum: &str) -> Held<B> {
        Held { width, sum: sum.to_owned(), rows: Box::new(rows) }
    }

    fn watched(self, run: &Arc<AtomicBool>) -> Held<B>
    where
        B: 'static,
    {
        let rows = Box::new(Watched { rows: self.rows, run: Arc::clone(run) });
        Held { rows, ..self }
    }
}

impl Stored {
    /// Opens imported rows, whichever layout they have.
    pub fn open(path: &Path, written: Written) -> anyhow::Result<Stored> {
        // A file of another kind is refused before it is read.
        match MappedDense::open_written(path, written) {
            Err(MappedError::Kind { .. }) => {}
            opened => {
                let rows = opened?;
                let (width, sum) = (rows.width(), rows.sha256().to_owned());
                return Ok(Stored::Dense(Held::new(rows, width, &sum)));
            }
        }
        match MappedMixed::open_written(path, written) {
            Err(MappedError::Kind { .. }) => {}
            opened => {
                let rows = opened?;
                let (width, sum) = (rows.width(), rows.sha256().to_owned());
                return Ok(Stored::Mixed(Held::new(rows, width, &sum)));
            }
        }
        let rows = MappedSparse::open_written(path, written)?;
        let (width, sum) = (rows.width(), rows.sha256().to_owned());
        Ok(Stored::Sparse(Held::new(rows, width, &sum)))
    }

    /// N.
    pub fn count(&self) -> usize {
        match self {
            Stored::Dense(held) => held.rows.count(),
            Stored::Sparse(held) => held.rows.count(),
            Stored::Mixed(held) => held.rows.count(),
        }
    }

    /// The sum of the rows.
    pub fn sum(&self) -> &str {
        match self {
            Stored::Dense(held) => &held.sum,
            Stored::Sparse(held) => &held.sum,
            Stored::Mixed(held) => &held.sum,
        }
    }

    /// The same rows, which end a run as soon as the flag is set.
    pub fn watched(self, run: &Arc<AtomicBool>) -> Stored {
        match self {
            Stored::Dense(held) => Stored::Dense(held.watched(run)),
            Stored::Sparse(held) => Stored::Sparse(held.watched(run)),
            Stored::Mixed(held) => Stored::Mixed(held.watched(run)),
        }
    }
}
