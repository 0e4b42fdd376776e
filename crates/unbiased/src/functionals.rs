//! `--functional`: what is asked of the posterior.

use crate::exit;
use crate::nearest::nearest;
use data::{Labels, open, read_header, read_libsvm, read_table, survey_libsvm};
use posterior::{Block, DenseBlock, Rows};
use std::path::Path;
use std::sync::Arc;
use unbiased_bayes::Functional;

/// Predictions that one answer holds: each is a column of every replicate.
const MOST_PREDICTIONS: usize = 2000;

/// A functional as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    Mean,
    Variance,
    /// NAME, whether above, NUMBER.
    Probability(String, bool, f64),
    Predict(String),
}

impl Asked {
    /// Reads one, or says what can be written.
    pub fn read(text: &str) -> anyhow::Result<Asked> {
        let help = || {
            exit::usage(format!(
                "--functional \"{text}\" is none: write mean, variance, probability:NAME>NUMBER, \
                 probability:NAME<NUMBER or predict:FILE"
            ))
        };
        match text.split_once(':').unwrap_or((text, "")) {
            ("mean", "") => Ok(Asked::Mean),
            ("variance", "") => Ok(Asked::Variance),
            ("predict", file) if !file.is_empty() => Ok(Asked::Predict(file.to_owned())),
            ("probability", event) => {
                let at = event.find(['<', '>']).ok_or_else(help)?;
                let (name, number) = (event[..at].trim(), event[at + 1..].trim());
                let number =
                    number.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(help)?;
                Ok(Asked::Probability(name.to_owned(), event[at..].starts_with('>'), number))
            }
            _ => Err(help()),
        }
    }
}

/// All functionals of a regression, with their names; `mean` turns a predictor into a prediction.
pub fn of_regression(
    asked: &[Asked],
    covariates: &[String],
    label: Option<&str>,
    mean: fn(f64) -> f64,
) -> anyhow::Result<Vec<(String, Functional)>> {
    let mut names = covariates.to_vec();
    names.push("bias".to_owned());
    let mut all = Vec::new();
    for one in asked {
        match one {
            Asked::Mean => {
                all.extend(names.iter().cloned().zip(Functional::means(names.len())));
            }
            Asked::Variance => all.extend(
                names
                    .iter()
                    .enumerate()
                    .map(|(j, name)| (format!("var {name}"), Functional::Variance(j))),
            ),
            Asked::Probability(name, above, number) => {
                let Some(j) = names.iter().position(|known| known == name) else {
                    let meant = nearest(name, &names).unwrap_or("bias");
                    return Err(exit::usage(format!(
                        "no weight is called \"{name}\", perhaps \"{meant}\""
                    )));
                };
                let (above, number) = (*above, *number);
                let sign = if above { '>' } else { '<' };
                let event = move |theta: &[f64]| (theta[j] > number) == above && theta[j] != number;
                all.push((format!("P({name} {sign} {number})"), Functional::probability(event)));
            }
            Asked::Predict(file) => {
                let rows = Arc::new(points(Path::new(file), covariates, label)?);
                all.extend((0..rows.len()).map(|row| {
                    let rows = Arc::clone(&rows);
                    let predict = move |theta: &[f64]| {
                        let eta = rows[row].iter().map(|&(j, x)| x * theta[j]).sum::<f64>();
                        mean(eta + theta[theta.len() - 1])
                    };
                    (format!("row {}", row + 1), Functional::prediction(predict))
                }));
            }
        }
    }
    Ok(all)
}

/// The test points of a file, as columns and values.
fn points(
    file: &Path,
    covariates: &[String],
    label: Option<&str>,
) -> anyhow::Result<Vec<Vec<(usize, f64)>>> {
    let shown = file.display().to_string();
    let text = || open(file).map_err(|error| exit::data(format!("cannot read {shown}: {error}")));
    let wrong = |error: &dyn std::fmt::Display| exit::data(error.to_string());
    let rows: Vec<Vec<(usize, f64)>> = if label.is_some() {
        let block = dense_points(file, covariates)?;
        (0..block.rows())
            .map(|row| (0..covariates.len()).map(|j| (j, block.column(j)[row])).collect())
            .collect()
    } else {
        let shape = survey_libsvm(text()?, &shown).map_err(|error| wrong(&error))?;
        if shape.width > covariates.len() {
            return Err(exit::data(format!(
                "{shown} uses column {}, and the data has {}",
                shape.width,
                covariates.len()
            )));
        }
        // Labels of test rows do not matter, as long as they are labels.
        let labels = shape.written().unwrap_or(Labels::PlusMinus);
        let rows = read_libsvm(text()?, &shown, covariates.len(), labels)
            .map_err(|error| wrong(&error))?;
        let block = rows.block();
        (0..rows.count())
            .map(|row| {
                let entries = block.offsets()[row] as usize..block.offsets()[row + 1] as usize;
                let value =
                    |entry: usize| if block.is_binary() { 1.0 } else { block.values()[entry] };
                entries.map(|entry| (usize::from(block.indices()[entry]), value(entry))).collect()
            })
            .collect()
    };
    few_enough(&shown, rows.len())?;
    Ok(rows)
}

/// The test points of a CSV with the columns of the data.
pub fn dense_points(file: &Path, covariates: &[String]) -> anyhow::Result<DenseBlock> {
    let shown = file.display().to_string();
    let text = || open(file).map_err(|error| exit::data(format!("cannot read {shown}: {error}")));
    let header = read_header(text()?, &shown).map_err(|error| exit::data(error.to_string()))?;
    if let Some(missing) = covariates.iter().find(|name| !header.contains(name)) {
        return Err(exit::data(format!("{shown} has no column \"{missing}\", and the data has")));
    }
    let names: Vec<&str> = covariates.iter().map(String::as_str).collect();
    let rows = read_table(text()?, &shown, &names, names[0])
        .map_err(|error| exit::data(error.to_string()))?;
    few_enough(&shown, rows.count())?;
    Ok(rows.block().clone())
}

fn few_enough(file: &str, rows: usize) -> anyhow::Result<()> {
    if rows <= MOST_PREDICTIONS {
        return Ok(());
    }
    Err(exit::usage(format!(
        "{file} has {rows} rows; predict {MOST_PREDICTIONS} of them at a time"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functionals_are_read_or_helped() {
        assert_eq!(Asked::read("mean").unwrap(), Asked::Mean);
        let probability = Asked::Probability("age".to_owned(), true, 0.5);
        assert_eq!(Asked::read("probability:age > 0.5").unwrap(), probability);
        for wrong in ["median", "probability:age", "probability:age>x", "predict:", "mean:2"] {
            assert!(Asked::read(wrong).unwrap_err().to_string().contains("NAME>NUMBER"), "{wrong}");
        }
    }

    #[test]
    fn an_event_is_an_event() {
        let names = ["a".to_owned()];
        let asked = [Asked::read("probability:bias<1").unwrap()];
        let found = of_regression(&asked, &names, None, |eta| eta).unwrap();
        assert_eq!(found[0].0, "P(bias < 1)");
        let values = [0.0, 1.0, 2.0].map(|bias| found[0].1.integrand(&[9.0, bias]));
        assert_eq!(values, [1.0, 0.0, 0.0]);
        let slip = [Asked::Probability("bia".to_owned(), true, 0.0)];
        assert!(
            of_regression(&slip, &names, None, |eta| eta).unwrap_err().to_string().contains("bias")
        );
    }
}
