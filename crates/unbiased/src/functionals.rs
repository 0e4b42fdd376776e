//! `--functional`: what is asked of the posterior.

use crate::exit;
use crate::nearest::nearest;
use crate::points::Prediction;
use std::sync::Arc;
use unbiased_bayes::Functional;

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
                // Names of levels may hold these signs, numbers do not.
                let at = event.rfind(['<', '>']).ok_or_else(help)?;
                let (name, number) = (event[..at].trim(), event[at + 1..].trim());
                let number =
                    number.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(help)?;
                Ok(Asked::Probability(name.to_owned(), event[at..].starts_with('>'), number))
            }
            _ => Err(help()),
        }
    }
}

/// All functionals of a regression, with their names; `mean` turns a predictor into a prediction. The
/// logarithm of a dispersion is the last parameter, and what is asked is the dispersion itself.
pub fn of_regression(
    asked: &[Asked],
    covariates: &[String],
    dispersion: Option<&str>,
    predictions: &[Prediction],
    mean: fn(f64) -> f64,
) -> anyhow::Result<Vec<(String, Functional)>> {
    let mut names = covariates.to_vec();
    let bias = names.len();
    names.push("bias".to_owned());
    names.extend(dispersion.map(|name| match covariates.iter().any(|known| known == name) {
        true => format!("{name} of the noise"),
        false => name.to_owned(),
    }));
    let linear = bias + 1;
    let mut all = Vec::new();
    let mut predictions = predictions.iter();
    for one in asked {
        match one {
            Asked::Mean => {
                let of_dispersion = move |theta: &[f64]| theta[linear].exp();
                let means = Functional::means(linear).into_iter();
                let means = means.chain([Functional::prediction(of_dispersion)]);
                all.extend(names.iter().cloned().zip(means));
            }
            Asked::Variance => all.extend(
                names[..linear]
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
                let shown = number;
                let number = if j == linear { number.max(0.0).ln() } else { number };
                let event = move |theta: &[f64]| (theta[j] > number) == above && theta[j] != number;
                all.push((format!("P({name} {sign} {shown})"), Functional::probability(event)));
            }
            Asked::Predict(_) => {
                let prediction = predictions.next().expect("one was read for each");
                let rows = Arc::new(prediction.rows.clone());
                let offsets = &prediction.offsets;
                all.extend((0..rows.len()).map(|row| {
                    let (rows, offset) = (Arc::clone(&rows), offsets[row]);
                    let predict = move |theta: &[f64]| {
                        let eta = rows[row].iter().map(|&(j, x)| x * theta[j]).sum::<f64>();
                        mean(eta + offset + theta[bias])
                    };
                    (format!("row {}", row + 1), Functional::prediction(predict))
                }));
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functionals_are_read_or_helped() {
        assert_eq!(Asked::read("mean").unwrap(), Asked::Mean);
        let probability = Asked::Probability("age".to_owned(), true, 0.5);
        assert_eq!(Asked::read("probability:age > 0.5").unwrap(), probability);
        let level = Asked::Probability("age=<30".to_owned(), true, 0.0);
        assert_eq!(Asked::read("probability:age=<30>0").unwrap(), level);
        for wrong in ["median", "probability:age", "probability:age>x", "predict:", "mean:2"] {
            assert!(Asked::read(wrong).unwrap_err().to_string().contains("NAME>NUMBER"), "{wrong}");
        }
    }

    #[test]
    fn an_event_is_an_event() {
        let names = ["a".to_owned()];
        let asked = [Asked::read("probability:bias<1").unwrap()];
        let found = of_regression(&asked, &names, None, &[], |eta| eta).unwrap();
        assert_eq!(found[0].0, "P(bias < 1)");
        let values = [0.0, 1.0, 2.0].map(|bias| found[0].1.integrand(&[9.0, bias]));
        assert_eq!(values, [1.0, 0.0, 0.0]);
        let slip = [Asked::Probability("bia".to_owned(), true, 0.0)];
        assert!(
            of_regression(&slip, &names, None, &[], |eta| eta)
                .unwrap_err()
                .to_string()
                .contains("bias")
        );
    }
}
