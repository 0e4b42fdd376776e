//! The steps of a run. What a step has computed is kept as sealed checkpoints, so that a run that was
//! stopped goes on from there, as long as settings, seed, data and code are the same.

use crate::{CODE_DIGEST, Context};
use anyhow::Context as _;
use baselines::{ChainStore, Checkpoint};
use debias::engine::{ChunkId, Store, StoreError, replicate};
use debias::{Estimator, Replicates, Rng};
use rayon::prelude::*;
use records::{ChunkFolder, DataSource, RunKey};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::sync::Mutex;

/// Checkpoints into which the values of a step are cut.
const CHUNKS: usize = 48;

/// Settings and data of the steps, which are part of the key of their checkpoints.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The run.
    pub context: &'a Context<'a>,
    /// Everything that was chosen.
    pub settings: &'a Value,
    /// The data that are read.
    pub data: &'a [DataSource],
}

impl Work<'_> {
    /// The replicates of an estimator, in order, each from its own stream of the step's seed.
    pub fn replicate<E: Estimator>(
        &self,
        step: &str,
        estimator: &E,
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        let (seed, observer) = (self.context.step_seed(step), self.context.observer);
        self.step(step, |store| {
            Ok(replicate(estimator, 0..replicates as u64, seed, store, observer)?)
        })
    }

    /// Any values that serialise, in order: value i is a function of i and of stream i of the step's
    /// seed.
    pub fn each<T, F>(&self, step: &str, count: usize, value: F) -> anyhow::Result<Vec<T>>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Fn(usize, &mut Rng) -> anyhow::Result<T> + Sync,
    {
        let (seed, observer) = (self.context.step_seed(step), self.context.observer);
        let size = count.div_ceil(CHUNKS).max(1);
        let starts: Vec<usize> = (0..count).step_by(size).collect();
        observer.planned(count as f64);
        self.step(step, |store| {
            let chunk = |&start: &usize| -> anyhow::Result<Vec<T>> {
                let range = start..count.min(start + size);
                let name = format!("values-{start}");
                let kept = store.chunks.value(&name);
                if let Some(kept) = kept.filter(|kept: &Vec<T>| kept.len() == range.len()) {
                    observer.advanced(range.len() as f64);
                    return Ok(kept);
                }
                let mut values = Vec::new();
                for index in range {
                    anyhow::ensure!(!observer.cancelled(), "stopped; finished values are kept");
                    let found = value(index, &mut seed.stream(index as u64));
                    values.push(found.with_context(|| format!("value {index} of {step} failed"))?);
                    observer.advanced(1.0);
                }
                store.keep_value(&name, &values).map_err(|error| anyhow::anyhow!("{error}"))?;
                Ok(values)
            };
            let parts = starts.par_iter().with_max_len(1).map(chunk);
            Ok(parts.collect::<anyhow::Result<Vec<Vec<T>>>>()?.into_iter().flatten().collect())
        })
    }

    /// One value that serialises, from the first stream of the step's seed.
    pub fn cached<T, F>(&self, step: &str, value: F) -> anyhow::Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce(&mut Rng) -> anyhow::Result<T>,
    {
        self.step(step, |store| {
            if let Some(kept) = store.chunks.value("value") {
                return Ok(kept);
            }
            let value = value(&mut self.context.step_seed(step).stream(0))?;
            store.keep_value("value", &value).map_err(|error| anyhow::anyhow!("{error}"))?;
            Ok(value)
        })
    }

    /// One long chain, which is given its generator and keeps checkpoints of its own.
    pub fn chain<T>(
        &self,
        step: &str,
        chain: impl FnOnce(&mut Rng, &mut ChainFile<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let rng = &mut self.context.step_seed(step).stream(0);
        self.step(step, |store| chain(rng, &mut ChainFile(store)))
    }

    /// A step that is done anew in every run; its seconds are kept.
    pub fn timed<T>(
        &self,
        step: &str,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.step(step, |_| work())
    }

    fn step<T>(
        &self,
        step: &str,
        work: impl FnOnce(&TimedChunks<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let key = RunKey {
            settings: self.settings.clone(),
            seed: self.context.step_seed(step).0,
            data: self.data.iter().map(|source| source.identity.clone()).collect(),
            code: CODE_DIGEST.to_owned(),
        };
        let folder = self.context.work.join(step);
        let chunks = ChunkFolder::open(&folder, &key)
            .with_context(|| format!("{} cannot be written", folder.display()))?;
        let clock = self.context.clock;
        let timed = TimedChunks {
            chunks: &chunks,
            clock,
            offset: chunks.seconds() - clock(),
            writing: Mutex::default(),
        };
        let result = work(&timed);
        let seconds = timed.keep_seconds();
        let steps = self.context.steps.lock();
        let mut steps = steps.map_err(|_| anyhow::anyhow!("another step failed"))?;
        steps.insert(step.to_owned(), seconds);
        for remark in chunks.remarks() {
            (self.context.say)(&format!("{step}: {remark}"));
        }
        result
    }
}

/// Checkpoints that keep with them the seconds of all runs that worked on them; a kill loses only those
/// of unfinished ones.
struct TimedChunks<'a> {
    chunks: &'a ChunkFolder,
    clock: &'a (dyn Fn() -> f64 + Sync),
    /// Seconds of earlier runs less the moment at which this one began.
    offset: f64,
    // One file, written by whichever thread has finished a chunk.
    writing: Mutex<()>,
}

