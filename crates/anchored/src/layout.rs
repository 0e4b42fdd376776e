//! The numbers of a replicate, and the directions of its control variates.

use crate::anchor::Anchor;
use samplers::Functional;

/// How the numbers of a replicate are laid out: for F functionals their expectations, F second
/// moments about the anchor, F remaining biases of the first level, its share of effective points, and
/// for K thresholds the distribution function there, and K remaining biases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// F.
    pub functionals: usize,
    /// K.
    pub thresholds: usize,
}

impl Layout {
    /// All numbers of a replicate.
    pub fn width(self) -> usize {
        3 * self.functionals + 1 + 2 * self.thresholds
    }

    /// Where the second moment of a functional is.
    pub fn second_moment(self, functional: usize) -> usize {
        self.functionals + functional
    }

    /// Where the remaining bias of a functional is.
    pub fn remaining_bias(self, functional: usize) -> usize {
        2 * self.functionals + functional
    }

    /// Where the share is.
    pub fn share(self) -> usize {
        3 * self.functionals
    }

    /// Where the distribution function at a threshold is.
    pub fn below(self, threshold: usize) -> usize {
        3 * self.functionals + 1 + threshold
    }

    /// Where its remaining bias is.
    pub fn below_bias(self, threshold: usize) -> usize {
        3 * self.functionals + 1 + self.thresholds + threshold
    }
}

/// A value of a functional's integrand at which its distribution function is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Which functional, a linear one.
    pub functional: usize,
    /// c, in standard deviations of the anchor's Gaussian from its centre.
    pub place: f64,
    /// Whether Stein's control variate is used.
    pub controlled: bool,
}

/// ∇f(θ₀), the coefficients of a control variate.
#[derive(Clone, Debug, PartialEq)]
pub enum Slope {
    /// None: the functional is not smooth.
    None,
    /// One for a coordinate, zero for all others.
    Coordinate(usize),
    /// Any gradient.
    Any(Vec<f64>),
}

impl Slope {
    /// Σ_j slope_j x_j.
    pub fn along(&self, vector: &[f64]) -> f64 {
        match self {
            Slope::None => 0.0,
            Slope::Coordinate(j) => vector[*j],
            Slope::Any(gradient) => gradient.iter().zip(vector).map(|(a, x)| a * x).sum(),
        }
    }

    /// Σ_j slope_j (θ_j − θ₀_j).
    pub fn offset(&self, theta: &[f64], centre: &[f64]) -> f64 {
        match self {
            Slope::None => 0.0,
            Slope::Coordinate(j) => theta[*j] - centre[*j],
            Slope::Any(gradient) => {
                let moves = theta.iter().zip(centre).map(|(theta, centre)| theta - centre);
                gradient.iter().zip(moves).map(|(a, x)| a * x).sum()
            }
        }
    }
}

/// ∇f at a centre; for functions by central differences of a hundredth of a standard deviation. An event
/// a·θ ≤ c has the slope a.
pub fn slope(functional: &Functional, centre: &[f64], deviations: &[f64]) -> Slope {
    match functional {
        Functional::Mean(j) | Functional::Variance(j) | Functional::Deviation(j) => {
            Slope::Coordinate(*j)
        }
        Functional::Probability(_) => Slope::None,
        Functional::Linear(combination)
        | Functional::Below(combination, _)
        | Functional::Quantile(combination, _) => {
            let mut gradient = vec![0.0; centre.len()];
            combination.0.iter().for_each(|&(j, a)| gradient[j] += a);
            Slope::Any(gradient)
        }
        Functional::Prediction(_)
        | Functional::Exponential(..)
        | Functional::Covariance(..)
        | Functional::Correlation(..) => {
            let mut theta = centre.to_vec();
            let one = |j: usize| {
                let step = 0.01 * deviations[j];
                theta[j] = centre[j] + step;
                let above = functional.integrand(&theta);
                theta[j] = centre[j] - step;
                let below = functional.integrand(&theta);
                theta[j] = centre[j];
                (above - below) / (2.0 * step)
            };
            Slope::Any((0..centre.len()).map(one).collect())
        }
    }
}

/// What the control variates of a functional need to know of the anchor.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// a = ∇f(θ₀).
    pub slope: Slope,
    /// σ, where σ² = aᵀC a.
    pub deviation: f64,
    /// f(θ₀).
    pub centre: f64,
    /// For an event a·θ ≤ c, (c − a·θ₀)/σ.
    pub threshold: Option<f64>,
}

impl Direction {
    /// Of one functional; `whiten` multiplies by C.
    pub fn new(
        functional: &Functional,
        centre: &[f64],
        deviations: &[f64],
        whiten: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Direction {
        let slope = slope(functional, centre, deviations);
        let deviation = match &slope {
            Slope::None => 0.0,
            Slope::Coordinate(j) => deviations[*j],
            Slope::Any(gradient) => slope.along(&whiten(gradient)).max(0.0).sqrt(),
        };
        let threshold = match functional {
            Functional::Below(combination, c) if deviation > 0.0 => {
                Some((c - combination.at(centre)) / deviation)
            }
            _ => None,
        };
        let slope = match functional {
            // An event that always or never happens has no use for a control variate.
            Functional::Below(..) if threshold.is_none() => Slope::None,
            _ => slope,
        };
        Direction { slope, deviation, centre: functional.integrand(centre), threshold }
    }

    /// Of each of some functionals.
    pub fn all(functionals: &[Functional], anchor: &Anchor) -> Vec<Direction> {
        let centre = anchor.centre();
        let deviations: Vec<f64> = (0..centre.len()).map(|j| anchor.deviation(j)).collect();
        let one = |functional| {
            Direction::new(functional, centre, &deviations, |vector| {
                anchor.covariance.times(vector)
            })
        };
        functionals.iter().map(one).collect()
    }
}
