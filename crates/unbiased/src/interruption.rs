//! The wish to stop: of the whole process, by Ctrl-C, or of one run, by the program that started it.

use posterior::{Block, Rows};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static PROCESS: AtomicBool = AtomicBool::new(false);

thread_local! {
    static RUN: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Whether the process is to stop, or the run that this thread works for.
pub fn interrupted() -> bool {
    let run = || RUN.with_borrow(|run| run.as_ref().is_some_and(|run| run.load(Ordering::Relaxed)));
    PROCESS.load(Ordering::Relaxed) || run()
}

/// Stops the process soon; says whether that was asked for before.
pub(crate) fn stop_process() -> bool {
    PROCESS.swap(true, Ordering::Relaxed)
}

/// From now on this thread works for a run that ends when the flag is set.
pub fn work_for(run: &Arc<AtomicBool>) {
    RUN.set(Some(Arc::clone(run)));
}

/// What a thread unwinds with when its run is to end: no message is printed, and whoever started the run
/// catches it.
pub struct Interrupted;

/// Rows that end a run as soon as the flag is set, in the middle of a pass if need be.
pub struct Watched<B> {
    /// The rows.
    pub rows: Box<dyn Rows<Block = B> + Send>,
    /// The flag.
    pub run: Arc<AtomicBool>,
}

impl<B> Watched<B> {
    fn look(&self) {
        if self.run.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new(Interrupted));
        }
    }
}

impl<B: Block> Rows for Watched<B> {
    type Block = B;

    fn count(&self) -> usize {
        self.rows.count()
    }

    fn gather(&self, indices: &[usize]) -> B {
        self.look();
        self.rows.gather(indices)
    }

    fn range(&self, range: Range<usize>) -> B {
        self.look();
        self.rows.range(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_stopped_alone() {
        let run = Arc::new(AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                work_for(&run);
                assert!(!interrupted());
                run.store(true, Ordering::Relaxed);
                assert!(interrupted());
            });
        });
        assert!(!interrupted());
    }
}
