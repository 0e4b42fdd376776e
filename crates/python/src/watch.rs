//! What the thread that works tells the thread that waits, and the other way round.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unbiased_bayes::Observer;

/// Seen by both threads.
#[derive(Default)]
pub struct Watch {
    /// Whether to stop.
    pub stop: Arc<AtomicBool>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    planned: f64,
    done: f64,
    lines: Vec<String>,
}

impl Watch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A line for people.
    pub fn say(&self, line: &str) {
        self.state().lines.push(line.to_owned());
    }

    /// The share of the work that is done, and the lines since the last look.
    pub fn look(&self) -> (Option<f64>, Vec<String>) {
        let mut state = self.state();
        let share = (state.planned > 0.0).then(|| (state.done / state.planned).min(1.0));
        (share, std::mem::take(&mut state.lines))
    }
}

impl Observer for Watch {
    fn planned(&self, work: f64) {
        let mut state = self.state();
        (state.planned, state.done) = (work, 0.0);
    }

    fn advanced(&self, work: f64) {
        self.state().done += work;
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
