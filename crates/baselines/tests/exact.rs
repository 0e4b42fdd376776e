//! Exact methods find the exact answer: against quadrature in two dimensions.
//!
//! Each method answers many times from its own streams, and the mean of its answers must be within
//! four and a half of its standard errors of the truth: with at least 40 replicates that fails for a
//! right method once in about 20 000 tries, so the few dozen tries of this file fail once in about
//! 500 choices of seeds. The runs are long enough for what a finite chain or a finite number of
//! particles leaves of its start to be far below that.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{Brightness, Firefly, FireflySettings, FullChain, FullPosterior};
use data::{DenseRows, Generated, LogisticLaw};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimator, Seed, Summary};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, Model, Rows};
use samplers::{
    AdaptiveWalk, ByChain, Framing, Functional, Kernel, Length, Mala, Metric, NoUTurn, RandomWalk,
    Start,
};

const LAPLACE: Prior = Prior::Laplace { scale: 1.0 };
const GAUSSIAN: Prior = Prior::Gaussian { standard_deviation: 1.5 };

/// Eighty rows of one covariate, with a bias: two parameters.
fn rows() -> DenseRows {
    let law = LogisticLaw { scale: 1.5, weights: vec![0.8], bias: -0.5 };
    DenseRows::new(Generated::new(law, Seed(31), 80).range(0..80))
}

fn model(prior: Prior) -> DenseLogistic {
    DenseLogistic::new(1, prior).unwrap()
}

/// What is asked: both means, both variances, a probability, a prediction.
fn functionals() -> Vec<Functional> {
    vec![
        Functional::Mean(0),
        Functional::Mean(1),
        Functional::Variance(0),
        Functional::Variance(1),
        Functional::probability(|theta| theta[1] < -0.5),
        Functional::prediction(|theta| 1.0 / (1.0 + (-theta[0] - theta[1]).exp())),
    ]
}

/// The functionals on a grid of midpoints: the kink of the prior lies on the border of cells, and
/// doubling the grid moves no answer by 10⁻⁴ posterior standard deviations.
fn quadrature(block: &DenseBlock, prior: Prior) -> Vec<f64> {
    const CELLS: usize = 640;
    const WIDTH: f64 = 0.01;
    let model = model(prior);
    let at = |cell: usize| (cell as f64 + 0.5 - CELLS as f64 / 2.0) * WIDTH;
    let points: Vec<[f64; 2]> =
        (0..CELLS * CELLS).map(|cell| [at(cell / CELLS), at(cell % CELLS)]).collect();
    let logs: Vec<f64> = points
        .iter()
        .map(|theta| model.log_prior(theta) + model.log_likelihood(theta, block))
        .collect();
    let highest = logs.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let total: f64 = logs.iter().map(|log| (log - highest).exp()).sum();
    let weights: Vec<f64> = logs.iter().map(|log| (log - highest).exp() / total).collect();
    let points = || points.iter().map(|theta| &theta[..]);
    functionals().iter().map(|functional| functional.of_weighted(points(), &weights)).collect()
}

/// The largest distance of a mean from the truth, in standard errors.
fn worst<E: Estimator>(estimator: &E, replicates: u64, truth: &[f64]) -> f64 {
    let run = replicate(estimator, 0..replicates, Seed(33), &Forgetful, &Unobserved).unwrap();
    let z = |(entry, truth): (usize, &f64)| {
        let seen = Summary::of(&run.functional(entry)).unwrap();
        ((seen.mean - truth) / seen.standard_error).abs()
    };
    truth.iter().enumerate().map(z).fold(0.0, f64::max)
}

#[track_caller]
fn agrees<E: Estimator>(name: &str, estimator: &E, replicates: u64, truth: &[f64]) {
    let z = worst(estimator, replicates, truth);
    println!("{name}: {z:.2} standard errors at worst");
    assert!(z < 4.5, "{name}: {z} standard errors");
}

#[test]
fn full_chains_find_the_posterior() {
    let rows = rows();
    for prior in [LAPLACE, GAUSSIAN] {
        let model = model(prior);
        let truth = quadrature(rows.block(), prior);
        let posterior = FullPosterior::new(&model, &rows);
        let chain = ByChain {
            sampler: NoUTurn::default(),
            framing: Framing::Plain,
            start: Start::Uniform { radius: 2.0 },
            length: Length { warm_up: 200, draws: 500 },
            functionals: functionals(),
            control_variates: false,
            expected_evaluations: 3000.0,
        };
        let full = FullChain::new(&posterior, chain).unwrap();
        agrees(&format!("full chain, {prior:?}"), &full, 100, &truth);
    }
}

fn firefly_agrees<K: Kernel>(name: &str, prior: Prior, kernel: K, brightness: Brightness) {
    let (rows, model) = (rows(), model(prior));
    let settings = FireflySettings {
        kernel,
        brightness,
        spread: 1.0,
        length: Length { warm_up: 300, draws: 2500 },
        functionals: functionals(),
    };
    let firefly = Firefly::new(&rows, &model, settings).unwrap();
    let truth = quadrature(rows.block(), prior);
    agrees(&format!("firefly, {name}, {prior:?}"), &firefly, 60, &truth);
}

#[test]
fn fireflies_find_the_posterior() {
    let implicit = Brightness::Implicit { dark_to_bright: 0.1 };
    let explicit = Brightness::Explicit { rows: 20 };
    firefly_agrees("walk", LAPLACE, RandomWalk::optimal(2), implicit);
    firefly_agrees("walk, explicit", GAUSSIAN, RandomWalk::optimal(2), explicit);
    firefly_agrees("adaptive walk", LAPLACE, AdaptiveWalk::default(), implicit);
    firefly_agrees("Langevin", GAUSSIAN, Mala { step_size: 1.0 }, implicit);
    let tree = NoUTurn { metric: Metric::Unit, ..NoUTurn::default() };
    firefly_agrees("no U-turn", LAPLACE, tree, implicit);
}
