//! Eight rows and a curved functional of a batch, of which every expectation can be enumerated.

#![allow(dead_code, reason = "each test uses what it needs")]

use debias::Rng;
use posterior::{Block, DenseBlock, LevelEstimate, Model, PartialPosterior, Rows};
use std::convert::Infallible;

/// One column of numbers.
pub struct Numbers(pub Vec<f64>);

impl Rows for Numbers {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), 1);
        for (value, &index) in block.column_mut(0).iter_mut().zip(indices) {
            *value = self.0[index];
        }
        block
    }
}

/// A model of which only the rows matter.
pub struct Flat;

impl Model for Flat {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        1
    }

    fn log_prior(&self, _: &[f64]) -> f64 {
        0.0
    }

    fn log_likelihood(&self, _: &[f64], _: &DenseBlock) -> f64 {
        0.0
    }
}

/// φ = (mean², 1/(1 + mean²)).
pub struct SquaredMean;

impl LevelEstimate<Flat> for SquaredMean {
    type Error = Infallible;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, Flat>,
        _: &mut Rng,
    ) -> Result<Vec<f64>, Infallible> {
        let block = posterior.read_rows();
        let mean = block.column(0).iter().sum::<f64>() / block.rows() as f64;
        Ok(vec![mean * mean, 1.0 / (1.0 + mean * mean)])
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

/// φ of numbers, by hand.
pub fn squares(numbers: &[f64]) -> Vec<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    vec![mean * mean, 1.0 / (1.0 + mean * mean)]
}

/// Hands a number to `cargo xtask trust`.
pub fn evidence(name: &str, number: impl std::fmt::Display) {
    println!("evidence | {name} | {number}");
}

pub const NUMBERS: [f64; 8] = [0.3, -1.2, 2.5, 0.0, 4.1, -0.7, 1.9, -3.3];

/// All orders of n things.
pub fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    permutations(n - 1)
        .into_iter()
        .flat_map(|shorter| {
            (0..n).map(move |place| {
                let mut longer = shorter.clone();
                longer.insert(place, n - 1);
                longer
            })
        })
        .collect()
}
