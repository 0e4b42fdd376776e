//! How much work one answer may take.
//!
//! The unit is that of [`Ledger::evaluations`]: one row's likelihood at one parameter value. A
//! method that runs out of budget says so and gives no answer: half a chain would pass for a whole
//! one.

use debias::Ledger;
use posterior::Target;

/// Likelihood evaluations that one answer may take, set-up included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

/// The budget was used up before there was an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{spent} likelihood evaluations spent of a budget of {budget}, and no answer yet")]
pub struct Exhausted {
    /// Evaluations done.
    pub spent: u64,
    /// Evaluations allowed.
    pub budget: u64,
}

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Budget = Budget(u64::MAX);

    /// Whether the work so far is within the budget.
    pub fn check(self, work: Ledger) -> Result<(), Exhausted> {
        let (spent, budget) = (work.evaluations(), self.0);
        if spent <= budget { Ok(()) } else { Err(Exhausted { spent, budget }) }
    }
}

/// A target that answers −∞, at no cost, once the budget is used up: whatever samples from it
/// stands still and comes to its end, and [`Rationed::check`] tells why.
pub struct Rationed<'a> {
    target: &'a mut dyn Target,
    // Work done before the target was first asked.
    before: Ledger,
    budget: Budget,
}

impl<'a> Rationed<'a> {
    /// A target with the work that led to it.
    pub fn new(target: &'a mut dyn Target, before: Ledger, budget: Budget) -> Rationed<'a> {
        Rationed { target, before, budget }
    }

    /// Whether every answer was a true one.
    pub fn check(&self) -> Result<(), Exhausted> {
        self.budget.check(self.ledger())
    }
}

impl Target for Rationed<'_> {
    fn dimension(&self) -> usize {
        self.target.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        match self.check() {
            Ok(()) => self.target.log_density(theta),
            Err(_) => f64::NEG_INFINITY,
        }
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        match self.check() {
            Ok(()) => self.target.gradient(theta, gradient),
            Err(_) => {
                gradient.fill(0.0);
                f64::NEG_INFINITY
            }
        }
    }

    /// All work, that before included.
    fn ledger(&self) -> Ledger {
        let own = self.target.ledger();
        // Rows seen in the set-up are not seen for the first time again.
        let distinct_rows = own.distinct_rows.max(self.before.distinct_rows);
        Ledger { distinct_rows, ..self.before + own }
    }
}
