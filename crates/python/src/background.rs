//! A run on threads of its own, while the calling thread waits without Python's lock, shows how far it is
//! and listens for Ctrl-C.
//!
//! After Ctrl-C every reader of rows and every chain ends the run at its next look, which takes
//! milliseconds; a thread that does not look within [`PATIENCE`] goes on to its next look by itself, with
//! references of its own to all that it reads. Finished work is kept.

use crate::answered::Answered;
use crate::arrays::Rows;
use crate::kept::Kept;
use crate::watch::Watch;
use data::sha256_of_file;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use unbiased::{Exit, Inquiry, Interrupted, Source, read_predictions, work_for};
use unbiased_bayes::RunHooks;

/// How often the calling thread looks for signals and shows progress.
const TICK: Duration = Duration::from_millis(30);
/// How long it waits for the others after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// A question with its data.
pub struct Job {
    /// What is asked.
    pub inquiry: Inquiry,
    /// Arrays, unless the data is in files.
    pub rows: Option<Rows>,
    /// The file of this library, whose sum is part of what finished work is known by.
    pub program: PathBuf,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// What a run ends with: an answer, or the kind of an error and its sentence.
type Ended = Result<Answered, (Exit, String)>;

impl Job {
    /// Runs it and waits.
    pub fn run<'py>(
        self,
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let watch = Arc::new(Watch::default());
        let (sender, receiver) = channel::<Ended>();
        let worker = Arc::clone(&watch);
        let failed = |error: &dyn std::fmt::Display| {
            PyRuntimeError::new_err(format!("no thread could be started: {error}"))
        };
        let stop = Arc::clone(&watch.stop);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .start_handler(move |_| work_for(&stop))
            .build()
            .map_err(|error| failed(&error))?;
        let work = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| pool.install(|| self.answer(&worker))));
            let ended = ended.unwrap_or_else(|cause| {
                let sentence = match cause.downcast_ref::<Interrupted>() {
                    Some(_) => "interrupted",
                    None => "a bug in unbiased_bayes: please report it with the message above",
                };
                Err((Exit::Failed, sentence.to_owned()))
            });
            // Nobody listens any more after Ctrl-C.
            sender.send(ended).ok();
        };
        thread::Builder::new()
            .name("unbiased_bayes".to_owned())
            .spawn(work)
            .map_err(|error| failed(&error))?;
        match wait(py, &watch, Mutex::new(receiver), progress)? {
            Ok(answered) => answered.into_python(py),
            Err((Exit::Failed | Exit::Interrupted, sentence)) => {
                Err(PyRuntimeError::new_err(sentence))
            }
            Err((_, sentence)) => Err(PyValueError::new_err(sentence)),
        }
    }

    fn answer(self, watch: &Watch) -> Ended {
        let wrong = |error: anyhow::Error| (unbiased::exit_of(&error), unbiased::sentence(&error));
        self.answered(watch).map_err(wrong)
    }

    fn answered(self, watch: &Watch) -> anyhow::Result<Answered> {
        let Job { inquiry, rows, program, .. } = self;
        let say = |line: &str| watch.say(line);
        let in_memory = rows.is_some();
        let mut source = match rows {
            Some(rows) => rows.source(inquiry.wants())?,
            None => Source::open(&inquiry.common.data, inquiry.wants(), &say)?,
        };
        source.predictions = read_predictions(&inquiry.common.functional, &source)?;
        let begun = Instant::now();
        source.rows = source.rows.watched(&watch.stop);
        let key = inquiry.key(&source, sha256_of_file(&program)?);
        let digest = key.digest();
        let found = if in_memory {
            if inquiry.common.data.fresh {
                Kept::forget(&digest);
            }
            let store = Kept::of(&digest);
            let found =
                inquiry.run(&source, RunHooks { store: &*store, observer: watch, say: &say })?;
            Kept::forget(&digest);
            found
        } else {
            let store = source.chunks(&key, inquiry.common.data.fresh)?;
            let found =
                inquiry.run(&source, RunHooks { store: &store, observer: watch, say: &say })?;
            store.remarks().iter().for_each(|remark| say(remark));
            found
        };
        Answered::new(&inquiry, &source, found, begun.elapsed().as_secs_f64())
    }
}

/// Waits for the end, or for Ctrl-C.
fn wait(
    py: Python<'_>,
    watch: &Watch,
    receiver: Mutex<Receiver<Ended>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ended> {
    let receive = |patience: Duration| {
        py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            receiver.recv_timeout(patience)
        })
    };
    loop {
        let ended = receive(TICK);
        let shown = progress.map_or(Ok(()), |show| show.call1(watch.look()).map(|_| ()));
        match (ended, shown.and_then(|()| py.check_signals())) {
            (Ok(ended), Ok(())) => return Ok(ended),
            (Err(RecvTimeoutError::Timeout), Ok(())) => {}
            (Err(RecvTimeoutError::Disconnected), Ok(())) => {
                return Err(PyRuntimeError::new_err("the run ended without an answer"));
            }
            (_, Err(raised)) => {
                watch.stop.store(true, Ordering::Relaxed);
                receive(PATIENCE).ok();
                return Err(raised);
            }
        }
    }
}
