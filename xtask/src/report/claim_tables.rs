//! All claims, the paper's and ours in two tables, with a filter that a few lines of script bring to life.

use super::{Stored, claims};
use crate::claims_page::in_brief;
use crate::html::{anchor, chip, class, escape};
use records::Verdict;
use std::fmt::Write;

/// Writes both tables. Without scripts they are whole, and the filter is not shown.
pub fn write(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<h2 id=\"claims\">All claims</h2>\n<form class=\"filter\" hidden>\n\
         <input type=\"search\" placeholder=\"search the claims\" aria-label=\"search the claims\">\n\
         <select aria-label=\"verdict\"><option value=\"\">every verdict</option>",
    );
    for verdict in Verdict::ALL {
        write!(page, "<option value=\"{}\">{}</option>", class(verdict), verdict.words())?;
    }
    page.push_str("</select>\n<output></output>\n</form>\n");
    for (ours, title, whose) in
        [(false, "The paper's claims", "the paper's"), (true, "Our claims", "ours")]
    {
        let printed = if ours { "" } else { "<th>printed" };
        writeln!(
            page,
            "<h3>{title}</h3>\n<div class=\"scroll\"><table class=\"claims\" data-whose=\"{whose}\">\n\
             <thead><tr><th>claim<th>what is claimed{printed}<th>found<th>verdict</thead>\n<tbody>"
        )?;
        for claim in claims(records, ours) {
            let printed =
                if ours { String::new() } else { format!("<td>{}", escape(&claim.printed)) };
            writeln!(
                page,
                "<tr data-verdict=\"{}\"><td><a href=\"#{}\">{}</a><td>{}{printed}<td>{}<td>{}",
                class(claim.verdict),
                anchor(&claim.id),
                escape(&claim.id),
                escape(&claim.statement),
                escape(&in_brief(&claim.ours)),
                chip(claim.verdict)
            )?;
        }
        page.push_str("</tbody></table></div>\n");
    }
    Ok(())
}