impl TimedChunks<'_> {
    fn keep_seconds(&self) -> f64 {
        let _alone = self.writing.lock().expect("no code under this lock panics");
        let seconds = self.offset + (self.clock)();
        self.chunks.keep_seconds(seconds);
        seconds
    }

    fn keep_value<T: Serialize>(&self, name: &str, value: &T) -> Result<(), StoreError> {
        self.chunks.keep_value(name, value)?;
        self.keep_seconds();
        Ok(())
    }
}

impl Store for TimedChunks<'_> {
    fn load(&self, id: &ChunkId) -> Option<Replicates> {
        self.chunks.load(id)
    }

    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError> {
        self.chunks.save(id, chunk)?;
        self.keep_seconds();
        Ok(())
    }
}

/// The last checkpoint of a long chain.
pub struct ChainFile<'a>(&'a TimedChunks<'a>);

impl<S: Serialize + DeserializeOwned> ChainStore<S> for ChainFile<'_> {
    fn load(&mut self) -> Option<Checkpoint<S>> {
        self.0.chunks.value("chain")
    }

    fn save(&mut self, checkpoint: &Checkpoint<S>) -> Result<(), StoreError> {
        self.0.keep_value("chain", checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Seed;
    use debias::engine::Unobserved;
    use rand::RngExt;
    use records::Scale;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Values drawn by a run in this folder, and how many of them it had to compute.
    fn run(folder: &Path, settings: &Value) -> (Vec<f64>, f64, usize) {
        let context = Context {
            scale: Scale::Smoke,
            root: Seed(1),
            seed: Seed(2),
            work: folder.to_owned(),
            results: folder.to_owned(),
            downloads: folder.to_owned(),
            flights: None,
            observer: &Unobserved,
            say: &|_| {},
            clock: &|| 0.0,
            steps: Mutex::default(),
        };
        let work = context.work(settings, &[]);
        let computed = AtomicUsize::new(0);
        let draw = |rng: &mut Rng| {
            computed.fetch_add(1, Ordering::Relaxed);
            Ok(rng.random::<f64>())
        };
        let each = work.each("each", 100, |_, rng| draw(rng)).unwrap();
        let one = work.cached("one", draw).unwrap();
        (each, one, computed.into_inner())
    }

    #[test]
    fn values_are_computed_once_for_the_same_settings() {
        let folder = tempfile::tempdir().unwrap();
        let (each, one, computed) = run(folder.path(), &Value::from(1));
        assert_eq!((each.len(), computed), (100, 101));
        assert_eq!(each[7], Seed(2).child("each").stream(7).random::<f64>());
        assert_eq!(run(folder.path(), &Value::from(1)), (each.clone(), one, 0));
        // One damaged checkpoint of three values is done again, and so is everything under new settings.
        std::fs::write(folder.path().join("each").join("values-3.json"), "damaged").unwrap();
        assert_eq!(run(folder.path(), &Value::from(1)), (each.clone(), one, 3));
        assert_eq!(run(folder.path(), &Value::from(2)), (each, one, 101));
    }
}
