//! The Laplace approximation's own posterior mean of σ: Newton's method, and the next order.
//!
//! The anchor is most of an answer already. What it leaves is of the order 1/N, for ever: there is no
//! interval, and no work that would make it smaller.
//!
//! With third derivatives by central differences of the Hessian H along each
//! coordinate, two passes each, and φ = e^u, u = ln σ:
//!
//! ```text
//! E θ ≈ θ̂ + ½ C s,  s_k = ∂_k tr(C H)         E φ ≈ φ(θ̂) (1 + E u − û + ½ C_uu)
//! ```

use super::anchored::{Mode, newton, survey};
use debias::Ledger;
use models::log_gaussian::LogGaussian;
use posterior::{Rows, Smooth};

/// The last step of Newton's method, in posterior sds.
const STEP: f64 = 1e-3;
const MOST_PASSES: u64 = 20;
/// The step of differences, in posterior sds: the third derivative's own change over it is of the
/// order of its square.
const DIFFERENCE: f64 = 0.1;

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
