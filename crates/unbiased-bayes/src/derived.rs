//! From what is asked to expectations, and from their estimates back to what was asked.
//!
//! Every method estimates expectations: means of linear combinations and of functions, their second
//! moments about a centre, and distribution functions. The rest are smooth functions of these,
//!
//! ```text
//! Var = E(f − c)² − (E f − c)²,      sd = √Var,      Cov(θ_i, θ_j) = s_i s_j (Var₊ − Var₋) / 4,
//! ```
//!
//! where Var± is that of θ_i/s_i ± θ_j/s_j. Their errors are those of their linear parts, one number per
//! replicate or draw.

use crate::EstimateError;
use crate::answer::{Estimated, Quantile};
use debias::{Interval, Summary};
use samplers::{Combination, Functional, PROBABILITIES, quantiles_of};

/// The expectations behind some functionals.
pub(crate) struct Parts {
    /// What is estimated.
    pub functionals: Vec<Functional>,
    /// Which of them have quantiles, and at which probabilities.
    pub quantiles: Vec<(usize, Vec<f64>)>,
    recipes: Vec<Recipe>,
}

/// How a functional comes from parts.
enum Recipe {
    Own(usize),
    Variance(usize),
    Deviation(usize),
    /// Of the sum and of the difference, and s_i s_j.
    Covariance([usize; 2], f64),
    /// The same, and θ_i and θ_j themselves.
    Correlation([usize; 2], f64, [usize; 2]),
    Quantile(usize, f64),
    /// E exp(a·θ + c), a·θ and c: quantiles are those of a·θ, taken to the exponential.
    Exponential(usize, usize, f64),
}

impl Parts {
    /// Of functionals whose parameters have about these standard deviations.
    pub fn new(asked: &[Functional], deviations: &[f64]) -> Parts {
        let mut parts =
            Parts { functionals: Vec::new(), quantiles: Vec::new(), recipes: Vec::new() };
        for functional in asked {
            let recipe = match functional {
                Functional::Variance(j) => Recipe::Variance(parts.part(Functional::Mean(*j))),
                Functional::Deviation(j) => Recipe::Deviation(parts.part(Functional::Mean(*j))),
                Functional::Covariance(i, j) => {
                    let (pair, scale) = parts.pair(*i, *j, deviations);
                    Recipe::Covariance(pair, scale)
                }
                Functional::Correlation(i, j) => {
                    let (pair, scale) = parts.pair(*i, *j, deviations);
                    let own = [*i, *j].map(|j| parts.part(Functional::Mean(j)));
                    Recipe::Correlation(pair, scale, own)
                }
                Functional::Quantile(combination, probability) => {
                    let part = parts.part(Functional::Linear(combination.clone()));
                    // The customary ones tell how curved the distribution function is.
                    let mut probabilities = PROBABILITIES.to_vec();
                    if !probabilities.contains(probability) {
                        probabilities.push(*probability);
                    }
                    parts.quantiles.push((part, probabilities));
                    Recipe::Quantile(part, *probability)
                }
                Functional::Exponential(combination, constant) => {
                    let own = parts.part(functional.clone());
                    let inner = parts.part(Functional::Linear(combination.clone()));
                    parts.quantiles.push((inner, PROBABILITIES.to_vec()));
                    Recipe::Exponential(own, inner, *constant)
                }
                Functional::Mean(_) | Functional::Linear(_) => {
                    let part = parts.part(functional.clone());
                    parts.quantiles.push((part, PROBABILITIES.to_vec()));
                    Recipe::Own(part)
                }
                _ => Recipe::Own(parts.part(functional.clone())),
            };
            parts.recipes.push(recipe);
        }
        parts
    }

    fn part(&mut self, functional: Functional) -> usize {
        self.functionals.push(functional);
        self.functionals.len() - 1
    }

