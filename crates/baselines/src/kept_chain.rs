//! A chain that survives a kill: long enough for 10⁸ rows.
//!
//! After every few transitions all there is of a chain, its state, its draws, the generator and the
//! work, is one [`Checkpoint`], handed to a [`ChainStore`]. A run asks the store first: what it
//! finds there it goes on from, and the draws have the same bytes as those of a run that was never
//! killed. Nothing here writes a file; whoever builds the store answers for keeping apart runs that
//! differ in settings, seed, data or code.

use debias::engine::{Observer, StoreError};
use debias::{Ledger, Rng};
use posterior::Target;
use samplers::{Chain, Draws, Frame, Kernel, Length, StartError, Whitened};

/// A chain somewhere between its start and its end.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint<S> {
    /// State, number of transitions and draws, in the coordinates of the frame.
    pub chain: Chain<S>,
    /// The generator.
    pub rng: Rng,
    /// The work behind it.
    pub ledger: Ledger,
}

/// Keeps the last checkpoint of one run.
pub trait ChainStore<S> {
    /// What was kept last, if it is sound; a damaged one is the same as none.
    fn load(&mut self) -> Option<Checkpoint<S>>;

    /// Keeps a checkpoint in place of the one before: all of it or, after a kill, that one.
    fn save(&mut self, checkpoint: &Checkpoint<S>) -> Result<(), StoreError>;
}

/// Keeps nothing.
impl<S> ChainStore<S> for debias::engine::Forgetful {
    fn load(&mut self) -> Option<Checkpoint<S>> {
        None
    }

    fn save(&mut self, _: &Checkpoint<S>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub struct KeptChain<'a, K> {
    /// What moves the chain.
    pub kernel: K,
    /// In which coordinates.
    pub frame: &'a Frame,
    /// From where, as θ.
    pub start: Vec<f64>,
    /// W and M.
    pub length: Length,
    /// Transitions between two checkpoints.
    pub every: usize,
}

/// Why there are no draws.
#[derive(Debug, thiserror::Error)]
pub enum KeptChainError {
    /// Checkpoints would never come, or there is nothing to keep.
    #[error("a checkpoint every {every} transitions of a chain of {draws} draws")]
    Empty {
        /// Transitions between checkpoints.
        every: usize,
        /// M.
        draws: usize,
    },
    /// The chain cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A checkpoint could not be kept.
    #[error("the checkpoint after {transitions} transitions could not be kept")]
    Store {
        /// Transitions done.
        transitions: usize,
        /// Why.
        source: StoreError,
    },
    /// The observer said stop; the checkpoint is kept.
    #[error("stopped after {transitions} of {length} transitions")]
    Cancelled {
        /// Transitions done.
        transitions: usize,
        /// All of them.
        length: usize,
    },
}

impl<K: Kernel> KeptChain<'_, K> {
    /// Runs the chain to its end, or on from where the store has it; the draws as θ, and all work,
    /// that of earlier runs included. The observer is told of transitions.
    ///
    /// `rng` is where a new chain begins; one that goes on has its own.
    pub fn run(
        &self,
        target: &mut dyn Target,
        store: &mut dyn ChainStore<K::State>,
        observer: &dyn Observer,
        rng: &mut Rng,
    ) -> Result<(Draws, Ledger), KeptChainError> {
        let KeptChain { kernel, frame, start, length, every } = self;
        if *every == 0 || length.draws == 0 {
            return Err(KeptChainError::Empty { every: *every, draws: length.draws });
        }
        let dimension = target.dimension();
        if start.len() != dimension || frame.dimension() != dimension {
            return Err(StartError::Dimension { start: start.len(), dimension }.into());
        }
        let all = length.transitions();
        observer.planned(all as f64);
        let loaded = store.load();
        // Work done by this run of the program alone; what the target did before is not the chain's.
        let before = target.ledger();
        let earlier = loaded.as_ref().map_or_else(Ledger::default, |kept| kept.ledger);
        let (mut chain, mut rng) = match loaded {
            Some(kept) => (kept.chain, kept.rng),
            None => {
                let z = frame.coordinates(start);
                (Chain::begin(kernel, &mut Whitened::new(target, frame), &z)?, rng.clone())
            }
        };
        observer.advanced(chain.transitions() as f64);
        loop {
            let done = chain.transitions();
            if done >= all {
                let work = so_far(earlier, before, target.ledger());
                return Ok((chain.draws.placed(frame), work));
            }
            if observer.cancelled() {
                return Err(KeptChainError::Cancelled { transitions: done, length: all });
            }
            let mut whitened = Whitened::new(target, frame);
            chain.advance(kernel, &mut whitened, *length, *every, &mut rng);
            let transitions = chain.transitions();
            let ledger = so_far(earlier, before, target.ledger());
            let checkpoint = Checkpoint { chain, rng, ledger };
            store
                .save(&checkpoint)
                .map_err(|source| KeptChainError::Store { transitions, source })?;
            Checkpoint { chain, rng, .. } = checkpoint;
            observer.advanced((transitions - done) as f64);
        }
    }
}

/// The work of earlier runs and of this one; its rows are the same rows.
fn so_far(earlier: Ledger, before: Ledger, now: Ledger) -> Ledger {
    Ledger { distinct_rows: now.distinct_rows, ..earlier + (now - before) }
}
