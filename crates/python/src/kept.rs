//! Finished work of runs on arrays, kept in memory while the process lives: a run that was interrupted goes
//! on where it stopped when the same is asked of the same numbers again.

use debias::Replicates;
use debias::engine::{ChunkId, Store, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// Unfinished runs whose work is kept; of more, the oldest is forgotten.
const MOST: usize = 16;

/// Runs by their keys, the oldest first.
type Runs = Vec<(String, Arc<Kept>)>;

static RUNS: LazyLock<Mutex<Runs>> = LazyLock::new(Mutex::default);

/// The work of one run.
#[derive(Default)]
pub struct Kept {
    chunks: Mutex<HashMap<String, Replicates>>,
    texts: Mutex<HashMap<String, String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that was interrupted holds none of these.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Kept {
    /// What was kept of a run, or nothing yet.
    pub fn of(key: &str) -> Arc<Kept> {
        let mut runs = lock(&RUNS);
        if let Some((_, kept)) = runs.iter().find(|(known, _)| known == key) {
            return Arc::clone(kept);
        }
        if runs.len() == MOST {
            runs.remove(0);
        }
        let kept = Arc::new(Kept::default());
        runs.push((key.to_owned(), Arc::clone(&kept)));
        kept
    }

    /// Forgets a run.
    pub fn forget(key: &str) {
        lock(&RUNS).retain(|(known, _)| known != key);
    }

    fn name(id: &ChunkId) -> String {
        format!("{}-{}-{}", id.range.start, id.range.end, id.chunk)
    }
}

impl Store for Kept {
    fn load(&self, id: &ChunkId) -> Option<Replicates> {
        lock(&self.chunks).get(&Kept::name(id)).cloned()
    }

    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError> {
        lock(&self.chunks).insert(Kept::name(id), chunk.clone());
        Ok(())
    }

    fn load_text(&self, name: &str) -> Option<String> {
        lock(&self.texts).get(name).cloned()
    }

    fn save_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        lock(&self.texts).insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}
