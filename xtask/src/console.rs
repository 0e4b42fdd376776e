//! Messages go to the terminal and to a log file.

use indicatif::MultiProgress;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// The terminal and the log.
pub struct Console {
    quiet: bool,
    log: Mutex<Option<File>>,
    pub bars: MultiProgress,
}

impl Console {
    /// Prints to the terminal unless quiet, and always to the log. A log that cannot be written does not
    /// stop the run.
    pub fn new(quiet: bool, log: &Path) -> Console {
        log.parent().map(fs::create_dir_all);
        let log = OpenOptions::new().create(true).append(true).open(log).ok();
        Console { quiet, log: Mutex::new(log), bars: MultiProgress::new() }
    }

    /// Prints a line.
    pub fn print(&self, line: &str) {
        if let Some(log) = self.log.lock().expect("no code under this lock panics").as_mut() {
            writeln!(log, "{line}").ok();
        }
        if !self.quiet {
            // Above the bars, if there are any.
            self.bars.suspend(|| eprintln!("{line}"));
        }
    }
}
