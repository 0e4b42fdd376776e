//! The engine keeps its promises: same bytes on any number of threads and after a kill, nothing
//! dropped, failures and bad input named.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use debias::engine::{
    ChunkId, EngineError, Forgetful, Observer, Store, StoreError, Unobserved, replicate,
};
use debias::{Estimate, Estimator, Ledger, Replicates, Rng, Seed};
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Two uniform numbers, every tenth replicate a hundred times as dear.
struct Uniforms {
    fails_at: Option<u64>,
}

#[derive(Debug, Error)]
#[error("asked to fail")]
struct Asked;

impl Estimator for Uniforms {
    type Error = Asked;

    fn estimate(&self, replicate: u64, rng: &mut Rng) -> Result<Estimate, Asked> {
        if self.fails_at == Some(replicate) {
            return Err(Asked);
        }
        let cost =
            Ledger { likelihoods: self.expected_cost(replicate) as u64, ..Ledger::default() };
        Ok(Estimate { value: vec![rng.random(), rng.random()], depth: 1, cost })
    }

    fn expected_cost(&self, replicate: u64) -> f64 {
        if replicate.is_multiple_of(10) { 100.0 } else { 1.0 }
    }
}

const SOUND: Uniforms = Uniforms { fails_at: None };

/// Keeps chunks in memory and counts what it is asked.
#[derive(Default)]
struct Memory {
    chunks: Mutex<BTreeMap<usize, Replicates>>,
    loaded: AtomicUsize,
}

impl Store for Memory {
    fn load(&self, id: &ChunkId) -> Option<Replicates> {
        let chunk = self.chunks.lock().unwrap().get(&id.chunk).cloned();
        self.loaded.fetch_add(usize::from(chunk.is_some()), Ordering::Relaxed);
        chunk
    }

    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError> {
        self.chunks.lock().unwrap().insert(id.chunk, chunk.clone());
        Ok(())
    }
}

/// Stops after so many replicates.
struct StopAfter(AtomicU64);

impl Observer for StopAfter {
    fn planned(&self, _: f64) {}
    fn advanced(&self, _: f64) {}
    fn cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

fn on_threads(threads: usize, count: u64) -> Replicates {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(|| replicate(&SOUND, 0..count, Seed(7), &Forgetful, &Unobserved))
        .unwrap()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let alone = on_threads(1, 1003);
    assert_eq!(alone.count(), 1003);
    for threads in [2, 5] {
        assert_eq!(on_threads(threads, 1003), alone);
    }
    // Each replicate comes from its own stream.
    let mut stream = Seed(7).stream(500);
    assert_eq!(alone.value(500), [stream.random::<f64>(), stream.random::<f64>()]);
    assert_eq!(alone.total_cost().likelihoods, 101 * 100 + 902);
}

/// No stream is used twice, and replicate r has stream r, wherever its range begins.
#[test]
fn every_replicate_has_a_stream_of_its_own() {
    let start = 900;
    let all = replicate(&SOUND, start..start + 200, Seed(7), &Forgetful, &Unobserved).unwrap();
    let mut firsts = Vec::new();
    for replicate in 0..all.count() {
        let mut stream = Seed(7).stream(start + replicate as u64);
        assert_eq!(all.value(replicate), [stream.random::<f64>(), stream.random::<f64>()]);
        firsts.push(all.value(replicate)[0].to_bits());
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), all.count(), "two replicates share a stream");
    // The first range of a run, too.
    let first = replicate(&SOUND, 0..20, Seed(7), &Forgetful, &Unobserved).unwrap();
    let own = |replicate: usize| Seed(7).stream(replicate as u64).random::<f64>();
    assert!((0..20).all(|replicate| first.value(replicate)[0] == own(replicate)));
}

#[test]
fn a_later_range_continues_an_earlier_one() {
    let mut both = replicate(&SOUND, 0..400, Seed(7), &Forgetful, &Unobserved).unwrap();
    both.append(replicate(&SOUND, 400..1003, Seed(7), &Forgetful, &Unobserved).unwrap());
    assert_eq!(both, on_threads(2, 1003));
}

#[test]
fn a_cancelled_run_goes_on_where_it_stopped() {
    let store = Memory::default();
    for patience in [150, 300] {
        let observer = StopAfter(AtomicU64::new(patience));
        let stopped = replicate(&SOUND, 0..1003, Seed(7), &store, &observer);
        assert!(
            matches!(stopped, Err(EngineError::Cancelled { finished, total }) if finished < total)
        );
    }
    let kept = store.chunks.lock().unwrap().len();
    assert!(kept > 0);
    store.loaded.store(0, Ordering::Relaxed);
    let resumed = replicate(&SOUND, 0..1003, Seed(7), &store, &Unobserved).unwrap();
    assert_eq!(resumed, on_threads(1, 1003));
    assert_eq!(store.loaded.into_inner(), kept);
}

