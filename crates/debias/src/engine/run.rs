//! Running the chunks.

use super::chunks::weight;
use super::{ChunkId, Chunks, Store, StoreError};
use crate::{Estimator, Replicates, Seed};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use thiserror::Error;

/// Is told how a run goes, and may stop it.
pub trait Observer: Sync {
    /// The run will take this much expected work.
    fn planned(&self, work: f64);

    /// This much of it is done; asked after every replicate, so it must be quick.
    fn advanced(&self, work: f64);

    /// Whether to stop: finished chunks are kept, the rest is left for another day.
    fn cancelled(&self) -> bool;
}

/// Nobody watches.
pub struct Unobserved;

impl Observer for Unobserved {
    fn planned(&self, _: f64) {}
    fn advanced(&self, _: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Why a run has no result.
#[derive(Debug, Error)]
pub enum EngineError<E: std::error::Error + 'static> {
    /// R = 0, or more than there are.
    #[error("replicates {} to {} asked for, of {available}", range.start, range.end)]
    Count {
        /// The replicates asked for.
        range: Range<u64>,
        /// How many there are to ask for.
        available: u64,
    },
    /// A replicate is not a number.
    #[error("functional {entry} of replicate {index} is {value}")]
    NotFinite {
        /// The replicate's number.
        index: u64,
        /// The functional, counted from zero.
        entry: usize,
        /// Its value.
        value: f64,
    },
    /// A replicate failed.
    #[error("replicate {index} failed")]
    Replicate {
        /// Its number.
        index: u64,
        /// Why.
        source: E,
    },
    /// Replicates gave vectors of different lengths.
    #[error("replicate {index} gave {found} functionals where {expected} were expected")]
    Width {
        /// Its number.
        index: u64,
        /// Functionals it gave.
        found: usize,
        /// Functionals of the others.
        expected: usize,
    },
    /// A finished chunk could not be kept.
    #[error("chunk {chunk} could not be kept")]
    Store {
        /// Its number.
        chunk: usize,
        /// Why.
        source: StoreError,
    },
    /// The observer said stop.
    #[error("stopped after {finished} of {total} chunks")]
    Cancelled {
        /// Chunks that were finished and kept.
        finished: usize,
        /// All chunks.
        total: usize,
    },
}

/// The replicates of a range, in order, each from its own stream of the seed, on all threads of
/// the current pool.
pub fn replicate<E: Estimator>(
    estimator: &E,
    range: Range<u64>,
    seed: Seed,
    store: &dyn Store,
    observer: &dyn Observer,
) -> Result<Replicates, EngineError<E::Error>> {
    let count = range.end.saturating_sub(range.start);
    // Chunks count their members in 32 bits.
    let available = estimator.replicates().min(range.start.saturating_add(u32::MAX.into()));
    if count == 0 || range.end > available {
        return Err(EngineError::Count { range, available });
    }
    let chunks = Chunks::deal(range.clone(), |index| estimator.expected_cost(index));
    observer.planned(chunks.work());
    let run = Run {
        estimator,
        range,
        seed,
        store,
        observer,
        chunks,
        next: AtomicUsize::new(0),
        finished: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        state: Mutex::new(State { all: None, failure: None }),
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| run.work());
        }
    });
    let state = run.state.into_inner().expect("no worker panicked, or the scope would have");
    match (state.failure, state.all) {
        (Some((_, error)), _) => Err(error),
        (None, Some(all)) if run.finished.into_inner() == run.chunks.count() => Ok(all),
        _ => unreachable!("a run without a failure finishes all its chunks"),
    }
}

struct Run<'a, E: Estimator> {
    estimator: &'a E,
    range: Range<u64>,
    seed: Seed,
    store: &'a dyn Store,
    observer: &'a dyn Observer,
    chunks: Chunks,
    next: AtomicUsize,
    finished: AtomicUsize,
    stop: AtomicBool,
    state: Mutex<State<E::Error>>,
}

struct State<E: std::error::Error + 'static> {
    all: Option<Replicates>,
    /// The failure of the lowest chunk, whichever thread came first.
    failure: Option<(usize, EngineError<E>)>,
}

impl<E: Estimator> Run<'_, E> {
    /// Takes one chunk after the other until there are none.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks.count() {
                return;
            }
            let done = self.chunk(chunk).and_then(|part| self.place(chunk, &part));
            if let Err(error) = done {
                self.stop.store(true, Ordering::Relaxed);
                let mut state = self.lock();
                if state.failure.as_ref().is_none_or(|(earlier, _)| chunk < *earlier) {
                    state.failure = Some((chunk, error));
                }
            }
        }
    }

    /// The replicates of a chunk, from the store or by computing them.
    fn chunk(&self, chunk: usize) -> Result<Replicates, EngineError<E::Error>> {
        let members = self.chunks.members(chunk);
        let id = ChunkId { range: self.range.clone(), chunk, replicates: members.len() };
        let cost = |&member: &u32| {
            weight(self.estimator.expected_cost(self.range.start + u64::from(member)))
        };
        if let Some(kept) = self.store.load(&id).filter(|kept| kept.count() == members.len()) {
            self.observer.advanced(members.iter().map(cost).sum());
            return Ok(kept);
        }
        let mut part = Replicates::default();
        for member in members {
            if self.observer.cancelled() {
                let (finished, total) =
                    (self.finished.load(Ordering::Relaxed), self.chunks.count());
                return Err(EngineError::Cancelled { finished, total });
            }
            let index = self.range.start + u64::from(*member);
            let estimate = self
                .estimator
                .estimate(index, &mut self.seed.stream(index))
                .map_err(|source| EngineError::Replicate { index, source })?;
            if part.count() > 0 && estimate.value.len() != part.width() {
                let (found, expected) = (estimate.value.len(), part.width());
                return Err(EngineError::Width { index, found, expected });
            }
            let bad = estimate.value.iter().position(|value| !value.is_finite());
            if let Some(entry) = bad {
                let value = estimate.value[entry];
                return Err(EngineError::NotFinite { index, entry, value });
            }
            part.push(&estimate);
            self.observer.advanced(cost(member));
        }
        self.store.save(&id, &part).map_err(|source| EngineError::Store { chunk, source })?;
        Ok(part)
    }

    /// Puts the replicates of a chunk where they belong.
    fn place(&self, chunk: usize, part: &Replicates) -> Result<(), EngineError<E::Error>> {
        let members = self.chunks.members(chunk);
        let count = (self.range.end - self.range.start) as usize;
        let mut state = self.lock();
        let all = state.all.get_or_insert_with(|| Replicates::zeros(part.width(), count));
        if all.width() != part.width() {
            let index = self.range.start + u64::from(members[0]);
            return Err(EngineError::Width { index, found: part.width(), expected: all.width() });
        }
        for (from, &member) in members.iter().enumerate() {
            part.copy_into(from, all, member as usize);
        }
        self.finished.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<E::Error>> {
        self.state.lock().expect("no code under this lock panics")
    }
}
