//! `results/TRUST.md`, and its part of the report.

use super::Kind;
use super::evidence::{Evidence, Table};
use crate::html::escape;
use records::{Scale, write_atomically};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Tables of more rows than this are folded.
const LONG: usize = 24;

/// The evidence that is kept, in the order of the page.
pub fn kept(results: &Path, scale: Scale) -> anyhow::Result<Vec<(Kind, Evidence)>> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        let path = results.join(scale.name()).join("trust").join(format!("{}.json", kind.name()));
        if path.exists() {
            all.push((kind, serde_json::from_slice(&fs::read(path)?)?));
        }
    }
    Ok(all)
}

/// Writes the page from what is kept.
pub fn write(results: &Path, scale: Scale) -> anyhow::Result<()> {
    let all = kept(results, scale)?;
    let minutes = |kind| minutes(results, scale, kind).unwrap_or_default();
    let text = page(&all, scale, &minutes)?;
    Ok(write_atomically(&results.join("TRUST.md"), text.as_bytes())?)
}

/// How long a kind took, and how long the processors worked on it.
fn minutes(results: &Path, scale: Scale, kind: Kind) -> Option<String> {
    let name = format!("trust/provenance/{}.json", kind.name());
    let text = fs::read(results.join(scale.name()).join(name)).ok()?;
    let provenance: Value = serde_json::from_slice(&text).ok()?;
    let minutes = |field: &str| Some(format!("{:.1}", provenance[field].as_f64()? / 60.0));
    let processor = minutes("processor_seconds").unwrap_or_else(|| "–".to_owned());
    Some(format!("{} ({processor})", minutes("seconds")?))
}

fn page(
    all: &[(Kind, Evidence)],
    scale: Scale,
    minutes: &dyn Fn(Kind) -> String,
) -> anyhow::Result<String> {
    let mut page = format!(
        "# Why believe a number of this project?\n\n\
         Written by `cargo xtask trust --scale {}`, which exits with 1 if anything below does not hold. Minutes are those \
         of the machine in `{}/trust/provenance/`, in brackets those of its processors. Tests are named `package/target/test`; each can be run by \
         itself: `cargo test --release -p … --test … -- …`.\n\n\
         | | question | answer | minutes | |\n|---|---|---|---|---|\n",
        scale.name(),
        scale.name()
    );
    for (kind, evidence) in all {
        writeln!(
            page,
            "| [{}](#{}) | {} | {} | {} | {} |",
            kind.name(),
            kind.name(),
            evidence.question,
            evidence.answer,
            minutes(*kind),
            if evidence.holds() { "holds" } else { "**does not hold**" }
        )?;
    }
    let missing = Kind::ALL.iter().filter(|kind| all.iter().all(|(known, _)| known != *kind));
    for kind in missing {
        let command = format!("cargo xtask trust --only {}", kind.name());
        writeln!(page, "| {} | | not gathered yet: `{command}` | | |", kind.name())?;
    }
    for (kind, evidence) in all {
        writeln!(page, "\n## {}\n\n{} {}.", kind.name(), evidence.question, evidence.answer)?;
        for failure in &evidence.failures {
            writeln!(page, "\n**Does not hold:** {failure}.")?;
        }
        for note in &evidence.notes {
            writeln!(page, "\n{note}")?;
        }
        for shown in evidence.tables.iter().filter(|shown| !shown.rows.is_empty()) {
            table(&mut page, shown)?;
        }
    }
    Ok(page)
}

fn table(page: &mut String, table: &Table) -> anyhow::Result<()> {
    let long = table.rows.len() > LONG;
    if long {
        let count = table.rows.len();
        writeln!(page, "\n<details><summary>{} ({count} rows)</summary>\n", table.caption)?;
    } else {
        writeln!(page, "\n{}:\n", table.caption)?;
    }
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    writeln!(page, "{}", line(&table.columns))?;
    writeln!(page, "|{}", "---|".repeat(table.columns.len()))?;
    for row in &table.rows {
        writeln!(page, "{}", line(row))?;
    }
    if long {
        page.push_str("\n</details>\n");
    }
    Ok(())
}

/// The section of the report: the first table of the page, and a link to all of it.
pub fn shown_in_report(page: &mut String, all: &[(Kind, Evidence)]) -> anyhow::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    page.push_str(
        "<h2 id=\"trust\">Why believe it</h2>\n<p>What <code>cargo xtask trust</code> has found; \
         <a href=\"../TRUST.md\">all of it</a> names every test.</p>\n<table>\n\
         <tr><th>Evidence</th><th>Question</th><th>Answer</th><th></th></tr>\n",
    );
    for (kind, evidence) in all {
        writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            kind.name(),
            escape(&evidence.question),
            escape(&evidence.answer),
            if evidence.holds() { "holds" } else { "does not hold" }
        )?;
    }
    page.push_str("</table>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_stands_on_top() {
        let mut evidence = Evidence::about("Is it so?");
        evidence.answer = "1 of 2".to_owned();
        evidence.failures.push("the other one".to_owned());
        let mut table = Table::new("Numbers", &["a", "b"]);
        table.push(["x|y".to_owned(), "1".to_owned()]);
        evidence.tables.push(table);
        let text = page(&[(Kind::Faults, evidence)], Scale::Full, &|_| "1.5 (2.0)".to_owned());
        let text = text.unwrap();
        assert!(text.contains(
            "| [faults](#faults) | Is it so? | 1 of 2 | 1.5 (2.0) | **does not hold** |"
        ));
        assert!(text.contains("**Does not hold:** the other one."));
        assert!(text.contains("| x\\|y | 1 |"));
    }
}
