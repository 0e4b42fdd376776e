//! The commands as processes: run in a folder, killed at a moment, and what they leave behind.

use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A program with its arguments, run in a folder.
pub struct Line {
    /// What to call it in tables.
    pub name: &'static str,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it is run.
    pub folder: PathBuf,
    /// What it makes, relative to the folder, and may be removed to begin anew.
    pub work: &'static str,
    /// Files, relative to the folder, that must come out with the same bytes.
    pub outputs: fn(&Path) -> Vec<PathBuf>,
}

/// The bytes of files by name.
pub type Bytes = BTreeMap<PathBuf, Vec<u8>>;

impl Line {
    /// The process, not yet started.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Runs to the end.
    pub fn run(&self) -> anyhow::Result<Output> {
        self.command().output().with_context(|| format!("{} cannot be run", self.name))
    }

    /// Runs to the end and returns what came out.
    pub fn outcome(&self) -> anyhow::Result<Bytes> {
        let output = self.run()?;
        anyhow::ensure!(output.status.success(), "{}: {}", self.name, said(&output));
        self.bytes()
    }

    /// What is there now.
    pub fn bytes(&self) -> anyhow::Result<Bytes> {
        let mut bytes = Bytes::new();
        for path in (self.outputs)(&self.folder) {
            let text = fs::read(&path).with_context(|| format!("{} is missing", path.display()))?;
            bytes.insert(path, text);
        }
        anyhow::ensure!(!bytes.is_empty(), "{} left nothing behind", self.name);
        Ok(bytes)
    }

    /// Forgets all earlier work.
    pub fn clear(&self) -> anyhow::Result<()> {
        for path in (self.outputs)(&self.folder) {
            fs::remove_file(path).ok();
        }
        let work = self.folder.join(self.work);
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        Ok(())
    }

    /// Starts the process and kills it after so long; whether it was still running.
    pub fn killed_after(&self, wait: Duration) -> anyhow::Result<bool> {
        let mut child = self.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let start = Instant::now();
        while start.elapsed() < wait {
            if child.try_wait()?.is_some() {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL: nothing can be tidied up.
        child.kill()?;
        child.wait()?;
        Ok(true)
    }
}

/// Both streams of a process.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// Whether a process that failed did so by a sentence: an exit code of ours, words, no panic.
pub fn is_sentence(output: &Output) -> bool {
    let words = said(output);
    matches!(output.status.code(), Some(1..=4 | 130))
        && words.len() > 10
        && !words.contains("panicked")
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Rows of two covariates and a class, without any generator: sines are random enough.
pub fn clicks(rows: usize, order: [usize; 3]) -> String {
    let mut text = String::new();
    let mut line = |cells: [String; 3]| {
        let cells = order.map(|at| cells[at].clone());
        writeln!(text, "{}", cells.join(",")).expect("a string takes what it is given");
    };
    line(["age", "spent", "clicked"].map(str::to_owned));
    for i in 0..rows {
        let (a, b) = ((i as f64 * 1.7).sin(), (i as f64 * 0.3).cos());
        let y = i32::from((i as f64 * 12.9898).sin() * 3.0 < a - 0.5 * b);
        line([format!("{a:.4}"), format!("{b:.4}"), y.to_string()]);
    }
    text
}
