//! Priors of a regression, in the user's units.
//!
//! The default is weakly informative on the standardised scale: 2.5 units of the target per unit of
//! the column, where a column's unit is its range if it holds two values only, else its standard
//! deviation, and the target's unit is its standard deviation for linear regression and one for the
//! others. The bias has a wide prior of its own, which covers what far-off columns make of it:
//!
//! ```text
//! weight_j ~ normal(0, 2.5 u / s_j)        bias ~ normal(0, u √(10² + 2.5² Σ_j (m_j / s_j)²))
//! ```

use crate::arguments::Common;
use crate::source::Source;
use unbiased_bayes::Prior;

/// Standard deviations of weights, and of the bias where all columns are about zero.
const WEIGHT: f64 = 2.5;
const BIAS: f64 = 10.0;

/// The prior of every weight and of the bias, and one sentence on them.
pub struct Chosen {
    pub laws: Vec<Prior>,
    pub sentence: String,
}

impl Chosen {
    /// As asked for, or the default; `unit` and `offset` are those of the target.
    pub fn new(common: &Common, source: &Source, unit: f64, offset: f64) -> Chosen {
        let columns = &source.columns;
        let width = source.names.len();
        let default =
            |j: usize| Prior::Gaussian { standard_deviation: WEIGHT * unit / columns.scale(j) };
        let mut laws: Vec<Prior> =
            (0..width).map(|j| common.prior.map_or_else(|| default(j), |prior| prior.0)).collect();
        let far: f64 =
            (0..width).map(|j| (columns.moments[j].mean / columns.scale(j)).powi(2)).sum();
        let wide = (BIAS * unit).hypot(WEIGHT * unit * far.sqrt()).hypot(WEIGHT * offset);
        let bias = match (common.prior_intercept, common.prior) {
            (Some(prior), _) | (None, Some(prior)) => prior.0,
            (None, None) => Prior::Gaussian { standard_deviation: wide },
        };
        laws.push(bias);
        let weights = match common.prior {
            Some(prior) => describe(prior.0),
            None if unit == 1.0 => {
                "normal(0, 2.5 / scale of the column) (the scale is the range of a column with two \
                 values, else its standard deviation)"
                    .to_owned()
            }
            None => format!(
                "normal(0, {:.4} / scale of the column) (the scale is the range of a column with two \
                 values, else its standard deviation)",
                WEIGHT * unit
            ),
        };
        Chosen { laws, sentence: format!("weights ~ {weights}; bias ~ {}", describe(bias)) }
    }
}

/// A law as it is written.
pub fn describe(prior: Prior) -> String {
    match prior {
        Prior::Flat => "flat".to_owned(),
        Prior::Gaussian { standard_deviation } => format!("normal(0, {standard_deviation:.4})"),
        Prior::Laplace { scale } => format!("laplace(0, {scale:.4})"),
    }
}
