//! `unbiased import`.

use crate::arguments::DataArguments;
use crate::source::{Source, Stored, Wants};
use clap::Args;

/// Import a file beforehand; the other commands then find it imported.
#[derive(Args)]
#[command(after_help = "Example:\n  unbiased import --data clicks.csv.bz2 --label clicked")]
pub struct Import {
    #[command(flatten)]
    data: DataArguments,
    /// The label is a number and not a class.
    #[arg(long)]
    number: bool,
}

/// Imports and says how fast.
pub fn run(arguments: &Import) -> anyhow::Result<()> {
    let wants = if arguments.number { Wants::Number } else { Wants::Class };
    let source = Source::open(&arguments.data, wants, &|line| eprintln!("{line}"))?;
    let layout = match source.rows {
        Stored::Dense(_) => "dense",
        Stored::Sparse(_) => "sparse",
    };
    println!(
        "{} {layout} rows of {} columns in {}",
        source.count(),
        source.names.len(),
        source.folder.display()
    );
    match source.imported {
        Some((size, seconds)) => {
            println!("{size:.0} MB in {seconds:.1} s: {:.0} MB/s", size / seconds)
        }
        None => println!("imported before"),
    }
    Ok(())
}
