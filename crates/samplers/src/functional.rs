//! What is asked of a posterior: φ, as a value.
//!
//! ```text
//! expectations   E θ_j,   E a·θ,   E exp(a·θ + c),   P(a·θ ≤ c),   P(θ ∈ A),   E f(θ)
//! others         Var θ_j,   sd θ_j,   Cov(θ_i, θ_j),   their correlation,   quantiles of a·θ
//! ```
//!
//! Expectations are linear in the posterior; the others are functions of several of them.

use std::fmt;
use std::sync::Arc;

/// A set A, as its indicator.
pub type Event = Arc<dyn Fn(&[f64]) -> bool + Send + Sync>;

/// A function f.
pub type Function = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// a·θ, as the coordinates that are in it and their coefficients.
///
/// ```
/// let contrast = samplers::Combination(vec![(0, 1.0), (2, -1.0)]);
/// assert_eq!(contrast.at(&[5.0, 7.0, 2.0]), 3.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Combination(pub Vec<(usize, f64)>);

impl Combination {
    /// θ_j alone.
    pub fn coordinate(j: usize) -> Combination {
        Combination(vec![(j, 1.0)])
    }

    /// a·θ.
    pub fn at(&self, theta: &[f64]) -> f64 {
        self.0.iter().map(|&(j, a)| a * theta[j]).sum()
    }
}

/// One number asked of a posterior.
#[derive(Clone)]
pub enum Functional {
    /// E θ_j.
    Mean(usize),
    /// Var θ_j.
    Variance(usize),
    /// P(θ ∈ A).
    Probability(Event),
    /// E f(θ).
    Prediction(Function),
    /// E a·θ.
    Linear(Combination),
    /// E exp(a·θ + c): an odds ratio, a standard deviation whose logarithm is a parameter.
    Exponential(Combination, f64),
    /// P(a·θ ≤ c), which control variates serve far better than any other event.
    Below(Combination, f64),
    /// The standard deviation of θ_j.
    Deviation(usize),
    /// Cov(θ_i, θ_j).
    Covariance(usize, usize),
    /// Cov(θ_i, θ_j) over both standard deviations.
    Correlation(usize, usize),
    /// The number that a·θ stays below with this probability.
    Quantile(Combination, f64),
}

impl Functional {
    /// The means of all d coordinates.
    pub fn means(dimension: usize) -> Vec<Functional> {
        (0..dimension).map(Functional::Mean).collect()
    }

    /// The probability of an event.
    pub fn probability(event: impl Fn(&[f64]) -> bool + Send + Sync + 'static) -> Functional {
        Functional::Probability(Arc::new(event))
    }

