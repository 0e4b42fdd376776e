//! The full posterior is the partial one of all rows; constant batches are biased and say nothing.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{ConstantBatch, FullPosterior, Misfit};
use data::{GaussianLaw, Generated};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Seed, Summary};
use models::log_gaussian::{LogGaussian, LogGaussianClosedForm};
use posterior::{PartialPosterior, Rows, Target};

#[test]
fn all_blocks_together_are_all_rows() {
    let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(3), 200_001);
    let mut full = FullPosterior::new(&LogGaussian, &rows);
    let block = rows.range(0..rows.count());
    let mut partial = PartialPosterior::new(&LogGaussian, &block);
    let theta = [0.1, 0.4];
    let (mut a, mut b) = ([9.0; 2], [9.0; 2]);
    let (value, same) =
        (full.gradient(&theta, &mut a), Target::gradient(&mut partial, &theta, &mut b));
    assert!((value / same - 1.0).abs() < 1e-12);
    assert!(a.iter().zip(&b).all(|(a, b)| (a / b - 1.0).abs() < 1e-10), "{a:?} {b:?}");
    assert_eq!(full.ledger().gradients, 200_001);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut again = [0.0; 2];
    assert_eq!(alone.install(|| full.gradient(&theta, &mut again)), value);
    assert_eq!(again, a);
}

/// E φ_8 = 1.2 σ₀ in theory; 4000 batches of 8 find it within four standard errors, far from σ₀.
#[test]
fn constant_batches_keep_their_bias() {
    let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(4), 1 << 20);
    let batches = ConstantBatch::new(&rows, &LogGaussian, &LogGaussianClosedForm, 8).unwrap();
    let run = replicate(&batches, 0..4000, Seed(5), &Forgetful, &Unobserved).unwrap();
    let seen = Summary::of(&run.functional(0)).unwrap();
    let expected = 1.2 * 2f64.sqrt();
    assert!((seen.mean - expected).abs() < 4.0 * seen.standard_error + 0.01, "{seen:?}");
    assert!(!seen.interval.covers(2f64.sqrt()));
    assert_eq!(run.total_cost().evaluations(), 8 * 4000);
    for batch in [0, (1 << 20) + 1] {
        let refused = ConstantBatch::new(&rows, &LogGaussian, &LogGaussianClosedForm, batch);
        assert_eq!(refused.err(), Some(Misfit::Batch { batch, rows: 1 << 20 }));
    }
}
