//! Which methods err less than the anchored path: what the page of the line-up begins with.

use records::{MethodId, Record};
use serde::Deserialize;

const PROBLEMS: [(&str, &str); 3] =
    [("logistic", "the logistic regression"), ("log-gaussian", "the log-Gaussian"), ("a9a", "a9a")];

/// What is read of a row of the table `lineup`.
#[derive(Deserialize)]
struct Row {
    problem: String,
    method: String,
    passes: f64,
    rmse: f64,
}

/// One sentence on each problem: who errs less than the anchored path, at the largest budget at which both
/// answer, and what answers where the anchored path cannot start yet.
pub fn headline(record: &Record) -> anyhow::Result<String> {
    let rows = record.table("lineup")?.read_rows::<Row>()?;
    let mut sentences: Vec<String> =
        PROBLEMS.iter().filter_map(|(problem, name)| sentence(&rows, problem, name)).collect();
    let judged = record.table("coverage")?.read_rows::<Judged>()?;
    sentences
        .extend(JUDGED.iter().filter_map(|(problem, name)| on_few_rows(&judged, problem, name)));
    Ok(sentences.join(" "))
}

/// Where intervals are judged, on fewer rows.
const JUDGED: [(&str, &str); 2] = [
    ("coverage-logistic", "the smaller logistic regression"),
    ("coverage-log-gaussian", "the smaller log-Gaussian"),
];

/// What is read of a row of the table `coverage`.
#[derive(Deserialize)]
struct Judged {
    problem: String,
    method: String,
    rmse: f64,
}

/// Who errs less than the anchored path at the one budget there; nothing if nobody does.
fn on_few_rows(rows: &[Judged], problem: &str, name: &str) -> Option<String> {
    let own = || rows.iter().filter(|row| row.problem == problem);
    let anchored = own().find(|row| row.method == "anchored")?.rmse;
    let mut ahead: Vec<&Judged> = own().filter(|row| row.rmse < anchored).collect();
    ahead.sort_by(|a, b| a.rmse.total_cmp(&b.rmse));
    let told: Vec<String> =
        ahead.iter().map(|row| format!("{} ({:.1e})", label(&row.method), row.rmse)).collect();
    (!told.is_empty()).then(|| {
        format!(
            "On {name}, on which intervals are judged and set-ups are free, the anchored path errs by {anchored:.1e} \
             and is beaten by {}.",
            told.join(", ")
        )
    })
}

/// The name for readers.
fn label(method: &str) -> String {
    method.parse::<MethodId>().map_or(method.to_owned(), |method| method.label().to_owned())
}

fn sentence(rows: &[Row], problem: &str, name: &str) -> Option<String> {
    let own = || rows.iter().filter(|row| row.problem == problem);
    let ours = |passes: f64| own().find(|row| row.method == "anchored" && row.passes == passes);
    let first =
        own().filter(|row| row.method == "anchored").map(|row| row.passes).reduce(f64::min)?;
    // Each rival where both answer last.
    let mut last: Vec<(&Row, &Row)> = Vec::new();
    for row in own().filter(|row| !row.method.starts_with("anchored")) {
        if let Some(anchored) = ours(row.passes) {
            last.retain(|(other, _)| other.method != row.method);
            last.push((row, anchored));
        }
    }
    last.retain(|(row, anchored)| row.rmse < anchored.rmse);
    last.sort_by(|a, b| a.0.rmse.total_cmp(&b.0.rmse));
    let told = |(row, anchored): &(&Row, &Row)| {
        format!(
            "{} ({:.1e} against {:.1e} posterior sds at {:.0} passes)",
            label(&row.method),
            row.rmse,
            anchored.rmse,
            row.passes
        )
    };
    let told: Vec<String> = last.iter().map(told).collect();
    let mut sentence = match told.len() {
        0 => format!("On {name} no rival errs less than the anchored path."),
        1 => format!("On {name} one rival errs less than the anchored path: {}.", told[0]),
        count => {
            format!(
                "On {name} {count} rivals err less than the anchored path: {}.",
                told.join(", ")
            )
        }
    };
    let before = own().filter(|row| row.passes < first);
    if let Some(best) = before.min_by(|a, b| a.rmse.total_cmp(&b.rmse)) {
        sentence += &format!(
            " Below {first:.0} passes, where the anchored path cannot start, the least error is that of {}: {:.1e} \
             at {:.0}.",
            label(&best.method),
            best.rmse,
            best.passes
        );
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: &str, passes: f64, rmse: f64) -> Row {
        Row { problem: "a9a".to_owned(), method: method.to_owned(), passes, rmse }
    }

    #[test]
    fn who_wins_is_said() {
        let mut rows = vec![
            row("laplace", 8.0, 0.02),
            row("anchored", 16.0, 0.1),
            row("anchored", 32.0, 0.05),
            row("firefly", 16.0, 0.2),
            row("laplace", 32.0, 0.02),
        ];
        let said = sentence(&rows, "a9a", "a9a").unwrap();
        assert!(
            said.starts_with("On a9a one rival errs less than the anchored path: Laplace"),
            "{said}"
        );
        assert!(said.contains("2.0e-2 against 5.0e-2 posterior sds at 32 passes"), "{said}");
        assert!(said.contains("Below 16 passes"), "{said}");
        rows.retain(|row| row.method != "laplace");
        let said = sentence(&rows, "a9a", "a9a").unwrap();
        assert_eq!(said, "On a9a no rival errs less than the anchored path.");
        assert!(sentence(&rows, "logistic", "it").is_none());
    }

    #[test]
    fn who_wins_on_few_rows_is_said() {
        let row = |method: &str, rmse| Judged {
            problem: "few".to_owned(),
            method: method.to_owned(),
            rmse,
        };
        let said = on_few_rows(&[row("anchored", 0.01), row("smh-2", 0.004)], "few", "it").unwrap();
        assert!(said.ends_with("errs by 1.0e-2 and is beaten by SMH-2 (4.0e-3)."), "{said}");
        assert!(on_few_rows(&[row("anchored", 0.01), row("smh-2", 0.04)], "few", "it").is_none());
    }
}