    fn pair(&mut self, i: usize, j: usize, deviations: &[f64]) -> ([usize; 2], f64) {
        let [a, b] = [i, j].map(|j| deviations[j].recip());
        let sides = [1.0, -1.0]
            .map(|sign| self.part(Functional::Linear(Combination(vec![(i, a), (j, sign * b)]))));
        (sides, 1.0 / (a * b))
    }
}

/// One expectation and its second moment, a number per replicate or draw.
pub(crate) struct Moments {
    pub values: Vec<f64>,
    /// About the centre.
    pub squares: Vec<f64>,
    pub centre: f64,
    /// What self-normalised weights leave.
    pub bias: Option<f64>,
}

impl Moments {
    fn mean(&self) -> f64 {
        mean(&self.values)
    }

    /// The variance, and its linear part.
    pub fn variance(&self) -> (f64, Vec<f64>) {
        let moved = self.mean() - self.centre;
        let linear =
            self.squares.iter().zip(&self.values).map(|(square, value)| {
                square - 2.0 * moved * (value - self.centre) + moved * moved
            });
        (mean(&self.squares) - moved * moved, linear.collect())
    }
}

/// A distribution function at two thresholds around each of some quantiles.
pub(crate) struct Distribution {
    pub probabilities: Vec<f64>,
    /// In standard deviations from the centre.
    pub thresholds: Vec<f64>,
    pub centre: f64,
    pub deviation: f64,
    /// For each threshold, a number per replicate or draw.
    pub functions: Vec<Vec<f64>>,
    /// What self-normalised weights leave, for each threshold.
    pub biases: Vec<f64>,
}

/// What a method found of the parts.
pub(crate) trait Found {
    /// The moments of a part.
    fn moments(&self, part: usize) -> Moments;
    /// The distribution function of a part.
    fn distribution(&self, part: usize, probabilities: &[f64]) -> Distribution;
    /// The mean of a series and its error.
    fn summarise(&self, series: &[f64]) -> Result<Summary, EstimateError>;
    /// Adds diagnoses to the estimate of a part.
    fn diagnose(&self, _part: usize, _estimated: &mut Estimated) -> Result<(), EstimateError> {
        Ok(())
    }
}

/// One functional: its estimate, and a number per replicate or draw whose mean it is.
pub(crate) struct Derived {
    pub estimated: Estimated,
    pub series: Vec<f64>,
    /// The same for the variance, where the functional is an expectation.
    pub spread: Vec<f64>,
}

/// All functionals that were asked for.
pub(crate) fn estimates(
    names: &[String],
    parts: &Parts,
    found: &impl Found,
    remarks: &mut Vec<String>,
) -> Result<Vec<Derived>, EstimateError> {
    let one = |(name, recipe): (&String, &Recipe)| derive(name, recipe, parts, found, remarks);
    names.iter().zip(&parts.recipes).map(one).collect()
}

