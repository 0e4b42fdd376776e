//! The Laplace approximation's own posterior means: Newton's method, and the next order.
//!
//! The anchor is most of an answer already. What it leaves is of the order 1/N, for ever: there is no
//! interval, and no work that would make it smaller.
//!
//! *Logistic regression.* Where many weights lie at the kinks of a Laplace prior of scale b, the prior
//! is seen through the Gaussian N(m, C) that is looked for: its slope and its curvature are
//!
//! ```text
//! E s_j = −erf(m_j / √(2 C_jj)) / b        −∂ E s_j / ∂m_j = 2 φ(m_j / √C_jj) / (b √C_jj)
//! ```
//!
//! and m, C solve ∇Q(m) + E s = 0, C⁻¹ = −∇²Q + curvature, with Q the expansion of all rows at the mode
//! under a smooth prior, and once more at the m found. One pass then adds ½ C Σ_i ℓ‴_i (x_iᵀ C x_i) x_i.
//!
//! *Log-Gaussian.* With third derivatives by central differences of the Hessian H along each
//! coordinate, two passes each, and φ = e^u, u = ln σ:
//!
//! ```text
//! E θ ≈ θ̂ + ½ C s,  s_k = ∂_k tr(C H)         E φ ≈ φ(θ̂) (1 + E u − û + ½ C_uu)
//! ```

use super::anchored::{Mode, newton, survey};
use debias::Ledger;
use models::design::Design;
use models::laplace_mean::laplace_mean;
use models::log_gaussian::LogGaussian;
use models::logistic::Logistic;
use posterior::{Rows, Smooth};
use statrs::function::erf::erf;

/// The last step of Newton's method, in posterior sds.
const STEP: f64 = 1e-3;
const MOST_PASSES: u64 = 20;
/// Newton's method for m needs no pass, and few steps.
const MOST_STEPS: usize = 100;
/// The step of differences, in posterior sds: the third derivative's own change over it is of the
/// order of its square.
const DIFFERENCE: f64 = 0.1;

/// The means of all weights under a Laplace prior of this scale.
pub fn logistic<R, B>(
    (model, smooth, scale): (&Logistic<B>, &Logistic<B>, f64),
    rows: &R,
) -> anyhow::Result<(Vec<f64>, Ledger)>
where
    R: Rows<Block = B>,
    B: Design,
{
    let start = vec![0.0; model.width() + 1];
    let mut mode = newton(smooth, rows, &start, STEP, MOST_PASSES)?;
    through_kinks(&mut mode, model, scale)?;
    // The other prior has moved the mean by up to one sd: the rows are expanded there once more.
    let found = survey(model, rows, &mode.theta, None);
    mode.ledger += Ledger { distinct_rows: 0, ..found.ledger };
    mode.expansion = found.expansion;
    through_kinks(&mut mode, model, scale)?;
    let (mean, pass) = laplace_mean(smooth, rows, &mode);
    Ok((mean, mode.ledger + Ledger { distinct_rows: 0, ..pass }))
}

/// Moves mean and covariance to where the prior's slope, averaged over the Gaussian, holds that of Q.
fn through_kinks<B: Design>(
    mode: &mut Mode,
    model: &Logistic<B>,
    scale: f64,
) -> anyhow::Result<()> {
    let d = mode.theta.len();
    for _ in 0..MOST_STEPS {
        let mut slope = vec![0.0; d];
        mode.expansion.add_gradient(&mode.theta, &mut slope);
        // A kink counts as flat: this is the precision of the rows alone.
        let mut precision = mode.expansion.precision(model);
        for (j, slope) in slope.iter_mut().enumerate() {
            let sd = mode.covariance.entry(j, j).sqrt();
            let x = mode.theta[j] / sd;
            *slope -= erf(x / std::f64::consts::SQRT_2) / scale;
            let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
            precision.add_entry(j, j, 2.0 * density / (sd * scale));
        }
        let factor = precision.cholesky()?;
        factor.solve(&mut slope);
        mode.covariance = factor.inverse();
        let mut largest = 0.0_f64;
        for (j, step) in slope.iter().enumerate() {
            mode.theta[j] += step;
            largest = largest.max(step.abs() / mode.covariance.entry(j, j).sqrt());
        }
        if largest < STEP * STEP {
            return Ok(());
        }
    }
    anyhow::bail!("after {MOST_STEPS} steps the Laplace approximation still moves")
}

/// The mean of σ.
pub fn log_gaussian<R>(rows: &R) -> anyhow::Result<(Vec<f64>, Ledger)>
where
    R: Rows<Block = posterior::DenseBlock>,
{
    let Mode { theta, covariance, mut ledger, .. } =
        newton(&LogGaussian, rows, &[0.0; 2], STEP * STEP, MOST_PASSES)?;
    let mut skew = [0.0; 2];
    for k in 0..2 {
        let step = DIFFERENCE * covariance.entry(k, k).sqrt();
        for sign in [1.0, -1.0] {
            let mut moved = theta.clone();
            moved[k] += sign * step;
            let found = survey(&LogGaussian, rows, &moved, None);
            ledger += Ledger { distinct_rows: 0, ..found.ledger };
            let mut hessian = found.expansion.hessian;
            LogGaussian.add_prior_hessian(&moved, &mut hessian);
            let trace: f64 = covariance.entries().iter().zip(&hessian).map(|(c, h)| c * h).sum();
            skew[k] += sign * trace / (2.0 * step);
        }
    }
    let shift = 0.5 * covariance.times(&skew)[1];
    let sigma = LogGaussian::sigma(&theta);
    Ok((vec![sigma * (1.0 + shift + 0.5 * covariance.entry(1, 1))], ledger))
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, GaussianLaw, Generated};
    use debias::Seed;

    /// The closed form is met to the order 1/N in relative terms, N^(−1/2) of a posterior sd less.
    #[test]
    fn the_mean_of_sigma_is_that_of_the_closed_form() {
        for count in [200, 2000] {
            let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(1), count);
            let rows = DenseRows::new(rows.range(0..count));
            let moments = LogGaussian::moments(rows.block()).unwrap();
            let (mean, _) = log_gaussian(&rows).unwrap();
            let error = (mean[0] - moments.mean_sigma).abs() / moments.sd_sigma;
            assert!(error < 10.0 * (count as f64).powf(-1.5), "{count}: {error}");
        }
    }
}
