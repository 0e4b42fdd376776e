//! The README's table of results: one row per method, one column per problem.

use crate::quotes::{number, significant};
use anyhow::Context;
use records::{MethodId, Record};
use std::fmt::Write;

const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- /results -->";

/// A column: its title, the experiment, its name within `anchored-path`, and what the error is called.
struct Problem {
    title: &'static str,
    experiment: &'static str,
    anchored: &'static str,
    error: &'static str,
}

const PROBLEMS: [Problem; 3] = [
    Problem {
        title: "logistic, 10⁸ rows, 10 weights",
        experiment: "logistic-synthetic",
        anchored: "logistic",
        error: "rms error in posterior sds",
    },
    Problem {
        title: "log-Gaussian, 2²⁶ rows, σ",
        experiment: "log-gaussian",
        anchored: "log-gaussian",
        error: "error in posterior sds",
    },
    Problem {
        title: "a9a, 32 561 rows, 124 weights",
        experiment: "a9a",
        anchored: "a9a",
        error: "rms error in posterior sds",
    },
];

/// The rows, and their titles.
const METHODS: [(MethodId, &str); 4] = [
    (MethodId::CoupledSum, "the paper's coupled sum"),
    (MethodId::ConstantBatch, "averaged constant batches"),
    (MethodId::FullNuts, "full NUTS"),
    (MethodId::Anchored, "**anchored paths, ours**"),
];

/// The text with the table between its marks written anew; a text without marks as it is.
pub fn rewritten(text: &str, records: &[Record]) -> anyhow::Result<String> {
    let Some((before, rest)) = text.split_once(BEGIN) else { return Ok(text.to_owned()) };
    let (_, after) = rest.split_once(END).context("the table of results is not closed")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(records)?))
}

fn table(records: &[Record]) -> anyhow::Result<String> {
    let titles = PROBLEMS.map(|problem| problem.title).join(" | ");
    let mut text = format!("| | {titles} |\n|---|---|---|---|\n");
    for (method, title) in METHODS {
        write!(text, "| {title} |")?;
        for problem in &PROBLEMS {
            write!(text, " {} |", cell(records, problem, method)?)?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The error of a method on a problem and the passes over the data that it took; a dash where no record
/// holds one of them.
fn cell(records: &[Record], problem: &Problem, method: MethodId) -> anyhow::Result<String> {
    let value = |experiment: &str, name: &str| number(records, experiment, name);
    let Problem { experiment, anchored, error, .. } = *problem;
    let (error, passes) = match (method, experiment) {
        (MethodId::ConstantBatch, "log-gaussian") => return Ok("—".to_owned()),
        (MethodId::Anchored, _) => (
            value("anchored-path", &format!("{anchored}/rms error in posterior sds"))?,
            value("anchored-path", &format!("{anchored}/passes"))?,
        ),
        (MethodId::FullNuts, "logistic-synthetic") => (
            value("logistic-exhaustive", &method.quantity(error))?,
            value("logistic-exhaustive", &method.quantity("passes"))?,
        ),
        _ => {
            let piloted = method == MethodId::CoupledSum;
            let cost = if piloted { "total cost with set-up" } else { "total cost" };
            let evaluations = value(experiment, &method.quantity(cost))?;
            (value(experiment, &method.quantity(error))?, evaluations / value(experiment, "rows")?)
        }
    };
    Ok(format!("{} in {} passes", significant(error.abs(), 2), significant(passes, 2)))
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
