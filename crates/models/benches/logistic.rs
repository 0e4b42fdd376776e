//! Log-likelihood and gradient of logistic regression against plain loops, on one core.
//!
//! Ratios of lines in one group of one run are what counts: at least 8 for dense rows, at least 4
//! for sparse binary rows in the shape of a9a. On a busy machine, `ratios` tells them better.

#[path = "support/plain.rs"]
mod plain;
#[allow(dead_code, reason = "generated rows are for another bench")]
#[path = "support/rows.rs"]
mod rows;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use models::design::{Design, PatternBlock};
use models::logistic::{DenseLogistic, PatternLogistic, SparseLogistic};
use models::prior::Prior;
use models::simd::Level;
use posterior::{Differentiable, Model};
use rows::{DENSE_ROWS, SPARSE_ROWS, WIDTH};
use std::hint::black_box;

fn dense(criterion: &mut Criterion) {
    let (block, by_row, theta) = rows::dense();
    let mut gradient = vec![0.0; WIDTH + 1];

    let mut group = criterion.benchmark_group("logistic dense");
    group.throughput(Throughput::Elements(DENSE_ROWS as u64));
    group.bench_function("naive gradient", |bencher| {
        let y = block.targets();
        bencher.iter(|| {
            plain::dense(&by_row, y, black_box(&theta), &mut gradient, plain::first_thought)
        });
    });
    group.bench_function("naive gradient, one exponential", |bencher| {
        let y = block.targets();
        bencher.iter(|| {
            plain::dense(&by_row, y, black_box(&theta), &mut gradient, plain::second_thought)
        });
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
    let (block, theta) = rows::sparse();
    let width = block.width();
    let mut gradient = vec![0.0; width + 1];
    let patterns = PatternBlock::new(block.clone()).expect("binary rows");

    let mut group = criterion.benchmark_group("logistic sparse");
    group.throughput(Throughput::Elements(SPARSE_ROWS as u64));
    group.bench_function("plain CSR gradient", |bencher| {
        bencher
            .iter(|| plain::sparse(&block, black_box(&theta), &mut gradient, plain::first_thought));
    });
    group.bench_function("plain CSR gradient, one exponential", |bencher| {
        bencher.iter(|| {
            plain::sparse(&block, black_box(&theta), &mut gradient, plain::second_thought)
        });
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
