//! What NUTS adds to the gradients it asks for: logistic regression on a batch of 128 × 10.
//!
//! In each group both benchmarks compute the same number of gradients. The line above a group is
//! the promised ratio: both sides take turns and count by their fastest, so that a busy machine slows
//! both or neither.

use criterion::{Criterion, criterion_group, criterion_main};
use data::{Generated, LogisticLaw};
use debias::Seed;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{PartialPosterior, Rows, Target};
use samplers::{Length, NoUTurn, Nuts, Sampler};
use std::hint::black_box;
use std::time::Instant;

const ROWS: usize = 128;
const WIDTH: usize = 10;

type Posterior<'a> = PartialPosterior<'a, DenseLogistic>;

fn run(sampler: &dyn Sampler, target: &mut Posterior<'_>) -> f64 {
    let length = Length { warm_up: 100, draws: 500 };
    let mut rng = Seed(91).stream(0);
    let draws = sampler.sample(target, &[0.1; WIDTH], length, &mut rng).expect("starts at 0.1");
    draws.acceptance()
}

fn bare(gradients: u64, target: &mut Posterior<'_>) -> f64 {
    let mut theta = [0.1; WIDTH];
    let mut gradient = [0.0; WIDTH];
    for _ in 0..gradients {
        target.gradient(black_box(&theta), &mut gradient);
        // The next point depends on this gradient, as in a trajectory.
        theta[0] = 0.1 + 1e-9 * gradient[0];
    }
    gradient[0]
}

/// Seconds of one run, if it is faster than the fastest so far.
fn time(fastest: &mut f64, run: impl FnOnce() -> f64) {
    let clock = Instant::now();
    black_box(run());
    *fastest = fastest.min(clock.elapsed().as_secs_f64());
}

fn overhead(criterion: &mut Criterion) {
    let rows = Generated::new(LogisticLaw::paper(), Seed(90), ROWS).range(0..ROWS);
    let prior = Prior::Gaussian { standard_deviation: 1.0 };
    let model = DenseLogistic::new(WIDTH - 1, prior).expect("a standard normal is a prior");
    let ways: [(&str, &dyn Sampler); 2] =
        [("nuts-rs", &Nuts::default()), ("kernel", &NoUTurn::default())];
    for (name, sampler) in ways {
        let mut target = PartialPosterior::new(&model, &rows);
        run(sampler, &mut target);
        let gradients = target.ledger().gradients / ROWS as u64;
        let (mut whole, mut alone) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..100 {
            time(&mut whole, || run(sampler, &mut target));
            time(&mut alone, || bare(gradients, &mut target));
        }
        println!(
            "{name}: {gradients} gradients of {:.0} ns, {:.0} % more in all",
            1e9 * alone / gradients as f64,
            100.0 * (whole / alone - 1.0)
        );
        let mut group = criterion.benchmark_group(format!("{name}, {gradients} gradients"));
        group.sample_size(40);
        group.bench_function("100 + 500", |bencher| {
            bencher.iter(|| run(sampler, black_box(&mut target)));
        });
        group.bench_function("bare", |bencher| bencher.iter(|| bare(gradients, &mut target)));
        group.finish();
    }
}

criterion_group!(benches, overhead);
criterion_main!(benches);
