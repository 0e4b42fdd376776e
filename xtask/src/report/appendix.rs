//! How everything was made: numbers and settings of each experiment, its data, and the time it took.

use super::Stored;
use crate::html::escape;
use records::{Record, read_provenance};
use std::fmt::Write;
use std::path::Path;

/// What each experiment took, and on what data.
pub fn write(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<h2 id=\"made\">How it was made</h2>\n<div class=\"scroll\"><table>\n\
         <tr><th>experiment<th>data<th class=\"number\">rows<th class=\"number\">seconds\n",
    );
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
    writeln!(page, "<tr><td>all<td><td><td class=\"number\">{total:.1}\n</table></div>")?;
    Ok(())
}

/// Numbers, settings and notes of an experiment, and where it came from.
pub fn details(page: &mut String, folder: &Path, record: &Record) -> anyhow::Result<()> {
    page.push_str(
        "<details><summary>Numbers</summary>\n<div class=\"scroll\"><table>\n\
         <tr><th>quantity<th class=\"number\">value<th class=\"number\">standard error\n",
    );
    for quantity in &record.quantities {
        let error = quantity.error.map_or(String::new(), |error| format!("{error:.3e}"));
        writeln!(
            page,
            "<tr><td>{}<td class=\"number\">{}<td class=\"number\">{error}",
            escape(&quantity.name),
            significant(quantity.value)
        )?;
    }
    page.push_str(
        "</table></div></details>\n<details><summary>Settings</summary>\n<div class=\"scroll\"><table>\n",
    );
    for (name, value) in &record.settings {
        writeln!(page, "<tr><td>{}<td><code>{}</code>", escape(name), escape(&value.to_string()))?;
    }
    page.push_str(
        "</table></div></details>\n<details><summary>Notes, data and provenance</summary>\n",
    );
    for note in &record.notes {
        writeln!(page, "<p>{}</p>", escape(note))?;
    }
    facts(page, folder, record)?;
    page.push_str("</details>\n");
    Ok(())
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
