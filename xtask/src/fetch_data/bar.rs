//! A bar with rate and time left, on a terminal only.

use crate::fetch::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

/// The bar of the file that is on its way.
#[derive(Default)]
pub struct Bar {
    current: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn start(&self, file: &str, done: u64, total: Option<u64>) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let template = match total {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} left",
            None => "{msg} {spinner} {bytes} {bytes_per_sec}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        bar.set_style(style);
        bar.set_message(file.to_owned());
        bar.set_position(done);
        // The rate counts only what comes over the line now.
        bar.reset_eta();
        self.with(|current| {
            if let Some(old) = current.replace(bar) {
                old.finish_and_clear();
            }
        });
    }

    fn reached(&self, bytes: u64) {
        self.with(|current| {
            if let Some(bar) = current {
                bar.set_position(bytes);
            }
        });
    }

    fn note(&self, text: &str) {
        self.with(|current| match current {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        });
    }

    fn finish(&self) {
        self.with(|current| {
            if let Some(bar) = current.take() {
                bar.finish_and_clear();
            }
        });
    }
}
