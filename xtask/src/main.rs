//! The one binary of the suite.

mod fetch_data;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The one binary of the suite")]
enum Command {
    FetchData(fetch_data::FetchData),
}

fn main() -> ExitCode {
    let Command::FetchData(args) = Command::parse();
    match fetch_data::run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(4)
        }
    }
}
