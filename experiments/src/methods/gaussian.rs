//! Gaussian approximations of a regression's posterior, whose means are the rivals to certify.
//!
//! ```text
//! mode             θ̂ by Newton's method, C = (−∇² ln π(θ̂))⁻¹
//! next order       θ̂ + ½ C Σ_i ℓ‴_i v_i x_i,   v_i = x_iᵀ C x_i
//! variational      N(m, C) with ∇ ln p(m) + Σ_i E[ℓ′_i] x_i = 0,   C⁻¹ = −∇² ln p − Σ_i E[ℓ″_i] x_i x_iᵀ
//! ```
//!
//! E[·] is over a predictor that varies by N(0, v_i), and ½ ℓ‴ v is the slope of E[ℓ′] in the variance:
//! (E[ℓ′] at ε v − ℓ′) / ε for a small ε. Priors are Gaussian, with no third derivative.

use super::anchored::newton;
use debias::Ledger;
use models::linear_algebra::Symmetric;
use posterior::{ArrowMatrix, Block, Rows, Smooth, pass};
use serde::{Deserialize, Serialize};

/// The last step of Newton's method, and of the variational one, in posterior sds.
const STEP: f64 = 1e-3;
const MOST_PASSES: u64 = 50;
/// ε: its own error is of the order ε v², far below any error that matters.
const SMALL: f64 = 1e-4;
/// Steps of the variational method are cut at so many posterior sds.
const LONGEST: f64 = 1.5;

/// The means by each approximation, and the evaluations they take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Approximations {
    /// θ̂.
    pub mode: (Vec<f64>, f64),
    /// To the next order.
    pub next_order: (Vec<f64>, f64),
    /// m.
    pub variational: (Vec<f64>, f64),
}

/// All three, for a model with linear predictors.
pub fn approximations<R, M>(model: &M, rows: &R) -> anyhow::Result<Approximations>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let d = model.dimension();
    let mode = newton(model, rows, &vec![0.0; d], STEP, MOST_PASSES)?;
    let work = mode.ledger.evaluations() as f64;
    let covariance = mode.covariance.entries();

    let thin = ArrowMatrix::dense(d, covariance.iter().map(|entry| SMALL * entry).collect());
    let smoothed = sums(model, rows, &mode.theta, Some(&thin), false)?;
    let plain = sums(model, rows, &mode.theta, None, false)?;
    let skew: Vec<f64> =
        smoothed.slope.iter().zip(&plain.slope).map(|(a, b)| (a - b) / SMALL).collect();
    let shift = mode.covariance.times(&skew);
    let next_order = mode.theta.iter().zip(&shift).map(|(theta, shift)| theta + shift).collect();
    // Both sums could be had from one pass.
    let next_work = work + smoothed.ledger.evaluations() as f64;

    let (mean, passes) = variational(model, rows, mode.theta.clone(), covariance)?;
    Ok(Approximations {
        mode: (mode.theta, work),
        next_order: (next_order, next_work),
        variational: (mean, work + passes),
    })
}

/// m from the mode on, and the evaluations it takes; where it still moves after the most passes, the
/// last one stands.
fn variational<R, M>(
    model: &M,
    rows: &R,
    mut mean: Vec<f64>,
    covariance: Vec<f64>,
) -> anyhow::Result<(Vec<f64>, f64)>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let d = mean.len();
    let mut covariance = ArrowMatrix::dense(d, covariance);
    let mut work = 0.0;
    for _ in 0..MOST_PASSES {
        let found = sums(model, rows, &mean, Some(&covariance), true)?;
        work += found.ledger.evaluations() as f64;
        let precision = found.curvature.iter().map(|entry| -entry).collect::<Vec<_>>();
        let factor = Symmetric::from_entries(d, &precision)?.cholesky()?;
        let mut step = found.slope;
        factor.solve(&mut step);
        covariance = ArrowMatrix::dense(d, factor.inverse().entries());
        let sds = covariance.diagonal_entries().into_iter().map(f64::sqrt);
        let length = step.iter().zip(sds).map(|(step, sd)| (step / sd).abs()).fold(0.0, f64::max);
        let cut = (LONGEST / length).min(1.0);
        mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean += cut * step);
        if length < STEP {
            break;
        }
    }
    Ok((mean, work))
}

/// Slope and curvature of ln π, averaged over the predictors' variation.
struct Sums {
    slope: Vec<f64>,
    /// d² entries, or none.
    curvature: Vec<f64>,
    ledger: Ledger,
}

/// One pass over all rows.
fn sums<R, M>(
    model: &M,
    rows: &R,
    theta: &[f64],
    covariance: Option<&ArrowMatrix>,
    curved: bool,
) -> anyhow::Result<Sums>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let regression = model.regression();
    let regression = regression.ok_or_else(|| anyhow::anyhow!("no linear predictors"))?;
    let d = model.dimension();
    let size = if curved { d } else { 0 };
    let dense = |size: usize| ArrowMatrix::dense(size, vec![0.0; size * size]);
    let visit = |block: R::Block| {
        let found = regression.expand(theta, covariance, f64::INFINITY, &block);
        let (mut slope, mut curvature) = (vec![0.0; d], dense(size));
        regression.add_rows(&found.first, &block, &mut slope);
        if curved {
            regression.add_gram(&found.second, &block, &mut curvature);
        }
        (slope, curvature.corner, block.rows() as u64)
    };
    let add = |total: &mut Vec<f64>, part: Vec<f64>| {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    };
    let zero = (vec![0.0; d], vec![0.0; size * size], 0);
    let (mut slope, mut curvature, gradients) = pass(rows, visit, zero, |total, part| {
        add(&mut total.0, part.0);
        add(&mut total.1, part.1);
        total.2 += part.2;
    });
    model.add_prior_gradient(theta, &mut slope);
    if curved {
        model.add_prior_hessian(theta, &mut curvature);
    }
    Ok(Sums { slope, curvature, ledger: Ledger { gradients, ..Ledger::default() } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::ordinary::{Law, Regression};
    use debias::Seed;
    use models::laplace_mean::laplace_mean;

    /// The closed form of the logistic third derivative, on rows with a skewed weight.
    #[test]
    fn the_next_order_is_that_of_the_closed_form() -> anyhow::Result<()> {
        let problem = Law::Rare.rows(Seed(3), 2000)?;
        let Regression::Logistic(model) = Law::Rare.regression()? else {
            anyhow::bail!("labels make a logistic regression");
        };
        let found = approximations(&model, &problem.rows)?;
        let mode = newton(&model, &problem.rows, &[0.0; 6], STEP, MOST_PASSES)?;
        let (closed, _) = laplace_mean(&model, &problem.rows, &mode);
        for (j, (ours, closed)) in found.next_order.0.iter().zip(&closed).enumerate() {
            let sd = mode.covariance.entry(j, j).sqrt();
            assert!((ours - closed).abs() < 1e-3 * sd, "{j}: {ours} and {closed}");
        }
        // The rare weight is skewed to the left: its mean lies below its mode.
        assert!(found.next_order.0[4] < found.mode.0[4]);
        assert!(found.variational.0[4] < found.mode.0[4]);
        Ok(())
    }
}