    /// The expectation of a function.
    pub fn prediction(function: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Functional {
        Functional::Prediction(Arc::new(function))
    }

    /// Whether the functional is an expectation, E of [`Functional::integrand`].
    pub fn is_expectation(&self) -> bool {
        match self {
            Functional::Mean(_)
            | Functional::Probability(_)
            | Functional::Prediction(_)
            | Functional::Linear(_)
            | Functional::Exponential(..)
            | Functional::Below(..) => true,
            Functional::Variance(_)
            | Functional::Deviation(_)
            | Functional::Covariance(..)
            | Functional::Correlation(..)
            | Functional::Quantile(..) => false,
        }
    }

    /// Whether the functional is the chance of an event.
    pub fn is_chance(&self) -> bool {
        matches!(self, Functional::Probability(_) | Functional::Below(..))
    }

    /// What is averaged; for functionals that are no expectation, what they are about.
    pub fn integrand(&self, theta: &[f64]) -> f64 {
        match self {
            Functional::Mean(j) | Functional::Variance(j) | Functional::Deviation(j) => theta[*j],
            Functional::Probability(event) => f64::from(u8::from(event(theta))),
            Functional::Prediction(function) => function(theta),
            Functional::Linear(combination) | Functional::Quantile(combination, _) => {
                combination.at(theta)
            }
            Functional::Exponential(combination, c) => (combination.at(theta) + c).exp(),
            Functional::Below(combination, c) => f64::from(u8::from(combination.at(theta) <= *c)),
            Functional::Covariance(i, j) | Functional::Correlation(i, j) => theta[*i] * theta[*j],
        }
    }

    /// The functional of the discrete law with these points and weights, which sum to one.
    pub fn of_weighted<'a>(&self, points: impl Iterator<Item = &'a [f64]>, weights: &[f64]) -> f64 {
        let points: Vec<&[f64]> = points.collect();
        let mean = |f: &dyn Fn(&[f64]) -> f64| -> f64 {
            points.iter().zip(weights).map(|(theta, weight)| weight * f(theta)).sum()
        };
        let covariance = |i: usize, j: usize| {
            let (mean_i, mean_j) = (mean(&|theta| theta[i]), mean(&|theta| theta[j]));
            mean(&|theta| (theta[i] - mean_i) * (theta[j] - mean_j))
        };
        match self {
            Functional::Variance(j) => covariance(*j, *j),
            Functional::Deviation(j) => covariance(*j, *j).sqrt(),
            Functional::Covariance(i, j) => covariance(*i, *j),
            Functional::Correlation(i, j) => {
                covariance(*i, *j) / (covariance(*i, *i) * covariance(*j, *j)).sqrt()
            }
            Functional::Quantile(combination, probability) => {
                let values = points.iter().map(|theta| combination.at(theta));
                let mut pairs: Vec<(f64, f64)> = values.zip(weights.iter().copied()).collect();
                pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut below = 0.0;
                let reached = pairs.iter().find(|(_, weight)| {
                    below += weight;
                    below >= *probability
                });
                reached.or(pairs.last()).map_or(f64::NAN, |pair| pair.0)
            }
            _ => mean(&|theta| self.integrand(theta)),
        }
    }
}

impl fmt::Debug for Functional {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Functional::Mean(j) => write!(formatter, "Mean({j})"),
            Functional::Variance(j) => write!(formatter, "Variance({j})"),
            Functional::Probability(_) => write!(formatter, "Probability(…)"),
            Functional::Prediction(_) => write!(formatter, "Prediction(…)"),
            Functional::Linear(combination) => write!(formatter, "Linear({:?})", combination.0),
            Functional::Exponential(combination, c) => {
                write!(formatter, "Exponential({:?}, {c})", combination.0)
            }
            Functional::Below(combination, c) => {
                write!(formatter, "Below({:?}, {c})", combination.0)
            }
            Functional::Deviation(j) => write!(formatter, "Deviation({j})"),
            Functional::Covariance(i, j) => write!(formatter, "Covariance({i}, {j})"),
            Functional::Correlation(i, j) => write!(formatter, "Correlation({i}, {j})"),
            Functional::Quantile(combination, p) => {
                write!(formatter, "Quantile({:?}, {p})", combination.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functionals_of_three_points_by_hand() {
        let points = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0]];
        let weights = [0.5, 0.25, 0.25];
        let of = |f: Functional| f.of_weighted(points.iter().map(|p| &p[..]), &weights);
        let sum = Combination(vec![(0, 1.0), (1, 1.0)]);
        assert_eq!(of(Functional::Mean(0)), 0.75);
        assert_eq!(of(Functional::Variance(0)), 0.6875);
        assert_eq!(of(Functional::Deviation(0)), 0.6875_f64.sqrt());
        // E[θ0 θ1] = 0.75 + 1, E θ1 = 1.75.
        assert_eq!(of(Functional::Covariance(0, 1)), 1.75 - 0.75 * 1.75);
        assert_eq!(of(Functional::Linear(sum.clone())), 2.5);
        assert_eq!(of(Functional::Below(sum.clone(), 3.9)), 0.5);
        let exponential = 0.5 * 3f64.exp() + 0.5 * 6f64.exp();
        let found = of(Functional::Exponential(sum.clone(), 2.0));
        assert!((found / exponential - 1.0).abs() < 1e-14, "{found} for {exponential}");
        assert_eq!(of(Functional::Quantile(sum.clone(), 0.5)), 1.0);
        assert_eq!(of(Functional::Quantile(sum, 0.51)), 4.0);
        assert!((of(Functional::Correlation(0, 0)) - 1.0).abs() < 1e-15);
    }
}
