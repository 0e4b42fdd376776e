//! Where finished chunks go, so that a killed run can go on.

use crate::Replicates;
use std::ops::Range;

/// Which chunk of which range of replicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkId {
    /// The replicates of the run.
    pub range: Range<u64>,
    /// The chunk's number in it.
    pub chunk: usize,
    /// How many replicates it holds.
    pub replicates: usize,
}

/// Why a chunk could not be kept.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Keeps finished chunks. Whoever builds it answers for keeping apart runs that differ in
/// settings, seed, data or code.
pub trait Store: Sync {
    /// The chunk, if it was kept and is sound; a damaged one is the same as none.
    fn load(&self, id: &ChunkId) -> Option<Replicates>;

    /// Keeps a finished chunk: all of it or, after a kill, nothing.
    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError>;

    /// The text that was kept last under this name, if it is sound: a chain on its way.
    fn load_text(&self, _name: &str) -> Option<String> {
        None
    }

    /// Keeps a text in place of the one before: all of it or, after a kill, that one.
    fn save_text(&self, _name: &str, _text: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Keeps nothing.
pub struct Forgetful;

impl Store for Forgetful {
    fn load(&self, _: &ChunkId) -> Option<Replicates> {
        None
    }

    fn save(&self, _: &ChunkId, _: &Replicates) -> Result<(), StoreError> {
        Ok(())
    }
}
