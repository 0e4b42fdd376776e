//! `--functional`: what is asked of the posterior.

use crate::combination::{Sum, parameter};
use crate::exit;
use crate::parameters::Parameters;
use crate::points::Prediction;
use crate::ranks::ranks;
use std::sync::Arc;
use unbiased_bayes::{Combination, Functional};

/// A functional as it is written; names are looked up once they are known.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    Mean(Option<String>),
    Variance(Option<String>),
    Deviation(Option<String>),
    Covariance(String),
    Correlation(String),
    Contrast(String),
    Exp(String),
    Probability(String),
    /// Of what, and the probability.
    Quantile(String, f64),
    /// Of a group or of one of its effects.
    Rank(String),
    /// Whether it is among so many largest.
    Top(usize, String),
    Predict(String),
}

impl Asked {
    /// Reads one, or says what can be written.
    pub fn read(text: &str) -> anyhow::Result<Asked> {
        let help = || {
            exit::usage(format!(
                "--functional \"{text}\" is none: write mean, sd, variance, covariance:A,B, \
                 correlation:A,B, contrast:A-B, exp:A, probability:A>0, probability:A>B, quantile:A,0.9, \
                 rank:GROUP, top:10:GROUP or predict:FILE"
            ))
        };
        let (kind, of) = text.split_once(':').unwrap_or((text, ""));
        let of = of.trim();
        let own = || (!of.is_empty()).then(|| of.to_owned());
        let some = || own().ok_or_else(help);
        match kind.trim() {
            "mean" => Ok(Asked::Mean(own())),
            "variance" => Ok(Asked::Variance(own())),
            "sd" => Ok(Asked::Deviation(own())),
            "covariance" => some().map(Asked::Covariance),
            "correlation" => some().map(Asked::Correlation),
            "contrast" => some().map(Asked::Contrast),
            "exp" => some().map(Asked::Exp),
            "predict" => some().map(Asked::Predict),
            "rank" => some().map(Asked::Rank),
            "top" => {
                let (count, of) = of.split_once(':').ok_or_else(help)?;
                Ok(Asked::Top(count.trim().parse().map_err(|_| help())?, of.trim().to_owned()))
            }
            "probability" if of.contains(['<', '>']) => some().map(Asked::Probability),
            "quantile" => {
                let (of, probability) = of.rsplit_once(',').ok_or_else(help)?;
                let probability = probability.trim().parse().ok();
                let probability = probability.filter(|p: &f64| *p > 0.0 && *p < 1.0);
                Ok(Asked::Quantile(of.trim().to_owned(), probability.ok_or_else(help)?))
            }
            _ => Err(help()),
        }
    }
}

