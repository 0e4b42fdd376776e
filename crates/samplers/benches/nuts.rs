//! What NUTS adds to the gradients it asks for, on a logistic batch of 128 × 10.
//!
//! In each group both benchmarks compute the same number of gradients; their ratio is the overhead.

use criterion::{Criterion, criterion_group, criterion_main};
use debias::{Ledger, Rng, Seed};
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{Length, NoUTurn, Nuts, Sampler};
use std::hint::black_box;

const ROWS: usize = 128;
const WIDTH: usize = 10;

/// Logistic regression with a standard normal prior, row after row, in plain Rust.
struct Logistic {
    covariates: Vec<[f64; WIDTH]>,
    labels: Vec<f64>,
    gradients: u64,
}

impl Logistic {
    fn new(rng: &mut Rng) -> Logistic {
        let covariates: Vec<[f64; WIDTH]> =
            (0..ROWS).map(|_| std::array::from_fn(|_| rng.sample(StandardNormal))).collect();
        let label = |x: &[f64; WIDTH]| {
            let margin: f64 = x.iter().sum();
            if rng.random::<f64>() < 1.0 / (1.0 + (-margin).exp()) { 1.0 } else { -1.0 }
        };
        let labels = covariates.iter().map(label).collect();
        Logistic { covariates, labels, gradients: 0 }
    }
}

impl Target for Logistic {
    fn dimension(&self) -> usize {
        WIDTH
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.gradient(theta, &mut [0.0; WIDTH])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.gradients += ROWS as u64;
        let mut total = 0.0;
        for j in 0..WIDTH {
            gradient[j] = -theta[j];
            total -= 0.5 * theta[j] * theta[j];
        }
        for (x, y) in self.covariates.iter().zip(&self.labels) {
            let margin = y * x.iter().zip(theta).map(|(a, b)| a * b).sum::<f64>();
            let decay = (-margin.abs()).exp();
            total -= decay.ln_1p() + (-margin).max(0.0);
            let slope = y * if margin > 0.0 { decay / (1.0 + decay) } else { 1.0 / (1.0 + decay) };
            for j in 0..WIDTH {
                gradient[j] += slope * x[j];
            }
        }
        total
    }

    fn ledger(&self) -> Ledger {
        Ledger { gradients: self.gradients, ..Ledger::default() }
    }
}

fn run(sampler: &dyn Sampler, target: &mut Logistic) -> f64 {
    let length = Length { warm_up: 100, draws: 500 };
    let mut rng = Seed(91).stream(0);
    let draws = sampler.sample(target, &[0.1; WIDTH], length, &mut rng).expect("starts at 0.1");
    draws.acceptance()
}

fn overhead(criterion: &mut Criterion) {
    let mut target = Logistic::new(&mut Seed(90).stream(0));
    let ways: [(&str, &dyn Sampler); 2] =
        [("nuts-rs", &Nuts::default()), ("kernel", &NoUTurn::default())];
    for (name, sampler) in ways {
        target.gradients = 0;
        run(sampler, &mut target);
        let gradients = target.gradients / ROWS as u64;
        let mut group = criterion.benchmark_group(format!("{name}, {gradients} gradients"));
        group.sample_size(40);
        group.bench_function("100 + 500", |bencher| {
            bencher.iter(|| run(sampler, black_box(&mut target)));
        });
        group.bench_function("bare", |bencher| {
            bencher.iter(|| {
                let mut theta = [0.1; WIDTH];
                let mut gradient = [0.0; WIDTH];
                for _ in 0..gradients {
                    target.gradient(black_box(&theta), &mut gradient);
                    // The next point depends on this gradient, as in a trajectory.
                    theta[0] = 0.1 + 1e-9 * gradient[0];
                }
                gradient[0]
            });
        });
        group.finish();
    }
}

criterion_group!(benches, overhead);
criterion_main!(benches);
