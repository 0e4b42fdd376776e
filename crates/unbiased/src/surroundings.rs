//! The surroundings of a run: threads, checkpoints, a bar, and the clock.

use crate::exit;
use crate::inquiry::Inquiry;
use crate::points;
use crate::progress::{Bar, listen_for_ctrl_c, say};
use crate::source::Source;
use crate::workplace::writable;
use anyhow::Context;
use data::sha256_of_file;
use records::ChunkFolder;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Threads for each core: more only wait for each other.
const MOST_JOBS: usize = 4;

/// Everything around a question.
pub struct Stage<'a> {
    pub inquiry: &'a Inquiry,
    pub source: Source,
    pub bar: Bar,
    begun: Instant,
}

impl<'a> Stage<'a> {
    /// Checks what will be written, sets the threads and opens the data.
    pub fn open(inquiry: &'a Inquiry) -> anyhow::Result<Stage<'a>> {
        let common = &inquiry.common;
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
        let mut source = Source::open(&common.data, inquiry.wants(), &|line| {
            if !common.quiet {
                bar.say(line);
            }
        })?;
        source.predictions = points::read(&common.functional, &source)?;
        let stage = Stage { inquiry, source, bar, begun: Instant::now() };
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
        if !self.inquiry.common.quiet {
            self.bar.say(line);
        }
    }

    /// Seconds since the data was there.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Where results of the command go.
    pub fn results(&self) -> PathBuf {
        self.source.folder.join(self.inquiry.command)
    }

    /// The chunks of an earlier run with the same settings, data and program.
    pub fn chunks(&self) -> anyhow::Result<ChunkFolder> {
        let program = std::env::current_exe().context("the program does not find itself")?;
        let fresh = self.inquiry.common.data.fresh;
        let key = self.inquiry.key(&self.source, sha256_of_file(&program)?);
        self.source.chunks(&key, fresh)
    }
}
