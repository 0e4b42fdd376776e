//! Chunks that know how long they took, whatever became of the runs that made them.

use debias::Replicates;
use debias::engine::{ChunkId, Store, StoreError};
use records::ChunkFolder;
use std::sync::Mutex;

/// Keeps the seconds of all runs with every chunk: a kill loses those of unfinished chunks only.
pub struct TimedChunks<'a> {
    chunks: &'a ChunkFolder,
    clock: &'a (dyn Fn() -> f64 + Sync),
    /// Seconds of earlier runs less the moment at which this one began.
    offset: f64,
    // One file, written by whichever thread has finished a chunk.
    writing: Mutex<()>,
}

impl<'a> TimedChunks<'a> {
    /// Starts the clock.
    pub fn new(chunks: &'a ChunkFolder, clock: &'a (dyn Fn() -> f64 + Sync)) -> TimedChunks<'a> {
        let offset = chunks.seconds() - clock();
        TimedChunks { chunks, clock, offset, writing: Mutex::default() }
    }

    /// Keeps, and gives, the seconds of all runs until now.
    pub fn keep(&self) -> f64 {
        let _alone = self.writing.lock().expect("no code under this lock panics");
        let seconds = self.offset + (self.clock)();
        self.chunks.keep_seconds(seconds);
        seconds
    }
}

impl Store for TimedChunks<'_> {
    fn load(&self, id: &ChunkId) -> Option<Replicates> {
        self.chunks.load(id)
    }

    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError> {
        self.chunks.save(id, chunk)?;
        self.keep();
        Ok(())
    }
}
