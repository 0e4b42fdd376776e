//! Kernels at every level of the machine: equal to rounding, bit-stable, and pinned.

use debias::{Rng, Seed};
use models::design::PatternBlock;
use models::logistic::{DenseLogistic, Logistic, PatternLogistic, SparseLogistic};
use models::prior::Prior;
use models::simd::Level;
use posterior::{DenseBlock, Differentiable, Model, Smooth, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

const WIDTH: usize = 13;

fn rows(count: usize) -> (DenseBlock, SparseBlock) {
    let mut rng = Seed(9).child("dispatch").stream(count as u64);
    let (mut dense, mut sparse) = (DenseBlock::zeros(count, WIDTH), SparseBlock::new(WIDTH));
    for i in 0..count {
        let columns: Vec<u16> = (0..WIDTH as u16).filter(|_| rng.random::<f64>() < 0.3).collect();
        for &j in &columns {
            dense.column_mut(usize::from(j))[i] = 1.0;
        }
        let y = if rng.random::<bool>() { 1.0 } else { -1.0 };
        dense.targets_mut()[i] = y;
        sparse.push(&columns, &[], y);
    }
    (dense, sparse)
}

fn theta(rng: &mut Rng) -> Vec<f64> {
    (0..=WIDTH).map(|_| StandardNormal.sample(rng)).collect()
}

/// Value, gradient and Hessian in one list.
fn everything<B>(model: &Logistic<B>, theta: &[f64], block: &B) -> Vec<f64>
where
    Logistic<B>: Smooth<Block = B>,
{
    let d = theta.len();
    let (mut gradient, mut hessian) = (vec![0.0; d], vec![0.0; d * d]);
    let value = model.add_hessian(theta, block, &mut gradient, &mut hessian);
    let mut again = vec![0.0; d];
    assert_eq!(model.add_gradient(theta, block, &mut again), value);
    assert_eq!(gradient, again);
    [vec![value], gradient, hessian].concat()
}

/// Rounding of sums of up to 3000 terms of size one.
const TOLERANCE: f64 = 1e-11;

#[test]
fn layouts_and_levels_agree() {
    for count in [1, 8, 255, 256, 257, 3000] {
        let (dense, sparse) = rows(count);
        let patterns = PatternBlock::new(sparse.clone()).unwrap();
        let theta = theta(&mut Seed(9).child("theta").stream(0));
        let mut reference: Option<Vec<f64>> = None;
        for level in Level::available() {
            let dense_model = DenseLogistic::new(WIDTH, Prior::Flat).unwrap().at_level(level);
            let sparse_model = SparseLogistic::new(WIDTH, Prior::Flat).unwrap().at_level(level);
            let pattern_model = PatternLogistic::new(WIDTH, Prior::Flat).unwrap().at_level(level);
            let results = [
                everything(&dense_model, &theta, &dense),
                everything(&sparse_model, &theta, &sparse),
                everything(&pattern_model, &theta, &patterns),
            ];
            for result in results {
                let reference = reference.get_or_insert_with(|| result.clone());
                for (a, b) in result.iter().zip(&*reference) {
                    assert!((a - b).abs() <= TOLERANCE, "{level:?}, {count} rows: {a} {b}");
                }
            }
            let covariance: Vec<f64> = (0..(WIDTH + 1).pow(2))
                .map(|k| if k % (WIDTH + 2) == 0 { 0.5 } else { 0.01 })
                .collect();
            let first = dense_model.remainder_scores(&theta, &covariance, &dense);
            let second = pattern_model.remainder_scores(&theta, &covariance, &patterns);
            assert!(first.iter().zip(&second).all(|(a, b)| (a - b).abs() < TOLERANCE));
        }
    }
}

#[test]
fn single_rows_add_up_and_probabilities_are_those_of_the_model() {
    let (dense, _) = rows(300);
    let theta = theta(&mut Seed(9).child("theta").stream(1));
    for level in Level::available() {
        let model = DenseLogistic::new(WIDTH, Prior::Flat).unwrap().at_level(level);
        let single = model.row_log_likelihoods(&theta, &dense);
        let sum: f64 = single.iter().sum();
        assert!((sum - model.log_likelihood(&theta, &dense)).abs() < TOLERANCE);
        let probabilities = model.probabilities(&theta, &dense);
        for ((p, y), single) in probabilities.iter().zip(dense.targets()).zip(&single) {
            let likelihood = if *y > 0.0 { *p } else { 1.0 - p };
            assert!((likelihood.ln() - single).abs() < 1e-13, "{likelihood} {single}");
        }
    }
}

/// The gradient to the last bit, which on these rows does not even depend on whether multiply-add
/// is fused. The value ends in a logarithm of the system's library and is pinned to rounding.
#[test]
fn sums_are_pinned() {
    let (dense, _) = rows(1000);
    let theta = theta(&mut Seed(9).child("theta").stream(2));
    for level in Level::available() {
        let model = DenseLogistic::new(WIDTH, Prior::Flat).unwrap().at_level(level);
        let mut gradient = vec![0.0; WIDTH + 1];
        let value = model.add_gradient(&theta, &dense, &mut gradient);
        let bits = [gradient[0], gradient[5], gradient[WIDTH]].map(f64::to_bits);
        assert_eq!(bits, GRADIENT, "{level:?}");
        assert!((value - VALUE).abs() < 1e-10, "{level:?}: {value}");
    }
}

const VALUE: f64 = -1188.9919975613013;
const GRADIENT: [u64; 3] = [4636262257678711864, 4635111760952384034, 4644057223659387248];
