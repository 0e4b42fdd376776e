//! `unbiased <command>`: posterior expectations of your own data.

use std::process::ExitCode;

fn main() -> ExitCode {
    unbiased_bayes_cli::command::run(std::env::args_os())
}
