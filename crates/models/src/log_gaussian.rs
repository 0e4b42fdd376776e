//! The log-Gaussian in (μ, σ) with a flat prior on both (the paper's Figures 3 and 4).
//!
//! ```text
//! y_i = ln x_i ~ N(μ, σ²)        p(μ, σ) ∝ 1        θ = (μ, u),  u = ln σ
//! ln p(θ)     = u                                   the Jacobian dσ / du
//! ln p(y ∣ θ) = −u − (y − μ)² e^(−2u) / 2
//! ```
//!
//! The first covariate column holds y, the logarithm taken once for all; targets are ignored.
//! Every evaluation goes through all rows. Sufficient statistics serve the oracle only: with
//! S = Σ (y_i − ȳ)²,
//!
//! ```text
//! E[σ ∣ y] = √(S/2) Γ((n−3)/2) / Γ((n−2)/2)        E[σ² ∣ y] = S / (n − 4)        E[μ ∣ y] = ȳ
//! ```

use crate::lanes;
use crate::simd::{Kernel, LANES, Level, Simd};
use debias::Rng;
use posterior::{
    Block, DenseBlock, Differentiable, LevelEstimate, Model, PartialPosterior, Smooth,
};

/// Prior and likelihood.
#[derive(Clone, Copy, Debug)]
pub struct LogGaussian;

/// Exact moments of the posterior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogGaussianMoments {
    /// E μ.
    pub mean_mu: f64,
    /// E σ.
    pub mean_sigma: f64,
    /// The standard deviation of σ; infinite for four rows.
    pub sd_sigma: f64,
}

/// φ_t = E[σ ∣ 𝒟_t] in closed form.
#[derive(Clone, Copy, Debug)]
pub struct LogGaussianClosedForm;

/// Why there is no posterior mean.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LogGaussianError {
    /// With fewer than four rows the mean of σ is infinite.
    #[error("{rows} rows, where the mean of σ needs 4")]
    TooFewRows {
        /// n.
        rows: usize,
    },
    /// All rows are equal, or one is not finite.
    #[error("the sum of squares about the mean is {sum}")]
    NoSpread {
        /// S.
        sum: f64,
    },
}

impl LogGaussian {
    /// σ at θ.
    pub fn sigma(theta: &[f64]) -> f64 {
        theta[1].exp()
    }

    /// The closed form.
    pub fn moments(block: &DenseBlock) -> Result<LogGaussianMoments, LogGaussianError> {
        let rows = block.rows();
        if rows < 4 {
            return Err(LogGaussianError::TooFewRows { rows });
        }
        let y = block.column(0);
        let n = rows as f64;
        let mean = lanes::sum(y, |y| y) / n;
        // The second pass, with the rounding of the mean taken out.
        let (offsets, squares) = residuals(y, mean);
        let spread = squares - offsets * offsets / n;
        if !(spread > 0.0 && spread.is_finite()) {
            return Err(LogGaussianError::NoSpread { sum: spread });
        }
        let mean_sigma = (spread / 2.0).sqrt() * gamma_ratio((n - 3.0) / 2.0);
        let second = if rows > 4 { spread / (n - 4.0) } else { f64::INFINITY };
        // E σ² − (E σ)² cancels to about 1/(2n) of either.
        let sd_sigma = (second - mean_sigma * mean_sigma).max(0.0).sqrt();
        Ok(LogGaussianMoments { mean_mu: mean + offsets / n, mean_sigma, sd_sigma })
    }
}

/// Σ (y − μ) and Σ (y − μ)².
fn residuals(y: &[f64], mu: f64) -> (f64, f64) {
    Level::best().run(Residuals { y, mu })
}

struct Residuals<'a> {
    y: &'a [f64],
    mu: f64,
}

impl Kernel for Residuals<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (f64, f64) {
        let mu = simd.splat(self.mu);
        let mut totals = (simd.splat(0.0), simd.splat(0.0));
        let (chunks, rest) = self.y.as_chunks::<LANES>();
        for chunk in chunks {
            let residual = simd.sub(simd.load(chunk), mu);
            totals.0 = simd.add(totals.0, residual);
            totals.1 = simd.mul_add(residual, residual, totals.1);
        }
        let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
        simd.store(totals.0, &mut sums);
        simd.store(totals.1, &mut squares);
        for (lane, y) in rest.iter().enumerate() {
            sums[lane] += y - self.mu;
            squares[lane] += (y - self.mu) * (y - self.mu);
        }
        (lanes::fold(sums), lanes::fold(squares))
    }
}

/// Γ(a) / Γ(a + ½).
///
/// A difference of two ln Γ would lose all but seven digits at a = 2²⁵, so the ratio is taken from
/// its own asymptotic series, after Γ(a)/Γ(a + ½) = (1 + 1/2a) Γ(a + 1)/Γ(a + 3/2) has been used
/// until a is at least 30, where the series is good to 10⁻¹⁶.
fn gamma_ratio(a: f64) -> f64 {
    const SERIES: [f64; 9] = [
        1.0,
        -1.0 / 8.0,
        1.0 / 128.0,
        5.0 / 1024.0,
        -21.0 / 32768.0,
        -399.0 / 262144.0,
        869.0 / 4194304.0,
        39325.0 / 33554432.0,
        -334477.0 / 2147483648.0,
    ];
    let (mut a, mut factor) = (a, 1.0);
    while a < 30.0 {
        factor *= 1.0 + 0.5 / a;
        a += 1.0;
    }
    let series = SERIES.iter().rev().fold(0.0, |sum, term| sum / a + term);
    factor / (a.sqrt() * series)
}

