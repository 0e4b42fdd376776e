//! Distribution functions with Stein's control variate.
//!
//! For u = a·(θ − θ₀)/σ and q = aᵀC ∇ ln π(θ)/σ, where σ² = aᵀC a, integration by parts gives
//! E[h′(u) + h(u) q] = 0 for every bounded h. With Stein's solution g of g′(u) − u g(u) = 1{u ≤ c} − Φ(c)
//! in place of h, the indicator cancels and
//!
//! ```text
//! P(u ≤ c) = E[ Φ(c) − g(u) (u + q) ],    g(u) = √2π e^{u²/2} Φ(min(u, c)) (1 − Φ(max(u, c))).
//! ```
//!
//! The residual u + q vanishes where π is N(θ₀, C): nothing random is left then. It is also what the
//! linear control variate leaves of a mean, so that a distribution function is known about as well as
//! the mean is. (Stein 1972 has the equation; control variates of this kind are Mira, Solgi & Imparato's.)

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Thresholds beyond which an event is all but certain, and its indicator serves as it is.
const FARTHEST: f64 = 8.0;
/// Where the asymptotic series of Mills' ratio takes over: its next term is 3·10⁻¹⁰ of the first.
const SERIES: f64 = 12.0;

/// Φ.
pub fn normal_probability(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// φ.
pub fn normal_density(z: f64) -> f64 {
    Normal::standard().pdf(z)
}

/// Φ⁻¹.
pub fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// Mills' ratio (1 − Φ(x)) / φ(x).
fn mills(x: f64) -> f64 {
    if x < SERIES {
        return normal_probability(-x) / normal_density(x);
    }
    let y = 1.0 / (x * x);
    (1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y)))) / x
}

/// One point, seen along one direction.
///
/// ```
/// // Under a Gaussian the residual is zero, and every point tells the probability exactly.
/// let point = samplers::Standardised::new(0.3, 0.0);
/// assert!((point.below(1.0) - samplers::normal_probability(1.0)).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standardised {
    place: f64,
    /// u + q; not a number where there is no control variate.
    residual: f64,
    /// Mills' ratio at −u and at u; one of them may overflow, and is then not used.
    ratios: [f64; 2],
}

impl Standardised {
    /// u.
    pub fn place(&self) -> f64 {
        self.place
    }

    /// The point at u with the residual u + q.
    pub fn new(place: f64, residual: f64) -> Standardised {
        Standardised { place, residual, ratios: [mills(-place), mills(place)] }
    }

    /// The point at u without a control variate: its integrand is the indicator.
    pub fn plain(place: f64) -> Standardised {
        Standardised { place, residual: f64::NAN, ratios: [f64::NAN; 2] }
    }

    /// The integrand whose expectation is P(u ≤ c).
    pub fn below(&self, threshold: f64) -> f64 {
        self.below_with(threshold, normal_probability(threshold))
    }

    /// The same where Φ(c) is known already.
    pub fn below_with(&self, threshold: f64, probability: f64) -> f64 {
        if threshold.abs() > FARTHEST || self.residual.is_nan() {
            return f64::from(u8::from(self.place <= threshold));
        }
        let solution = if self.place <= threshold {
            self.ratios[0] * (1.0 - probability)
        } else {
            self.ratios[1] * probability
        };
        probability - solution * self.residual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ of the integrand under N(m, s²), by the trapezoidal rule, is Φ((c − m)/s) whatever m and s are.
    /// Fault: the wrong side of the threshold, or u for u + q.
    #[test]
    fn the_integrand_has_the_right_mean_under_other_gaussians() {
        for (mean, sd) in [(0.0, 1.0), (0.7, 1.0), (-0.4, 1.5), (1.0, 0.6)] {
            for threshold in [-2.5, -0.3, 0.0, 1.1, 7.0, 20.0] {
                let (steps, width) = (40_000, 16.0 * sd / 40_000.0);
                let sum: f64 = (0..=steps)
                    .map(|i| {
                        let u = mean - 8.0 * sd + width * f64::from(i);
                        let residual = u - (u - mean) / (sd * sd);
                        let density = normal_density((u - mean) / sd) / sd;
                        width * density * Standardised::new(u, residual).below(threshold)
                    })
                    .sum();
                let exact = normal_probability((threshold - mean) / sd);
                assert!((sum - exact).abs() < 1e-5, "{mean} {sd} {threshold}: {sum}, {exact}");
            }
        }
    }

    #[test]
    fn mills_ratio_is_continuous_and_never_nan() {
        let (below, above) = (mills(SERIES - 1e-9), mills(SERIES));
        assert!((below / above - 1.0).abs() < 1e-6, "{below} {above}");
        for u in [-1e9, -50.0, 50.0, 1e9] {
            assert!(Standardised::new(u, 1.0).below(0.5).is_finite(), "{u}");
        }
    }
}
