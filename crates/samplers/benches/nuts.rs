//! What NUTS adds to the gradients it asks for, on a batch of 128 × 10.
//!
//! In each group both benchmarks compute the same number of gradients. The line above a group is
//! the promised ratio: both sides take turns and count by their fastest, so that a busy machine slows
//! both or neither.

use criterion::{Criterion, criterion_group, criterion_main};
use debias::{Ledger, Rng, Seed};
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{Length, NoUTurn, Nuts, Sampler};
use std::hint::black_box;
use std::time::Instant;

const ROWS: usize = 128;
const WIDTH: usize = 10;

/// A regression with losses √(1 + r²) and a standard normal prior, column by column.
///
/// A square root and a division a row stand for the exponential and the division of a logistic
/// regression. Compiled for any x86 this takes 0.75 µs where the vector kernel of `models`, which is
/// out of reach here, takes 0.56: there the kernel adds 25 % and nuts-rs 80 %.
struct Regression {
    columns: [[f64; ROWS]; WIDTH],
    targets: [f64; ROWS],
    gradients: u64,
}

impl Regression {
    fn new(rng: &mut Rng) -> Regression {
        let mut draw = || std::array::from_fn(|_| rng.sample(StandardNormal));
        let columns: [[f64; ROWS]; WIDTH] = std::array::from_fn(|_| draw());
        let noise: [f64; ROWS] = draw();
        let targets =
            std::array::from_fn(|i| noise[i] + columns.iter().map(|x| 0.5 * x[i]).sum::<f64>());
        Regression { columns, targets, gradients: 0 }
    }
}

impl Target for Regression {
    fn dimension(&self) -> usize {
        WIDTH
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.gradient(theta, &mut [0.0; WIDTH])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.gradients += ROWS as u64;
        let mut residuals = self.targets;
        for (column, weight) in self.columns.iter().zip(theta) {
            for i in 0..ROWS {
                residuals[i] -= weight * column[i];
            }
        }
        let mut losses = [0.0; 8];
        for residuals in residuals.as_chunks_mut::<8>().0 {
            for lane in 0..8 {
                let root = (1.0 + residuals[lane] * residuals[lane]).sqrt();
                losses[lane] += root;
                residuals[lane] /= root;
            }
        }
        let mut total = -losses.iter().sum::<f64>();
        for j in 0..WIDTH {
            let mut sums = [0.0; 8];
            let products = self.columns[j].as_chunks::<8>().0.iter();
            for (x, r) in products.zip(residuals.as_chunks::<8>().0) {
                for lane in 0..8 {
                    sums[lane] += x[lane] * r[lane];
                }
            }
            gradient[j] = sums.iter().sum::<f64>() - theta[j];
            total -= 0.5 * theta[j] * theta[j];
        }
        total
    }

    fn ledger(&self) -> Ledger {
        Ledger { gradients: self.gradients, ..Ledger::default() }
    }
}

fn run(sampler: &dyn Sampler, target: &mut Regression) -> f64 {
    let length = Length { warm_up: 100, draws: 500 };
    let mut rng = Seed(91).stream(0);
    let draws = sampler.sample(target, &[0.1; WIDTH], length, &mut rng).expect("starts at 0.1");
    draws.acceptance()
}

fn bare(gradients: u64, target: &mut Regression) -> f64 {
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
    let mut target = Regression::new(&mut Seed(90).stream(0));
    let ways: [(&str, &dyn Sampler); 2] =
        [("nuts-rs", &Nuts::default()), ("kernel", &NoUTurn::default())];
    for (name, sampler) in ways {
        target.gradients = 0;
        run(sampler, &mut target);
        let gradients = target.gradients / ROWS as u64;
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
