//! What is asked of a posterior: φ, as a value.
//!
//! ```text
//! mean E θ_j,   variance E (θ_j − E θ_j)²,   probability P(θ ∈ A),   prediction E f(θ)
//! ```
//!
//! All but the variance are expectations, and so linear in the posterior.

use std::fmt;
use std::sync::Arc;

/// A set A, as its indicator.
pub type Event = Arc<dyn Fn(&[f64]) -> bool + Send + Sync>;

/// A function f.
pub type Function = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

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
        !matches!(self, Functional::Variance(_))
    }

    /// What is averaged; for a variance θ_j, of which the spread is wanted.
    pub fn integrand(&self, theta: &[f64]) -> f64 {
        match self {
            Functional::Mean(j) | Functional::Variance(j) => theta[*j],
            Functional::Probability(event) => f64::from(u8::from(event(theta))),
            Functional::Prediction(function) => function(theta),
        }
    }

    /// The functional of the discrete law with these points and weights, which sum to one.
    pub fn of_weighted<'a>(&self, points: impl Iterator<Item = &'a [f64]>, weights: &[f64]) -> f64 {
        let values: Vec<f64> = points.map(|theta| self.integrand(theta)).collect();
        let mean: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        if self.is_expectation() {
            return mean;
        }
        values.iter().zip(weights).map(|(value, weight)| weight * (value - mean).powi(2)).sum()
    }
}

impl fmt::Debug for Functional {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Functional::Mean(j) => write!(formatter, "Mean({j})"),
            Functional::Variance(j) => write!(formatter, "Variance({j})"),
            Functional::Probability(_) => write!(formatter, "Probability(…)"),
            Functional::Prediction(_) => write!(formatter, "Prediction(…)"),
        }
    }
}
