//! Exit codes, and the code of each kind of error.

use crate::progress;
use std::process::ExitCode;
use thiserror::Error;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Success.
    Fine = 0,
    /// A result drifted, or a rule is broken.
    Drift = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Data is missing.
    MissingData = 3,
    /// A run failed.
    Failed = 4,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A wrong command line, and a sentence that says what would be right.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// A stored result that is damaged or does not follow from its record.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Drifted(pub String);

/// The exit code of an error.
pub fn of(error: &anyhow::Error) -> Exit {
    if progress::interrupted() {
        Exit::Interrupted
    } else if error.is::<Usage>() {
        Exit::Usage
    } else if error.is::<Drifted>() {
        Exit::Drift
    } else if error.is::<experiments::MissingData>() {
        Exit::MissingData
    } else {
        Exit::Failed
    }
}

/// An error with its causes on one line.
pub fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // Some errors repeat their cause in their own words.
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    text
}
