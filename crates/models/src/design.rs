//! Rows as they enter a linear predictor: η_i = Σ_j x_ij w_j + bias.
//!
//! A parameter vector holds the d weights and then, **last**, the bias. A layout has to give
//! three things: the sweep (η, then Xᵀ times something made of η), the Gram matrix Xᵀ diag(c) X,
//! and the quadratic forms x_iᵀ C x_i; in all of them a row carries a one after its covariates.

mod adjusted;
mod dense;
mod mixed;
mod patterns;
mod sparse;

pub use adjusted::{Adjusted, AdjustedRows, Extras, SplitColumns};
pub use patterns::{NotBinary, PatternBlock, Patterned};

use crate::simd::Level;
use posterior::Block;

/// What turns predictors into row weights, given the targets of the same rows.
pub type Link<'a> = dyn FnMut(&[f64], &mut [f64]) + 'a;

/// A block whose rows can be multiplied by a vector.
pub trait Design: Block {
    /// d, the number of covariates.
    fn width(&self) -> usize;

    /// One target a row.
    fn targets(&self) -> &[f64];

    /// What is added to the predictor of each row, where anything is.
    fn offsets(&self) -> Option<&[f64]> {
        None
    }

    /// Piece after piece of consecutive rows: computes η from the d + 1 parameters, offsets included,
    /// lets `link` overwrite η with a weight u a row, and adds Σ_i u_i (x_i, 1) to `gradient` if
    /// there is one.
    fn sweep(
        &self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    );

    /// The same for a direction in the space of parameters: offsets do not move.
    fn moves(&self, level: Level, direction: &[f64], link: &mut Link<'_>) {
        self.sweep(level, direction, link, None);
    }

    /// Adds Σ_i u_i (x_i, 1) to `sum`.
    fn add_rows(&self, level: Level, weights: &[f64], sum: &mut [f64]) {
        let mut at = 0;
        let mut link = |_: &[f64], eta: &mut [f64]| {
            eta.copy_from_slice(&weights[at..][..eta.len()]);
            at += eta.len();
        };
        // The predictors themselves are not wanted: the sweep multiplies by zeros.
        self.sweep(level, &vec![0.0; self.width() + 1], &mut link, Some(sum));
    }

    /// Adds Σ_i c_i (x_i, 1)(x_i, 1)ᵀ to the (d + 1)² entries of `matrix`.
    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]);

    /// Overwrites `entries` with the columns of (x_i, 1) and their values, zeros left out where the
    /// layout does, for methods that look at rows one by one.
    fn row(&self, row: usize, entries: &mut Vec<(usize, f64)>);

    /// (x_i, 1)ᵀ C (x_i, 1) for each row, C symmetric with (d + 1)² entries.
    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::{DenseBlock, MixedBlock, MixedShape, SparseBlock};
    use std::sync::Arc;

    /// Rows added one by one are the sum that a sweep makes of them.
    fn check<B: Design>(block: &B) {
        let mut swept = vec![0.0; block.width() + 1];
        let mut link = |targets: &[f64], eta: &mut [f64]| eta.copy_from_slice(targets);
        block.sweep(Level::best(), &vec![0.0; swept.len()], &mut link, Some(&mut swept));
        let mut added = vec![0.0; swept.len()];
        let mut entries = vec![(9, 9.0)];
        for (row, &target) in block.targets().iter().enumerate() {
            block.row(row, &mut entries);
            entries.iter().for_each(|&(column, x)| added[column] += target * x);
        }
        assert_eq!(added, swept);
    }

    #[test]
    fn single_rows_add_up_in_every_layout() {
        let mut dense = DenseBlock::zeros(11, 2);
        dense.targets_mut().iter_mut().enumerate().for_each(|(i, y)| *y = i as f64 - 4.0);
        dense.column_mut(1).iter_mut().enumerate().for_each(|(i, x)| *x = (i * i) as f64);
        check(&dense);
        let (mut binary, mut valued) = (SparseBlock::new(4), SparseBlock::new(4));
        for (indices, values) in [(&[0u16, 2][..], &[2.0, -3.0][..]), (&[], &[]), (&[3], &[0.5])] {
            binary.push(indices, &[], -1.0);
            valued.push(indices, values, 2.0);
        }
        check(&valued);
        check(&binary);
        check(&PatternBlock::new(binary).unwrap());
        let shape = MixedShape::new(5, vec![Some(4), None], vec![None, Some(1)]).unwrap();
        let mut mixed = MixedBlock::zeros(Arc::new(shape), 11);
        mixed.numbers_mut().targets_mut().iter_mut().enumerate().for_each(|(i, y)| *y = i as f64);
        mixed.numbers_mut().column_mut(0).copy_from_slice(dense.column(1));
        mixed.numbers_mut().column_mut(1).fill(-2.0);
        (0..9).for_each(|row| mixed.set_level(row % 2, row, Some(row / 3)));
        check(&mixed);
    }
}
