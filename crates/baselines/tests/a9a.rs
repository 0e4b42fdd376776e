//! Exact methods agree with long chains of whitened NUTS on 2000 rows of a9a.
//!
//! Each method answers eight times; the mean of its answers and that of the reference differ by less
//! than twelve joint standard errors in every weight. The errors come from eight answers, so the
//! ratio is Student's t with seven degrees of freedom or more: beyond 12 in one of 124 weights at
//! most once in a thousand choices of seeds a method. Half of the ratios are below 0.71 for a right
//! method; below 1.4, twice that, with far better odds than the worst.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{
    Beginning, Brightness, Firefly, FireflySettings, FullChain, FullPosterior, Ibis, IbisSettings,
    ZigZag, ZigZagSettings, smooth_mode,
};
use data::{SparseRows, a9a};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimator, Schedule, Seed, Summary};
use models::design::Patterned;
use models::logistic::{PatternLogistic, SparseLogistic};
use models::prior::Prior;
use posterior::{Rows, subset};
use samplers::{ByChain, Framing, Functional, Hmc, Length, Metric, NoUTurn, Start};
use std::sync::LazyLock;

const PRIOR: Prior = Prior::Laplace { scale: 1.0 };
const ROWS: usize = 2000;
const WIDTH: usize = 123;
const REPLICATES: u64 = 8;

static SOME: LazyLock<SparseRows> = LazyLock::new(|| {
    let all = a9a();
    SparseRows::new(all.gather(&subset(all.count(), ROWS, &mut Seed(51).stream(0))))
});

/// The means by long chains, with their standard errors.
static REFERENCE: LazyLock<Vec<Summary>> =
    LazyLock::new(|| full_chain(Length { warm_up: 100, draws: 200 }, Seed(52)));

fn tree() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, ..NoUTurn::default() }
}

/// The means of chains in the frame of the Laplace approximation, from starts spread as it is.
fn full_chain(length: Length, seed: Seed) -> Vec<Summary> {
    let rows = Patterned(SOME.clone());
    let model = PatternLogistic::new(WIDTH, PRIOR).unwrap();
    let (mode, frame) = smooth_mode(&model, &rows).unwrap();
    let chain = ByChain {
        sampler: tree(),
        framing: Framing::Given(frame),
        start: Start::Frame { spread: 1.0 },
        length,
        functionals: Functional::means(WIDTH + 1),
        control_variates: false,
        expected_evaluations: 8.0 * length.transitions() as f64,
    };
    let posterior = FullPosterior::new(&model, &rows);
    means(&FullChain::new(&posterior, chain).unwrap().after(mode.ledger), seed)
}

/// The mean of each weight over replicates.
fn means<E: Estimator>(estimator: &E, seed: Seed) -> Vec<Summary> {
    let run = replicate(estimator, 0..REPLICATES, seed, &Forgetful, &Unobserved).unwrap();
    (0..run.width()).map(|entry| Summary::of(&run.functional(entry)).unwrap()).collect()
}

#[track_caller]
fn agrees(name: &str, found: &[Summary], reference: &[Summary]) {
    let mut ratios: Vec<f64> = found
        .iter()
        .zip(reference)
        .map(|(a, b)| ((a.mean - b.mean) / a.standard_error.hypot(b.standard_error)).abs())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let (median, worst) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
    println!("{name}: {median:.2} joint standard errors in the middle, {worst:.2} at worst");
    assert!(worst < 12.0 && median < 1.4, "{name}: {median} and {worst} joint standard errors");
}

#[test]
fn full_chains() {
    let length = Length { warm_up: 100, draws: 100 };
    agrees("full chain", &full_chain(length, Seed(53)), &REFERENCE);
}

#[test]
fn fireflies() {
    let model = SparseLogistic::new(WIDTH, PRIOR).unwrap();
    let settings = FireflySettings {
        kernel: tree(),
        brightness: Brightness::Implicit { dark_to_bright: 0.1 },
        spread: 1.0,
        length: Length { warm_up: 100, draws: 150 },
        functionals: Functional::means(WIDTH + 1),
    };
    let firefly = Firefly::new(&*SOME, &model, settings).unwrap();
    agrees("firefly", &means(&firefly, Seed(54)), &REFERENCE);
}

#[test]
fn zig_zags() {
    let model = SparseLogistic::new(WIDTH, PRIOR).unwrap();
    let functionals = Functional::means(WIDTH + 1);
    let settings = ZigZagSettings { warm_up: 20.0, duration: 40.0, grid: 0, functionals };
    let zig_zag = ZigZag::new(&*SOME, &model, settings).unwrap();
    agrees("zig-zag", &means(&zig_zag, Seed(55)), &REFERENCE);
}

/// From the prior, through about forty powers of seven batches. An answer of 200 particles is worth
/// more than a hundred independent draws: its spread is below a tenth of a posterior standard
/// deviation, and a run that had degenerated, with errors too large for the comparison to see
/// anything, would show there.
#[test]
fn particles() {
    let rows = Patterned(SOME.clone());
    let model = PatternLogistic::new(WIDTH, PRIOR).unwrap();
    let stand_in = PatternLogistic::new(WIDTH, Prior::like_laplace(1.0)).unwrap();
    let settings = IbisSettings {
        schedule: Schedule::halving(ROWS, 30).unwrap(),
        shuffled: true,
        beginning: Beginning::prior(PRIOR, WIDTH + 1).unwrap(),
        particles: 200,
        threshold: 0.5,
        kernel: Hmc { step_size: 0.15, steps: 8 },
        steps: 2,
        functionals: (0..=WIDTH)
            .map(Functional::Mean)
            .chain((0..=WIDTH).map(Functional::Variance))
            .collect(),
    };
    let ibis = Ibis::new(&rows, &model, settings).unwrap().curved_as(&stand_in);
    let answers = means(&ibis, Seed(56));
    let (found, variances) = answers.split_at(WIDTH + 1);
    agrees("particles", found, &REFERENCE);
    let shares = found.iter().zip(variances).map(|(a, v)| a.standard_error.powi(2) / v.mean);
    let spread = (shares.sum::<f64>() / found.len() as f64 * REPLICATES as f64).sqrt();
    println!("particles: one answer spreads by {spread:.3} posterior standard deviations");
    assert!(spread < 0.15, "{spread}");
}