#[test]
fn progress_adds_up_to_the_plan() {
    #[derive(Default)]
    struct Meter {
        planned: AtomicU64,
        advanced: AtomicU64,
    }
    impl Observer for Meter {
        fn planned(&self, work: f64) {
            self.planned.store(work as u64, Ordering::Relaxed);
        }
        fn advanced(&self, work: f64) {
            self.advanced.fetch_add(work as u64, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            false
        }
    }
    let meter = Meter::default();
    replicate(&SOUND, 0..1000, Seed(1), &Forgetful, &meter).unwrap();
    assert_eq!(meter.planned.into_inner(), 100 * 100 + 900);
    assert_eq!(meter.advanced.into_inner(), 100 * 100 + 900);
}

#[test]
fn a_failed_replicate_stops_the_run_and_is_named() {
    let failing = Uniforms { fails_at: Some(421) };
    let error = replicate(&failing, 0..1000, Seed(1), &Forgetful, &Unobserved).unwrap_err();
    assert!(matches!(error, EngineError::Replicate { index: 421, .. }), "{error}");
}

/// Every replicate fails. On one thread the first one does; on two, others fail while it waits, and it is still
/// the one that is named.
#[test]
fn of_several_failures_the_first_is_named_whichever_thread_is_faster() {
    struct Failing {
        first: Option<u64>,
        others: AtomicUsize,
    }
    impl Estimator for Failing {
        type Error = Asked;
        fn estimate(&self, replicate: u64, _: &mut Rng) -> Result<Estimate, Asked> {
            if self.first == Some(replicate) {
                let begun = Instant::now();
                while self.others.load(Ordering::SeqCst) == 0 && begun.elapsed().as_secs() < 5 {
                    std::thread::yield_now();
                }
                std::thread::sleep(Duration::from_millis(50));
            } else {
                self.others.fetch_add(1, Ordering::SeqCst);
            }
            Err(Asked)
        }
        fn expected_cost(&self, _: u64) -> f64 {
            1.0
        }
    }
    let named = |threads: usize, first: Option<u64>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let failing = Failing { first, others: AtomicUsize::new(0) };
        match pool.install(|| replicate(&failing, 0..1000, Seed(1), &Forgetful, &Unobserved)) {
            Err(EngineError::Replicate { index, .. }) => index,
            other => panic!("{other:?}"),
        }
    };
    let first = named(1, None);
    assert_eq!(named(2, Some(first)), first);
}

#[test]
fn no_replicates_and_a_broken_store_are_errors() {
    struct Full;
    impl Store for Full {
        fn load(&self, _: &ChunkId) -> Option<Replicates> {
            None
        }
        fn save(&self, _: &ChunkId, _: &Replicates) -> Result<(), StoreError> {
            Err("the disk is full".into())
        }
    }
    let none = replicate(&SOUND, 5..5, Seed(1), &Forgetful, &Unobserved);
    assert!(matches!(none, Err(EngineError::Count { .. })));
    let backwards = replicate(&SOUND, 5..u64::MAX, Seed(1), &Forgetful, &Unobserved);
    assert!(matches!(backwards, Err(EngineError::Count { .. })));
    let full = replicate(&SOUND, 0..5, Seed(1), &Full, &Unobserved);
    assert!(matches!(full, Err(EngineError::Store { .. })));
}

#[test]
fn a_replicate_that_is_no_number_is_named() {
    struct Broken;
    impl Estimator for Broken {
        type Error = Asked;
        fn estimate(&self, replicate: u64, _: &mut Rng) -> Result<Estimate, Asked> {
            let value = vec![1.0, if replicate == 77 { f64::NAN } else { 0.0 }];
            Ok(Estimate { value, depth: 1, cost: Ledger::default() })
        }
        fn expected_cost(&self, _: u64) -> f64 {
            f64::NAN
        }
    }
    let error = replicate(&Broken, 0..100, Seed(1), &Forgetful, &Unobserved).unwrap_err();
    assert!(matches!(error, EngineError::NotFinite { index: 77, entry: 1, .. }), "{error}");
}

#[test]
fn replicates_of_different_widths_are_refused() {
    struct Growing;
    impl Estimator for Growing {
        type Error = Asked;
        fn estimate(&self, replicate: u64, _: &mut Rng) -> Result<Estimate, Asked> {
            let value = vec![0.0; 1 + replicate as usize / 500];
            Ok(Estimate { value, depth: 1, cost: Ledger::default() })
        }
        fn expected_cost(&self, _: u64) -> f64 {
            1.0
        }
    }
    let error = replicate(&Growing, 0..1000, Seed(1), &Forgetful, &Unobserved).unwrap_err();
    assert!(matches!(error, EngineError::Width { .. }), "{error}");
}
