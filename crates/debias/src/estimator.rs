//! Anything that answers "what is the expectation?" at a stated cost.

use crate::{Ledger, Rng};

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The functionals, in a fixed order.
    pub value: Vec<f64>,
    /// The level reached; one for methods without levels.
    pub depth: usize,
    /// The work behind the answer.
    pub cost: Ledger,
}

/// Ours and every baseline: a method that can be asked again and again.
pub trait Estimator: Sync {
    /// Why there is no answer.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The answer of replicate number `replicate`, a pure function of that number and its stream.
    fn estimate(&self, replicate: u64, rng: &mut Rng) -> Result<Estimate, Self::Error>;

    /// How many replicates there are to ask for.
    fn replicates(&self) -> u64 {
        u64::MAX
    }

    /// Expected cost of that replicate in any fixed unit, so that the long ones can start first.
    fn expected_cost(&self, replicate: u64) -> f64;
}
