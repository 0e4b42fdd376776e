//! `cargo xtask list`.

use crate::exit::Exit;
use clap::Args;
use experiments::ALL;

/// List the experiments: id, place in the paper, question.
#[derive(Args)]
pub struct List {}

/// Prints the list.
pub fn run(_: &List) -> anyhow::Result<Exit> {
    let widest = ALL.iter().map(|experiment| experiment.id().len()).max().unwrap_or(0);
    for experiment in ALL {
        let long = if experiment.long { "; hours, run by name or with --exhaustive" } else { "" };
        println!(
            "{:widest$}  {} ({}{long})",
            experiment.id(),
            experiment.question(),
            experiment.paper()
        );
    }
    Ok(Exit::Fine)
}
