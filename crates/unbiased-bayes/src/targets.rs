//! What a target asks of each functional, and whether it was reached.

use crate::answer::Estimated;
use crate::plain::positive;
use crate::{EstimateError, Target};
use samplers::Functional;

/// Errors that are larger than asked for by more are remarked upon.
const MISSED: f64 = 1.2;

/// The unit of a functional's error: its posterior standard deviation, and for the chance of an event at
/// least that of a chance of one in a hundred, since the sd of what is all but certain says little.
pub(crate) fn scale(functional: &Functional, sd: f64) -> f64 {
    if functional.is_chance() { sd.max(0.1) } else { sd }
}

/// A sentence if the error of a parameter is clearly larger than was asked for.
pub(crate) fn missed(target: Target, estimates: &[Estimated]) -> Option<String> {
    let ratios = estimates.iter().filter_map(|one| {
        let sd = one.posterior_sd.filter(|_| !one.quantiles.is_empty())?;
        Some((one, one.summary.standard_error / target.of(sd)))
    });
    let worst = ratios.max_by(|a, b| a.1.total_cmp(&b.1));
    let (one, ratio) = worst.filter(|(_, ratio)| *ratio > MISSED)?;
    Some(format!(
        "the standard error of {} is {ratio:.1} times what was asked for: replicates vary more than those of the \
         trial, which alone decides their number, so that stopping biases nothing; a smaller --target-se plans more",
        one.name
    ))
}

/// A target that can be reached.
pub(crate) fn checked(target: Target) -> Result<Target, EstimateError> {
    match target {
        Target::Absolute(value) | Target::PosteriorSds(value) => positive(value)?,
    };
    Ok(target)
}

/// The standard errors that a target asks for.
pub(crate) fn errors(target: Target, functionals: &[Functional], deviations: &[f64]) -> Vec<f64> {
    let scale = |(functional, &sd): (&Functional, &f64)| target.of(scale(functional, sd));
    functionals.iter().zip(deviations).map(scale).collect()
}
