//! What an experiment is given: how much to run, from which seed, and the hooks of the run.

use crate::{Experiment, Work};
use anyhow::Context as _;
use debias::Seed;
use debias::engine::Observer;
use records::{DataSource, Record, Scale, digest, read_record};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Digest of the sources that make numbers.
pub const CODE_DIGEST: &str = env!("CODE_DIGEST");

/// Settings and hooks of a run.
pub struct Context<'a> {
    /// How much to run.
    pub scale: Scale,
    /// The seed of the whole suite.
    pub root: Seed,
    /// The seed of this experiment.
    pub seed: Seed,
    /// The folder of the checkpoints.
    pub work: PathBuf,
    /// The records of other experiments at the same scale.
    pub results: PathBuf,
    /// The folder of the fetched data sets.
    pub downloads: PathBuf,
    /// A table of flights that the user named.
    pub flights: Option<PathBuf>,
    /// Is told of progress, and may stop the run.
    pub observer: &'a dyn Observer,
    /// Takes remarks for people and the log.
    pub say: &'a (dyn Fn(&str) + Sync),
    /// Seconds since some moment.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Seconds of each step.
    pub steps: Mutex<BTreeMap<String, f64>>,
}

impl Context<'_> {
    /// The steps that are run with these settings on these data.
    pub fn work<'w>(&'w self, settings: &'w Value, data: &'w [DataSource]) -> Work<'w> {
        Work { context: self, settings, data }
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
    pub fn record(&self, experiment: &Experiment, settings: &Value) -> Record {
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

    /// The seed of a step.
    pub fn step_seed(&self, step: &str) -> Seed {
        self.seed.child(step)
    }
}
