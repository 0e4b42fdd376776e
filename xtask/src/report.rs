//! `cargo xtask report`: one offline page from the stored records.
//!
//! The page shows before it tells: three figures and three numbers, the paper figure by figure with the
//! verdicts on its claims, what goes beyond the paper, all claims in two tables, and how all was made. Claims
//! of the paper and claims of ours are never counted together.

mod appendix;
mod claim_tables;
mod opening;
mod sections;

use crate::claims_page::write_claims_page;
use crate::draw::stored;
use crate::errata_page::write_errata_page;
use crate::exit::Exit;
use crate::quotes::write_quotes;
use crate::{trust, workspace};
use clap::Args;
use records::{Claim, Record, Scale, write_atomically};
use std::path::{Path, PathBuf};

/// Write results/CLAIMS.md, results/report/index.html and the numbers in README.md and docs/ from the
/// stored full-scale records.
#[derive(Args)]
pub struct Report {
    /// Read and write here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// Writes both pages.
pub fn run(arguments: &Report) -> anyhow::Result<Exit> {
    let results = workspace::results(arguments.results.as_ref());
    write_pages(&results)?;
    println!("{}", workspace::shown(&results.join("CLAIMS.md")));
    println!("{}", workspace::shown(&results.join("report").join("index.html")));
    Ok(Exit::Fine)
}

/// The stored records with their folders.
pub type Stored = [(PathBuf, Record)];

/// Writes all that is made from the stored full-scale records: claims, errata, report, quotations.
pub fn write_pages(results: &Path) -> anyhow::Result<()> {
    let records = stored(results, Scale::Full)?;
    write_claims_page(results, &records)?;
    write_errata_page(results, &records)?;
    write_report(results, &records)?;
    // The pages of the repository quote its own results and no others.
    if results != workspace::results(None) {
        return Ok(());
    }
    write_quotes(&records.into_iter().map(|(_, record)| record).collect::<Vec<_>>())
}

/// Writes the report.
fn write_report(results: &Path, records: &Stored) -> anyhow::Result<()> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>Unbiased Bayes: what reproduces</title>\n<style>\n{}</style>\n",
        include_str!("report/page.css")
    );
    opening::write(&mut page, records)?;
    sections::write_paper(&mut page, records)?;
    sections::write_ours(&mut page, records)?;
    claim_tables::write(&mut page, records)?;
    trust::shown_in_report(&mut page, &trust::kept(results, Scale::Full)?)?;
    appendix::write(&mut page, records)?;
    page += "<script>\n";
    page += include_str!("report/page.js");
    page += "</script>\n</html>\n";
    Ok(write_atomically(&results.join("report").join("index.html"), page.as_bytes())?)
}

/// The claims of the paper, or those of ours.
fn claims(records: &Stored, ours: bool) -> impl Iterator<Item = &Claim> {
    let all = records.iter().flat_map(|(_, record)| &record.claims);
    all.filter(move |claim| claim.is_ours() == ours)
}

/// Whether an experiment is one of the paper's.
fn is_papers(record: &Record) -> bool {
    place(record) != "ours"
}

/// Where in the paper an experiment is.
fn place(record: &Record) -> &'static str {
    experiments::find(&record.experiment).map_or("ours", |experiment| experiment.paper())
}
