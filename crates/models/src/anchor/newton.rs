//! The posterior mode by Newton's method, one pass over all rows a step.
//!
//! ```text
//! A = −∇² ln p(θ) − Σ_i ∇²ℓ_i(θ)        step = A⁻¹ (∇ ln p(θ) + Σ_i ∇ℓ_i(θ))
//! ```
//!
//! A step that lowers the density is halved until it does not. The step is measured in posterior
//! standard deviations, max_j |step_j| / √(A⁻¹)_jj, the unit in which an anchor is good or bad.
//! Where the mode lies at infinity (separable data and a flat prior) steps stay as long as they
//! are and the deviations grow without end, so that each step would seem shorter than the last: a
//! deviation therefore counts for at most ten times the smallest seen.

use super::{Expansion, survey};
use crate::linear_algebra::{MatrixError, Symmetric};
use debias::Ledger;
use posterior::{Rows, Smooth};

/// How much a standard deviation may grow on the way before the growth is disregarded.
const MOST_GROWTH: f64 = 10.0;

/// Where Newton's method stopped.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The last step taken without another pass: the best guess of the mode.
    pub theta: Vec<f64>,
    /// Σ_i q_i at the point of the last pass, one step before `theta`.
    pub expansion: Expansion,
    /// A⁻¹ there: the covariance of the Laplace approximation.
    pub covariance: Symmetric,
    /// The length of the last step in posterior standard deviations.
    pub step: f64,
    /// Passes over all rows.
    pub passes: u64,
    /// The work.
    pub ledger: Ledger,
}

/// Why there is no mode.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NewtonError {
    /// The density is flat or rises in some direction.
    #[error("after {passes} passes the posterior precision is none")]
    NotConcave {
        /// Passes made.
        passes: u64,
        /// What is wrong with it.
        #[source]
        source: MatrixError,
    },
    /// The step stayed too long.
    #[error("after {passes} passes the step is still {step} posterior standard deviations")]
    TooManyPasses {
        /// Passes made.
        passes: u64,
        /// The last step.
        step: f64,
    },
    /// The density is not finite at the start.
    #[error("the log density at the start is {value}")]
    Start {
        /// ln π(θ).
        value: f64,
    },
}

/// Climbs from `start` until a step is at most `tolerance` posterior standard deviations, which
/// is 2 for a usable anchor and 1e-6 for the mode itself.
pub fn newton<R, M>(
    model: &M,
    rows: &R,
    start: &[f64],
    tolerance: f64,
    most_passes: u64,
) -> Result<Mode, NewtonError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let mut ledger = Ledger::default();
    let mut theta = start.to_vec();
    // The best point so far, its density, and the step that was tried from it.
    let mut best: Option<(Vec<f64>, f64, Vec<f64>)> = None;
    let mut length = f64::INFINITY;
    let mut smallest = vec![f64::INFINITY; start.len()];
    for passes in 1..=most_passes {
        let found = survey(model, rows, &theta, None);
        ledger += Ledger { distinct_rows: 0, ..found.ledger };
        ledger.distinct_rows = found.ledger.distinct_rows;
        let expansion = found.expansion;
        let mut slope = expansion.gradient.clone();
        let value = expansion.value + model.add_prior_gradient(&theta, &mut slope);
        match &mut best {
            None if !value.is_finite() => return Err(NewtonError::Start { value }),
            // Rounding may lower the density by this much at the very top.
            Some((from, height, step))
                if value.is_nan() || value < *height - 1e-12 * height.abs() =>
            {
                step.iter_mut().for_each(|step| *step *= 0.5);
                theta = from.iter().zip(&*step).map(|(from, step)| from + step).collect();
                continue;
            }
            _ => {}
        }
        let factor = expansion
            .precision(model)
            .cholesky()
            .map_err(|source| NewtonError::NotConcave { passes, source })?;
        let covariance = factor.inverse();
        let mut step = slope;
        factor.solve(&mut step);
        let from = theta;
        theta = from.iter().zip(&step).map(|(theta, step)| theta + step).collect();
        length = 0.0;
        for j in 0..theta.len() {
            let deviation = covariance.entry(j, j).sqrt();
            smallest[j] = smallest[j].min(deviation);
            length = length.max(step[j].abs() / deviation.min(MOST_GROWTH * smallest[j]));
        }
        // A maximum passes over what is not a number; the end must not.
        if length <= tolerance && theta.iter().all(|theta| theta.is_finite()) {
            return Ok(Mode { theta, expansion, covariance, step: length, passes, ledger });
        }
        best = Some((from, value, step));
    }
    Err(NewtonError::TooManyPasses { passes: most_passes, step: length })
}
