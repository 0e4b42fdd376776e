//! Everything that is said goes to the terminal and to a log file.

use indicatif::MultiProgress;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Says things.
pub struct Speaker {
    quiet: bool,
    log: Mutex<Option<File>>,
    pub bars: MultiProgress,
}

impl Speaker {
    /// Speaks to the terminal unless quiet, and always to the log; a log that cannot be written
    /// is no reason not to work.
    pub fn new(quiet: bool, log: &Path) -> Speaker {
        log.parent().map(fs::create_dir_all);
        let log = OpenOptions::new().create(true).append(true).open(log).ok();
        Speaker { quiet, log: Mutex::new(log), bars: MultiProgress::new() }
    }

    /// Says a line.
    pub fn say(&self, line: &str) {
        if let Some(log) = self.log.lock().expect("no code under this lock panics").as_mut() {
            writeln!(log, "{line}").ok();
        }
        if !self.quiet {
            // Above the bars, if there are any.
            self.bars.suspend(|| eprintln!("{line}"));
        }
    }
}
