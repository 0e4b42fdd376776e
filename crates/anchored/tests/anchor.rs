//! The anchor is found in a few passes, and where it should be; what follows from it costs what it says.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use anchored::{AnchoredRows, Explored};
use data::SparseRows;
use debias::engine::{Forgetful, Unobserved};
use debias::{Path, Seed};
use models::generalised_linear::GeneralisedLinear;
use models::hierarchical::Hierarchical;
use models::logistic::{Bernoulli, SparseLogistic};
use models::prior::{Prior, Priors};
use models::sd_prior::SdPrior;
use posterior::{Smooth, SparseBlock};
use rand::RngExt;
use samplers::Functional;

const ROWS: usize = 100_000;

/// A covariate, and a dummy that is set in fifteen rows, of which a sample for the start sees none or one: the
/// quadratic where it stands there is nothing like the posterior.
fn rows(seed: Seed) -> SparseRows {
    let rng = &mut seed.stream(0);
    let mut block = SparseBlock::new(2);
    for row in 0..ROWS {
        let x = 2.0 * rng.random::<f64>() - 1.0;
        let dummy = row % (ROWS / 15) == 7;
        let eta = -1.0 + x + if dummy { 4.0 } else { 0.0 };
        let y = if rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp()) { 1.0 } else { -1.0 };
        if dummy {
            block.push(&[0, 1], &[x, 1.0], y);
        } else {
            block.push(&[0], &[x], y);
        }
    }
    SparseRows::new(block)
}

/// Ten starts lead to one place, the mode of quadratic and prior, in two passes each, with a third one now
/// and then.
#[test]
fn a_dummy_in_few_rows_takes_no_further_pass() {
    let rows = rows(Seed(3));
    let model = SparseLogistic::new(2, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let regression = model.regression().unwrap();
    let anchors: Vec<_> = (0..10)
        .map(|seed| AnchoredRows::find(&model, regression, &rows, Seed(seed)).unwrap().anchor)
        .collect();
    for j in 0..3 {
        let mean = anchors.iter().map(|anchor| anchor.frame.mean()[j]).sum::<f64>() / 10.0;
        for anchor in &anchors {
            let off = (anchor.frame.mean()[j] - mean) / anchor.deviation(j);
            assert!(off.abs() < 0.25, "parameter {j}: {off} sds from the others");
        }
    }
    let passes: Vec<usize> = anchors.iter().map(|anchor| anchor.passes).collect();
    assert!(passes.iter().sum::<usize>() <= 22, "{passes:?}");
}

/// All rows at so many points are more numbers than are kept between two sweeps, and the second sweep is counted.
#[test]
fn all_work_is_counted() {
    const POINTS: usize = 48;
    let rows = rows(Seed(3));
    let model = SparseLogistic::new(2, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let regression = model.regression().unwrap();
    let seed = Seed(1);
    let anchored = AnchoredRows::find(&model, regression, &rows, seed).unwrap();
    let functionals = Functional::means(3);
    let (store, observer) = (&Forgetful, &Unobserved);
    let explored = Explored::new(
        &model,
        regression,
        &anchored,
        &functionals,
        POINTS,
        ROWS,
        seed,
        store,
        observer,
    )
    .unwrap();
    assert_eq!(explored.base_rows(), 0);
    let (path, _) = explored.path(POINTS, &[], observer).unwrap();
    let rng = &mut seed.stream(0);
    let points = path.begin_replicate(0, rng).unwrap().0;
    let last = path.levels();
    let term = path.level_on(&points, &path.sample(last, rng), last).unwrap();
    assert_eq!(term.cost.gradients, (ROWS * (2 * POINTS + 1)) as u64);
}

/// A start is looked for on a small share of few rows, not on most of them.
#[test]
fn a_start_costs_little() {
    let many = rows(Seed(3));
    let rows = SparseRows::new(posterior::Rows::range(&many, 0..1000));
    let model = SparseLogistic::new(2, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let regression = model.regression().unwrap();
    let anchor = AnchoredRows::find(&model, regression, &rows, Seed(1)).unwrap().anchor;
    let start = anchor.ledger.gradients - 1000 * anchor.passes as u64;
    assert!(start < 1000, "{start} rows beside {} passes", anchor.passes);
}

/// Forty groups of fifty rows whose effects have an sd of one: the anchor stands at the maximum of the marginal
/// density of its logarithm, within three posterior sds of the truth (once in four hundred seeds it would not).
#[test]
fn the_sd_of_groups_is_found() {
    let rng = &mut Seed(8).stream(0);
    let mut block = SparseBlock::new(40);
    for group in 0..40_u16 {
        let effect = 1.7 * (2.0 * rng.random::<f64>() - 1.0);
        for _ in 0..50 {
            let y = if rng.random::<f64>() < 1.0 / (1.0 + (-effect).exp()) { 1.0 } else { -1.0 };
            block.push(&[group], &[1.0], y);
        }
    }
    let rows = SparseRows::new(block);
    let mut laws = vec![Prior::Flat; 40];
    laws.push(Prior::Gaussian { standard_deviation: 1.0 });
    let model = GeneralisedLinear::new(Bernoulli, 40, Priors::each(laws)).unwrap();
    let law = SdPrior::HalfNormal { scale: 1.0 };
    let model = Hierarchical::new(model, vec![(0..40, law)]).unwrap();
    let anchored = AnchoredRows::find(&model, model.regression().unwrap(), &rows, Seed(1)).unwrap();
    // Effects are uniform on ±1.7, with an sd of 0.98.
    let (log_sd, deviation) = (anchored.anchor.centre()[41], anchored.anchor.deviation(41));
    assert!((log_sd - 0.98_f64.ln()).abs() < 3.0 * deviation, "{log_sd} ± {deviation}");
    assert!((0.08..0.3).contains(&deviation), "{deviation}");
}
