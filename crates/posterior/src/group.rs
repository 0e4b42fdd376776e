//! Parameters that share an unknown standard deviation: u_j ∣ τ ~ N(0, exp(2 τ)).

use std::ops::Range;

/// The effects of the levels of one group, and the logarithm of their standard deviation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// u_1, …, u_G: consecutive parameters.
    pub effects: Range<usize>,
    /// τ, the parameter that is the logarithm of their standard deviation.
    pub log_sd: usize,
}

impl Group {
    /// exp(−2 τ), the precision of an effect.
    pub fn precision(&self, theta: &[f64]) -> f64 {
        (-2.0 * theta[self.log_sd]).exp()
    }
}
