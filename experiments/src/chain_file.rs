//! The last checkpoint of a long chain, in a file.

use baselines::{ChainStore, Checkpoint};
use debias::engine::StoreError;
use records::{RunKey, write_atomically};
use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// A checkpoint that belongs to one run: settings, seed, data and code.
pub struct ChainFile<'a> {
    path: PathBuf,
    key: String,
    saved: &'a dyn Fn(),
}

impl<'a> ChainFile<'a> {
    /// The file of a step, and whom to tell when it was written.
    pub fn new(folder: &Path, key: &RunKey, saved: &'a dyn Fn()) -> ChainFile<'a> {
        ChainFile { path: folder.join("chain.json"), key: key.digest(), saved }
    }
}

impl<S: Serialize + DeserializeOwned> ChainStore<S> for ChainFile<'_> {
    fn load(&mut self) -> Option<Checkpoint<S>> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (key, checkpoint): (String, Checkpoint<S>) = serde_json::from_slice(&bytes).ok()?;
        (key == self.key).then_some(checkpoint)
    }

    fn save(&mut self, checkpoint: &Checkpoint<S>) -> Result<(), StoreError> {
        let text = serde_json::to_vec(&(&self.key, checkpoint))?;
        write_atomically(&self.path, &text)
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))?;
        (self.saved)();
        Ok(())
    }
}