fn derive(
    name: &str,
    recipe: &Recipe,
    parts: &Parts,
    found: &impl Found,
    remarks: &mut Vec<String>,
) -> Result<Derived, EstimateError> {
    let mut negative = |variance: f64| {
        if variance <= 0.0 {
            remarks.push(format!(
                "the debiased variance of {name} is {variance:.3e}: estimates without bias of a \
                 positive quantity can be negative, and more replicates help"
            ));
        }
    };
    // A function of moments: its value, and the series of its linear part, moved to have that mean.
    let of_series = |value: f64, series: Vec<f64>| -> Result<Derived, EstimateError> {
        let shift = value - mean(&series);
        let series: Vec<f64> = series.iter().map(|one| one + shift).collect();
        let summary = found.summarise(&series)?;
        let estimated = Estimated::new(name, summary, None);
        Ok(Derived { estimated, series, spread: Vec::new() })
    };
    match recipe {
        Recipe::Own(part) | Recipe::Exponential(part, ..) => {
            let functional = &parts.functionals[*part];
            let moments = found.moments(*part);
            let mut summary = found.summarise(&moments.values)?;
            if let Some(bias) = moments.bias {
                summary.interval.low -= bias.abs();
                summary.interval.high += bias.abs();
            }
            let (mut variance, linear) = moments.variance();
            if matches!(functional, Functional::Below(..)) {
                variance = summary.mean * (1.0 - summary.mean);
            } else {
                negative(variance);
            }
            let sd = (variance > 0.0).then(|| variance.sqrt());
            let mut estimated = Estimated::new(name, summary, sd);
            let error = found.summarise(&linear)?.standard_error;
            estimated.sd_error = sd.map(|sd| error / (2.0 * sd));
            estimated.bias = moments.bias;
            let of = if let Recipe::Exponential(_, inner, _) = recipe { inner } else { part };
            if let Some((_, probabilities)) = parts.quantiles.iter().find(|(own, _)| own == of) {
                let all = quantiles(&found.distribution(*of, probabilities), found)?;
                let shown = |(quantile, _)| match recipe {
                    Recipe::Exponential(_, _, constant) => exponential(quantile, *constant),
                    _ => quantile,
                };
                estimated.quantiles = all.into_iter().map(shown).collect();
            }
            found.diagnose(*part, &mut estimated)?;
            Ok(Derived { estimated, series: moments.values, spread: linear })
        }
        Recipe::Variance(part) => {
            let (variance, linear) = found.moments(*part).variance();
            negative(variance);
            of_series(variance, linear)
        }
        Recipe::Deviation(part) => {
            let (variance, linear) = found.moments(*part).variance();
            negative(variance);
            let sd = variance.sqrt();
            of_series(sd, linear.iter().map(|one| one / (2.0 * sd)).collect())
        }
        Recipe::Covariance(pair, scale) => {
            let (covariance, linear) = covariance(found, *pair, *scale);
            of_series(covariance, linear)
        }
        Recipe::Correlation(pair, scale, own) => {
            let (covariance, linear) = covariance(found, *pair, *scale);
            let [(a, of_a), (b, of_b)] = own.map(|part| found.moments(part).variance());
            negative(a.min(b));
            let unit = (a * b).sqrt();
            let value = covariance / unit;
            let series = linear.iter().zip(of_a.iter().zip(&of_b));
            let series = series.map(|(c, (x, y))| c / unit - 0.5 * value * (x / a + y / b));
            of_series(value, series.collect())
        }
        Recipe::Quantile(part, probability) => {
            let asked = parts.quantiles.iter().find(|(own, _)| own == part);
            let (_, probabilities) = asked.expect("a quantile has probabilities");
            let all = quantiles(&found.distribution(*part, probabilities), found)?;
            let wanted = all.into_iter().find(|(one, _)| one.probability == *probability);
            let (quantile, series) = wanted.expect("the probability is among them");
            let mut derived = of_series(quantile.value, series)?;
            derived.estimated.summary.interval = quantile.interval;
            derived.estimated.bias = Some(quantile.bias);
            Ok(derived)
        }
    }
}

fn covariance(found: &impl Found, pair: [usize; 2], scale: f64) -> (f64, Vec<f64>) {
    let [(sum, of_sum), (difference, of_difference)] =
        pair.map(|part| found.moments(part).variance());
    let series = of_sum.iter().zip(&of_difference).map(|(a, b)| 0.25 * scale * (a - b));
    (0.25 * scale * (sum - difference), series.collect())
}

