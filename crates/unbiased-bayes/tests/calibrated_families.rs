//! Simulation-based calibration (Talts et al. 2018) of every family of regressions, by the front door.
//!
//! ```text
//! θ ~ prior,  y ∣ θ,  θ_1, …, θ_63 ~ posterior:   the rank of θ among them is uniform on 0, …, 63
//! ```
//!
//! χ² over eight bins with seven degrees of freedom, critical at 29.88 with a false-alarm rate of one in
//! ten thousand; eighteen tests, so a right program fails once in about six hundred seeds.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use rand::RngExt;
use rand_distr::{
    Distribution, Gamma as GammaLaw, Poisson as PoissonLaw, StandardNormal, StudentT,
};
use unbiased_bayes::{
    Binomial, DenseBlock, DenseLogistic, DenseRows, Dispersed, DispersedLinear, Estimation, Gamma,
    GeneralisedLinear, Method, NegativeBinomial, Noise, Poisson, Prior, Priors, Rng, Seed, Smooth,
    Stop,
};

const SIMULATIONS: u64 = 160;
const RANKS: usize = 64;
const THIN: usize = 6;
const CRITICAL: f64 = 29.88;
const ROWS: usize = 40;

/// Centres and standard deviations of the weight, the bias and the logarithm of the dispersion.
const CENTRES: [f64; 3] = [0.2, 0.5, 0.7];
const DEVIATIONS: [f64; 3] = [0.5, 0.4, 0.5];

fn check<M: Smooth<Block = DenseBlock>>(
    name: &str,
    model: impl Fn(Priors) -> M,
    draw: impl Fn(f64, f64, &mut Rng) -> f64,
) {
    let prior = |count: usize| {
        let laws = DEVIATIONS.map(|standard_deviation| Prior::Gaussian { standard_deviation });
        Priors::each(laws[..count].to_vec()).around(CENTRES[..count].to_vec())
    };
    // Families without a dispersion have two parameters.
    let parameters = if model(prior(2)).dimension() == 2 { 2 } else { 3 };
    let mut counts = vec![[0.0; 8]; parameters];
    for index in 0..SIMULATIONS {
        let mut rng = Seed(77).child(name).stream(index);
        let theta: Vec<f64> = CENTRES
            .iter()
            .zip(DEVIATIONS)
            .map(|(centre, deviation)| centre + deviation * rng.sample::<f64, _>(StandardNormal))
            .collect();
        let mut block = DenseBlock::zeros(ROWS, 1);
        for i in 0..ROWS {
            let x: f64 = rng.sample(StandardNormal);
            block.column_mut(0)[i] = x;
            block.targets_mut()[i] = draw(theta[0] * x + theta[1], theta[2].exp(), &mut rng);
        }
        let rows = DenseRows::new(block);
        let model = model(prior(parameters));
        let question = Estimation::new(&model, &rows).method(Method::Nuts).seed(index);
        let answer = question.stop(Stop::Replicates(RANKS * THIN)).run().unwrap();
        for (j, counts) in counts.iter_mut().enumerate() {
            let draws: Vec<f64> = answer.draws.iter().flat_map(|one| one.coordinate(j)).collect();
            let few = draws.iter().step_by(draws.len() / (RANKS - 1)).take(RANKS - 1);
            let below = few.filter(|draw| **draw < theta[j]).count();
            counts[below * 8 / RANKS] += 1.0;
        }
    }
    for (j, counts) in counts.iter().enumerate() {
        let expected = SIMULATIONS as f64 / 8.0;
        let statistic: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
        assert!(statistic < CRITICAL, "{name}, parameter {j}: χ² {statistic}, {counts:?}");
    }
}

fn dispersed<F: Dispersed>(family: F, prior: Priors) -> DispersedLinear<F, DenseBlock> {
    DispersedLinear::new(family, 1, prior).unwrap()
}

fn chance(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}

#[test]
fn logistic_classes() {
    let model = |prior| DenseLogistic::new(1, prior).unwrap();
    let draw = |eta: f64, _: f64, rng: &mut Rng| {
        if rng.random::<f64>() < chance(eta) { 1.0 } else { -1.0 }
    };
    check("logistic", model, draw);
}

#[test]
fn binomial_proportions() {
    let model = |prior| GeneralisedLinear::new(Binomial, 1, prior).unwrap();
    let draw = |eta: f64, _: f64, rng: &mut Rng| f64::from(rng.random::<f64>() < chance(eta));
    check("binomial", model, draw);
}

#[test]
fn poisson_counts() {
    let model = |prior| GeneralisedLinear::new(Poisson, 1, prior).unwrap();
    let draw = |eta: f64, _: f64, rng: &mut Rng| PoissonLaw::new(eta.exp()).unwrap().sample(rng);
    check("poisson", model, draw);
}

#[test]
fn normal_noise() {
    let draw =
        |eta: f64, scale: f64, rng: &mut Rng| eta + scale * rng.sample::<f64, _>(StandardNormal);
    check("normal", |prior| dispersed(Noise::normal(), prior), draw);
}

#[test]
fn student_noise() {
    let draw =
        |eta: f64, scale: f64, rng: &mut Rng| eta + scale * StudentT::new(4.0).unwrap().sample(rng);
    check("student", |prior| dispersed(Noise::student(4.0).unwrap(), prior), draw);
}

#[test]
fn negative_binomial_counts() {
    let draw = |eta: f64, shape: f64, rng: &mut Rng| {
        let mean: f64 = GammaLaw::new(shape, eta.exp() / shape).unwrap().sample(rng);
        PoissonLaw::new(mean.max(1e-12)).unwrap().sample(rng)
    };
    check("negative-binomial", |prior| dispersed(NegativeBinomial, prior), draw);
}

#[test]
fn gamma_responses() {
    let draw = |eta: f64, shape: f64, rng: &mut Rng| {
        GammaLaw::new(shape, eta.exp() / shape).unwrap().sample(rng).max(f64::MIN_POSITIVE)
    };
    check("gamma", |prior| dispersed(Gamma, prior), draw);
}
