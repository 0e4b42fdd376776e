//! Progress bars and interruption by Ctrl-C. One bar follows the current step, weighted by expected cost;
//! the other follows all experiments, by the seconds they took when their results were stored.

use crate::console::Console;
use debias::engine::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Set by Ctrl-C; read before every replicate.
static STOP: AtomicBool = AtomicBool::new(false);

/// Steps of the bar.
const PARTS: f64 = 1000.0;

/// Makes Ctrl-C (and SIGTERM) stop the run after the current replicates; a second one stops it at once.
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

/// Whether the user has asked to stop.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A bar, on a terminal only.
fn bar(console: &Console, quiet: bool, length: f64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if quiet || !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    } else {
        console.bars.add(bar.clone());
    }
    bar.set_style(ProgressStyle::with_template(template).expect("the templates here are sound"));
    bar
}

/// All experiments of a run, those whose duration is known.
pub struct Overall {
    bar: ProgressBar,
    seconds: Vec<f64>,
}

impl Overall {
    /// From the seconds of each experiment, zero where they are unknown.
    pub fn new(console: &Console, seconds: Vec<f64>, quiet: bool) -> Overall {
        let template = "{prefix:<22} {bar:36} {percent:>3} %  {elapsed} gone, about {msg} to go";
        let total: f64 = seconds.iter().sum();
        let bar = bar(console, quiet || seconds.len() < 2 || total == 0.0, total, template);
        bar.set_prefix("all experiments");
        Overall { bar, seconds }
    }

    /// The part of the experiment at this index.
    pub fn part(&self, place: usize) -> Part<'_> {
        let before = self.seconds[..place].iter().sum();
        let part = Part { overall: self, before, own: self.seconds[place], begun: Instant::now() };
        part.show();
        part
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// One experiment among all.
pub struct Part<'a> {
    overall: &'a Overall,
    before: f64,
    own: f64,
    begun: Instant,
}

impl Part<'_> {
    fn show(&self) {
        let bar = &self.overall.bar;
        let done = self.before + self.begun.elapsed().as_secs_f64().min(self.own);
        bar.set_position(done as u64);
        let minutes = (self.overall.seconds.iter().sum::<f64>() - done) / 60.0;
        bar.set_message(format!("{:.0} min", minutes.ceil()));
    }
}

/// A bar for the current step of one experiment.
pub struct Progress<'a> {
    bar: ProgressBar,
    part: Option<Part<'a>>,
    work: Mutex<Work>,
}

struct Work {
    planned: f64,
    done: f64,
    shown: f64,
}

impl<'a> Progress<'a> {
    /// A bar with a name in front, which also moves the bar of all experiments.
    pub fn new(console: &Console, name: &str, part: Option<Part<'a>>, quiet: bool) -> Progress<'a> {
        let template = "{prefix:<22} {bar:36} {percent:>3} %  {elapsed} gone, {eta} to go";
        let bar = bar(console, quiet, PARTS, template);
        bar.set_prefix(name.to_owned());
        Progress { bar, part, work: Mutex::new(Work { planned: 0.0, done: 0.0, shown: 0.0 }) }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress<'_> {
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
            self.part.iter().for_each(Part::show);
        }
    }

    fn cancelled(&self) -> bool {
        interrupted()
    }
}
