//! Where the inducing points lie: at random rows, or at the centres of k-means.
//!
//! k-means (Lloyd 1982) starts at random rows and works on a random sample of rows: each round gives
//! every row to its nearest centre and moves every centre to the mean of its rows; a centre
//! without rows stays.

use super::GpSviError;
use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use posterior::{Block, DenseBlock, Rows, subset};
use rayon::prelude::*;

/// How Z is chosen. It stays where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InducingInputs {
    /// m different rows.
    RandomRows,
    /// m centres of some of the rows.
    KMeans {
        /// Rows to be divided.
        rows: usize,
        /// Rounds.
        rounds: usize,
    },
}

impl InducingInputs {
    /// Z; the rows looked at are counted, once a round.
    pub(super) fn choose<R: Rows<Block = DenseBlock>>(
        self,
        inducing: usize,
        rows: &R,
        seen: &mut SeenRows,
        ledger: &mut Ledger,
        rng: &mut Rng,
    ) -> Result<DenseBlock, GpSviError> {
        let at_hand = match self {
            InducingInputs::RandomRows => rows.count(),
            InducingInputs::KMeans { rows: sample, .. } => sample.min(rows.count()),
        };
        if inducing == 0 || inducing > at_hand {
            return Err(GpSviError::Inducing { inducing, rows: at_hand });
        }
        match self {
            InducingInputs::RandomRows => {
                let indices = subset(rows.count(), inducing, rng);
                seen.see(&indices);
                Ok(rows.gather(&indices))
            }
            InducingInputs::KMeans { rounds, .. } => {
                let indices = subset(rows.count(), at_hand, rng);
                seen.see(&indices);
                let mut centres = rows.gather(&indices[..inducing]);
                let sample = rows.gather(&indices);
                for _ in 0..rounds {
                    ledger.likelihoods += at_hand as u64;
                    ledger.flops += (3 * at_hand * inducing * sample.width()) as u64;
                    round(&sample, &mut centres);
                }
                Ok(centres)
            }
        }
    }
}

fn round(sample: &DenseBlock, centres: &mut DenseBlock) {
    let (m, width) = (centres.rows(), sample.width());
    let row = |i: usize| (0..width).map(move |c| sample.column(c)[i]);
    let nearest: Vec<usize> = (0..sample.rows())
        .into_par_iter()
        .map(|i| {
            let mut squares = vec![0.0; m];
            for (c, x) in row(i).enumerate() {
                for (square, centre) in squares.iter_mut().zip(centres.column(c)) {
                    *square += (centre - x) * (centre - x);
                }
            }
            // The first of the nearest, so that ties break the same way everywhere.
            (0..m).fold(0, |best, j| if squares[j] < squares[best] { j } else { best })
        })
        .collect();
    let mut counts = vec![0.0; m];
    nearest.iter().for_each(|&centre| counts[centre] += 1.0);
    for c in 0..width {
        let mut sums = vec![0.0; m];
        nearest.iter().zip(sample.column(c)).for_each(|(&centre, x)| sums[centre] += x);
        for ((centre, sum), &count) in centres.column_mut(c).iter_mut().zip(sums).zip(&counts) {
            if count > 0.0 {
                *centre = sum / count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two heaps, both starts in the left one: two rounds put a centre on each.
    #[test]
    fn centres_move_to_the_heaps() {
        let mut sample = DenseBlock::zeros(6, 1);
        sample.column_mut(0).copy_from_slice(&[0.0, 1.0, 2.0, 100.0, 101.0, 102.0]);
        let mut centres = DenseBlock::zeros(2, 1);
        centres.column_mut(0).copy_from_slice(&[0.0, 2.0]);
        round(&sample, &mut centres);
        round(&sample, &mut centres);
        assert_eq!(centres.column(0), [1.0, 101.0]);
    }
}
