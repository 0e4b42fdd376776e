//! `--approximation FILE`: a Gaussian approximation that a user brings.
//!
//! ```text
//! CSV    parameter,mean,sd          or    age,income,bias        names, then means, then one line of
//!        age,0.31,0.02                    0.31,1.2e-5,-2.1       sds or as many lines of a covariance
//! JSON   {"names": ["age", …], "mean": [0.31, …], "sd": [0.02, …]}   or "covariance": [[…], …]
//! ```

use crate::exit;
use crate::nearest::near_ones;
use std::path::{Path, PathBuf};
use unbiased_bayes::Approximation;

/// What a file says.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    names: Vec<String>,
    mean: Vec<f64>,
    sd: Option<Vec<f64>>,
    covariance: Option<Vec<Vec<f64>>>,
}

/// Reads every file; `parameters` are the names of the means that are estimated.
pub fn read_all(files: &[PathBuf], parameters: &[String]) -> anyhow::Result<Vec<Approximation>> {
    files.iter().map(|file| read(file, parameters)).collect()
}

fn read(file: &Path, parameters: &[String]) -> anyhow::Result<Approximation> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| exit::data(format!("cannot read {shown}: {error}")))?;
    let name = file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    of_text(&text, name, parameters).map_err(|error| exit::data(format!("{shown}: {error}")))
}

fn of_text(text: &str, name: String, parameters: &[String]) -> anyhow::Result<Approximation> {
    let text = text.trim_start_matches('\u{feff}');
    let written = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| exit::data(error.to_string()))?
    } else {
        of_csv(text)?
    };
    let count = written.names.len();
    let fits = |what: &str, length: usize| match length == count {
        true => Ok(()),
        false => Err(exit::data(format!("{count} names and {length} {what}"))),
    };
    fits("means", written.mean.len())?;
    let sds: Vec<Option<f64>> = match (&written.sd, &written.covariance) {
        (Some(_), Some(_)) => return Err(exit::data("both sd and covariance: give one of them")),
        (Some(sds), None) => sds.iter().copied().map(Some).collect(),
        (None, Some(covariance)) => {
            for line in covariance {
                fits("numbers in a line of the covariance", line.len())?;
            }
            fits("lines of the covariance", covariance.len())?;
            covariance.iter().enumerate().map(|(j, line)| Some(line[j].sqrt())).collect()
        }
        (None, None) => vec![None; count],
    };
    fits("sds", sds.len())?;
    if let Some(at) = sds.iter().position(|sd| sd.is_some_and(|sd| !(sd > 0.0 && sd.is_finite()))) {
        return Err(exit::data(format!("the sd of \"{}\" is not positive", written.names[at])));
    }
    if let Some(at) = written.mean.iter().position(|mean| !mean.is_finite()) {
        return Err(exit::data(format!("the mean of \"{}\" is not finite", written.names[at])));
    }
    let place = |name: &String| parameters.iter().position(|known| known == name);
    let unknown: Vec<String> = written
        .names
        .iter()
        .filter(|name| place(name).is_none())
        .map(|name| format!("\"{name}\" (near it: {})", near_ones(name, parameters)))
        .collect();
    if !unknown.is_empty() {
        return Err(exit::data(format!("no parameters of the model: {}", unknown.join("; "))));
    }
    let mut approximation = Approximation {
        name,
        means: vec![None; parameters.len()],
        sds: vec![None; parameters.len()],
    };
    for (at, name) in written.names.iter().enumerate() {
        let j = place(name).expect("unknown names were refused");
        if approximation.means[j].replace(written.mean[at]).is_some() {
            return Err(exit::data(format!("\"{name}\" occurs twice")));
        }
        approximation.sds[j] = sds[at];
    }
    Ok(approximation)
}

/// Either of the two layouts.
fn of_csv(text: &str) -> anyhow::Result<Written> {
    let wrong = |error: csv::Error| exit::data(error.to_string());
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let lines: Vec<csv::StringRecord> =
        reader.records().collect::<Result<_, _>>().map_err(wrong)?;
    let number = |line: usize, cell: Option<&str>| -> anyhow::Result<f64> {
        let cell = cell.unwrap_or("");
        let parsed = cell.parse().ok().filter(|number: &f64| number.is_finite());
        parsed.ok_or_else(|| exit::data(format!("line {}: \"{cell}\" is no number", line + 2)))
    };
    let lowered: Vec<String> = header.iter().map(|name| name.to_lowercase()).collect();
    let column = |name: &str| lowered.iter().position(|known| known == name);
    if let Some(mean) = column("mean") {
        let names = ["parameter", "name", "variable", "term", ""].into_iter().find_map(column);
        let names = names.ok_or_else(|| {
            exit::data("a column of means needs a column \"parameter\" with their names beside it")
        })?;
        let numbers = |at: usize| {
            let cells = lines.iter().enumerate().map(|(line, cells)| number(line, cells.get(at)));
            cells.collect::<anyhow::Result<Vec<f64>>>()
        };
        return Ok(Written {
            names: lines.iter().map(|cells| cells.get(names).unwrap_or("").to_owned()).collect(),
            mean: numbers(mean)?,
            sd: ["sd", "std"].into_iter().find_map(column).map(numbers).transpose()?,
            covariance: None,
        });
    }
    let mut rows = Vec::new();
    for (line, cells) in lines.iter().enumerate() {
        let row = cells.iter().map(|cell| number(line, Some(cell)));
        rows.push(row.collect::<anyhow::Result<Vec<f64>>>()?);
    }
    if rows.is_empty() {
        return Err(exit::data("no line of means below the names"));
    }
    let mean = rows.remove(0);
    let (sd, covariance) = match rows.len() {
        0 => (None, None),
        1 => (rows.pop(), None),
        _ => (None, Some(rows)),
    };
    Ok(Written { names: header, mean, sd, covariance })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> anyhow::Result<Approximation> {
        let names = ["age", "city=New York", "bias"].map(str::to_owned);
        of_text(text, "mine".to_owned(), &names)
    }

    #[test]
    fn every_layout_says_the_same() {
        let layouts = [
            "parameter,mean,sd\nbias,-2,0.5\nage,0.3,0.1\n",
            "bias,age\n-2,0.3\n0.5,0.1\n",
            "bias,age\n-2,0.3\n0.25,0\n0,0.010000000000000002\n",
            r#"{"names": ["age", "bias"], "mean": [0.3, -2], "sd": [0.1, 0.5]}"#,
        ];
        for layout in layouts {
            let found = of(layout).unwrap();
            assert_eq!(found.means, [Some(0.3), None, Some(-2.0)], "{layout}");
            assert_eq!(found.sds, [Some(0.1), None, Some(0.5)], "{layout}");
        }
        assert_eq!(of("age\n0.3\n").unwrap().sds, [None; 3]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for (text, said) in [
            ("parameter,mean,sd\nagee,1,1\n", "\"agee\" (near it: \"age\""),
            ("age\n", "no line of means"),
            ("age,bias\n1\n", "2 names and 1 means"),
            ("parameter,mean\nage,x\n", "line 2: \"x\" is no number"),
            ("parameter,mean,sd\nage,1,0\n", "is not positive"),
            ("parameter,mean\nage,1\nage,2\n", "twice"),
            ("mean,sd\n1,2\n", "a column \"parameter\""),
            ("{\"names\": [\"age\"]}", "missing field"),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
