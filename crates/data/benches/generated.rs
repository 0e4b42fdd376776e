//! Generated rows: full passes and scattered subsets, against other ways to address a stream.
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use data::{Generated, LogisticLaw};
use debias::Seed;
use posterior::{Rows, pass, subset};
use rand::Rng as _;
use rand::seq::index;
use rand_distr::{Distribution, StandardNormal};
use std::hint::black_box;
use std::time::Duration;

const ROWS: usize = 100_000_000;
const VALUES: usize = 10;

/// Rows of ten normals by ziggurat, each from a stream of its own.
fn stream_per_row(seed: Seed, indices: &[usize]) -> Vec<f64> {
    let mut out = vec![0.0; indices.len() * VALUES];
    for (row, values) in indices.iter().zip(out.chunks_exact_mut(VALUES)) {
        let mut rng = seed.stream(*row as u64);
        values.iter_mut().for_each(|value| *value = StandardNormal.sample(&mut rng));
    }
    out
}

/// The same from a stream per `size` rows: all rows of a block up to the one that is wanted.
fn stream_per_block(seed: Seed, size: usize, indices: &[usize]) -> Vec<f64> {
    let mut out = vec![0.0; indices.len() * VALUES];
    let mut rng = seed.stream(0);
    let mut next = usize::MAX;
    for (&row, values) in indices.iter().zip(out.chunks_exact_mut(VALUES)) {
        if row != next || row % size == 0 {
            rng = seed.stream((row / size) as u64);
            for _ in 0..row % size * VALUES {
                let skipped: f64 = StandardNormal.sample(&mut rng);
                black_box(skipped);
            }
        }
        values.iter_mut().for_each(|value| *value = StandardNormal.sample(&mut rng));
        next = row + 1;
    }
    out
}

fn scattered(c: &mut Criterion) {
    let seed = Seed(1);
    let rows = Generated::new(LogisticLaw::paper(), seed, ROWS);
    for size in [100, 10_000, 1_000_000] {
        let mut group = c.benchmark_group(format!("scattered/{size}"));
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        group.warm_up_time(Duration::from_millis(500));
        group.throughput(Throughput::Elements(size as u64));
        let indices = index::sample(&mut seed.stream(1), ROWS, size).into_vec();
        group.bench_function("words by index", |b| b.iter(|| rows.gather(&indices)));
        group.bench_function("stream per row", |b| {
            b.iter(|| stream_per_row(seed, &indices));
        });
        for block in [64, 256] {
            // A block of 256 rows a chosen row takes too long to repeat at the largest size.
            if block * size <= 64_000_000 {
                group.bench_function(BenchmarkId::new("stream per block", block), |b| {
                    b.iter(|| stream_per_block(seed, block, &indices));
                });
            }
        }
        group.finish();
    }
}

fn consecutive(c: &mut Criterion) {
    let seed = Seed(1);
    let size = 8192;
    let rows = Generated::new(LogisticLaw::paper(), seed, ROWS);
    let indices: Vec<usize> = (8192..8192 + size).collect();
    let mut group = c.benchmark_group("consecutive");
    group.throughput(Throughput::Elements(size as u64));
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group.bench_function("words by index", |b| b.iter(|| rows.range(8192..8192 + size)));
    group.bench_function("stream per row", |b| {
        b.iter(|| stream_per_row(seed, &indices));
    });
    for block in [64, 256] {
        group.bench_function(BenchmarkId::new("stream per block", block), |b| {
            b.iter(|| stream_per_block(seed, block, &indices));
        });
    }
    group.bench_function("bare ziggurat normals", |b| {
        let mut rng = seed.stream(0);
        let mut out = vec![0.0; size * VALUES];
        b.iter(|| out.iter_mut().for_each(|value| *value = StandardNormal.sample(&mut rng)));
    });
    let mut words = vec![0u8; 6 * 8 * size];
    group.bench_function("bare random words", |b| {
        let mut rng = seed.stream(0);
        b.iter(|| rng.fill_bytes(&mut words));
    });
    group.finish();
}

fn full_pass(c: &mut Criterion) {
    let rows = Generated::new(LogisticLaw::paper(), Seed(1), ROWS);
    let mut group = c.benchmark_group("full pass");
    group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("1e8 rows, all threads", |b| {
        b.iter(|| pass(&rows, |block| block.targets().iter().sum(), 0.0, |a, b: f64| *a += b));
    });
    group.finish();
}

/// Drawing the rows themselves, against rand's own way of drawing distinct numbers.
fn distinct(c: &mut Criterion) {
    for size in [100, 10_000, 1_000_000, 10_000_000] {
        let mut group = c.benchmark_group(format!("distinct/{size}"));
        group.sample_size(10).throughput(Throughput::Elements(size as u64));
        group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
        let mut rng = Seed(1).stream(0);
        group.bench_function("subset", |b| b.iter(|| subset(ROWS, size, &mut rng)));
        group.bench_function("rand", |b| b.iter(|| index::sample(&mut rng, ROWS, size).into_vec()));
        group.finish();
    }
}

criterion_group!(benches, consecutive, scattered, distinct, full_pass);
criterion_main!(benches);
