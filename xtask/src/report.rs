//! `cargo xtask report`: one offline page from the stored records.

use crate::claims_page::{in_brief, in_full, measured, write_claims_page};
use crate::draw::stored;
use crate::errata_page::write_errata_page;
use crate::exit::Exit;
use crate::html::{STYLE, escape};
use crate::quotes::write_quotes;
use crate::workspace;
use clap::Args;
use records::{Record, Scale, Verdict, read_provenance, write_atomically};
use std::fmt::Write;
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
         <title>Unbiased Bayes: what reproduces</title>\n<style>\n{STYLE}</style>\n\
         <h1>Unbiased Bayes for big data: what reproduces</h1>\n\
         <p>Every number on this page comes from a record under <code>results/full</code>, and every \
         verdict from the rule stated with it. <code>cargo xtask reproduce all</code> makes them again. <a href=\"../RULES.md\">RULES.md</a> says since when \
         each rule stands and what was known then.</p>\n"
    );
    summary(&mut page, records)?;
    for (folder, record) in records {
        section(&mut page, folder, record)?;
    }
    page += "</html>\n";
    Ok(write_atomically(&results.join("report").join("index.html"), page.as_bytes())?)
}

/// Claims whose sentences a reader in a hurry should see.
const HEADLINES: [&str; 6] = [
    "ours/anchored-logistic",
    "ours/anchored-a9a",
    "logistic/impossible",
    "a9a/days",
    "airline/rmse",
    "parallel/2R",
];

fn summary(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    let claims = || records.iter().flat_map(|(_, record)| &record.claims);
    page.push_str("<ul class=\"verdicts\">\n");
    for verdict in Verdict::ALL {
        let count = claims().filter(|claim| claim.verdict == verdict).count();
        writeln!(page, "<li><b>{count}</b>{}</li>", verdict.words())?;
    }
    page.push_str("</ul>\n<ul>\n");
    for id in HEADLINES {
        if let Some(claim) = claims().find(|claim| claim.id == id) {
            writeln!(page, "<li><b>{}</b>: {}</li>", escape(id), escape(&claim.sentence))?;
        }
    }
    page.push_str("</ul>\n<table>\n<tr><th>claim<th>printed<th>ours<th>verdict\n");
    for claim in claims() {
        let experiment = records
            .iter()
            .find(|(_, record)| record.claims.iter().any(|other| other.id == claim.id))
            .map_or("", |(_, record)| record.experiment.as_str());
        writeln!(
            page,
            "<tr><td><a href=\"#{experiment}\">{}</a><td>{}<td>{}<td>{}",
            escape(&claim.id),
            escape(&claim.printed),
            escape(&in_brief(&claim.ours)),
            claim.verdict.words()
        )?;
    }
    page.push_str("</table>\n");
    times(page, records)
}

/// What each experiment took, and on what data.
fn times(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str("<table>\n<tr><th>experiment<th>data<th class=\"number\">rows<th class=\"number\">seconds\n");
    let mut total = 0.0;
    for (folder, record) in records {
        let id = &record.experiment;
        let seconds = read_provenance(folder).map_or(f64::NAN, |provenance| provenance.worked());
        total += seconds;
        let data = record.data.first();
        writeln!(
            page,
            "<tr><td><a href=\"#{id}\">{id}</a><td>{}<td class=\"number\">{}<td class=\"number\">{seconds:.1}",
            data.map_or("none".to_owned(), |data| escape(&data.name)),
            data.map_or(String::new(), |data| data.rows.to_string()),
        )?;
    }
    writeln!(page, "<tr><td>all<td><td><td class=\"number\">{total:.1}\n</table>")?;
    Ok(())
}

