//! Rows to measure on.

use debias::Seed;
use posterior::{DenseBlock, MixedBlock, MixedShape, Rows, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use std::ops::Range;
use std::sync::Arc;

/// Rows whose ten columns (with the bias) and targets fit into a second-level cache of 512 KB.
pub const DENSE_ROWS: usize = 4096;
/// Covariates; the bias is the tenth.
pub const WIDTH: usize = 9;

/// The fourteen categorical variables behind a9a: 123 columns, one set in each group.
const CATEGORIES: [u16; 14] = [5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41];
/// The rows of a9a.
pub const SPARSE_ROWS: usize = 32_561;

fn label(rng: &mut debias::Rng) -> f64 {
    if rng.random::<bool>() { 1.0 } else { -1.0 }
}

/// A block in the second-level cache, the same row by row, and parameters.
pub fn dense() -> (DenseBlock, Vec<f64>, Vec<f64>) {
    let mut rng = Seed(4).child("dense").stream(0);
    let mut block = DenseBlock::zeros(DENSE_ROWS, WIDTH);
    let mut by_row = vec![0.0; DENSE_ROWS * WIDTH];
    for j in 0..WIDTH {
        for i in 0..DENSE_ROWS {
            let x: f64 = StandardNormal.sample(&mut rng);
            block.column_mut(j)[i] = x;
            by_row[i * WIDTH + j] = x;
        }
    }
    block.targets_mut().fill_with(|| label(&mut rng));
    let theta: Vec<f64> = (0..=WIDTH).map(|_| StandardNormal.sample(&mut rng)).collect();
    (block, by_row, theta)
}

/// Binary rows in the shape of a9a, and parameters.
pub fn sparse() -> (SparseBlock, Vec<f64>) {
    let mut rng = Seed(4).child("sparse").stream(0);
    let width = usize::from(CATEGORIES.iter().sum::<u16>());
    let mut block = SparseBlock::new(width);
    for _ in 0..SPARSE_ROWS {
        let mut first = 0;
        let columns = CATEGORIES.map(|size| {
            // Categories are as uneven as in a census: each half as likely as the one before.
            let geometric = -rng.random::<f64>().ln() / std::f64::consts::LN_2;
            let column = first + (geometric as u16).min(size - 1);
            first += size;
            column
        });
        block.push(&columns, &[], label(&mut rng));
    }
    let theta: Vec<f64> = (0..=width).map(|_| StandardNormal.sample(&mut rng)).collect();
    (block, theta)
}

/// Rows of a table as people have them: two numbers and categories of so many levels, each level half as
/// likely as the one twice as far down.
pub const LEVELS: [usize; 4] = [300, 300, 24, 7];
/// Its numbers.
pub const NUMBERS: usize = 2;
/// Rows per block of a pass.
pub const MIXED_ROWS: usize = 1 << 13;

/// The same rows in the layout made for them and as compressed sparse rows, and parameters.
pub fn mixed() -> (MixedBlock, SparseBlock, Vec<f64>) {
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
        let target = label(&mut rng);
        mixed.numbers_mut().targets_mut()[row] = target;
        sparse.push(&columns, &values, target);
    }
    let theta: Vec<f64> = (0..=width).map(|_| StandardNormal.sample(&mut rng)).collect();
    (mixed, sparse, theta)
}

const GROUP: usize = 64;

/// Rows from one stream for each group of 64, as an on-demand source would make them.
pub struct Generated {
    /// Where they begin, at a whole group.
    pub first: usize,
    /// N.
    pub count: usize,
}

impl Rows for Generated {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.count
    }

    fn gather(&self, _indices: &[usize]) -> DenseBlock {
        unreachable!("a pass asks for ranges only")
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        let mut block = DenseBlock::zeros(range.len(), WIDTH);
        let seed = Seed(4).child("rows");
        for start in range.clone().step_by(GROUP) {
            let mut rng = seed.stream(((self.first + start) / GROUP) as u64);
            let from = start - range.start;
            let to = range.len().min(from + GROUP);
            let mut eta = [0.0; GROUP];
            for j in 0..WIDTH {
                for (x, eta) in block.column_mut(j)[from..to].iter_mut().zip(&mut eta) {
                    let z: f64 = StandardNormal.sample(&mut rng);
                    *x = z / 10.0;
                    *eta += *x;
                }
            }
            for (y, eta) in block.targets_mut()[from..to].iter_mut().zip(eta) {
                let positive = rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp());
                *y = if positive { 1.0 } else { -1.0 };
            }
        }
        block
    }
}
