//! Exact methods find the exact answer: against quadrature in two dimensions.
//!
//! Each method answers many times from its own streams, and the mean of its answers must be within
//! four and a half of its standard errors of the truth: with at least 40 replicates that fails for a
//! right method once in about 20 000 tries, so the few dozen tries of this file fail once in about
//! 500 choices of seeds. The runs are long enough for what a finite chain or a finite number of
//! particles leaves of its start to be far below that.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod plane;

use baselines::{
    Beginning, Brightness, Firefly, FireflySettings, FullChain, FullPosterior, Ibis, IbisSettings,
    ZigZag, ZigZagSettings,
};
use data::{DenseRows, Generated, LogisticLaw};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimator, Schedule, Seed, Summary};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use plane::model;
use posterior::{DenseBlock, Rows};
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

/// The truth, and ln ∫ p(θ) Π p(x_i ∣ θ) dθ with the prior as the model has it.
fn quadrature(block: &DenseBlock, prior: Prior) -> (Vec<f64>, f64) {
    plane::quadrature(block, prior, &functionals())
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
        let (truth, _) = quadrature(rows.block(), prior);
        let posterior = FullPosterior::new(&model, &rows);
        let chain = ByChain {
            sampler: NoUTurn::default(),
            framing: Framing::Plain,
            start: Start::Uniform { radius: 2.0 },
            length: Length { warm_up: 200, draws: 1000 },
            functionals: functionals(),
            control_variates: false,
            expected_evaluations: 3000.0,
        };
        let full = FullChain::new(&posterior, chain).unwrap();
        agrees(&format!("full chain, {prior:?}"), &full, 60, &truth);
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
    let (truth, _) = quadrature(rows.block(), prior);
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

#[test]
fn zig_zags_find_the_posterior() {
    let rows = rows();
    for prior in [LAPLACE, GAUSSIAN, Prior::Flat] {
        let model = model(prior);
        let (truth, _) = quadrature(rows.block(), prior);
        let settings = ZigZagSettings {
            warm_up: 20.0,
            duration: 1000.0,
            grid: 1000,
            functionals: functionals(),
        };
        let zig_zag = ZigZag::new(&rows, &model, settings).unwrap();
        let run = zig_zag.run(&mut Seed(34).stream(0)).unwrap();
        // A bound that is too small would show here; one that is never reached wastes proposals.
        assert!((0.3..=1.0).contains(&run.tightest), "{}", run.tightest);
        agrees(&format!("zig-zag, {prior:?}"), &zig_zag, 60, &truth);
    }
}

/// Particles on these rows, as they come.
fn ibis_settings(first: usize, rows: usize, beginning: Beginning) -> IbisSettings<RandomWalk> {
    IbisSettings {
        schedule: Schedule::geometric(first, 2.0, rows).unwrap(),
        shuffled: false,
        beginning,
        particles: 500,
        threshold: 0.5,
        kernel: RandomWalk::optimal(2),
        steps: 6,
        functionals: functionals(),
    }
}

/// Particles have a bias of order 1/K, here a quarter of the standard error of fifty answers.
#[test]
fn particles_find_the_posterior_and_its_evidence() {
    let rows = rows();
    // Under a flat prior the first batch has to be large enough for a posterior.
    for (prior, first) in [(LAPLACE, 10), (GAUSSIAN, 10), (Prior::Flat, 40)] {
        let model = model(prior);
        let (truth, log_evidence) = quadrature(rows.block(), prior);
        // ∫ p(θ) dθ, which the model leaves out and a draw from the prior does not.
        let log_prior = match prior {
            Prior::Laplace { scale } => 2.0 * (2.0 * scale).ln(),
            Prior::Gaussian { standard_deviation: s } => (2.0 * std::f64::consts::PI * s * s).ln(),
            _ => 0.0,
        };
        let from_prior = Beginning::prior(prior, 2).map(|beginning| (beginning, log_prior));
        // At the kink of a Laplace prior there is no curvature to begin with.
        let from_batch = (prior != LAPLACE).then(|| {
            let framing = Framing::laplace(2);
            (Beginning::FirstBatch { framing, degrees: 5.0 }, 0.0)
        });
        for (beginning, constant) in from_prior.into_iter().chain(from_batch) {
            let name = format!("particles, {prior:?}, {beginning:?}");
            let ibis = Ibis::new(&rows, &model, ibis_settings(first, 80, beginning)).unwrap();
            agrees(&name, &ibis, 50, &truth);
            let ratios: Vec<f64> = (0..50)
                .map(|index| ibis.run(&mut Seed(35).stream(index)).unwrap().log_evidence)
                .map(|log| (log + constant - log_evidence).exp())
                .collect();
            let ratio = Summary::of(&ratios).unwrap();
            let z = (ratio.mean - 1.0) / ratio.standard_error;
            assert!(z.abs() < 4.5, "{name}: evidence {ratio:?}");
        }
    }
}

/// What an index that is off by one at the start computes: a posterior in which the first batch
/// counts twice, or not at all. Both are far outside what the test above lets pass.
#[test]
fn a_first_batch_that_enters_twice_or_never_is_caught() {
    let rows = rows();
    let model = model(LAPLACE);
    let (truth, _) = quadrature(rows.block(), LAPLACE);
    let twice: Vec<usize> = (0..10).chain(0..80).collect();
    let never: Vec<usize> = (10..80).collect();
    for (name, wrong) in [("twice", twice), ("never", never)] {
        let wrong = DenseRows::new(rows.gather(&wrong));
        let beginning = Beginning::prior(LAPLACE, 2).unwrap();
        let settings = ibis_settings(10, wrong.count(), beginning);
        let z = worst(&Ibis::new(&wrong, &model, settings).unwrap(), 50, &truth);
        println!("first batch {name}: {z:.1} standard errors");
        assert!(z > 9.0, "{name}: {z} standard errors");
    }
}

/// With bounds that touch at the mode a step looks at q N rows and a handful of bright ones, not at
/// a million; without the set-up no work grows with N.
#[test]
fn a_firefly_step_costs_what_is_bright() {
    const ROWS: usize = 1_000_000;
    let rows = Generated::new(LogisticLaw::paper(), Seed(36), ROWS);
    let model = DenseLogistic::new(9, LAPLACE).unwrap();
    let length = Length { warm_up: 50, draws: 150 };
    let settings = FireflySettings {
        kernel: RandomWalk::optimal(10),
        brightness: Brightness::Implicit { dark_to_bright: 1e-5 },
        spread: 0.0,
        length,
        functionals: Functional::means(10),
    };
    let firefly = Firefly::new(&rows, &model, settings).unwrap();
    let run = firefly.run(length, &mut Seed(37).stream(0)).unwrap();
    let a_step = (run.ledger.evaluations() - run.setup.evaluations()) as f64 / 200.0;
    println!("{} bright, {a_step} rows a step", run.bright_share() * ROWS as f64);
    assert!(a_step < 30.0, "{a_step} rows a step");
    assert_eq!(run.ledger.distinct_rows, ROWS as u64);
}
