//! Certificates: how far a Gaussian approximation is off, in posterior standard deviations, with an
//! interval.
//!
//! ```text
//! error of the mean   e = (m − E θ) / sd θ,      ratio of the sds   r = s / sd θ
//! ```
//!
//! E θ and sd θ are the debiased estimates, so that what is certified is the distance from the posterior
//! given all rows and not from another approximation. The errors of e and r are those of their linear
//! parts, both estimates' errors together.

use crate::derived::{Derived, Found, mean};
use crate::{EstimateError, Estimation};
use anchored::{AnchoredRows, laplace, variational};
use debias::{Interval, Ledger, Summary};
use posterior::{Regression, Rows, Smooth};
use samplers::Functional;

/// A Gaussian approximation of the posterior, parameter by parameter.
///
/// ```
/// let mine = unbiased_bayes::Approximation {
///     name: "ADVI".to_owned(),
///     means: vec![Some(0.3), None],
///     sds: vec![Some(0.1), None],
/// };
/// assert_eq!(mine.means.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Approximation {
    /// What to call it.
    pub name: String,
    /// The mean of each parameter, where it is given.
    pub means: Vec<Option<f64>>,
    /// The standard deviation of each parameter, where it is given.
    pub sds: Vec<Option<f64>>,
}

/// A number with its error.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Certain {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// 95 %.
    pub interval: Interval,
}

impl Certain {
    fn new(summary: Summary, bias: f64) -> Certain {
        let Interval { low, high } = summary.interval;
        Certain {
            value: summary.mean,
            standard_error: summary.standard_error,
            interval: Interval { low: low - bias, high: high + bias },
        }
    }
}

/// What is certified of one parameter.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct CertifiedParameter {
    /// The parameter.
    pub name: String,
    /// The approximate mean.
    pub mean: Option<f64>,
    /// The approximate standard deviation.
    pub sd: Option<f64>,
    /// (approximate mean − posterior mean) / posterior sd.
    pub error: Option<Certain>,
    /// Approximate sd / posterior sd.
    pub sd_ratio: Option<Certain>,
}

/// What is certified of an approximation.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Certified {
    /// The approximation.
    pub name: String,
    /// The parameters whose means were asked for, in that order.
    pub parameters: Vec<CertifiedParameter>,
}

impl Certified {
    /// The parameter whose mean is farthest off.
    pub fn worst(&self) -> Option<&CertifiedParameter> {
        let size = |one: &&CertifiedParameter| one.error.map_or(-1.0, |error| error.value.abs());
        self.parameters
            .iter()
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .filter(|a| a.error.is_some())
    }
}

/// The approximations of a regression, and the work they took; those that need further passes over all
/// rows only if these are asked for.
pub(crate) fn approximations<R, M>(
    question: &Estimation<'_, R, M>,
    regression: &dyn Regression<R::Block>,
    anchored: &AnchoredRows<'_, R>,
    passes: bool,
    remarks: &mut Vec<String>,
) -> (Vec<Approximation>, Ledger)
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let new = |name: &str, means: Vec<f64>, sds: &[f64]| Approximation {
        name: name.to_owned(),
        means: means.into_iter().map(Some).collect(),
        sds: sds.iter().copied().map(Some).collect(),
    };
    let (mut all, mut spent) = (Vec::new(), Ledger::default());
    if passes {
        question.say("the mode of all rows, and third derivatives there");
        match laplace(question.model, regression, &anchored.rows, &anchored.anchor) {
            Ok(found) => {
                remarks.push(format!("mode and next order after {} passes", found.passes));
                spent = found.ledger;
                all.push(new("Laplace", found.mode, &found.deviations));
                all.push(new("next-order", found.next_order, &found.deviations));
            }
            Err(error) => remarks.push(format!("no Laplace approximation: {error}")),
        }
    }
    if let Some((means, sds)) = variational(question.model, &anchored.anchor) {
        all.push(new("variational", means, &sds));
    }
    all.extend(question.brought.iter().cloned());
    (all, spent)
}

/// What is certified of each approximation, for the functionals that are means of parameters.
pub(crate) fn certified(
    approximations: &[Approximation],
    functionals: &[Functional],
    derived: &[Derived],
    found: &impl Found,
) -> Result<Vec<Certified>, EstimateError> {
    let parameter = |approximation: &Approximation, j: usize, one: &Derived| {
        let at = |values: &[Option<f64>]| values.get(j).copied().flatten();
        let (own_mean, own_sd) = (at(&approximation.means), at(&approximation.sds));
        let posterior = &one.estimated;
        let mut certified = CertifiedParameter {
            name: posterior.name.clone(),
            mean: own_mean,
            sd: own_sd,
            error: None,
            sd_ratio: None,
        };
        let Some(sd) = posterior.posterior_sd else { return Ok(certified) };
        // d sd, one number per replicate or draw.
        let centre = mean(&one.spread);
        let of_sd = || one.spread.iter().map(move |v| (v - centre) / (2.0 * sd));
        if let Some(approximate) = own_mean {
            let error = (approximate - posterior.summary.mean) / sd;
            let series: Vec<f64> = one
                .series
                .iter()
                .zip(of_sd())
                .map(|(value, sd_off)| {
                    error - (value - posterior.summary.mean) / sd - error * sd_off / sd
                })
                .collect();
            let bias = posterior.bias.unwrap_or(0.0).abs() / sd;
            certified.error = Some(Certain::new(found.summarise(&series)?, bias));
        }
        if let Some(approximate) = own_sd {
            let ratio = approximate / sd;
            let series: Vec<f64> = of_sd().map(|off| ratio * (1.0 - off / sd)).collect();
            certified.sd_ratio = Some(Certain::new(found.summarise(&series)?, 0.0));
        }
        Ok(certified)
    };
    approximations
        .iter()
        .map(|approximation| {
            let means = functionals.iter().zip(derived).filter_map(|(functional, one)| {
                let Functional::Mean(j) = functional else { return None };
                Some(parameter(approximation, *j, one))
            });
            let name = approximation.name.clone();
            Ok(Certified { name, parameters: means.collect::<Result<_, EstimateError>>()? })
        })
        .collect()
}
