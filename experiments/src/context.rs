//! What an experiment is given: how much to run, from which seed, and who watches.

use crate::Experiment;
use crate::chain_file::ChainFile;
use crate::timed_chunks::TimedChunks;
use anyhow::Context as _;
use debias::engine::{Observer, replicate};
use debias::{Estimator, Replicates, Rng, Seed};
use records::{ChunkFolder, DataSource, Record, RunKey, Scale, digest, read_record};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Digest of the sources that make numbers.
pub const CODE_DIGEST: &str = env!("CODE_DIGEST");

/// The surroundings of a run.
pub struct Context<'a> {
    /// How much to run.
    pub scale: Scale,
    /// The seed of the whole suite.
    pub root: Seed,
    /// The seed of this experiment.
    pub seed: Seed,
    /// Where chunks are kept.
    pub work: PathBuf,
    /// The records of other experiments at the same scale.
    pub results: PathBuf,
    /// Where fetched data sets lie.
    pub downloads: PathBuf,
    /// A table of flights that the user named.
    pub flights: Option<PathBuf>,
    /// Who watches, and may stop the run.
    pub observer: &'a dyn Observer,
    /// Takes remarks for people and the log.
    pub say: &'a (dyn Fn(&str) + Sync),
    /// Seconds since some moment.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Seconds of each step.
    pub steps: Mutex<BTreeMap<String, f64>>,
}

impl Context<'_> {
    /// Runs the replicates of a step, going on from chunks of an earlier run with the same
    /// settings, seed, data and code.
    pub fn replicate<E: Estimator>(
        &self,
        step: &str,
        settings: &Value,
        data: &[DataSource],
        estimator: &E,
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        let (seed, key) = (self.step_seed(step), self.key(step, settings, data));
        let chunks = ChunkFolder::open(&self.work.join(step), &key).map_err(|error| {
            anyhow::anyhow!("{} cannot be written: {error}", self.work.display())
        })?;
        let timed = TimedChunks::new(&chunks, self.clock);
        let result = replicate(estimator, 0..replicates as u64, seed, &timed, self.observer);
        self.time(step, timed.keep())?;
        for remark in chunks.remarks() {
            (self.say)(&format!("{step}: {remark}"));
        }
        Ok(result?)
    }

    /// Runs a step that is one long chain: the work is given the generator and the file of its
    /// checkpoints.
    pub fn timed<T>(
        &self,
        step: &str,
        settings: &Value,
        data: &[DataSource],
        work: impl FnOnce(&mut Rng, &mut ChainFile<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let (folder, key) = (self.work.join(step), self.key(step, settings, data));
        let chunks = ChunkFolder::open(&folder, &key)
            .with_context(|| format!("{} cannot be written", folder.display()))?;
        let timed = TimedChunks::new(&chunks, self.clock);
        let saved = || {
            timed.keep();
        };
        let mut file = ChainFile::new(&folder, &key, &saved);
        let result = work(&mut self.step_seed(step).stream(0), &mut file);
        self.time(step, timed.keep())?;
        result
    }

    fn key(&self, step: &str, settings: &Value, data: &[DataSource]) -> RunKey {
        RunKey {
            settings: settings.clone(),
            seed: self.step_seed(step).0,
            data: data.iter().map(|source| source.identity.clone()).collect(),
            code: CODE_DIGEST.to_owned(),
        }
    }

    fn time(&self, step: &str, seconds: f64) -> anyhow::Result<()> {
        let mut steps = self.steps.lock().map_err(|_| anyhow::anyhow!("another step failed"))?;
        steps.insert(step.to_owned(), seconds);
        Ok(())
    }

    /// The stored record of another experiment, and what it is called where it is data.
    pub fn needed(&self, id: &str) -> anyhow::Result<(Record, DataSource)> {
        let folder = self.results.join(id);
        let read = || -> anyhow::Result<(Record, DataSource)> {
            let record = read_record(&folder)?;
            anyhow::ensure!(
                record.seed == self.root.0,
                "it is there with seed {} and wanted with {}",
                record.seed,
                self.root.0
            );
            let source = DataSource {
                name: format!("the record of {id}"),
                rows: record.data.first().map_or(0, |data| data.rows),
                identity: format!("sha256 {}", digest(&std::fs::read(folder.join("record.json"))?)),
            };
            Ok((record, source))
        };
        read().with_context(|| {
            format!("the record of {id} is needed; `cargo xtask reproduce {id}` makes it")
        })
    }

    /// A record of this run with nothing in it yet but what was asked.
    pub fn record(&self, experiment: &dyn Experiment, settings: &Value) -> Record {
        Record {
            experiment: experiment.id().to_owned(),
            question: experiment.question().to_owned(),
            scale: self.scale,
            seed: self.seed.0,
            settings: settings.as_object().cloned().unwrap_or_default(),
            data: Vec::new(),
            quantities: Vec::new(),
            claims: Vec::new(),
            notes: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// The seed of a step's replicates.
    pub fn step_seed(&self, step: &str) -> Seed {
        self.seed.child(step)
    }
}
