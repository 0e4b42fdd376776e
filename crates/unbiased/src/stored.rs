//! Rows where they are: in a mapped file, or in arrays of another program.

use crate::interruption::Watched;
use data::{MappedDense, MappedSparse};
use posterior::{DenseBlock, Rows, SparseBlock};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rows of either layout.
pub enum Stored {
    /// Most values are written.
    Dense(Held<DenseBlock>),
    /// Most values are zero.
    Sparse(Held<SparseBlock>),
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

impl Stored {
    /// Opens imported rows, whichever layout they have.
    pub fn open(path: &Path) -> anyhow::Result<Stored> {
        Ok(match MappedDense::open(path) {
            Ok(rows) => Stored::Dense(Held {
                width: rows.width(),
                sum: rows.sha256().to_owned(),
                rows: Box::new(rows),
            }),
            Err(data::MappedError::Kind { .. }) => {
                let rows = MappedSparse::open(path)?;
                Stored::Sparse(Held {
                    width: rows.width(),
                    sum: rows.sha256().to_owned(),
                    rows: Box::new(rows),
                })
            }
            Err(error) => return Err(error.into()),
        })
    }

    /// N.
    pub fn count(&self) -> usize {
        match self {
            Stored::Dense(held) => held.rows.count(),
            Stored::Sparse(held) => held.rows.count(),
        }
    }

    /// The sum of the rows.
    pub fn sum(&self) -> &str {
        match self {
            Stored::Dense(held) => &held.sum,
            Stored::Sparse(held) => &held.sum,
        }
    }

    /// The same rows, which end a run as soon as the flag is set.
    pub fn watched(self, run: &Arc<AtomicBool>) -> Stored {
        fn watch<B: posterior::Block + 'static>(held: Held<B>, run: &Arc<AtomicBool>) -> Held<B> {
            let rows = Box::new(Watched { rows: held.rows, run: Arc::clone(run) });
            Held { rows, ..held }
        }
        match self {
            Stored::Dense(held) => Stored::Dense(watch(held, run)),
            Stored::Sparse(held) => Stored::Sparse(watch(held, run)),
        }
    }
}