/// Quantiles, each with the series of its linear part.
fn quantiles(
    distribution: &Distribution,
    found: &impl Found,
) -> Result<Vec<(Quantile, Vec<f64>)>, EstimateError> {
    let Distribution { probabilities, thresholds, centre, deviation, functions, biases } =
        distribution;
    let function: Vec<f64> = functions.iter().map(|series| mean(series)).collect();
    let crossings = quantiles_of(thresholds, &function, probabilities);
    let one = |crossing: &samplers::Crossing| {
        let pairs = crossing.thresholds.iter().zip(crossing.sensitivities);
        let mut series = vec![0.0; functions[0].len()];
        let mut weights_bias = 0.0;
        for (&at, sensitivity) in pairs {
            let own = functions[at].iter().map(|f| sensitivity * (f - function[at]));
            series.iter_mut().zip(own).for_each(|(sum, one)| *sum += deviation * one);
            weights_bias += sensitivity * biases[at];
        }
        let value = centre + deviation * crossing.value;
        series.iter_mut().for_each(|one| *one += value);
        let summary = found.summarise(&series)?;
        let standardised = summary.standard_error / deviation;
        let bias = deviation * (crossing.bias(standardised) + weights_bias.abs());
        let mut interval = summary.interval;
        interval.low -= bias;
        interval.high += bias;
        let quantile = Quantile {
            probability: crossing.probability,
            value,
            standard_error: summary.standard_error,
            interval,
            bias,
        };
        Ok((quantile, series))
    };
    crossings.iter().map(one).collect()
}

/// The quantile of exp(f + c) from that of f: monotone functions take quantiles to quantiles.
fn exponential(of: Quantile, constant: f64) -> Quantile {
    let exp = |value: f64| (value + constant).exp();
    let value = exp(of.value);
    let Interval { low, high } = of.interval;
    Quantile {
        probability: of.probability,
        value,
        standard_error: value * of.standard_error,
        interval: Interval { low: exp(low), high: exp(high) },
        bias: value * of.bias,
    }
}

/// The summary of replicates with an interval that knows their tails. For values of kurtosis κ the variance of
/// n of them has the relative variance (κ − 1)/n, where Gaussian ones have 2/n: it is worth 2n/(κ − 1) degrees
/// of freedom. Deep levels are rare and large, and with few replicates κ is what shortens intervals most.
pub(crate) fn with_tails(summary: Summary, series: &[f64]) -> Summary {
    let moment = |power: i32| {
        let off = |value: &f64| (value - summary.mean).powi(power);
        series.iter().map(off).sum::<f64>() / series.len() as f64
    };
    let error = summary.standard_error;
    // Correlated replicates count as fewer.
    let count = summary.variance / (error * error);
    let freedom = 2.0 * count / (moment(4) / moment(2).powi(2) - 1.0);
    if !freedom.is_finite() || freedom >= count - 1.0 {
        return summary;
    }
    let wide = Interval::student(summary.mean, error, freedom.max(1.0));
    let Interval { low, high } = summary.interval;
    Summary { interval: Interval { low: low.min(wide.low), high: high.max(wide.high) }, ..summary }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_is_the_mean_of_its_own_series() {
        // About 1, where the mean is 3 and the variance 3.5.
        let values = vec![1.0, 2.0, 3.0, 6.0];
        let squares = values.iter().map(|value| (value - 1.0_f64).powi(2)).collect();
        let moments = Moments { values, squares, centre: 1.0, bias: None };
        assert_eq!(moments.variance(), (3.5, vec![4.0, 1.0, 0.0, 9.0]));
    }

    #[test]
    fn tails_widen_an_interval() {
        // Forty-nine small values and a large one: κ is near 48, and the variance is worth two degrees of freedom.
        let mut series: Vec<f64> = (0..49).map(|i| f64::from(i % 2)).collect();
        series.push(100.0);
        let plain = Summary::of(&series).unwrap();
        let wide = with_tails(plain, &series);
        assert!(wide.interval.half_width() > 2.0 * plain.interval.half_width());
        assert_eq!((wide.mean, wide.standard_error), (plain.mean, plain.standard_error));
        // Tails lighter than a Gaussian's do not shorten it.
        let series: Vec<f64> = (0..50).map(|i| f64::from(i % 2)).collect();
        let plain = Summary::of(&series).unwrap();
        assert_eq!(with_tails(plain, &series), plain);
    }
}
