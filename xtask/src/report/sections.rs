//! The paper figure by figure, and what goes beyond it: figures, and beside them claims with verdicts.

use super::{Stored, is_papers, place};
use crate::claims_page::{in_brief, in_full, measured};
use crate::html::{anchor, chip, escape, figure};
use records::{Claim, Record};
use std::fmt::Write;
use std::path::Path;

/// The paper's claims: first its figures, then what it says besides.
pub fn write_paper(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<h2 id=\"paper\">The paper, figure by figure</h2>\n<p>Each figure shows what the paper's figure shows, drawn \
         from our own runs. Beside it are the paper's claims, with their verdicts.</p>\n",
    );
    let drawn = |record: &Record| place(record).starts_with("Figure");
    for (folder, record) in records.iter().filter(|(_, record)| drawn(record)) {
        section(page, folder, record, false)?;
    }
    page.push_str("<h2 id=\"besides\">What the paper says besides</h2>\n");
    for (folder, record) in records.iter().filter(|(_, record)| !drawn(record)) {
        section(page, folder, record, false)?;
    }
    Ok(())
}

/// Claims of ours.
pub fn write_ours(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<h2 id=\"beyond\">Beyond the paper</h2>\n<p>These claims are ours: anchored paths, other forms of the \
         estimator, and how all of it compares with other methods. They are judged by the same verdicts, and \
         those that failed stay.</p>\n",
    );
    for (folder, record) in records {
        section(page, folder, record, true)?;
    }
    Ok(())
}

/// The claims of one record, either the paper's or ours. Figures are shown once, in the part that the
/// experiment belongs to.
fn section(page: &mut String, folder: &Path, record: &Record, ours: bool) -> anyhow::Result<()> {
    let claims: Vec<&Claim> =
        record.claims.iter().filter(|claim| claim.is_ours() == ours).collect();
    let at_home = is_papers(record) != ours;
    if claims.is_empty() && !at_home {
        return Ok(());
    }
    let id = &record.experiment;
    let figures: Vec<_> =
        figures::ALL.iter().filter(|figure| at_home && figure.experiment == id).collect();
    let title = match place(record) {
        "ours" => id.clone(),
        place => format!("{place}: {id}"),
    };
    if at_home {
        let headline = experiments::find(id).map(|found| found.headline(record)).transpose()?;
        let first = format!("{} {}", record.question, headline.unwrap_or_default());
        writeln!(
            page,
            "<article>\n<h3 id=\"{id}\">{}</h3>\n<p>{}</p>",
            escape(&title),
            escape(first.trim_end())
        )?;
    } else {
        let part = if ours { "the paper's part" } else { "our part" };
        writeln!(
            page,
            "<article>\n<h3>{}</h3>\n<p><a href=\"#{id}\">Figures and numbers are in {part}</a>.</p>",
            escape(&title)
        )?;
    }
    let illustrated = if figures.is_empty() { "" } else { " illustrated" };
    writeln!(page, "<div class=\"pair{illustrated}\">")?;
    if !figures.is_empty() {
        page.push_str("<div>\n");
        for one in figures {
            page.push_str(&figure(id, one.name, one.caption));
        }
        page.push_str("</div>\n");
    }
    page.push_str("<div>\n");
    for claim in claims {
        card(page, folder, record, claim)?;
    }
    page.push_str("</div>\n</div>\n");
    if at_home {
        super::appendix::details(page, folder, record)?;
    }
    page.push_str("</article>\n");
    Ok(())
}

/// A claim: its verdict, what is claimed, the finding in brief, and all the rest on demand.
fn card(page: &mut String, folder: &Path, record: &Record, claim: &Claim) -> anyhow::Result<()> {
    let brief = if claim.is_ours() {
        format!("Found: {}.", in_brief(&claim.ours))
    } else {
        format!("Printed: {}. Ours: {}.", claim.printed, in_brief(&claim.ours))
    };
    writeln!(
        page,
        "<div class=\"claim\" id=\"{}\">{} <code>{}</code>\n<p><b>Claimed: {}.</b></p>\n<p>{}</p>\n\
         <details><summary>Finding and rule</summary><p>{}</p><p>{}</p><p>{}</p></details></div>",
        anchor(&claim.id),
        chip(claim.verdict),
        escape(&claim.id),
        escape(&claim.statement),
        escape(&brief).replace("….", "…"),
        escape(&format!("{}{}", claim.sentence, measured(folder, record, claim))),
        escape(&in_full(claim)),
        escape(&claim.rules())
    )?;
    Ok(())
}
