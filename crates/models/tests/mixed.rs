//! Rows with categories in the layout made for them, against the same rows as sparse ones.

use debias::{Rng, Seed};
use models::design::Design;
use models::generalised_linear::Poisson;
use models::regression::FamilyRows;
use models::simd::Level;
use posterior::{Indices, MixedBlock, MixedShape, Regression, SparseBlock};
use rand::RngExt;
use std::sync::Arc;

/// Numbers, of which some are zero and one is only multiplied, and categories of so many levels, one
/// of them multiplied; the covariate before the last belongs to no row.
fn rows(rows: usize, levels: &[usize], rng: &mut Rng) -> (MixedBlock, SparseBlock) {
    let numbers = 3;
    // Numbers first and last, so that levels are neither.
    let width = numbers + levels.iter().sum::<usize>() + 1;
    let columns = vec![Some(0), None, Some(width - 1), Some(1)];
    let factors = (0..levels.len()).map(|category| (category == 1).then_some(1)).collect();
    let shape = MixedShape::new(width, columns, factors).unwrap();
    let mut mixed = MixedBlock::zeros(Arc::new(shape), rows);
    let mut sparse = SparseBlock::new(width);
    for row in 0..rows {
        let draw = |rng: &mut Rng| f64::from(rng.random_range(-1..4_i32)) * 0.25;
        let x: [f64; 4] = std::array::from_fn(|_| draw(rng));
        for (column, &x) in x.iter().enumerate() {
            mixed.numbers_mut().column_mut(column)[row] = x;
        }
        let target = f64::from(rng.random_range(0..4_u32));
        mixed.numbers_mut().targets_mut()[row] = target;
        let mut entries = vec![(0, x[0]), (1, x[3]), (width - 1, x[2])];
        let mut first = 2;
        for (category, &count) in levels.iter().enumerate() {
            // The last level is the reference.
            let level = rng.random_range(0..=count);
            if level < count {
                mixed.set_level(category, row, Some(first + level));
                entries.push((first + level, if category == 1 { x[1] } else { 1.0 }));
            }
            first += count;
        }
        entries.retain(|&(_, x)| x != 0.0);
        entries.sort_by_key(|&(column, _)| column);
        let indices: Vec<u32> = entries.iter().map(|&(column, _)| column as u32).collect();
        let values: Vec<f64> = entries.iter().map(|&(_, x)| x).collect();
        sparse.append(Indices::Wide(&indices), &values, target);
    }
    (mixed, sparse)
}

#[track_caller]
fn assert_close(mixed: &[f64], sparse: &[f64]) {
    assert_eq!(mixed.len(), sparse.len());
    for (a, b) in mixed.iter().zip(sparse) {
        // Sums of two thousand terms of size one, in another order.
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}

fn sweep(block: &impl Design, theta: &[f64]) -> [Vec<f64>; 2] {
    let (mut eta, mut gradient) = (Vec::new(), vec![0.5; theta.len()]);
    let mut link = |targets: &[f64], piece: &mut [f64]| {
        eta.extend_from_slice(piece);
        piece.iter_mut().zip(targets).for_each(|(eta, y)| *eta = eta.tanh() - y);
    };
    block.sweep(Level::best(), theta, &mut link, Some(&mut gradient));
    [eta, gradient]
}

/// The numbers of levels, and whether there are few rows for each, decide which kernel runs.
const SHAPES: [(usize, &[usize]); 7] = [
    (2000, &[]),
    (2000, &[7]),
    (2000, &[7, 3, 2]),
    (2000, &[5, 4, 3, 2, 9]),
    (2000, &[5, 4, 3, 2, 9, 2, 30]),
    (300, &[400, 20]),
    (1, &[3, 3]),
];

#[test]
fn every_kernel_gives_what_sparse_rows_give() {
    for (case, (count, levels)) in SHAPES.into_iter().enumerate() {
        let mut rng = Seed(17).child("mixed").stream(case as u64);
        let (mixed, sparse) = rows(count, levels, &mut rng);
        let size = sparse.width() + 1;
        let theta: Vec<f64> = (0..size).map(|_| rng.random::<f64>() - 0.5).collect();
        let weights: Vec<f64> = (0..count).map(|_| rng.random::<f64>() - 0.2).collect();
        let [own, other] = [sweep(&mixed, &theta), sweep(&sparse, &theta)];
        own.iter().zip(&other).for_each(|(own, other)| assert_close(own, other));
        let added = |block: &dyn Design| {
            let mut sum = vec![1.0; size];
            block.add_rows(Level::best(), &weights, &mut sum);
            sum
        };
        assert_close(&added(&mixed), &added(&sparse));
        let gram = |block: &dyn Design| {
            let mut matrix = vec![0.25; size * size];
            block.add_gram(Level::best(), &weights, &mut matrix);
            matrix
        };
        assert_close(&gram(&mixed), &gram(&sparse));
        let mut covariance = gram(&sparse);
        covariance.iter_mut().for_each(|entry| *entry *= 0.01);
        assert_close(&mixed.quadratic_forms(&covariance), &sparse.quadratic_forms(&covariance));
        for row in 0..count {
            let (mut own, mut other) = (Vec::new(), Vec::new());
            mixed.row(row, &mut own);
            Design::row(&sparse, row, &mut other);
            own.sort_by_key(|&(column, _)| column);
            assert_eq!(own, other);
        }
    }
}

#[test]
fn equal_rows_have_equal_fingerprints() {
    let mut rng = Seed(17).child("prints").stream(0);
    let (mixed, _) = rows(2000, &[2, 1], &mut rng);
    let regression = FamilyRows { family: Poisson, level: Level::best() };
    let prints = regression.fingerprints(&mixed);
    let key = |row: usize| {
        let mut entries = Vec::new();
        mixed.row(row, &mut entries);
        let entries: Vec<_> = entries.iter().map(|&(j, x)| (j, x.to_bits())).collect();
        (mixed.targets()[row].to_bits(), entries)
    };
    let mut same = 0;
    for row in 0..2000 {
        for other in 0..row {
            assert_eq!(prints[row] == prints[other], key(row) == key(other), "{row} {other}");
            same += usize::from(prints[row] == prints[other]);
        }
    }
    assert!(same > 100, "{same} pairs of equal rows try the rule");
}
