//! One iteration of GP-SVI at the paper's size, and the share of linear algebra in it.
//!
//! The second line runs the same factors, solves and products on ready matrices, on as many threads:
//! its time over the first's is the share. GPyTorch needs 370 to 430 ms in single precision, GPflow
//! 760 ms.

use baselines::{GpSvi, GpSviSettings, Hyperparameters, InducingInputs, StepSize};
use criterion::{Criterion, criterion_group, criterion_main};
use data::DenseRows;
use debias::Seed;
use models::linear_algebra::{Layout, Symmetric};
use posterior::DenseBlock;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use std::hint::black_box;

const SIZE: usize = 1000;
const WIDTH: usize = 8;
const ROWS: usize = 20_000;

fn rows() -> DenseRows {
    let mut rng = Seed(4).child("gp-svi").stream(0);
    let mut block = DenseBlock::zeros(ROWS, WIDTH);
    for j in 0..WIDTH {
        block.column_mut(j).fill_with(|| StandardNormal.sample(&mut rng));
    }
    block.targets_mut().fill_with(|| StandardNormal.sample(&mut rng));
    DenseRows::new(block)
}

fn iteration(criterion: &mut Criterion) {
    let start = Hyperparameters { length_scales: vec![1.0; WIDTH], variance: 1.0, noise: 1.0 };
    let method = GpSvi::new(GpSviSettings {
        inducing: SIZE,
        inputs: InducingInputs::RandomRows,
        batch: SIZE,
        iterations: 1,
        natural_step: StepSize::constant(0.1).expect("a step"),
        hyperparameter_step: Some(0.01),
        start,
    })
    .expect("good settings");
    let rows = rows();
    let rng = &mut Seed(5).stream(0);
    let mut training = method.start(&rows, rng).expect("enough rows");
    let mut group = criterion.benchmark_group("gp-svi 1000 inducing points, batch 1000");
    group.sample_size(10);
    group.bench_function("iteration", |bencher| bencher.iter(|| training.step(rng).is_ok()));
    let columns: Vec<f64> = (0..SIZE * SIZE).map(|i| (i as f64).sin()).collect();
    group.bench_function("linear algebra", |bencher| {
        bencher.iter(|| linear_algebra(black_box(&columns)))
    });
}

/// Two factors, seven solves and two products of a thousand columns.
fn linear_algebra(columns: &[f64]) -> f64 {
    let mut total = 0.0;
    for solves in [3, 4] {
        let parts: Vec<Symmetric> = columns
            .par_chunks(256 * SIZE)
            .map(|piece| {
                let mut part = Symmetric::zeros(SIZE);
                part.add_rank(1.0, piece, Layout::VectorByVector);
                part
            })
            .collect();
        let mut gram = Symmetric::scaled_identity(SIZE, 1.0);
        parts.iter().for_each(|part| gram.add(1.0, part));
        let factor = gram.cholesky().expect("at least the identity");
        for _ in 0..solves {
            let mut solved = columns.to_vec();
            solved.par_chunks_mut(256 * SIZE).for_each(|piece| factor.solve_lower(piece));
            total += solved[0];
        }
    }
    total
}

criterion_group!(benches, iteration);
criterion_main!(benches);
