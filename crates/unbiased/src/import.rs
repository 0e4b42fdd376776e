//! `unbiased import`.

use crate::arguments::DataArguments;
use crate::exit;
use crate::progress::say;
use crate::source::{Source, Wants};
use crate::stored::Stored;
use clap::Args;

/// Import a file beforehand; the other commands then find it imported.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    unbiased import --data clicks.csv.bz2 --label clicked\n  \
    unbiased import --data flats.csv --label price --number --missing indicator\n  \
    unbiased import --data clicks.csv --label clicked --categorical postcode --reference device=web\n  \
    unbiased import 'flights-*.parquet' --formula 'delay > 120 ~ distance + C(origin) + hour(date)'\n  \
    unbiased import visits.arrow --number --formula 'log1p(visits) ~ poly(age, 2) + scale(income)'\n  \
    duckdb -csv -c 'SELECT * FROM clicks' shop.db | unbiased import - --label clicked\n\n\
    Files are CSV, libsvm, Parquet or Arrow; the first bytes decide. Numbers become covariates, words\n\
    categories; what cannot be understood is refused with its file, line, column and value.\n\
    docs/data.md has all types and limits, docs/models.md the formulas.")]
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
    let source = Source::open(&arguments.data, wants, &say)?;
    source.remarks.iter().for_each(|remark| say(remark));
    let layout = match source.rows {
        Stored::Dense(_) => "dense",
        Stored::Sparse(_) => "sparse",
        Stored::Mixed(_) => "mixed",
    };
    let speed = match source.imported {
        Some((size, seconds)) => {
            let rate = source.count() as f64 / seconds;
            format!("{size:.0} MB in {seconds:.1} s: {rate:.1e} rows per second")
        }
        None => "imported before".to_owned(),
    };
    exit::print(&format!(
        "{} {layout} rows of {} covariates in {}\n{speed}\n",
        source.count(),
        source.names.len(),
        source.folder.display()
    ))
}
