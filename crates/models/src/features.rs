//! Finite feature spaces: k(x, x') ≈ φ(x)·φ(x'), φ(x) ∈ ℝᵐ.
//!
//! The paper names three; two maps give all of them. [`FourierFeatures`] are random waves,
//! [`InducingFeatures`] project on a few inputs, chosen freely or by pivoted incomplete Cholesky.

mod fourier;
mod inducing;

pub use fourier::{FourierError, FourierFeatures};
pub use inducing::{InducingError, InducingFeatures};

use posterior::{Block, DenseBlock};
use std::ops::Range;

/// Rows whose features are held at a time: at m = 1000, 4 MB.
const PIECE: usize = 512;

/// φ, evaluated on many rows at a time.
pub trait FeatureMap: Sync {
    /// m.
    fn count(&self) -> usize;

    /// The number of covariates of a row.
    fn width(&self) -> usize;

    /// Overwrites `features` with φ of the rows of a range: feature j of its row i lands at
    /// j · n + i, where n is the length of the range. The range starts at a multiple of eight.
    fn write(&self, block: &DenseBlock, rows: Range<usize>, features: &mut [f64]);
}

/// Hands out the features of all rows, piece after piece, and never holds more than one.
pub(crate) fn for_each_piece(
    map: &impl FeatureMap,
    block: &DenseBlock,
    mut visit: impl FnMut(Range<usize>, &[f64]),
) {
    assert_eq!(block.width(), map.width(), "rows of another width");
    let mut features = vec![0.0; map.count() * PIECE.min(block.rows())];
    for start in (0..block.rows()).step_by(PIECE) {
        let rows = start..block.rows().min(start + PIECE);
        let features = &mut features[..map.count() * rows.len()];
        map.write(block, rows.clone(), features);
        visit(rows, features);
    }
}
