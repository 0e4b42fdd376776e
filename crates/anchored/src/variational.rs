//! Gaussian variational inference: the normal law closest to the posterior.
//!
//! ```text
//! N(m, C) with   ∇ ln p(m) + Σ_i E[ℓ′_i] x_i = 0,     C⁻¹ = −∇² ln p − Σ_i E[ℓ″_i] x_i x_iᵀ
//! ```
//!
//! E[·] is over a predictor that varies by v_i = x_iᵀ C x_i. These are the conditions for the smallest
//! divergence KL(N(m, C) ‖ π), and smoothed Newton steps have them as their fixed point; where a prior has
//! kinks, its slope and curvature are averages over the width of the law too. The anchor is near that point,
//! so that one step from it costs nothing, and a few more passes settle it.

use crate::anchor::Anchor;
use crate::anchor_error::AnchorError;
use crate::counted::CountedRows;
use crate::newton::Newton;
use crate::sums::sums;
use debias::Ledger;
use posterior::{Regression, Rows, Smooth};

/// The anchor counts as the variational law while its next step is shorter than this, in posterior
/// standard deviations.
const NEAR: f64 = 0.5;
/// The last step, in standard deviations, and the passes after which it may be longer.
const SETTLED: f64 = 1e-3;
const MOST: usize = 50;
/// Steps, in standard deviations, are cut at this length.
const LONGEST: f64 = 1.5;

/// The law closest to the posterior.
#[derive(Clone, Debug)]
pub struct Variational {
    /// m.
    pub mean: Vec<f64>,
    /// The square roots of the diagonal of C.
    pub deviations: Vec<f64>,
    /// The last step, in standard deviations.
    pub step: f64,
    /// Passes over all rows.
    pub passes: usize,
    /// All work.
    pub ledger: Ledger,
}

/// The mean and the standard deviations after one step from the anchor, where that is close; no pass.
pub fn variational<M: Smooth>(model: &M, anchor: &Anchor) -> Option<(Vec<f64>, Vec<f64>)> {
    let centre = anchor.centre();
    let d = centre.len();
    let deviations: Vec<f64> = (0..d).map(|j| anchor.deviation(j)).collect();
    let (mut gradient, mut curvature) = (anchor.quadratic.gradient.clone(), vec![0.0; d]);
    model.add_smoothed_prior(centre, &deviations, &mut gradient, &mut curvature);
    let step = anchor.covariance.times(&gradient);
    let near = step.iter().zip(&deviations).all(|(step, s)| step.abs() < NEAR * s);
    let mean = centre.iter().zip(&step).map(|(a, b)| a + b).collect();
    near.then_some((mean, deviations))
}

/// The fixed point, from the anchor on. Where it still moves after fifty passes, the last step tells.
pub fn fixed_point<R, M>(
    model: &M,
    regression: &dyn Regression<R::Block>,
    rows: &CountedRows<'_, R>,
    anchor: &Anchor,
) -> Result<Variational, AnchorError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let shape = anchor.quadratic.hessian.shape();
    let (mut mean, mut covariance) = (anchor.centre().to_vec(), anchor.covariance.clone());
    let mut ledger = Ledger { distinct_rows: rows.kinds() as u64, ..Ledger::default() };
    let deviations = |variances: Vec<f64>| variances.into_iter().map(f64::sqrt).collect();
    let mut widths: Vec<f64> = deviations(covariance.variances());
    let (mut length, mut passes) = (f64::INFINITY, 0);
    while passes < MOST && length > SETTLED {
        passes += 1;
        // No variance is cut: the law is what it is.
        let found =
            sums(regression, rows, &mean, shape, Some((&covariance.entries, f64::INFINITY)));
        ledger.gradients += rows.kinds() as u64;
        let Newton { step, precision, .. } = Newton::new(model, &found, &mean, &widths)
            .map_err(|source| AnchorError::NotConcave { passes, source })?;
        covariance = precision.covariance().clone();
        widths = deviations(covariance.variances());
        length = step.iter().zip(&widths).map(|(s, unit)| (s / unit).abs()).fold(0.0, f64::max);
        let cut = (LONGEST / length).min(1.0);
        mean.iter_mut().zip(&step).for_each(|(mean, step)| *mean += cut * step);
    }
    Ok(Variational { mean, deviations: widths, step: length, passes, ledger })
}