fn section(page: &mut String, folder: &Path, record: &Record) -> anyhow::Result<()> {
    let id = &record.experiment;
    let experiment = experiments::find(id);
    let place = experiment.map_or("", |experiment| experiment.paper());
    let said = experiment.map_or(Ok(String::new()), |experiment| experiment.headline(record))?;
    let first = [record.question.as_str(), said.as_str()].join(" ");
    writeln!(page, "<h2 id=\"{id}\">{id}</h2>\n<p>{place}. {}</p>", escape(first.trim_end()))?;
    for figure in figures::ALL.iter().filter(|figure| figure.experiment == id) {
        let source = format!("../full/{id}/{}.svg", figure.name);
        let caption = escape(figure.caption);
        writeln!(
            page,
            "<figure><img src=\"{source}\" alt=\"{caption}\"><figcaption>{caption}</figcaption></figure>"
        )?;
    }
    for claim in &record.claims {
        writeln!(
            page,
            "<p><b>{}: {}.</b> {}<br><span class=\"facts\">{} {}</span></p>",
            escape(&claim.id),
            claim.verdict.words(),
            escape(&format!("{}{}", claim.sentence, measured(folder, record, claim))),
            escape(&in_full(claim)),
            escape(&claim.rules())
        )?;
    }
    page.push_str("<details><summary>Numbers</summary>\n<table>\n<tr><th>quantity<th>value<th>standard error\n");
    for quantity in &record.quantities {
        let error = quantity.error.map_or(String::new(), |error| format!("{error:.3e}"));
        writeln!(
            page,
            "<tr><td>{}<td class=\"number\">{}<td class=\"number\">{error}",
            escape(&quantity.name),
            significant(quantity.value)
        )?;
    }
    page.push_str("</table></details>\n<details><summary>Settings</summary>\n<table>\n");
    for (name, value) in &record.settings {
        writeln!(page, "<tr><td>{}<td><code>{}</code>", escape(name), escape(&value.to_string()))?;
    }
    page.push_str("</table></details>\n");
    for note in &record.notes {
        writeln!(page, "<p class=\"facts\">{}</p>", escape(note))?;
    }
    facts(page, folder, record)
}

/// How to run it again, on what data, and where it came from.
fn facts(page: &mut String, folder: &Path, record: &Record) -> anyhow::Result<()> {
    let id = &record.experiment;
    let tables: Vec<String> = record
        .tables
        .iter()
        .map(|table| format!("<a href=\"../full/{id}/{0}.csv\">{0}.csv</a>", table.name()))
        .collect();
    let data: Vec<String> = record
        .data
        .iter()
        .map(|source| {
            escape(&format!("{} ({} rows; {})", source.name, source.rows, source.identity))
        })
        .collect();
    writeln!(
        page,
        "<p class=\"facts\">Again: <code>cargo xtask reproduce {id}</code>. Seed {}. Data: {}. \
         <a href=\"../full/{id}/record.json\">record.json</a>, {}.",
        record.seed,
        if data.is_empty() { "none".to_owned() } else { data.join(", ") },
        tables.join(", ")
    )?;
    if let Ok(provenance) = read_provenance(folder) {
        let commit = provenance.commit.get(..12).unwrap_or(&provenance.commit);
        let dirty = if provenance.dirty { " with changes" } else { "" };
        writeln!(
            page,
            "<br>Made in {:.1} s on {} threads of {} by {}, commit {commit}{dirty}.",
            provenance.worked(),
            provenance.threads,
            escape(&provenance.platform.target),
            escape(&provenance.rustc)
        )?;
    }
    page.push_str("</p>\n");
    Ok(())
}

/// Six significant digits.
fn significant(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        return format!("{value:.5e}");
    }
    let digits = if size < 1.0 { 6 } else { 6_usize.saturating_sub(size.log10() as usize + 1) };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn six_digits_are_enough() {
        assert_eq!(significant(0.873_123_45), "0.873123");
        assert_eq!(significant(130.535_25), "130.535");
        assert_eq!(significant(10_000_000.0), "1.00000e7");
        assert_eq!([significant(0.0), significant(100.0)], ["0", "100"]);
    }
}
