//! What the engine adds to a replicate.
//!
//! The same trivial estimator called in a plain loop, in a plain loop with a stream a replicate,
//! and by the engine on one thread. The difference of the last and the first is the overhead.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimate, Estimator, Ledger, Rng, Seed};
use rand::Rng as _;
use std::convert::Infallible;
use std::hint::black_box;

struct Trivial;

impl Estimator for Trivial {
    type Error = Infallible;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, Infallible> {
        Ok(Estimate { value: vec![rng.next_u32().into()], depth: 1, cost: Ledger::default() })
    }

    fn expected_cost(&self, replicate: u64) -> f64 {
        f64::from(replicate.trailing_zeros())
    }
}

const COUNT: u64 = 100_000;

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(COUNT)).sample_size(20);
    group.bench_function("bare loop", |bencher| {
        bencher.iter(|| {
            let rng = &mut Seed(1).stream(0);
            for index in 0..COUNT {
                black_box(Trivial.estimate(index, rng)).ok();
            }
        });
    });
    group.bench_function("loop with a stream a replicate", |bencher| {
        bencher.iter(|| {
            for index in 0..COUNT {
                black_box(Trivial.estimate(index, &mut Seed(1).stream(index))).ok();
            }
        });
    });
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread is to be had");
    group.bench_function("engine", |bencher| {
        bencher.iter(|| {
            pool.install(|| replicate(&Trivial, 0..COUNT, Seed(1), &Forgetful, &Unobserved))
                .map(|run| black_box(run.count()))
        });
    });
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
