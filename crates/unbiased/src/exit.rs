//! Exit codes, and sentences that help.

use crate::interruption::interrupted;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use unbiased_bayes::{AnchorError, EstimateError};

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

/// Prints the answer. A reader who has seen enough and closed the pipe is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Wrong {
            exit: Exit::Failed,
            sentence: format!(
                "cannot write the answer to standard output: {error}; what was computed is kept, \
                 and the same command prints it again"
            ),
        }
        .into()),
        _ => Ok(()),
    }
}

/// What the library refused, in the words of the command line.
pub fn of_estimate(error: EstimateError, names: &[String]) -> anyhow::Error {
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
        EstimateError::Degenerate { .. } => (Exit::Failed, "; --method nuts always runs".to_owned()),
        EstimateError::Anchor(AnchorError::TooMany { .. }) => (
            Exit::Data,
            "; choose some columns with --columns, or take --method plain".to_owned(),
        ),
        EstimateError::Anchor(AnchorError::AtInfinity { parameter, .. }) => (
            Exit::Data,
            format!(
                "; it is \"{}\": a proper prior such as --prior normal:2.5 holds it",
                names.get(*parameter).map_or("bias", String::as_str)
            ),
        ),
        EstimateError::Anchor(_) => (
            Exit::Data,
            "; a proper prior such as --prior normal:2.5 helps, and so does --drop of a column that \
             repeats others"
                .to_owned(),
        ),
        EstimateError::Replicates(_) => {
            let advice = "; finished work is kept, and the same command goes on from there";
            (Exit::Failed, advice.to_owned())
        }
        _ => (Exit::Failed, String::new()),
    };
    let sentence = with_causes(&error) + &advice;
    Wrong { exit, sentence }.into()
}

/// The exit code of an error.
pub fn of(error: &anyhow::Error) -> Exit {
    if interrupted() {
        return Exit::Interrupted;
    }
    error.downcast_ref::<Wrong>().map_or(Exit::Failed, |wrong| wrong.exit)
}

/// An error with those causes that it does not name itself.
pub fn chain(error: &anyhow::Error) -> String {
    with_causes(error.as_ref())
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl std::fmt::Display for Layer {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|layer| layer as &(dyn Error + 'static))
        }
    }

    #[test]
    fn no_cause_is_dropped() {
        let disk = Layer("no space left on device", None);
        let chunk = Layer("chunk 12 could not be kept", Some(Box::new(disk)));
        let error = of_estimate(EstimateError::Replicates(Box::new(chunk)), &[]).to_string();
        let cause = "the replicates: chunk 12 could not be kept: no space left on device; ";
        assert!(error.starts_with(cause) && error.ends_with("goes on from there"), "{error}");
    }
}
