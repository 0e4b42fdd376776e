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
    let sentences: Vec<String> =
        PROBLEMS.iter().filter_map(|(problem, name)| sentence(&rows, problem, name)).collect();
    Ok(sentences.join(" "))
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
    let label = |row: &Row| {
        let known = row.method.parse::<MethodId>();
        known.map_or(row.method.clone(), |method| method.label().to_owned())
    };
    let told = |(row, anchored): &(&Row, &Row)| {
        format!(
            "{} ({:.1e} against {:.1e} posterior sds at {:.0} passes)",
            label(row),
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
            label(best),
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
}
