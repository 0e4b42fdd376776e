//! Posterior means of a regression by long chains on all rows, with control variates.

use super::Row;
use super::answers::{By, failed};
use super::chains::AllRows;
use crate::Context;
use crate::problems::truth::Truth;
use debias::{Rng, Summary};
use posterior::Differentiable;
use records::{DataSource, Quantity};
use samplers::{Functional, Kernel, Length, with_control_variates};
use serde_json::Value;

/// How many, and how long.
#[derive(Clone, Copy)]
pub(super) struct Chains {
    pub(super) count: usize,
    pub(super) draws: usize,
}

/// Transitions thrown away.
const WARM_UP: usize = 200;

/// Means and standard deviations over chains.
pub(super) fn by_chains<M: Differentiable, K: Kernel>(
    context: &Context<'_>,
    name: &str,
    chains: &AllRows<'_, M, K>,
    size: Chains,
    (settings, data): (&Value, &[DataSource]),
) -> anyhow::Result<Truth> {
    (context.say)(&format!("{name}: the truth, by chains on all rows"));
    let d = chains.start.dimension();
    let variances: Vec<Functional> = (0..d).map(Functional::Variance).collect();
    let length = Length { warm_up: WARM_UP, draws: size.draws };
    let chain = By(|rng: &mut Rng| {
        let (draws, cost) = chains.run(length, 0.0, rng)?;
        let mut value = with_control_variates(&draws, &chains.functionals).map_err(failed)?;
        value.extend(draws.functionals(&variances));
        Ok((value, cost))
    });
    let run = context.replicate(&format!("{name}-truth"), settings, data, &chain, size.count)?;
    let (mut means, mut errors, mut sds) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..d {
        let summary = Summary::of(&run.functional(j))?;
        means.push(summary.mean);
        errors.push(summary.standard_error);
        sds.push((run.functional(d + j).iter().sum::<f64>() / size.count as f64).sqrt());
    }
    Ok(Truth { means, sds, errors })
}

/// How well it is known: its standard error in posterior sds, root mean square over weights.
pub(super) fn known(truth: &Truth) -> f64 {
    let squares = truth.errors.iter().zip(&truth.sds).map(|(error, sd)| (error / sd).powi(2));
    (squares.sum::<f64>() / truth.sds.len() as f64).sqrt()
}

/// The same, as a number of the record.
pub(super) fn quantity(name: &str, truth: &Truth) -> Quantity {
    let name = format!("{name}/truth/standard error in posterior sds");
    Quantity::rough(&name, known(truth))
}

/// The truth's standard error over the half width of the narrowest of the claimed intervals.
pub(super) fn beside(name: &str, truth: &Truth, rows: &[Row]) -> Quantity {
    let narrowest = rows.iter().filter_map(Row::half_width).fold(f64::INFINITY, f64::min);
    let name = format!("{name}/truth/standard error over the narrowest half width");
    Quantity::rough(&name, known(truth) / narrowest)
}
