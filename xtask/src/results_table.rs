//! The README's table of results: one row a method, one column a problem.

use crate::quotes::{number, significant};
use anyhow::Context;
use records::Record;
use std::fmt::Write;

const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- /results -->";

/// Where the numbers of one cell are.
struct Cell {
    experiment: &'static str,
    error: &'static str,
    /// Evaluations, and the setting that holds the rows of a pass; or passes, and none.
    cost: &'static str,
    rows: Option<&'static str>,
}

const fn cell(experiment: &'static str, error: &'static str, cost: &'static str) -> Cell {
    Cell { experiment, error, cost, rows: Some("rows") }
}

const fn anchored(error: &'static str, passes: &'static str) -> Cell {
    Cell { experiment: "anchored-path", error, cost: passes, rows: None }
}

const PROBLEMS: [&str; 3] = [
    "logistic, 10⁸ rows, 10 weights",
    "log-Gaussian, 2²⁶ rows, σ",
    "a9a, 32 561 rows, 124 weights",
];

/// One row a method; a dash where no record holds one of the numbers.
const METHODS: &[(&str, [Option<Cell>; 3])] = &[
    (
        "the paper's coupled sum",
        [
            Some(cell(
                "logistic-synthetic",
                "coupled-sum/rms error in posterior sds",
                "coupled-sum/total cost with set-up",
            )),
            Some(cell(
                "log-gaussian",
                "coupled-sum/error in posterior sds",
                "coupled-sum/total cost with set-up",
            )),
            Some(cell(
                "a9a",
                "coupled-sum/rms error in posterior sds",
                "coupled-sum/total cost with set-up",
            )),
        ],
    ),
    (
        "averaged constant batches",
        [
            Some(cell(
                "logistic-synthetic",
                "constant-batch/rms error in posterior sds",
                "constant-batch/total cost",
            )),
            None,
            Some(cell(
                "a9a",
                "constant-batch/rms error in posterior sds",
                "constant-batch/total cost",
            )),
        ],
    ),
    (
        "full NUTS",
        [
            Some(Cell {
                experiment: "logistic-exhaustive",
                error: "full-nuts/rms error in posterior sds",
                cost: "full-nuts/passes",
                rows: None,
            }),
            Some(cell("log-gaussian", "full-nuts/error in posterior sds", "full-nuts/total cost")),
            Some(cell("a9a", "full-nuts/rms error in posterior sds", "full-nuts/total cost")),
        ],
    ),
    (
        "**anchored paths, ours**",
        [
            Some(anchored("logistic/rms error in posterior sds", "logistic/passes")),
            Some(anchored("log-gaussian/rms error in posterior sds", "log-gaussian/passes")),
            Some(anchored("a9a/rms error in posterior sds", "a9a/passes")),
        ],
    ),
];

/// The text with the table between its marks written anew; a text without marks as it is.
pub fn rewritten(text: &str, records: &[Record]) -> anyhow::Result<String> {
    let Some((before, rest)) = text.split_once(BEGIN) else { return Ok(text.to_owned()) };
    let (_, after) = rest.split_once(END).context("the table of results is not closed")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(records)?))
}

fn table(records: &[Record]) -> anyhow::Result<String> {
    let mut text = format!("| | {} |\n|---|---|---|---|\n", PROBLEMS.join(" | "));
    for (method, cells) in METHODS {
        write!(text, "| {method} |")?;
        for cell in cells {
            match cell {
                None => write!(text, " — |")?,
                Some(cell) => write!(text, " {} |", shown(cell, records)?)?,
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn shown(cell: &Cell, records: &[Record]) -> anyhow::Result<String> {
    let value = |name| number(records, cell.experiment, name);
    let passes = value(cell.cost)? / cell.rows.map_or(Ok(1.0), value)?;
    let error = significant(value(cell.error)?.abs(), 2);
    Ok(format!("{error} in {} passes", significant(passes, 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_marks_is_left_alone_and_an_open_one_refused() {
        assert_eq!(rewritten("nothing here", &[]).unwrap(), "nothing here");
        assert!(rewritten("<!-- results -->\nopen", &[]).is_err());
    }
}
