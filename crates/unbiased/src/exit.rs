//! Exit codes, and sentences that help.

use crate::progress;
use std::process::ExitCode;
use unbiased_bayes::EstimateError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine = 0,
    /// The call was wrong.
    Usage = 2,
    /// The data is faulty.
    Data = 3,
    /// A run failed.
    Failed = 4,
    /// The target cannot be reached within the budget.
    Unreachable = 5,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Something wrong, in a sentence that says what would be right.
#[derive(Debug)]
pub struct Wrong {
    exit: Exit,
    sentence: String,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl std::error::Error for Wrong {}

/// A wrong call.
pub fn usage(sentence: impl Into<String>) -> anyhow::Error {
    Wrong { exit: Exit::Usage, sentence: sentence.into() }.into()
}

/// Faulty data.
pub fn data(sentence: impl Into<String>) -> anyhow::Error {
    Wrong { exit: Exit::Data, sentence: sentence.into() }.into()
}

/// What the library refused, in the words of the command line.
pub fn of_estimate(error: EstimateError) -> anyhow::Error {
    let (exit, advice) = match &error {
        EstimateError::FirstBatch { suggested, .. } => {
            (Exit::Usage, format!("; take --first {suggested}"))
        }
        EstimateError::TooSmall { .. } | EstimateError::Stop { .. } | EstimateError::NoSpread => {
            (Exit::Usage, String::new())
        }
        EstimateError::Unreachable { needed, reachable, .. } => (
            Exit::Unreachable,
            format!("; take --budget {needed:.2e} or --target-se {:.2e}", 1.1 * reachable),
        ),
        EstimateError::Budget { setup, replicates, .. } => (
            Exit::Unreachable,
            format!("; take --budget {:.2e} or more", 1.2 * (setup + replicates)),
        ),
        EstimateError::Degenerate { .. } => (Exit::Failed, "; --path plain always runs".to_owned()),
        _ => (Exit::Failed, String::new()),
    };
    Wrong { exit, sentence: format!("{error}{advice}") }.into()
}

/// The exit code of an error.
pub fn of(error: &anyhow::Error) -> Exit {
    if progress::interrupted() {
        return Exit::Interrupted;
    }
    error.downcast_ref::<Wrong>().map_or(Exit::Failed, |wrong| wrong.exit)
}

/// An error with those causes that it does not name itself.
pub fn chain(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}
