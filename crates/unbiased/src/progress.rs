//! A bar with the time to go, on a terminal only, and the wish to stop.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use unbiased_bayes::Observer;

static STOP: AtomicBool = AtomicBool::new(false);

/// Steps of the bar.
const STEPS: f64 = 1000.0;

/// Makes Ctrl-C stop after the replicate at hand; a second one stops at once.
pub fn listen_for_ctrl_c() {
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nstopping after the work at hand; the same command goes on from there");
    };
    // Only a bug asks for a second handler, and it does no harm.
    ctrlc::set_handler(stop).ok();
}

/// Whether somebody asked to stop.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
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
        self.bar.suspend(|| eprintln!("{line}"));
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
