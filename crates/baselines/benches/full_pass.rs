//! A gradient over many rows of the paper's logistic regression: on stored rows, on rows made again,
//! and beside the mere reading of the memory.
//!
//! Ten million rows, a tenth of the experiment's; every row costs the same. All threads.

use baselines::FullPosterior;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use data::{Generated, LogisticLaw};
use debias::Seed;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, Differentiable, Target, pass};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Duration;

const ROWS: usize = 10_000_000;
const DIMENSION: usize = 10;

fn full_pass(criterion: &mut Criterion) {
    let rows = Generated::new(LogisticLaw::paper(), Seed(6), ROWS);
    let model = DenseLogistic::new(DIMENSION - 1, Prior::Flat).expect("flat is a prior");
    let theta = [0.9; DIMENSION];
    let mut group = criterion.benchmark_group("gradient over ten million rows");
    group.sample_size(10).warm_up_time(Duration::from_secs(1));
    group.throughput(Throughput::Elements(ROWS as u64));

    group.bench_function("made again", |bencher| {
        let visit = |block: DenseBlock| {
            let mut gradient = vec![0.0; DIMENSION];
            model.add_gradient(black_box(&theta), &block, &mut gradient);
            gradient
        };
        let add = |total: &mut Vec<f64>, part: Vec<f64>| {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        };
        bencher.iter(|| pass(&rows, visit, vec![0.0; DIMENSION], add));
    });

    let mut posterior = FullPosterior::new(&model, &rows);
    group.bench_function("stored", |bencher| {
        let mut gradient = vec![0.0; DIMENSION];
        bencher.iter(|| posterior.gradient(black_box(&theta), &mut gradient));
    });

    let memory: Vec<Vec<f64>> = (0..64).map(|_| vec![1.0; ROWS * DIMENSION / 64]).collect();
    group.bench_function("reading as many bytes", |bencher| {
        let read = |values: &Vec<f64>| {
            let mut totals = [0.0; 8];
            for chunk in values.as_chunks::<8>().0 {
                for lane in 0..8 {
                    totals[lane] += chunk[lane];
                }
            }
            totals.iter().sum::<f64>()
        };
        bencher.iter(|| black_box(&memory).par_iter().map(read).sum::<f64>());
    });
    group.finish();
}

criterion_group!(benches, full_pass);
criterion_main!(benches);
