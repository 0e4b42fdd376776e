//! The anchor is found in a few passes, and where it should be.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use anchored::AnchoredRows;
use data::SparseRows;
use debias::Seed;
use models::logistic::SparseLogistic;
use models::prior::Prior;
use posterior::{Smooth, SparseBlock};
use rand::RngExt;

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
