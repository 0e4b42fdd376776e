//! A pass over many rows: what the gradient adds to the cost of generating or reading them.
//!
//! Generated rows: the pass with the gradient may take at most half again the time of the pass
//! without. Stored rows: the gradient should take little more than reading the memory.

#[allow(dead_code, reason = "stored shapes are for another bench")]
#[path = "support/rows.rs"]
mod rows;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{Block, DenseBlock, Differentiable, Rows, pass};
use rows::{Generated, WIDTH};
use std::hint::black_box;

/// A hundredth of the 10⁸ rows of the experiment; every row costs the same.
const COUNT: usize = 1_000_000;
fn full_pass(criterion: &mut Criterion) {
    let model = DenseLogistic::new(WIDTH, Prior::Flat).expect("flat is a prior");
    let generated = Generated { first: 0, count: COUNT };
    let theta = [0.5; WIDTH + 1];
    let visit = |block: DenseBlock| {
        let mut gradient = vec![0.0; WIDTH + 1];
        let value = model.add_gradient(black_box(&theta), &block, &mut gradient);
        gradient.push(value);
        gradient
    };
    let add = |total: &mut Vec<f64>, part: Vec<f64>| {
        for (total, part) in total.iter_mut().zip(part) {
            *total += part;
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");

    let mut group = criterion.benchmark_group("pass over generated rows");
    group.sample_size(10).throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("generated only", |bencher| {
        let count = |block: DenseBlock| vec![black_box(&block).rows() as f64];
        bencher.iter(|| pool.install(|| pass(&generated, count, vec![0.0], add)));
    });
    group.bench_function("generated, with the gradient", |bencher| {
        let zero = || vec![0.0; WIDTH + 2];
        bencher.iter(|| pool.install(|| pass(&generated, visit, zero(), add)));
    });
    group.finish();

    let stored = generated.range(0..COUNT);
    let mut group = criterion.benchmark_group("stored rows");
    group.sample_size(20).throughput(Throughput::Bytes((COUNT * (WIDTH + 1) * 8) as u64));
    group.bench_function("read", |bencher| {
        let read = |values: &[f64]| {
            let mut totals = [0.0; 8];
            for chunk in values.as_chunks::<8>().0 {
                for lane in 0..8 {
                    totals[lane] += chunk[lane];
                }
            }
            totals
        };
        bencher.iter(|| (read(stored.padded_values()), read(stored.padded_targets())));
    });
    group.bench_function("gradient", |bencher| {
        let mut gradient = vec![0.0; WIDTH + 1];
        bencher.iter(|| model.add_gradient(black_box(&theta), &stored, &mut gradient));
    });
    group.finish();
}

criterion_group!(benches, full_pass);
criterion_main!(benches);