/// All functionals of a regression, with their names; `mean` turns a predictor into a prediction. A positive
/// number such as sigma is a parameter by its logarithm, ln sigma: its mean is that of sigma itself, and
/// all else is asked of it by the name of the logarithm.
pub fn of_regression(
    asked: &[Asked],
    parameters: &Parameters,
    predictions: &[Prediction],
    mean: fn(f64) -> f64,
) -> anyhow::Result<Vec<(String, Functional)>> {
    let Parameters { names, bias, positive, shown, .. } = parameters;
    let exponential = |j: usize| Functional::Exponential(Combination::coordinate(j), 0.0);
    let mut all = Vec::new();
    let mut predictions = predictions.iter();
    for one in asked {
        // Those of every parameter, or of the one that is named.
        let mut each = |name: &Option<String>, prefix: &str, new: fn(usize) -> Functional| {
            let which = match name {
                Some(name) => vec![parameter(name, names)?],
                None => shown.clone(),
            };
            all.extend(which.into_iter().map(|j| (format!("{prefix}{}", names[j]), new(j))));
            anyhow::Ok(())
        };
        match one {
            Asked::Mean(None) => {
                all.extend(shown.iter().map(|&j| match positive.iter().find(|(at, _)| *at == j) {
                    Some((_, name)) => (name.clone(), exponential(j)),
                    None => (names[j].clone(), Functional::Mean(j)),
                }));
            }
            Asked::Mean(Some(name)) => match positive.iter().find(|(_, known)| known == name) {
                Some((j, _)) => all.push((name.clone(), exponential(*j))),
                None => each(&Some(name.clone()), "", Functional::Mean)?,
            },
            Asked::Variance(name) => each(name, "var ", Functional::Variance)?,
            Asked::Deviation(name) => each(name, "sd ", Functional::Deviation)?,
            Asked::Covariance(text) => {
                let (i, j) = pair(text, names)?;
                let name = format!("cov({}, {})", names[i], names[j]);
                all.push((name, Functional::Covariance(i, j)));
            }
            Asked::Correlation(text) => {
                let (i, j) = pair(text, names)?;
                let name = format!("cor({}, {})", names[i], names[j]);
                all.push((name, Functional::Correlation(i, j)));
            }
            Asked::Contrast(text) => {
                all.push((text.clone(), Functional::Linear(Sum::of_parameters(text, names)?)));
            }
            Asked::Exp(text) => {
                let Sum { combination, constant } = Sum::read(text, names)?;
                all.push((format!("exp({text})"), Functional::Exponential(combination, constant)));
            }
            Asked::Probability(text) => all.push(event(text, names)?),
            Asked::Quantile(text, probability) => {
                let combination = Sum::of_parameters(text, names)?;
                let name = format!("{} % of {text}", 100.0 * probability);
                all.push((name, Functional::Quantile(combination, *probability)));
            }
            Asked::Rank(of) => all.extend(ranks(of, None, parameters)?),
            Asked::Top(count, of) => all.extend(ranks(of, Some(*count), parameters)?),
            Asked::Predict(_) => {
                let prediction = predictions.next().expect("one was read for each");
                let rows = Arc::new(prediction.rows.clone());
                let (bias, first_log_sd) = (*bias, parameters.first_log_sd);
                all.extend((0..rows.len()).map(|row| {
                    let (rows, offset) = (Arc::clone(&rows), prediction.offsets[row]);
                    let new = prediction.new[row].clone();
                    let predict = move |theta: &[f64]| {
                        let eta = rows[row].iter().map(|&(j, x)| x * theta[j]).sum::<f64>();
                        let eta = eta + offset + theta[bias];
                        // New levels have effects of their group's standard deviation.
                        let square =
                            |&(k, x): &(usize, f64)| (x * theta[first_log_sd + k].exp()).powi(2);
                        match new.is_empty() {
                            true => mean(eta),
                            false => {
                                over_normal(eta, new.iter().map(square).sum::<f64>().sqrt(), mean)
                            }
                        }
                    };
                    (format!("row {}", row + 1), Functional::prediction(predict))
                }));
            }
        }
    }
    Ok(all)
}

/// E f(centre + deviation z), z standard normal, by the rule of the midpoints of twenty-five equal steps
/// between −5 and 5.
fn over_normal(centre: f64, deviation: f64, f: fn(f64) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for step in -12..=12 {
        let z = 0.4 * f64::from(step);
        let weight = (-0.5 * z * z).exp();
        sum += weight * f(centre + deviation * z);
        total += weight;
    }
    sum / total
}

/// Two parameters with a comma between them; names may hold commas too.
fn pair(text: &str, names: &[String]) -> anyhow::Result<(usize, usize)> {
    let mut found = Err(exit::usage(format!("\"{text}\" names one parameter: write A,B")));
    for (at, _) in text.match_indices(',') {
        let both = parameter(&text[..at], names)
            .and_then(|i| parameter(&text[at + 1..], names).map(|j| (i, j)));
        if both.is_ok() {
            return both;
        }
        found = both;
    }
    found
}

