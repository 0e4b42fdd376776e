//! A bar with the time to go, on a terminal only, and the wish to stop.

use crate::interruption::{interrupted, stop_process};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use unbiased_bayes::Observer;

/// Steps of the bar.
const STEPS: f64 = 1000.0;

/// What is finished within this time after a signal is kept.
const GRACE: Duration = Duration::from_millis(800);

/// Says a line to people. Nobody may be listening, which is no reason to stop.
pub fn say(line: &str) {
    writeln!(io::stderr(), "{line}").ok();
}

/// Makes Ctrl-C and SIGTERM stop soon; a second one stops at once.
pub fn listen_for_ctrl_c() {
    let stop = || {
        if stop_process() {
            std::process::exit(130);
        }
        say("\nstopping; finished work is kept, and the same command goes on from there");
        // Whatever is at hand may take long, and is not lost: every file is written whole or not at
        // all. A service manager that asks to stop expects an end within seconds.
        thread::sleep(GRACE);
        std::process::exit(130);
    };
    // Only a bug asks for a second handler, and it does no harm.
    ctrlc::set_handler(stop).ok();
}

/// The bar of one run.
pub struct Bar {
    bar: ProgressBar,
    // Planned, done.
    work: Mutex<(f64, f64)>,
}

impl Bar {
    pub fn new(quiet: bool) -> Bar {
        let bar = ProgressBar::new(STEPS as u64);
        if quiet || !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = "{bar:40} {percent:>3} %  {elapsed} gone, {eta} to go";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is sound"));
        Bar { bar, work: Mutex::new((0.0, 0.0)) }
    }

    /// Says a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| say(line));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn planned(&self, work: f64) {
        *self.work.lock().expect("no code under this lock panics") = (work, 0.0);
        self.bar.reset();
    }

    fn advanced(&self, work: f64) {
        let mut state = self.work.lock().expect("no code under this lock panics");
        state.1 += work;
        self.bar.set_position((STEPS * state.1 / state.0) as u64);
    }

    fn cancelled(&self) -> bool {
        interrupted()
    }
}
