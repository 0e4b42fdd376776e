//! `unbiased <command>`: its words, and how it ends.

use crate::inquiry::Inquiry;
use crate::{action, exit, import, launch, progress};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Posterior means, quantiles, probabilities and predictions from random subsets of your data,
/// without the bias of subsetting.
///
/// Text files are imported once, into files that need not fit into memory. A run can be interrupted
/// with Ctrl-C or killed at any moment: the same command goes on where it stopped and ends with the
/// same bytes, on any number of threads.
#[derive(Parser)]
#[command(
    name = "unbiased",
    after_help = "Examples:\n  \
        unbiased plan logistic --data clicks.csv --label clicked       what would it cost?\n  \
        unbiased estimate logistic --data a9a --prior laplace:1        all posterior means\n  \
        unbiased estimate logistic --data shop.csv --label bought --missing drop --positive yes\n  \
        unbiased estimate linear --data flats.csv --label price --target-se 0.05sd\n  \
        unbiased estimate negative-binomial --data claims.csv --label claims --offset log_years\n  \
        unbiased certify logistic --data clicks.csv --label clicked    what is Laplace off by?\n  \
        unbiased compare logistic --data a9a --budget 1e9              beside full MCMC\n\n\
        Exit codes: 0 fine, 2 wrong usage, 3 faulty data, 4 a run failed,\n  \
        5 the target cannot be reached within the budget, 130 interrupted."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Estimate(action::Estimate),
    Plan(action::Plan),
    Compare(action::Compare),
    Certify(action::Certify),
    Import(import::Import),
}

impl Command {
    /// The question, if it is one.
    fn inquiry(self) -> Option<Inquiry> {
        match self {
            Command::Estimate(asked) => Some(asked.into()),
            Command::Plan(asked) => Some(asked.into()),
            Command::Compare(asked) => Some(asked.into()),
            Command::Certify(asked) => Some(asked.into()),
            Command::Import(_) => None,
        }
    }
}

/// The question that words ask, for other programs; the error is a sentence.
pub fn inquiry(words: &[String]) -> Result<Inquiry, String> {
    let program = std::iter::once("unbiased".to_owned());
    let words = spelt_out(program.chain(words.iter().cloned()).map(OsString::from));
    let parsed = words.and_then(Arguments::try_parse_from);
    let parsed = parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        // What follows tells how the command is called.
        let end = text.find("\n\n").unwrap_or(text.len());
        text[..end].to_owned()
    })?;
    parsed.command.inquiry().ok_or_else(|| "an import asks nothing".to_owned())
}

/// The words in full: `unbiased import FILE` is short for `unbiased import --data FILE`, and `unbiased estimate
/// FORMULA --family MODEL`, the order of R, for `unbiased estimate MODEL --formula FORMULA`.
fn spelt_out(words: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, clap::Error> {
    let mut words: Vec<OsString> = words.collect();
    let is_file = |word: &OsString| word == "-" || !word.to_string_lossy().starts_with('-');
    if words.get(1).is_some_and(|command| command == "import") {
        if words.get(2).is_some_and(is_file) {
            words.insert(2, "--data".into());
        }
        return Ok(words);
    }
    let family = match words.iter().position(|word| word == "--family") {
        Some(at) if at + 1 < words.len() => words.drain(at..at + 2).next_back(),
        Some(_) => None,
        None => {
            let joined = |word: &OsString| Some(word.to_str()?.strip_prefix("--family=")?.into());
            let found = words.iter().enumerate().find_map(|(at, word)| Some((at, joined(word)?)));
            found.map(|(at, family): (usize, OsString)| {
                words.remove(at);
                family
            })
        }
    };
    if words.get(2).is_some_and(|word| is_file(word) && word.to_string_lossy().contains('~')) {
        if family.is_none() {
            return Err(Arguments::command().error(
                ErrorKind::MissingRequiredArgument,
                "a formula comes with the family of its response, such as --family bernoulli",
            ));
        }
        words.insert(2, "--formula".into());
    }
    if let Some(family) = family {
        words.insert(2, family);
    }
    Ok(words)
}

/// Runs the command that these words ask for; the first is the name of the program.
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    let words = spelt_out(words).unwrap_or_else(|error| error.exit());
    let result = match Arguments::parse_from(words).command {
        Command::Import(arguments) => import::run(&arguments),
        question => launch::launch(&question.inquiry().expect("all others are questions")),
    };
    match result {
        Ok(()) => exit::Exit::Fine.into(),
        Err(error) => {
            progress::say(&format!("error: {}", exit::chain(&error)));
            exit::of(&error).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ModelName;

    #[test]
    fn a_formula_may_come_first() {
        let of = |words: &str| inquiry(&words.split('|').map(str::to_owned).collect::<Vec<_>>());
        for words in [
            "estimate|y ~ x|--family|bernoulli|--data|a.csv",
            "estimate|y ~ x|--data|a.csv|--family=bernoulli",
            "estimate|--family|logistic|--data|a.csv|--formula|y ~ x",
            "estimate|logistic|--data|a.csv|--formula|y ~ x",
        ] {
            let asked = of(words).unwrap_or_else(|error| panic!("{words}: {error}")).common;
            assert_eq!(asked.model, ModelName::Logistic, "{words}");
            assert_eq!(asked.data.formula.as_deref(), Some("y ~ x"), "{words}");
        }
        let refused = |words: &str| of(words).err().expect(words);
        assert!(refused("estimate|y ~ x|--data|a.csv").contains("--family bernoulli"));
        assert!(refused("plan|y ~ x|--family|cauchy|--data|a.csv").contains("cauchy"));
        assert!(refused("estimate|linear|--family|poisson|--data|a.csv").contains("linear"));
    }
}