/// `a > 0`, `a < b`, `2*a - b > c`; names may hold these signs too, so every one of them is tried.
fn event(text: &str, names: &[String]) -> anyhow::Result<(String, Functional)> {
    let mut found = Err(exit::usage(format!("\"{text}\" is no event: write A>0 or A>B")));
    let places: Vec<usize> = text.match_indices(['<', '>']).map(|(at, _)| at).collect();
    for &at in places.iter().rev() {
        let after = text[at + 1..].trim_start();
        let after = after.strip_prefix('=').unwrap_or(after);
        let sides = Sum::read(&text[..at], names)
            .and_then(|left| Sum::read(after, names).map(|right| (left, right)));
        match sides {
            Ok((left, right)) => {
                // left < right is left − right < 0, and left > right is right − left < 0.
                let less = text[at..].starts_with('<');
                let Sum { combination, constant } =
                    if less { left.minus(&right) } else { right.minus(&left) };
                if combination.0.is_empty() {
                    continue;
                }
                let (sign, name) = (if less { '<' } else { '>' }, text[..at].trim());
                let name = format!("P({name} {sign} {})", after.trim());
                return Ok((name, Functional::Below(combination, -constant)));
            }
            Err(error) => found = Err(error),
        }
    }
    found
}

/// The parameters that an answer without functionals of its own is about.
pub fn only_means(asked: &[Asked]) -> bool {
    asked.iter().all(|one| *one == Asked::Mean(None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unbiased_bayes::Combination;

    #[test]
    fn functionals_are_read_or_helped() {
        assert_eq!(Asked::read("mean").unwrap(), Asked::Mean(None));
        assert_eq!(Asked::read("sd:age").unwrap(), Asked::Deviation(Some("age".to_owned())));
        let quantile = Asked::Quantile("age, young".to_owned(), 0.9);
        assert_eq!(Asked::read("quantile:age, young, 0.9").unwrap(), quantile);
        for wrong in
            ["median", "probability:age", "predict:", "contrast:", "quantile:a,1.5", "top:city"]
        {
            assert!(
                Asked::read(wrong).unwrap_err().to_string().contains("predict:FILE"),
                "{wrong}"
            );
        }
    }

    fn found(text: &str) -> (String, Functional) {
        let names = ["a", "age=<30", "x,y"].map(str::to_owned);
        let asked = [Asked::read(text).unwrap()];
        of_regression(&asked, &Parameters::new(&names, &[], &[]), &[], |eta| eta).unwrap().remove(0)
    }

    #[test]
    fn an_event_is_an_event() {
        let (name, event) = found("probability:bias<1");
        assert_eq!(name, "P(bias < 1)");
        let values = [0.0, 0.9, 2.0].map(|bias| event.integrand(&[9.0, 0.0, 0.0, bias]));
        assert_eq!(values, [1.0, 1.0, 0.0]);
        let (_, event) = found("probability:age=<30>0");
        assert_eq!(event.integrand(&[0.0, 1.0, 0.0, 0.0]), 1.0);
        assert_eq!(event.integrand(&[0.0, -1.0, 0.0, 0.0]), 0.0);
        let (_, event) = found("probability:a > bias + 1");
        assert_eq!(event.integrand(&[2.5, 0.0, 0.0, 1.0]), 1.0);
        assert_eq!(event.integrand(&[1.5, 0.0, 0.0, 1.0]), 0.0);
    }

    #[test]
    fn names_are_found_or_near_ones_listed() {
        let (name, covariance) = found("covariance:x,y,bias");
        assert_eq!(name, "cov(x,y, bias)");
        assert!(matches!(covariance, Functional::Covariance(2, 3)));
        let (_, quantile) = found("quantile:a,0.9");
        let Functional::Quantile(combination, _) = quantile else { panic!("no quantile") };
        assert_eq!(combination, Combination::coordinate(0));
        let (_, exp) = found("exp:a");
        assert_eq!(exp.integrand(&[0.0; 4]), 1.0);
        let names = ["a".to_owned()];
        for slip in ["probability:bia>0", "sd:bia", "contrast:a-bia", "covariance:a,bia"] {
            let asked = [Asked::read(slip).unwrap()];
            let error = of_regression(&asked, &Parameters::new(&names, &[], &[]), &[], |eta| eta)
                .unwrap_err()
                .to_string();
            assert!(error.contains("\"bia\"; near it: \"bias\""), "{error}");
        }
    }
}
