//! Posterior means of a regression by long chains on all rows, with control variates.

use super::Row;
use super::chains::AllRows;
use crate::Work;
use crate::problems::truth::Truth;
use debias::Summary;
use records::Quantity;
use samplers::{Functional, Kernel, Length, with_control_variates};

/// How many, and how long.
#[derive(Clone, Copy)]
pub struct Chains {
    pub count: usize,
    pub draws: usize,
}

/// Transitions thrown away.
const WARM_UP: usize = 200;

/// Means and standard deviations over chains.
pub fn by_chains<K: Kernel>(
    work: &Work<'_>,
    name: &str,
    chains: &AllRows<'_, K>,
    size: Chains,
) -> anyhow::Result<Truth> {
    (work.context.say)(&format!("{name}: the truth, by chains on all rows"));
    let d = chains.start.dimension();
    let variances: Vec<Functional> = (0..d).map(Functional::Variance).collect();
    let length = Length { warm_up: WARM_UP, draws: size.draws };
    let found = work.each(&format!("{name}-truth"), size.count, |_, rng| {
        let (draws, _) = chains.run(length, 0.0, rng)?;
        let means = with_control_variates(&draws, &chains.functionals)?;
        Ok((means, draws.functionals(&variances)))
    })?;
    let (mut means, mut errors, mut sds) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..d {
        let summary = Summary::of(&found.iter().map(|chain| chain.0[j]).collect::<Vec<_>>())?;
        means.push(summary.mean);
        errors.push(summary.standard_error);
        sds.push((found.iter().map(|chain| chain.1[j]).sum::<f64>() / size.count as f64).sqrt());
    }
    Ok(Truth { means, sds, errors })
}

/// How well it is known: its standard error in posterior sds, root mean square over weights.
pub fn quantity(name: &str, truth: &Truth) -> Quantity {
    let name = format!("{name}/truth/standard error in posterior sds");
    Quantity::rough(&name, truth.own_error())
}

/// The truth's standard error over the half width of the narrowest of the claimed intervals.
pub fn beside(name: &str, truth: &Truth, rows: &[Row]) -> Quantity {
    let narrowest = rows.iter().filter_map(Row::half_width).fold(f64::INFINITY, f64::min);
    let name = format!("{name}/truth/standard error over the narrowest half width");
    Quantity::rough(&name, truth.own_error() / narrowest)
}
