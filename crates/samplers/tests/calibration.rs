//! Simulation-based calibration (Talts et al. 2018) of NUTS: nuts-rs, plain and whitened, and the kernel.
//!
//! ```text
//! θ ~ prior,  y ∣ θ,  θ_1, …, θ_63 ~ posterior:   the rank of θ among them is uniform on 0, …, 63
//! ```
//!
//! χ² over 16 bins with 15 degrees of freedom, critical at 44.26 with a false-alarm rate of one in
//! ten thousand; fifteen tests, so right samplers fail once in about seven hundred seeds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Rng, Seed};
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{Draws, Frame, Lbfgs, Length, NoUTurn, Nuts, Sampler};
use support::Counting;

const RANKS: usize = 64;
const THIN: usize = 5;
const LENGTH: Length = Length { warm_up: 150, draws: (RANKS - 1) * THIN };
const SIMULATIONS: u64 = 1_600;
const CRITICAL: f64 = 44.26;

#[derive(Clone, Copy)]
enum Way {
    NutsRs,
    Whitened,
    Own,
}

fn run(target: &mut dyn Target, way: Way, rng: &mut Rng) -> Draws {
    let d = target.dimension();
    // A step away from zero, where a gradient may vanish.
    let start: Vec<f64> = (0..d).map(|_| 0.5 * rng.sample::<f64, _>(StandardNormal)).collect();
    match way {
        Way::NutsRs => Nuts::default().sample(target, &start, LENGTH, rng).unwrap(),
        Way::Own => NoUTurn::default().sample(target, &start, LENGTH, rng).unwrap(),
        Way::Whitened => {
            let mode = Lbfgs::default().maximise(target, &vec![0.0; d]).unwrap();
            let frame = Frame::laplace(target, &mode.point.position, 1e-5).unwrap();
            Nuts::default().sample_in(&frame, target, &start, LENGTH, rng).unwrap()
        }
    }
}

/// χ² of the ranks of each coordinate, given a simulator of a truth and its target.
fn check<T: Target>(name: &str, way: Way, simulate: fn(&mut Rng) -> (Vec<f64>, T)) {
    let mut counts: Vec<[f64; 16]> = Vec::new();
    for index in 0..SIMULATIONS {
        let mut rng = Seed(51).child(name).stream(index);
        let (truth, mut target) = simulate(&mut rng);
        let draws = run(&mut target, way, &mut rng);
        counts.resize(truth.len(), [0.0; 16]);
        for (j, truth) in truth.iter().enumerate() {
            let below = draws.iter().step_by(THIN).filter(|theta| theta[j] < *truth).count();
            counts[j][below * 16 / RANKS] += 1.0;
        }
    }
    let expected = SIMULATIONS as f64 / 16.0;
    for (j, counts) in counts.iter().enumerate() {
        let statistic: f64 = counts.iter().map(|n| (n - expected).powi(2) / expected).sum();
        assert!(statistic < CRITICAL, "{name}, θ_{j}: χ² = {statistic}, {counts:?}");
    }
}

/// The log-Gaussian model itself, flat in (μ, σ), which has no prior to draw a truth from: the law
/// given six fixed rows takes its place. With S = Σ (y_i − ȳ)² over n fixed rows,
///
/// ```text
/// σ² ∣ y ~ S / χ²_{n−2},   μ ∣ σ, y ~ N(ȳ, σ²/n)
/// ```
///
/// Then eight rows are drawn given (μ, σ), and the chain sees all fourteen; θ = (μ, ln σ).
fn log_gaussian(rng: &mut Rng) -> (Vec<f64>, impl Target + use<>) {
    const FIXED: [f64; 6] = [0.4, -1.3, 2.2, 0.9, -0.2, 1.6];
    let n = FIXED.len() as f64;
    let mean = FIXED.iter().sum::<f64>() / n;
    let squares: f64 = FIXED.iter().map(|y| (y - mean).powi(2)).sum();
    // dσ = −½ S^½ v^(−3/2) dv and σ^(1−n) exp(−S/2σ²) make v = S/σ² a χ² of n − 2 degrees.
    let chi: f64 = (0..FIXED.len() - 2).map(|_| rng.sample::<f64, _>(StandardNormal).powi(2)).sum();
    let sigma = (squares / chi).sqrt();
    let mu = mean + sigma / n.sqrt() * rng.sample::<f64, _>(StandardNormal);
    let drawn = (0..8).map(|_| mu + sigma * rng.sample::<f64, _>(StandardNormal));
    let rows: Vec<f64> = FIXED.into_iter().chain(drawn).collect();
    let density = move |theta: &[f64], gradient: &mut [f64]| {
        let precision = (-2.0 * theta[1]).exp();
        // The Jacobian of ln σ.
        let mut total = theta[1];
        gradient[1] += 1.0;
        for y in &rows {
            let residual = y - theta[0];
            total -= 0.5 * precision * residual * residual + theta[1];
            gradient[0] += precision * residual;
            gradient[1] += precision * residual * residual - 1.0;
        }
        total
    };
    (vec![mu, sigma.ln()], Counting::new(2, density))
}

/// Twenty rows of a logistic regression in two covariates and a bias, with standard normal priors.
fn logistic(rng: &mut Rng) -> (Vec<f64>, impl Target + use<>) {
    let truth: Vec<f64> = (0..3).map(|_| rng.sample(StandardNormal)).collect();
    let rows: Vec<([f64; 3], f64)> = (0..20)
        .map(|_| {
            let x = [rng.sample(StandardNormal), rng.sample(StandardNormal), 1.0];
            let margin: f64 = x.iter().zip(&truth).map(|(a, b)| a * b).sum();
            let label =
                if rng.random::<f64>() < 1.0 / (1.0 + (-margin).exp()) { 1.0 } else { -1.0 };
            (x, label)
        })
        .collect();
    let density = move |theta: &[f64], gradient: &mut [f64]| {
        let mut total = -0.5 * theta.iter().map(|t| t * t).sum::<f64>();
        for j in 0..3 {
            gradient[j] -= theta[j];
        }
        for (x, y) in &rows {
            let margin = y * x.iter().zip(theta).map(|(a, b)| a * b).sum::<f64>();
            total -=
                if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin };
            let slope = y / (1.0 + margin.exp());
            for j in 0..3 {
                gradient[j] += slope * x[j];
            }
        }
        total
    };
    (truth, Counting::new(3, density))
}

#[test]
fn log_gaussian_ranks_are_uniform() {
    check("log-gaussian", Way::NutsRs, log_gaussian);
    check("log-gaussian, own", Way::Own, log_gaussian);
    check("log-gaussian whitened", Way::Whitened, log_gaussian);
}

#[test]
fn logistic_ranks_are_uniform() {
    check("logistic", Way::NutsRs, logistic);
    check("logistic, own", Way::Own, logistic);
    check("logistic whitened", Way::Whitened, logistic);
}
