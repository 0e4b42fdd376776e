//! Rows with categories, and the products of a library for compressed sparse rows to compare with.

use debias::Seed;
use posterior::{MixedBlock, MixedShape, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use std::sync::Arc;

/// Rows of a table as people have them: two numbers and categories of so many levels, each level half as
/// likely as the one twice as far down.
const LEVELS: [usize; 4] = [300, 300, 24, 7];
/// Its numbers.
const NUMBERS: usize = 2;
/// Rows per block of a pass.
const MIXED_ROWS: usize = 1 << 13;

/// The same rows in the layout made for them and as compressed sparse rows, and parameters.
pub fn rows() -> (MixedBlock, SparseBlock, Vec<f64>) {
    let mut rng = Seed(4).child("mixed").stream(0);
    let width = NUMBERS + LEVELS.iter().map(|levels| levels - 1).sum::<usize>();
    let numbers = (0..NUMBERS).map(Some).collect();
    let shape = MixedShape::new(width, numbers, vec![None; LEVELS.len()]).expect("a shape");
    let mut mixed = MixedBlock::zeros(Arc::new(shape), MIXED_ROWS);
    let mut sparse = SparseBlock::new(width);
    for row in 0..MIXED_ROWS {
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for number in 0..NUMBERS {
            let x: f64 = StandardNormal.sample(&mut rng);
            mixed.numbers_mut().column_mut(number)[row] = x;
            columns.push(number as u16);
            values.push(x);
        }
        let mut first = NUMBERS;
        for (category, levels) in LEVELS.into_iter().enumerate() {
            let level = (levels as f64).powf(rng.random::<f64>()) as usize - 1;
            // The most frequent level is the reference.
            if level > 0 {
                mixed.set_level(category, row, Some(first + level - 1));
                columns.push((first + level - 1) as u16);
                values.push(1.0);
            }
            first += levels - 1;
        }
        let target = if rng.random::<bool>() { 1.0 } else { -1.0 };
        mixed.numbers_mut().targets_mut()[row] = target;
        sparse.push(&columns, &values, target);
    }
    let theta: Vec<f64> = (0..=width).map(|_| StandardNormal.sample(&mut rng)).collect();
    (mixed, sparse, theta)
}

/// η = X θ and Xᵀ η, as two calls of a library for compressed sparse rows: values of eight bytes, columns
/// of four.
pub fn products(
    (offsets, columns, values): (&[u32], &[u32], &[f64]),
    theta: &[f64],
    eta: &mut [f64],
    gradient: &mut [f64],
) {
    for (ends, eta) in offsets.windows(2).zip(&mut *eta) {
        let mut sum = 0.0;
        for entry in ends[0] as usize..ends[1] as usize {
            sum += values[entry] * theta[columns[entry] as usize];
        }
        *eta = sum;
    }
    for (ends, u) in offsets.windows(2).zip(eta) {
        for entry in ends[0] as usize..ends[1] as usize {
            gradient[columns[entry] as usize] += values[entry] * *u;
        }
    }
}
