//! Log-likelihood and gradient of logistic regression against plain loops, on one core.
//!
//! Ratios of lines in one group of one run are what counts: at least 8 for dense rows, at least 4
//! for sparse binary rows in the shape of a9a. There are two plain loops, because the first that
//! comes to mind takes an exponential too many and flatters whatever is held against it.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use debias::Seed;
use models::design::{Design, PatternBlock};
use models::logistic::{DenseLogistic, PatternLogistic, SparseLogistic};
use models::prior::Prior;
use models::simd::Level;
use posterior::{DenseBlock, Differentiable, Model, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use std::hint::black_box;

/// Rows whose ten columns (with the bias) and targets fit into a second-level cache of 512 KB.
const DENSE_ROWS: usize = 4096;
const WIDTH: usize = 9;

/// The fourteen categorical variables behind a9a: 123 columns, one set in each group.
const CATEGORIES: [u16; 14] = [5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41];
const SPARSE_ROWS: usize = 32_561;

fn label(rng: &mut debias::Rng) -> f64 {
    if rng.random::<bool>() { 1.0 } else { -1.0 }
}

/// ℓ and y s as one writes them first: two exponentials and a logarithm.
fn first_thought(y: f64, z: f64) -> (f64, f64) {
    (z.min(0.0) - (-z.abs()).exp().ln_1p(), y / (1.0 + z.exp()))
}

/// The same with the exponential shared, the harder loop to beat.
fn second_thought(y: f64, z: f64) -> (f64, f64) {
    let e = (-z.abs()).exp();
    (z.min(0.0) - e.ln_1p(), y * if z < 0.0 { 1.0 } else { e } / (1.0 + e))
}

/// Row by row, one after the other.
fn naive_dense(
    x: &[f64],
    y: &[f64],
    theta: &[f64],
    gradient: &mut [f64],
    link: impl Fn(f64, f64) -> (f64, f64),
) -> f64 {
    let width = theta.len() - 1;
    let mut total = 0.0;
    for (x, y) in x.chunks_exact(width).zip(y) {
        let eta = theta[width] + x.iter().zip(theta).map(|(x, w)| x * w).sum::<f64>();
        let (value, weight) = link(*y, y * eta);
        total += value;
        for (gradient, x) in gradient.iter_mut().zip(x) {
            *gradient += weight * x;
        }
        gradient[width] += weight;
    }
    total
}

fn naive_sparse(
    block: &SparseBlock,
    theta: &[f64],
    gradient: &mut [f64],
    link: impl Fn(f64, f64) -> (f64, f64),
) -> f64 {
    let width = theta.len() - 1;
    let mut total = 0.0;
    for (ends, y) in block.offsets().windows(2).zip(block.targets()) {
        let columns = &block.indices()[ends[0] as usize..ends[1] as usize];
        let eta = theta[width] + columns.iter().map(|&j| theta[usize::from(j)]).sum::<f64>();
        let (value, weight) = link(*y, y * eta);
        total += value;
        for &j in columns {
            gradient[usize::from(j)] += weight;
        }
        gradient[width] += weight;
    }
    total
}

fn dense(criterion: &mut Criterion) {
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
    let mut gradient = vec![0.0; WIDTH + 1];

    let mut group = criterion.benchmark_group("logistic dense");
    group.throughput(Throughput::Elements(DENSE_ROWS as u64));
    group.bench_function("naive gradient", |bencher| {
        let y = block.targets();
        bencher.iter(|| naive_dense(&by_row, y, black_box(&theta), &mut gradient, first_thought));
    });
    group.bench_function("naive gradient, one exponential", |bencher| {
        let y = block.targets();
        bencher.iter(|| naive_dense(&by_row, y, black_box(&theta), &mut gradient, second_thought));
    });
    for level in Level::available() {
        let model =
            DenseLogistic::new(WIDTH, Prior::Flat).expect("flat is a prior").at_level(level);
        group.bench_function(format!("gradient {level:?}"), |bencher| {
            bencher.iter(|| model.add_gradient(black_box(&theta), &block, &mut gradient));
        });
    }
    let model = DenseLogistic::new(WIDTH, Prior::Flat).expect("flat is a prior");
    group.bench_function("log-likelihood", |bencher| {
        bencher.iter(|| model.log_likelihood(black_box(&theta), &block));
    });
    // The floor: every column read twice, one multiply-add each time, nothing else.
    group.bench_function("columns only", |bencher| {
        bencher.iter(|| {
            block.sweep(Level::best(), black_box(&theta), &mut |_, _| {}, Some(&mut gradient));
        });
    });
    group.finish();
}

fn sparse(criterion: &mut Criterion) {
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
    let mut gradient = vec![0.0; width + 1];
    let patterns = PatternBlock::new(block.clone()).expect("binary rows");

    let mut group = criterion.benchmark_group("logistic sparse");
    group.throughput(Throughput::Elements(SPARSE_ROWS as u64));
    group.bench_function("plain CSR gradient", |bencher| {
        bencher.iter(|| naive_sparse(&block, black_box(&theta), &mut gradient, first_thought));
    });
    group.bench_function("plain CSR gradient, one exponential", |bencher| {
        bencher.iter(|| naive_sparse(&block, black_box(&theta), &mut gradient, second_thought));
    });
    let model = SparseLogistic::new(width, Prior::Flat).expect("flat is a prior");
    group.bench_function("sparse gradient", |bencher| {
        bencher.iter(|| model.add_gradient(black_box(&theta), &block, &mut gradient));
    });
    let model = PatternLogistic::new(width, Prior::Flat).expect("flat is a prior");
    group.bench_function(format!("pattern gradient, {} groups", patterns.groups()), |bencher| {
        bencher.iter(|| model.add_gradient(black_box(&theta), &patterns, &mut gradient));
    });
    group.bench_function("pattern log-likelihood", |bencher| {
        bencher.iter(|| model.log_likelihood(black_box(&theta), &patterns));
    });
    group.sample_size(10);
    group.bench_function("finding the patterns", |bencher| {
        bencher.iter_with_large_drop(|| PatternBlock::new(black_box(block.clone())));
    });
    group.finish();
}

criterion_group!(benches, dense, sparse);
criterion_main!(benches);
