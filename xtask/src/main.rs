//! The command of the suite: `cargo xtask <command>`.

mod bench;
mod check;
mod claims;
mod claims_page;
mod console;
mod draw;
mod errata_page;
mod exit;
mod fetch;
mod fetch_data;
mod html;
mod links;
mod list;
#[cfg_attr(not(test), allow(dead_code, reason = "the tests of the downloader use all of it"))]
mod loopback;
mod progress;
mod quotes;
mod report;
mod reproduce;
mod results_table;
mod rules;
mod runner;
mod tidy;
mod trust;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Reproduces "Unbiased Bayes for Big Data: Paths of Partial Posteriors", experiment by
/// experiment and claim by claim.
///
/// Every number comes from a record under results/, every record from a command below. A run can
/// be interrupted with Ctrl-C or killed at any moment: the same command resumes where it stopped
/// and ends with the same bytes.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "Examples:\n  \
        cargo xtask list                                what there is to reproduce\n  \
        cargo xtask reproduce all                       the whole paper at full scale\n  \
        cargo xtask reproduce gaussian-path --fresh     one experiment, from scratch\n  \
        cargo xtask check                               do the stored results still come out?\n\n\
        Exit codes: 0 fine, 1 a result drifted or a rule is broken, 2 wrong usage,\n  \
        3 data is missing, 4 a run failed, 130 interrupted."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Reproduce(reproduce::Reproduce),
    Check(check::Check),
    Claims(claims::Claims),
    Rules(rules::Rules),
    FetchData(fetch_data::FetchData),
    Figures(draw::Figures),
    Report(report::Report),
    Bench(bench::Bench),
    Tidy(tidy::Tidy),
    Trust(trust::Trust),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::List(arguments) => list::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::FetchData(arguments) => fetch_data::run(&arguments),
        Command::Figures(arguments) => draw::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Trust(arguments) => trust::run(&arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("error: {}", exit::chain(&error));
            exit::of(&error).into()
        }
    }
}
