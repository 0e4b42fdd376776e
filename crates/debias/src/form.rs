//! The four ways to put a replicate together.
//!
//! ```text
//! coupled sum             Z = Σ_{t ≤ T} (φ_t − φ_{t−1}) / P(T ≥ t)   on nested batches (the paper's)
//! single term             Z = φ_1 + Δ_T / P(T = T)                    nested increment
//! antithetic sum          Z = Σ_{t ≤ T} Δ_t / P(T ≥ t)                independent antithetic increments
//! antithetic single term  Z = φ_1 + Δ_T / P(T = T)                    antithetic increment
//! ```
//!
//! In the single-term forms φ_1 has a batch of its own and T = 1 means "no correction", so the
//! masses of the levels above one are the p_t and P(T = 1) = 1 − Σ p_t.

use crate::{Coupling, Path, Truncation};

/// How a replicate is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The paper's: Rhee & Glynn's coupled sum over nested batches.
    CoupledSum,
    /// One nested increment, weighted by its own probability.
    SingleTerm,
    /// Antithetic increments up to the depth, each on a batch of its own; a pilot chooses between
    /// this and the next.
    AntitheticSum,
    /// One antithetic increment, weighted by its own probability.
    AntitheticSingleTerm,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 4] =
        [Form::CoupledSum, Form::SingleTerm, Form::AntitheticSum, Form::AntitheticSingleTerm];

    /// The name used in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::CoupledSum => "coupled-sum",
            Form::SingleTerm => "single-term",
            Form::AntitheticSum => "antithetic-sum",
            Form::AntitheticSingleTerm => "antithetic-single-term",
        }
    }

    /// How its increments are coupled.
    pub fn coupling(self) -> Coupling {
        match self {
            Form::CoupledSum | Form::SingleTerm => Coupling::Nested,
            Form::AntitheticSum | Form::AntitheticSingleTerm => Coupling::Antithetic,
        }
    }

    /// Whether all levels up to the depth enter, and not only the last.
    pub fn is_sum(self) -> bool {
        matches!(self, Form::CoupledSum | Form::AntitheticSum)
    }

    /// The chance that level t enters, whose inverse is its weight.
    pub fn chance(self, law: &Truncation, level: usize) -> f64 {
        if self.is_sum() { law.tail(level) } else { law.mass(level) }
    }

    /// Expected cost of what level t adds to a replicate, given that it enters.
    ///
    /// The first level carries what the levels share.
    pub fn level_cost<P: Path>(self, path: &P, level: usize) -> f64 {
        let opening = if level == 1 { path.opening_cost() } else { 0.0 };
        let own = match self {
            Form::CoupledSum => path.level_cost(level),
            _ => path.increment_cost(level, self.coupling()),
        };
        opening + own
    }

    /// Expected cost of a replicate of this depth.
    pub fn replicate_cost<P: Path>(self, path: &P, depth: usize) -> f64 {
        if self.is_sum() {
            (1..=depth).map(|level| self.level_cost(path, level)).sum()
        } else {
            let first = self.level_cost(path, 1);
            if depth == 1 { first } else { first + self.level_cost(path, depth) }
        }
    }
}
