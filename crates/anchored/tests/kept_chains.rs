//! Chains that are stopped again and again end with the same bytes.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use anchored::{Chains, ChainsError};
use debias::engine::{ChunkId, Observer, Store, StoreError, Unobserved};
use debias::{Ledger, Replicates, Seed};
use posterior::Target;
use samplers::{Draws, Factor, Frame};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Two coordinates, one of them twenty times as wide as the metric has it: the metric is mended.
struct Wide {
    gradients: u64,
}

impl Target for Wide {
    fn dimension(&self) -> usize {
        2
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.gradient(theta, &mut [0.0; 2])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.gradients += 1;
        gradient.copy_from_slice(&[-theta[0] / 400.0, -theta[1]]);
        -0.5 * (theta[0] * theta[0] / 400.0 + theta[1] * theta[1])
    }

    fn ledger(&self) -> Ledger {
        Ledger { gradients: self.gradients, ..Ledger::default() }
    }
}

#[derive(Default)]
struct Memory(Mutex<HashMap<String, String>>);

impl Store for Memory {
    fn load(&self, _: &ChunkId) -> Option<Replicates> {
        None
    }

    fn save(&self, _: &ChunkId, _: &Replicates) -> Result<(), StoreError> {
        Ok(())
    }

    fn load_text(&self, name: &str) -> Option<String> {
        self.0.lock().unwrap().get(name).cloned()
    }

    fn save_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        self.0.lock().unwrap().insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}

/// Stops after so many transitions of all chains.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn planned(&self, _: f64) {}

    fn advanced(&self, _: f64) {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).ok();
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

fn run(store: &dyn Store, observer: &dyn Observer) -> Result<(Vec<Draws>, u64), ChainsError> {
    let frame = Frame::new(vec![0.0; 2], Factor::identity(2)).unwrap();
    let target = || Wide { gradients: 0 };
    let mut chains = Chains::begin(&frame, None, None, target, Seed(5), (store, "test"))?;
    chains.settle(40, observer)?;
    chains.discard();
    chains.enter("points");
    chains.advance(100, observer)?;
    Ok((chains.draws(), chains.ledger().gradients))
}

/// Two chains with one stream would be one chain that is counted twice.
#[test]
fn every_chain_has_a_stream_of_its_own() {
    let (draws, _) = run(&debias::engine::Forgetful, &Unobserved).unwrap();
    assert!(draws.len() > 1);
    for (i, one) in draws.iter().enumerate() {
        assert!(
            draws[..i].iter().all(|other| other.positions() != one.positions()),
            "chain {i} is an earlier one"
        );
    }
}

#[test]
fn stopping_changes_no_draw_and_no_count() {
    let (whole, work) = run(&debias::engine::Forgetful, &Unobserved).unwrap();
    let store = Memory::default();
    let mut stops = 0;
    let (parts, again) = loop {
        match run(&store, &Impatient(AtomicUsize::new(70))) {
            Ok(done) => break done,
            Err(ChainsError::Cancelled) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(stops < 100, "a run that is stopped gets nowhere");
    };
    // At least 4 × (2 × 90 + 100) transitions, 70 to 74 of them in a run.
    assert!(stops > 10, "{stops} stops");
    assert_eq!(work, again);
    for (one, other) in whole.iter().zip(&parts) {
        assert!(one.iter().eq(other.iter()), "other draws after {stops} stops");
    }
    let spread: f64 = whole.iter().flat_map(|one| one.coordinate(0)).map(|x| x * x).sum();
    assert!((spread / 400.0 / 400.0 - 1.0).abs() < 0.5, "{spread}");
}