/// x e^(−2u), which is 0 at x = 0 however small σ is.
fn scaled(x: f64, u: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x * (-2.0 * u).exp() }
}

impl Model for LogGaussian {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        2
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        theta[1]
    }

    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        self.add_gradient(theta, block, &mut [0.0; 2])
    }
}

impl Differentiable for LogGaussian {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        gradient[1] += 1.0;
        theta[1]
    }

    fn add_gradient(&self, theta: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
        let [mu, u] = *theta else { panic!("two parameters, not {}", theta.len()) };
        let n = block.rows() as f64;
        let (sum, squares) = residuals(block.column(0), mu);
        gradient[0] += scaled(sum, u);
        gradient[1] += scaled(squares, u) - n;
        -n * u - 0.5 * scaled(squares, u)
    }
}

impl Smooth for LogGaussian {
    fn add_prior_hessian(&self, _theta: &[f64], _hessian: &mut [f64]) {}

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &DenseBlock,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let mut own = [0.0; 2];
        let value = self.add_gradient(theta, block, &mut own);
        let n = block.rows() as f64;
        hessian[0] -= scaled(n, theta[1]);
        hessian[1] -= 2.0 * own[0];
        hessian[2] -= 2.0 * own[0];
        hessian[3] -= 2.0 * (own[1] + n);
        gradient[0] += own[0];
        gradient[1] += own[1];
        value
    }

    /// The third-order term, one standard deviation out in both directions, all signs equal:
    /// (4 z² v³ + 12 |z| v² m + 6 v m²) / 6 with z = (y − μ)/σ, v = sd of u, m = sd of μ / σ.
    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &DenseBlock) -> Vec<f64> {
        let sigma = LogGaussian::sigma(anchor);
        let (m, v) = (covariance[0].max(0.0).sqrt() / sigma, covariance[3].max(0.0).sqrt());
        let score = |y: &f64| {
            let z = ((y - anchor[0]) / sigma).abs();
            v * (2.0 / 3.0 * (z * v).powi(2) + 2.0 * z * v * m + m * m)
        };
        block.column(0).iter().map(score).collect()
    }
}

impl LevelEstimate<LogGaussian> for LogGaussianClosedForm {
    type Error = LogGaussianError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, LogGaussian>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, LogGaussianError> {
        Ok(vec![LogGaussian::moments(posterior.read_rows())?.mean_sigma])
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(y: &[f64]) -> DenseBlock {
        let mut block = DenseBlock::zeros(y.len(), 1);
        block.column_mut(0).copy_from_slice(y);
        block
    }

    #[test]
    fn gamma_ratios_worked_by_hand() {
        let root = std::f64::consts::PI.sqrt();
        // Γ(½)/Γ(1), Γ(1)/Γ(3/2), Γ(5/2)/Γ(3).
        for (a, expected) in [(0.5, root), (1.0, 2.0 / root), (2.5, 0.375 * root)] {
            assert!((gamma_ratio(a) / expected - 1.0).abs() < 2e-15, "{a}");
        }
        // Γ(a)/Γ(a+1) = 1/a, as two half steps.
        for a in [29.5, 30.0, 1e3, 3e7] {
            assert!((gamma_ratio(a) * gamma_ratio(a + 0.5) * a - 1.0).abs() < 1e-15, "{a}");
        }
    }

    /// Trapezoids over (μ, u), where the integrand falls off like a Gaussian in both.
    #[test]
    fn moments_against_quadrature() {
        let rows = block(&[0.3, -1.2, 2.5, 0.9, -0.4, 1.7, 0.1, -2.2, 0.6]);
        let moments = LogGaussian::moments(&rows).unwrap();
        let mut sums = [0.0; 4];
        // A tail like σ^−8 in u needs a wide range; 40 standard deviations on either side.
        for i in -400..=1200 {
            let u = f64::from(i) * 0.02;
            for j in -400..=400 {
                let mu = moments.mean_mu + f64::from(j) * 0.05 * u.exp();
                let theta = [mu, u];
                let density = (LogGaussian.log_prior(&theta)
                    + LogGaussian.log_likelihood(&theta, &rows))
                .exp();
                // dμ = σ times the step.
                let weight = density * u.exp();
                sums[0] += weight;
                sums[1] += weight * mu;
                sums[2] += weight * u.exp();
                sums[3] += weight * (2.0 * u).exp();
            }
        }
        let (mu, sigma, second) = (sums[1] / sums[0], sums[2] / sums[0], sums[3] / sums[0]);
        assert!((mu - moments.mean_mu).abs() < 1e-10, "{mu}");
        assert!((sigma / moments.mean_sigma - 1.0).abs() < 1e-9, "{sigma}");
        let sd = (second - sigma * sigma).sqrt();
        assert!((sd / moments.sd_sigma - 1.0).abs() < 1e-8, "{sd} {}", moments.sd_sigma);
    }

    #[test]
    fn too_little_data_is_refused() {
        let few = LogGaussian::moments(&block(&[1.0, 2.0, 3.0]));
        assert_eq!(few, Err(LogGaussianError::TooFewRows { rows: 3 }));
        let equal = LogGaussian::moments(&block(&[2.0; 5]));
        assert_eq!(equal, Err(LogGaussianError::NoSpread { sum: 0.0 }));
        assert!(LogGaussian::moments(&block(&[1.0, 2.0, 3.0, f64::NAN])).is_err());
        let four = LogGaussian::moments(&block(&[1.0, 2.0, 3.0, 4.0])).unwrap();
        assert!(four.mean_sigma.is_finite() && four.sd_sigma == f64::INFINITY);
    }
}
