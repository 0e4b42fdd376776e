//! The surroundings of a run: threads, checkpoints, a bar, and the clock.

use crate::arguments::Common;
use crate::exit;
use crate::points;
use crate::progress::{Bar, listen_for_ctrl_c, say};
use crate::source::Source;
use crate::workplace::writable;
use anyhow::Context;
use data::sha256_of_file;
use records::{ChunkFolder, RunKey};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use unbiased_bayes::Settings;

/// Threads for each core: more only wait for each other.
const MOST_JOBS: usize = 4;

/// Everything around a question.
pub struct Stage<'a> {
    pub common: &'a Common,
    pub source: Source,
    pub bar: Bar,
    begun: Instant,
}

impl<'a> Stage<'a> {
    /// Checks what will be written, sets the threads and opens the data.
    pub fn open(common: &'a Common) -> anyhow::Result<Stage<'a>> {
        if let Some(json) = &common.json {
            let folder = json.parent().filter(|folder| *folder != Path::new(""));
            writable(folder.unwrap_or(Path::new(".")), "--json FILE names another file")?;
            if json.is_dir() {
                return Err(exit::usage(format!(
                    "--json {} is a folder: name a file",
                    json.display()
                )));
            }
        }
        if let Some(jobs) = common.jobs {
            if jobs == 0 {
                return Err(exit::usage("--jobs 0 leaves no thread to work; take 1 or more"));
            }
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let most = MOST_JOBS * cores;
            if jobs > most && !common.quiet {
                say(&format!("--jobs {jobs} on {cores} cores: {most} threads are used"));
            }
            rayon::ThreadPoolBuilder::new().num_threads(jobs.min(most)).build_global()?;
        }
        listen_for_ctrl_c();
        let bar = Bar::new(common.quiet);
        let mut source = Source::open(&common.data, common.model.wants(), &|line| {
            if !common.quiet {
                bar.say(line);
            }
        })?;
        source.predictions = points::read(&common.functional, &source)?;
        let stage = Stage { common, source, bar, begun: Instant::now() };
        stage.say(&format!(
            "{}: {} rows, {} covariates",
            stage.source.data.name,
            stage.source.count(),
            stage.source.names.len()
        ));
        if let Some((size, seconds)) = stage.source.imported {
            let rate = stage.source.count() as f64 / seconds;
            stage.say(&format!(
                "imported {size:.0} MB in {seconds:.1} s: {rate:.1e} rows per second"
            ));
            stage.source.remarks.iter().for_each(|remark| stage.say(remark));
        }
        Ok(stage)
    }

    /// Says a line, unless quiet.
    pub fn say(&self, line: &str) {
        if !self.common.quiet {
            self.bar.say(line);
        }
    }

    /// Seconds since the data was there.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// All choices that numbers hang on.
    pub fn settings(&self, command: &str, settings: &Settings) -> Value {
        let common = self.common;
        json!({
            "command": command,
            "model": common.model.name(),
            "prior": common.prior.iter().map(|prior| format!("{prior:?}")).collect::<Vec<_>>(),
            "prior_intercept": common.prior_intercept.as_ref().map(|prior| format!("{prior:?}")),
            "functional": common.functional,
            "groups": common.groups,
            "predictions": self.source.predictions.iter().map(|one| &one.sha256).collect::<Vec<_>>(),
            "noise": common.noise,
            "degrees": common.degrees.to_string(),
            "features": common.features,
            "length_scale": common.length_scale,
            "label": common.data.label,
            "columns": self.source.names.len(),
            "choices": common.data.choices(),
            "run": settings,
        })
    }

    /// Where results of a command go.
    pub fn results(&self, command: &str) -> PathBuf {
        self.source.folder.join(command)
    }

    /// The chunks of an earlier run with the same settings, data and program.
    pub fn chunks(&self, command: &str, settings: &Settings) -> anyhow::Result<ChunkFolder> {
        let program = std::env::current_exe().context("the program does not find itself")?;
        let key = RunKey {
            settings: self.settings(command, settings),
            seed: self.common.seed,
            data: vec![self.source.data.identity.clone()],
            code: sha256_of_file(&program)?,
        };
        let folder = self.source.folder.join("chunks").join(&key.digest()[..16]);
        if self.common.data.fresh {
            std::fs::remove_dir_all(&folder).ok();
        }
        ChunkFolder::open(&folder, &key).map_err(|error| {
            exit::usage(format!("cannot write into {}: {error}", folder.display()))
        })
    }
}
