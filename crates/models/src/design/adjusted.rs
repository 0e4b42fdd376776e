//! Rows with an offset and a case weight: ℓ_i(θ) = weight_i · ln p(y_i ∣ x_i · w + bias + offset_i).
//!
//! They are kept in columns behind the covariates, so that rows from anywhere can have them. A number
//! of trials makes a proportion of a count: s successes in n trials are the target s/n with n times the
//! weight, since s η − n ln(1 + exp η) = n [(s/n) η − ln(1 + exp η)].

use super::{Design, Link};
use crate::simd::Level;
use posterior::{Block, DenseBlock, MixedBlock, Rows, SparseBlock};
use std::ops::Range;

/// A block of rows with offsets and weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjusted<B> {
    block: B,
    offsets: Option<Vec<f64>>,
    weights: Option<Vec<f64>>,
}

/// Which columns behind the covariates hold what, counted from the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Extras {
    /// What is added to the predictor.
    pub offset: Option<usize>,
    /// How many times the row counts.
    pub weight: Option<usize>,
    /// Of how many trials the target counts the successes.
    pub trials: Option<usize>,
}

/// Rows whose columns from `width` on are no covariates.
#[derive(Clone, Debug)]
pub struct AdjustedRows<R> {
    /// The rows with all columns.
    pub rows: R,
    /// The number of covariates.
    pub width: usize,
    /// The columns behind them.
    pub extras: Extras,
}

/// Blocks from which columns can be taken.
pub trait SplitColumns: Design + Sized {
    /// The first so many columns, and each of the others by itself.
    fn split(self, width: usize) -> (Self, Vec<Vec<f64>>);

    /// The target of each row, to be written.
    fn edit_targets(&mut self) -> &mut [f64];
}

impl SplitColumns for DenseBlock {
    fn split(self, width: usize) -> (DenseBlock, Vec<Vec<f64>>) {
        self.split_columns(width)
    }

    fn edit_targets(&mut self) -> &mut [f64] {
        self.targets_mut()
    }
}

impl SplitColumns for SparseBlock {
    fn split(self, width: usize) -> (SparseBlock, Vec<Vec<f64>>) {
        self.split_columns(width)
    }

    fn edit_targets(&mut self) -> &mut [f64] {
        self.targets_mut()
    }
}

impl SplitColumns for MixedBlock {
    fn split(self, width: usize) -> (MixedBlock, Vec<Vec<f64>>) {
        self.split_columns(width)
    }

    fn edit_targets(&mut self) -> &mut [f64] {
        self.numbers_mut().targets_mut()
    }
}

impl<R> AdjustedRows<R> {
    fn adjust<B: SplitColumns>(&self, block: B) -> Adjusted<B> {
        let Extras { offset, weight, trials } = self.extras;
        let (mut block, columns) = block.split(self.width);
        let column = |at: Option<usize>| at.map(|at| columns[at].clone());
        let (offsets, mut weights) = (column(offset), column(weight));
        if let Some(trials) = column(trials) {
            for (target, &trials) in block.edit_targets().iter_mut().zip(&trials) {
                // No trials have no successes, and no weight.
                *target /= trials.max(1.0);
            }
            weights = Some(match weights {
                None => trials,
                Some(weights) => weights.iter().zip(trials).map(|(a, b)| a * b).collect(),
            });
        }
        Adjusted { block, offsets, weights }
    }
}

impl<R> Rows for AdjustedRows<R>
where
    R: Rows,
    R::Block: SplitColumns,
{
    type Block = Adjusted<R::Block>;

    fn count(&self) -> usize {
        self.rows.count()
    }

    fn gather(&self, indices: &[usize]) -> Adjusted<R::Block> {
        self.adjust(self.rows.gather(indices))
    }

    fn range(&self, range: Range<usize>) -> Adjusted<R::Block> {
        self.adjust(self.rows.range(range))
    }
}

impl<B: Block> Block for Adjusted<B> {
    fn rows(&self) -> usize {
        self.block.rows()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }
}

impl<B: Design> Design for Adjusted<B> {
    fn width(&self) -> usize {
        self.block.width()
    }

    fn targets(&self) -> &[f64] {
        self.block.targets()
    }

    fn offsets(&self) -> Option<&[f64]> {
        self.offsets.as_deref()
    }

    fn sweep(
        &self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    ) {
        let Some(offsets) = &self.offsets else {
            return self.block.sweep(level, parameters, link, gradient);
        };
        let mut at = 0;
        let mut with_offsets = |targets: &[f64], eta: &mut [f64]| {
            for (eta, offset) in eta.iter_mut().zip(&offsets[at..]) {
                *eta += offset;
            }
            at += eta.len();
            link(targets, eta);
        };
        self.block.sweep(level, parameters, &mut with_offsets, gradient);
    }

    fn moves(&self, level: Level, direction: &[f64], link: &mut Link<'_>) {
        self.block.moves(level, direction, link);
    }

    fn add_rows(&self, level: Level, weights: &[f64], sum: &mut [f64]) {
        self.block.add_rows(level, weights, sum);
    }

    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]) {
        self.block.add_gram(level, weights, matrix);
    }

    fn row(&self, row: usize, entries: &mut Vec<(usize, f64)>) {
        self.block.row(row, entries);
    }

    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64> {
        self.block.quadratic_forms(matrix)
    }
}
