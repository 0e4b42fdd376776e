//! The numbers of a replicate, and the slopes of its control variates.

use samplers::Functional;

/// How the numbers of a replicate are laid out: for F functionals their expectations, F second
/// moments about the anchor, F remaining biases of the first level, and its share of effective points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// F.
    pub functionals: usize,
}

impl Layout {
    /// All numbers of a replicate.
    pub fn width(self) -> usize {
        3 * self.functionals + 1
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
    /// ∇f(θ₀) · v.
    pub fn along(&self, vector: &[f64]) -> f64 {
        match self {
            Slope::None => 0.0,
            Slope::Coordinate(j) => vector[*j],
            Slope::Any(gradient) => vector.iter().zip(gradient).map(|(v, g)| v * g).sum(),
        }
    }
}

/// ∇f at a centre; for functions by central differences of a hundredth of a standard deviation.
pub fn slope(functional: &Functional, centre: &[f64], deviations: &[f64]) -> Slope {
    match functional {
        Functional::Mean(j) | Functional::Variance(j) => Slope::Coordinate(*j),
        Functional::Probability(_) => Slope::None,
        Functional::Prediction(_) => {
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
