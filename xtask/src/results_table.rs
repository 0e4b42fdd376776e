//! The README's table of results: one row per method, one column per problem.

use crate::quotes::{find, number, significant};
use anyhow::Context;
use records::{MethodId, Record};
use std::fmt::Write;

const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- /results -->";

/// A column: its title, and where its numbers come from.
struct Problem {
    title: &'static str,
    source: Source,
}

/// Where the error and the work of a method are stored.
enum Source {
    /// The paper's 10⁸ rows, on which every method has an experiment of its own.
    Logistic,
    /// A problem of the line-up; of each method the largest budget.
    Lineup(&'static str),
    /// A problem of the front door's own test.
    Ordinary(&'static str),
}

const PROBLEMS: [Problem; 4] = [
    Problem { title: "logistic, 10⁸ rows, 10 weights", source: Source::Logistic },
    Problem { title: "a9a, 32 561 rows, 124 weights", source: Source::Lineup("a9a") },
    Problem { title: "heavy tails, 10⁶ rows, 11 weights", source: Source::Ordinary("heavy") },
    Problem { title: "categories, 10⁶ rows, 406 weights", source: Source::Ordinary("tab") },
];

/// The rows, and their titles.
const METHODS: [(MethodId, &str); 9] = [
    (MethodId::Mode, "mode (Laplace)"),
    (MethodId::NextOrderLaplace, "next-order Laplace"),
    (MethodId::GaussianVi, "Gaussian VI"),
    (MethodId::Firefly, "Firefly"),
    (MethodId::FullNuts, "NUTS on all rows"),
    (MethodId::NutsControlVariates, "NUTS with control variates"),
    (MethodId::CoupledSum, "the paper's coupled sum"),
    (MethodId::ConstantBatch, "averaged constant batches"),
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
    let mut text = format!("| | {titles} |\n|---|---|---|---|---|\n");
    for (method, title) in METHODS {
        write!(text, "| {title} |")?;
        for problem in &PROBLEMS {
            let found = answer(records, &problem.source, method)?;
            anyhow::ensure!(
                found.is_some() || method != MethodId::Anchored,
                "no anchored path on {}",
                problem.title
            );
            write!(text, " {} |", found.map_or("–".to_owned(), shown))?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The root mean square error of a method in posterior sds, and the passes over the data that it took.
struct Answer {
    error: f64,
    passes: f64,
}

fn shown(Answer { error, passes }: Answer) -> String {
    format!("{} in {}", significant(error.abs(), 2), significant(passes, 2))
}

/// What a record holds of a method, or nothing where it was not run.
fn answer(records: &[Record], source: &Source, method: MethodId) -> anyhow::Result<Option<Answer>> {
    match source {
        Source::Logistic => logistic(records, method),
        Source::Lineup(problem) => {
            // The line-up knows no other mean of the Laplace approximation.
            let names = match method {
                MethodId::NextOrderLaplace => [method, MethodId::Laplace],
                _ => [method, method],
            };
            let record = find(records, "baseline-lineup")?;
            let rows = record.settings[*problem]["rows"].as_f64().context("rows of the line-up")?;
            let found = names.into_iter().find_map(|name| {
                row(record, "lineup", [problem, name.name()], ["rmse", "evaluations"])
            });
            Ok(found.map(|[error, evaluations]| Answer { error, passes: evaluations / rows }))
        }
        Source::Ordinary(problem) => {
            let record = find(records, "ordinary-data")?;
            let found = row(record, "answers", [problem, method.name()], ["rms error", "passes"]);
            Ok(found.map(|[error, passes]| Answer { error, passes }))
        }
    }
}

/// Two numbers of the last row of a table about a problem and a method.
fn row(
    record: &Record,
    table: &str,
    [problem, method]: [&str; 2],
    columns: [&str; 2],
) -> Option<[f64; 2]> {
    let table = record.table(table).ok()?;
    let (problems, methods) = (table.words("problem").ok()?, table.words("method").ok()?);
    let here = |&row: &usize| problems[row] == problem && methods[row] == method;
    let last = (0..table.rows()).rev().find(here)?;
    let [first, second] = columns.map(|column| table.numbers(column).ok().map(|cells| cells[last]));
    Some([first?, second?])
}

fn logistic(records: &[Record], method: MethodId) -> anyhow::Result<Option<Answer>> {
    let value = |experiment: &str, name: &str| number(records, experiment, name);
    let error = "rms error in posterior sds";
    let (error, passes) = match method {
        MethodId::Anchored => (
            value("anchored-path", &format!("logistic/{error}"))?,
            value("anchored-path", "logistic/passes")?,
        ),
        MethodId::FullNuts | MethodId::Firefly => (
            value("logistic-exhaustive", &method.quantity(error))?,
            value("logistic-exhaustive", &method.quantity("passes"))?,
        ),
        MethodId::CoupledSum | MethodId::ConstantBatch => {
            let piloted = method == MethodId::CoupledSum;
            let cost = if piloted { "total cost with set-up" } else { "total cost" };
            let experiment = "logistic-synthetic";
            let evaluations = value(experiment, &method.quantity(cost))?;
            (value(experiment, &method.quantity(error))?, evaluations / value(experiment, "rows")?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Answer { error, passes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_marks_is_left_alone_and_an_open_one_refused() {
        assert_eq!(rewritten("nothing here", &[]).unwrap(), "nothing here");
        assert!(rewritten("<!-- results -->\nopen", &[]).is_err());
    }

    #[test]
    fn an_answer_reads_as_error_in_passes() {
        assert_eq!(shown(Answer { error: -2.04e-6, passes: 2.12 }), "2.0·10⁻⁶ in 2.1");
    }
}
