//! Laplace's approximation, and its mean to the next order.
//!
//! ```text
//! mode θ̂,   C = (−∇² ln π(θ̂))⁻¹,   next order   E θ ≈ θ̂ + ½ C Σ_i ℓ‴_i v_i x_i,   v_i = x_iᵀ C x_i
//! ```
//!
//! Third derivatives come from smoothed expansions, E[ℓ′(η + D)] − ℓ′(η) = ½ ℓ‴ ε v + O(ε²) for D of
//! variance ε v: one pass more than the mode takes. The prior's own third derivative is a difference of
//! its curvatures. The standard deviations of group effects are those of the largest marginal likelihood,
//! and what they vary by is left to the rows' third derivatives. Where a prior has kinks, its slope and curvature are averages over the width of the
//! posterior here too.

use crate::anchor::{Anchor, CAP};
use crate::anchor_error::AnchorError;
use crate::counted::CountedRows;
use crate::newton::{Newton, height};
use crate::sums::sums;
use debias::Ledger;
use posterior::{ArrowMatrix, Regression, Rows, Smooth};

/// Newton's method ends at a step of so many posterior standard deviations; the last of so many passes
/// may end with a longer one, since curvatures that are not exact settle slowly.
const SETTLED: f64 = 1e-3;
const BEARABLE: f64 = 0.05;
const MOST: usize = 20;
/// From a step of the first length on, in posterior standard deviations, exact curvatures make the next one
/// much shorter than the second share of it.
const NEARBY: f64 = 0.3;
const SLOW: f64 = 0.3;
/// ε: the share of v by which predictors vary where third derivatives are wanted.
const SHARE: f64 = 0.01;
/// Steps, in posterior standard deviations of the anchor, are cut at this length.
const LONGEST: f64 = 3.0;

/// Laplace's approximation.
#[derive(Clone, Debug)]
pub struct Laplace {
    /// θ̂.
    pub mode: Vec<f64>,
    /// The square roots of the diagonal of C.
    pub deviations: Vec<f64>,
    /// The mean to the next order.
    pub next_order: Vec<f64>,
    /// Whether Newton's steps shortened as they do with exact curvatures. Those of rows whose likelihood is
    /// not concave are cut at zero, and where such rows matter C is too small.
    pub exact: bool,
    /// Passes over all rows.
    pub passes: usize,
    /// All work.
    pub ledger: Ledger,
}

/// Finds the mode from the anchor on, and the mean to the next order.
pub fn laplace<R, M>(
    model: &M,
    regression: &dyn Regression<R::Block>,
    rows: &CountedRows<'_, R>,
    anchor: &Anchor,
) -> Result<Laplace, AnchorError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let d = model.dimension();
    let widths: Vec<f64> = (0..d).map(|j| anchor.deviation(j)).collect();
    let shape = anchor.quadratic.hessian.shape();
    let mut theta = anchor.centre().to_vec();
    let mut ledger = Ledger { distinct_rows: rows.kinds() as u64, ..Ledger::default() };
    let mut best: Option<(f64, Vec<f64>, Vec<f64>)> = None;
    let (mut length, mut exact) = (f64::INFINITY, true);
    for passes in 1..=MOST {
        let found = sums(regression, rows, &theta, shape, None);
        ledger.gradients += rows.kinds() as u64;
        let height = height(model, &found, &theta);
        // A density that is lower by much: half the step.
        if let Some((before, from, step)) = &mut best
            && (height.is_nan() || height < *before - 0.01 - 1e-9 * before.abs())
        {
            step.iter_mut().for_each(|step| *step *= 0.5);
            theta = from.iter().zip(&*step).map(|(from, step)| from + step).collect();
            continue;
        }
        let Newton { mut step, precision, .. } = Newton::new(model, &found, &theta, &widths)
            .map_err(|source| AnchorError::NotConcave { passes, source })?;
        let covariance = precision.covariance();
        let variances = covariance.variances();
        let deviations: Vec<f64> = variances.iter().map(|v| v.sqrt()).collect();
        let longest = |unit: &[f64]| {
            step.iter().zip(unit).map(|(s, unit)| (s / unit).abs()).fold(0.0, f64::max)
        };
        let before = std::mem::replace(&mut length, longest(&deviations));
        exact &= before > NEARBY || length < SLOW * before;
        if length <= if passes < MOST { SETTLED } else { BEARABLE } {
            let mut narrow = ArrowMatrix::zeros(shape.clone());
            narrow.add(SHARE, &covariance.entries);
            let smoothed = sums(regression, rows, &theta, shape, Some((&narrow, CAP)));
            ledger.gradients += rows.kinds() as u64;
            let mut third = prior_thirds(model, &theta, &deviations, &widths);
            // A slope that is averaged over the width of the posterior has the bend of a kink in it already.
            for (third, kink) in third.iter_mut().zip(model.kinks().unwrap_or_default()) {
                *third *= f64::from(u8::from(kink == 0.0));
            }
            model.groups().iter().for_each(|group| third[group.log_sd] = 0.0);
            let pull: Vec<f64> = (0..d)
                .map(|j| {
                    (smoothed.gradient[j] - found.gradient[j]) / SHARE
                        + 0.5 * third[j] * variances[j]
                })
                .collect();
            let mode: Vec<f64> = theta.iter().zip(&step).map(|(a, b)| a + b).collect();
            let moved = precision.solve(&pull);
            let next_order = mode.iter().zip(&moved).map(|(a, b)| a + b).collect();
            return Ok(Laplace { mode, deviations, next_order, exact, passes: passes + 1, ledger });
        }
        let cut = (LONGEST / longest(&widths)).min(1.0);
        step.iter_mut().for_each(|step| *step *= cut);
        let next = theta.iter().zip(&step).map(|(a, b)| a + b).collect();
        best = Some((height, std::mem::replace(&mut theta, next), step));
    }
    Err(AnchorError::NotSettled { passes: MOST, step: length })
}

/// ∂³ ln p / ∂θ_j³, by differences of a tenth of a standard deviation.
fn prior_thirds<M: Smooth>(
    model: &M,
    theta: &[f64],
    deviations: &[f64],
    widths: &[f64],
) -> Vec<f64> {
    let curvature = |sign: f64| {
        let moved: Vec<f64> =
            theta.iter().zip(deviations).map(|(a, s)| a + sign * 0.1 * s).collect();
        let (mut gradient, mut curvature) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
        model.add_smoothed_prior(&moved, widths, &mut gradient, &mut curvature);
        curvature
    };
    let (above, below) = (curvature(1.0), curvature(-1.0));
    let difference = |j: usize| -(above[j] - below[j]) / (0.2 * deviations[j]);
    (0..theta.len()).map(difference).collect()
}
