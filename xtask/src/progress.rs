//! Progress of a run, weighted by expected cost, and the wish to stop.

use crate::speaker::Speaker;
use debias::engine::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C; looked at before every replicate.
static STOP: AtomicBool = AtomicBool::new(false);

/// Parts into which the bar cuts the work.
const PARTS: f64 = 1000.0;

/// Makes Ctrl-C (and a polite kill) stop after the replicate at hand; a second one stops at once.
pub fn listen_for_ctrl_c() {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!(
            "\nstopping after the work at hand; finished chunks are kept (Ctrl-C again: at once)"
        );
    };
    // A second handler can only be asked for by a bug, and does no harm.
    ctrlc::set_handler(handler).ok();
}

/// Whether somebody asked to stop.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A bar for one experiment, on a terminal only.
pub struct Progress {
    bar: ProgressBar,
    work: Mutex<Work>,
}

struct Work {
    planned: f64,
    done: f64,
    shown: f64,
}

impl Progress {
    /// A bar with a name in front.
    pub fn new(speaker: &Speaker, name: &str, quiet: bool) -> Progress {
        let bar = ProgressBar::new(PARTS as u64);
        if quiet || !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            speaker.bars.add(bar.clone());
        }
        let style = ProgressStyle::with_template(
            "{prefix:<22} {bar:36} {percent:>3} %  {elapsed} gone, {eta} to go",
        )
        .expect("the template above is sound");
        bar.set_style(style);
        bar.set_prefix(name.to_owned());
        Progress { bar, work: Mutex::new(Work { planned: 0.0, done: 0.0, shown: 0.0 }) }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn planned(&self, work: f64) {
        *self.work.lock().expect("no code under this lock panics") =
            Work { planned: work, done: 0.0, shown: 0.0 };
        self.bar.reset();
    }

    fn advanced(&self, work: f64) {
        let mut state = self.work.lock().expect("no code under this lock panics");
        state.done += work;
        let parts = (PARTS * state.done / state.planned).floor();
        if parts > state.shown {
            state.shown = parts;
            self.bar.set_position(parts as u64);
        }
    }

    fn cancelled(&self) -> bool {
        interrupted()
    }
}
