//! A fixed absolute error: the log-Gaussian spread, with levels in closed form.
//!
//! With S/σ₀² ~ χ² of n − 1 degrees, φ_n = r_n √(S/2), r_n = Γ((n−3)/2)/Γ((n−2)/2), and
//!
//! ```text
//! E φ_n = σ₀ r_n Γ(n/2)/Γ((n−1)/2),      E φ_n² = σ₀² r_n² (n−1)/2,
//! ```
//!
//! so that constant batches need no simulation: R of them err by bias_n² + Var_n/R.

use super::{ABSOLUTE, Cost, Size};
use crate::Context;
use crate::problems::log_gaussian;
use debias::{Form, Interval, Pilot, PilotSettings, Schedule, Seed, Truncation, TunedLaw};
use models::log_gaussian::{LogGaussian, LogGaussianClosedForm, LogGaussianError};
use posterior::DataPath;
use records::DataSource;
use statrs::function::gamma::ln_gamma;

const FIRST: usize = 8;
const ALPHA: f64 = 0.95;
/// Of ln x.
const DEVIATION: f64 = std::f64::consts::SQRT_2;

fn seed(context: &Context<'_>) -> Seed {
    context.seed.child("log-gaussian rows")
}

pub(super) fn data(context: &Context<'_>, size: &Size) -> Vec<DataSource> {
    log_gaussian::rows(seed(context), size.most()).1
}

pub(super) fn run(context: &Context<'_>, size: &Size) -> anyhow::Result<Vec<Cost>> {
    let mut costs = Vec::new();
    let square = ABSOLUTE * ABSOLUTE;
    for &rows in &size.rows {
        (context.say)(&format!("log-Gaussian, {rows} rows"));
        let (all, _) = log_gaussian::rows(seed(context), rows);
        let schedule = Schedule::halving(rows, FIRST)?;
        let path = DataPath::new(&all, &LogGaussian, &LogGaussianClosedForm, &schedule)?;
        let levels = size.pilot_levels.min(schedule.levels());
        let settings = PilotSettings { levels, replicates: size.pilot_replicates };
        let seed = context.seed.child(&format!("pilot of {rows}"));
        let pilot = |form| Pilot::run(&path, &schedule, form, settings, seed);
        let law = Truncation::geometric(ALPHA, schedule.levels())?;
        let paper = pilot(Form::CoupledSum)?.predict(law)?;
        let ours = pilot(Form::AntitheticSingleTerm)?.optimal::<LogGaussianError>(None)?;
        costs.push(Cost::new("coupled-sum", rows, 0.0, product(&paper), square));
        costs.push(Cost::new("antithetic-single-term", rows, 0.0, product(&ours), square));
        costs.push(Cost::new("constant-batch", rows, 0.0, (square * constant(rows), 0.0), square));
        costs.push(Cost::new("all-rows", rows, rows as f64, (0.0, 0.0), square));
    }
    Ok(costs)
}

/// Work × variance, and its standard error from the jackknife of the variance.
fn product(law: &TunedLaw) -> (f64, f64) {
    let Interval { low, high } = law.variance.1;
    (law.product, law.cost * (high - low) / (2.0 * 1.96))
}

/// Rows that averaged constant batches need, at the best size of a batch.
fn constant(rows: usize) -> f64 {
    let mut best = rows as f64;
    let mut batch = FIRST;
    while batch < rows {
        let n = batch as f64;
        let ratio = (ln_gamma(0.5 * (n - 3.0)) - ln_gamma(0.5 * (n - 2.0))).exp();
        let mean = DEVIATION * ratio * (ln_gamma(0.5 * n) - ln_gamma(0.5 * (n - 1.0))).exp();
        let variance = (DEVIATION * ratio).powi(2) * 0.5 * (n - 1.0) - mean * mean;
        let left = ABSOLUTE * ABSOLUTE - (mean - DEVIATION).powi(2);
        if left > 0.0 {
            best = best.min((n * variance / left).max(n));
        }
        batch += batch.div_ceil(20);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight rows overestimate by a fifth, and a hundred times less error takes more.
    #[test]
    fn constant_batches_pay_for_their_bias() {
        let n = 8.0_f64;
        let ratio = (ln_gamma(0.5 * (n - 3.0)) - ln_gamma(0.5 * (n - 2.0))).exp();
        let mean = ratio * (ln_gamma(0.5 * n) - ln_gamma(0.5 * (n - 1.0))).exp();
        assert!((mean - 1.2).abs() < 0.01, "{mean}");
        let rows = constant(100_000_000);
        // One batch with a bias below the error, and that spread: about 1/ABSOLUTE² rows and more.
        assert!((1e4..1e5).contains(&rows), "{rows}");
        assert_eq!(constant(100), 100.0);
    }
}
