//! Runs one experiment and writes its record, tables, provenance and figures.

use crate::console::Console;
use crate::draw::draw_figures;
use crate::progress::{Part, Progress};
use crate::workspace::output_of;
use debias::Seed;
use experiments::{CODE_DIGEST, Context, Experiment};
use records::{Platform, Provenance, Record, Scale, write_provenance, write_record};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// Seconds of each step.
pub type Steps = BTreeMap<String, f64>;

/// How experiments are run.
pub struct Runner<'a> {
    pub scale: Scale,
    pub seed: u64,
    pub results: PathBuf,
    pub work: PathBuf,
    pub quiet: bool,
    pub console: &'a Console,
    /// The folder of fetched data sets.
    pub downloads: PathBuf,
    /// A table of flights that the user named.
    pub flights: Option<PathBuf>,
}

impl Runner<'_> {
    /// Runs an experiment and computes its claims; writes nothing but chunks.
    pub fn record(
        &self,
        experiment: &Experiment,
        part: Option<Part<'_>>,
    ) -> anyhow::Result<(Record, Steps)> {
        let progress = Progress::new(self.console, experiment.id(), part, self.quiet);
        let start = Instant::now();
        let context = Context {
            scale: self.scale,
            root: Seed(self.seed),
            seed: Seed(self.seed).child(experiment.id()),
            work: self.work.join(self.scale.name()).join(experiment.id()),
            results: self.results.join(self.scale.name()),
            downloads: self.downloads.clone(),
            flights: self.flights.clone(),
            observer: &progress,
            say: &|remark| self.console.print(&format!("  {remark}")),
            clock: &|| start.elapsed().as_secs_f64(),
            steps: Mutex::default(),
        };
        let result = experiment.run(&context);
        progress.finish();
        let mut record = result?;
        record.seed = self.seed;
        record.claims = experiment.claims(&record)?;
        let steps = context.steps.into_inner().unwrap_or_default();
        Ok((record, steps))
    }

    /// Runs an experiment and writes record, tables, provenance and figures.
    pub fn reproduce(
        &self,
        experiment: &Experiment,
        part: Option<Part<'_>>,
    ) -> anyhow::Result<(Record, f64)> {
        let start = Instant::now();
        let (record, steps) = self.record(experiment, part)?;
        let seconds = start.elapsed().as_secs_f64();
        let folder = self.results.join(self.scale.name()).join(experiment.id());
        write_record(&folder, &record)?;
        write_provenance(&folder, &provenance(seconds, steps))?;
        draw_figures(&folder, &record)?;
        Ok((record, seconds))
    }
}

fn provenance(seconds: f64, steps: Steps) -> Provenance {
    let rounded = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
    let unknown = || "unknown".to_owned();
    Provenance {
        commit: output_of("git", &["rev-parse", "HEAD"]).unwrap_or_else(unknown),
        dirty: output_of(
            "git",
            &["status", "--porcelain", "--", "crates", "experiments", "Cargo.lock"],
        )
        .is_none_or(|changes| !changes.is_empty()),
        code: CODE_DIGEST.to_owned(),
        rustc: output_of("rustc", &["--version"]).unwrap_or_else(unknown),
        platform: Platform::current(),
        threads: rayon::current_num_threads(),
        seconds: rounded(seconds),
        steps: steps.into_iter().map(|(step, seconds)| (step, rounded(seconds))).collect(),
    }
}
