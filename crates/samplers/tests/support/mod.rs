//! Small targets with known answers, and the tests that are put to them.
#![allow(dead_code, reason = "each test file uses some of these")]

pub mod model;

use debias::Ledger;
use posterior::Target;

/// A target from a function that fills the gradient and returns the log density; one row a call.
pub struct Counting<F> {
    pub dimension: usize,
    pub density: F,
    pub ledger: Ledger,
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> Counting<F> {
    pub fn new(dimension: usize, density: F) -> Self {
        Counting { dimension, density, ledger: Ledger::default() }
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> Target for Counting<F> {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.ledger.likelihoods += 1;
        (self.density)(theta, &mut vec![0.0; self.dimension])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.ledger.gradients += 1;
        gradient.fill(0.0);
        (self.density)(theta, gradient)
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}

/// The mean, and the marginal variances, of [`gaussian`].
pub const GAUSSIAN_MEAN: [f64; 3] = [1.0, -2.0, 0.5];
pub const GAUSSIAN_VARIANCE: [f64; 3] = [1.0, 4.0, 0.25];
/// The covariance of the first two coordinates: a correlation of 0.8.
pub const GAUSSIAN_COVARIANCE: f64 = 1.6;

/// N(mean, Σ): coordinates one and two correlated by 0.8, the third by itself.
pub fn gaussian(theta: &[f64], gradient: &mut [f64]) -> f64 {
    let x: Vec<f64> = theta.iter().zip(GAUSSIAN_MEAN).map(|(a, b)| a - b).collect();
    // The inverse of [[1, 1.6], [1.6, 4]] is [[4, −1.6], [−1.6, 1]] / 1.44.
    gradient[0] -= (4.0 * x[0] - 1.6 * x[1]) / 1.44;
    gradient[1] -= (-1.6 * x[0] + x[1]) / 1.44;
    gradient[2] -= x[2] / 0.25;
    -0.5 * ((4.0 * x[0] * x[0] - 3.2 * x[0] * x[1] + x[1] * x[1]) / 1.44 + x[2] * x[2] / 0.25)
}

/// Rows of a logistic regression in two weights: covariate, label; the other covariate is one.
pub const ROWS: [(f64, f64); 8] = [
    (0.5, 1.0),
    (-1.2, -1.0),
    (2.0, 1.0),
    (0.3, -1.0),
    (-0.7, 1.0),
    (1.1, 1.0),
    (-2.3, -1.0),
    (0.9, 1.0),
];

/// Logistic likelihood of [`ROWS`] with a standard normal prior.
pub fn logistic(theta: &[f64], gradient: &mut [f64]) -> f64 {
    let mut total = -0.5 * (theta[0] * theta[0] + theta[1] * theta[1]);
    gradient[0] -= theta[0];
    gradient[1] -= theta[1];
    for (x, y) in ROWS {
        let margin = y * (theta[0] * x + theta[1]);
        total -= (-margin).exp().ln_1p();
        let slope = y / (1.0 + margin.exp());
        gradient[0] += slope * x;
        gradient[1] += slope;
    }
    total
}

/// A Laplace(1) prior times a normal likelihood at 0.4 with sd 0.8, in two independent coordinates,
/// the second at −0.1: the kinks lie inside the bulk.
pub fn kinked(theta: &[f64], gradient: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for (j, observed) in [0.4, -0.1].into_iter().enumerate() {
        let residual = (theta[j] - observed) / 0.64;
        total -= theta[j].abs() + 0.5 * residual * (theta[j] - observed);
        gradient[j] -= residual + if theta[j] == 0.0 { 0.0 } else { theta[j].signum() };
    }
    total
}

/// E f under a density in two dimensions, by the trapezium rule on a square of 801 × 801 points.
pub fn quadrature(
    density: impl Fn(&[f64], &mut [f64]) -> f64,
    half_width: f64,
    f: impl Fn(&[f64]) -> f64,
) -> f64 {
    quadrature_on(800, density, half_width, f)
}

/// The same on a grid of another fineness.
pub fn quadrature_on(
    points: usize,
    density: impl Fn(&[f64], &mut [f64]) -> f64,
    half_width: f64,
    f: impl Fn(&[f64]) -> f64,
) -> f64 {
    let step = 2.0 * half_width / points as f64;
    let (mut sum, mut mass) = (0.0, 0.0);
    for i in 0..=points {
        for j in 0..=points {
            let theta = [i as f64 * step - half_width, j as f64 * step - half_width];
            let weight = density(&theta, &mut [0.0; 2]).exp();
            mass += weight;
            sum += weight * f(&theta);
        }
    }
    sum / mass
}

/// The mean of independent values with its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// |z| < 4 for independent values: fails for a right mean once in about sixteen thousand seeds.
#[track_caller]
pub fn assert_mean(what: &str, values: &[f64], truth: f64) {
    let (mean, error) = mean_and_error(values);
    let z = (mean - truth) / error;
    assert!(z.abs() < 4.0, "{what}: {mean} ± {error} against {truth}, z = {z}");
}

/// The two-sample Kolmogorov–Smirnov statistic, scaled so that √(−ln(α/2)/2) is its critical value.
pub fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> f64 {
    let (mut a, mut b) = (first.to_vec(), second.to_vec());
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let below = |sorted: &[f64], x: f64| sorted.partition_point(|&v| v <= x) as f64;
    let gap = |x: f64| (below(&a, x) / n - below(&b, x) / m).abs();
    let largest = a.iter().chain(&b).map(|&x| gap(x)).fold(0.0, f64::max);
    largest * (n * m / (n + m)).sqrt()
}

/// The critical value of [`kolmogorov_smirnov`] at a false-alarm rate of one in ten thousand.
pub const KS_CRITICAL: f64 = 2.225;
