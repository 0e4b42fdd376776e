//! Feature regression end to end against faer's own kernels, on one core.
//!
//! The share of the second line's time in the first's is what counts: at least 60 % of the speed
//! of a rank update and a Cholesky factor alone, features included.

use criterion::{Criterion, criterion_group, criterion_main};
use debias::Seed;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par, Spec};
use models::feature_regression::{FeatureRegression, predict};
use models::features::{FeatureMap, FourierFeatures};
use posterior::DenseBlock;
use rand_distr::{Distribution, StandardNormal};
use std::hint::black_box;

const FEATURES: usize = 1000;
const WIDTH: usize = 8;
const ROWS: usize = 4096;

fn rows() -> DenseBlock {
    let mut rng = Seed(4).child("regression").stream(0);
    let mut block = DenseBlock::zeros(ROWS, WIDTH);
    for j in 0..WIDTH {
        block.column_mut(j).fill_with(|| StandardNormal.sample(&mut rng));
    }
    block.targets_mut().fill_with(|| StandardNormal.sample(&mut rng));
    block
}

/// ΦΦᵀ of a matrix that is already there, and its factor.
fn bare(features: &[f64], gram: &mut [f64]) {
    gram.fill(0.0);
    let phi = MatRef::from_column_major_slice(features, FEATURES, ROWS);
    triangular::matmul(
        MatMut::from_column_major_slice_mut(gram, FEATURES, FEATURES),
        BlockStructure::TriangularLower,
        Accum::Replace,
        phi,
        BlockStructure::Rectangular,
        phi.transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
    for i in 0..FEATURES {
        gram[i * FEATURES + i] += 1.0;
    }
    let parameters: Spec<factor::LltParams, f64> = Spec::default();
    let scratch = factor::cholesky_in_place_scratch::<f64>(FEATURES, Par::Seq, parameters);
    let factor = factor::cholesky_in_place(
        MatMut::from_column_major_slice_mut(gram, FEATURES, FEATURES),
        factor::LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        parameters,
    );
    assert!(factor.is_ok(), "a Gram matrix and the identity are positive definite");
}

fn regression(criterion: &mut Criterion) {
    let block = rows();
    let map = FourierFeatures::sample(FEATURES, WIDTH, 1.0, &mut Seed(4).stream(0))
        .expect("a good basis");
    let mut by_feature = vec![0.0; FEATURES * ROWS];
    map.write(&block, 0..ROWS, &mut by_feature);
    let mut by_row = vec![0.0; FEATURES * ROWS];
    for j in 0..FEATURES {
        for i in 0..ROWS {
            by_row[i * FEATURES + j] = by_feature[j * ROWS + i];
        }
    }
    let mut gram = vec![0.0; FEATURES * FEATURES];
    let model = FeatureRegression::new(map.clone(), 1.0).expect("a good noise");

    let mut group = criterion.benchmark_group("feature regression, m = 1000, n = 4096");
    group.sample_size(10);
    group.bench_function("faer's rank update and Cholesky alone", |bencher| {
        bencher.iter(|| bare(black_box(&by_row), &mut gram));
    });
    group.bench_function("end to end", |bencher| {
        bencher.iter(|| model.posterior(black_box(&block)));
    });
    group.bench_function("features alone", |bencher| {
        bencher.iter(|| map.write(black_box(&block), 0..ROWS, &mut by_feature));
    });
    let weights = vec![1.0; FEATURES];
    group.bench_function("predictions at as many points", |bencher| {
        bencher.iter(|| predict(&map, black_box(&weights), &block));
    });
    group.finish();
}

criterion_group!(benches, regression);
criterion_main!(benches);
