//! The work behind a number, counted where it happens.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// Work done, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ledger {
    /// Rows whose likelihood was evaluated without its gradient, summed over parameter values.
    pub likelihoods: u64,
    /// Rows whose likelihood was evaluated with its gradient, summed over parameter values.
    pub gradients: u64,
    /// Different rows looked at, summed over replicates.
    pub distinct_rows: u64,
    /// Floating-point operations of dense linear algebra, which rows alone would hide.
    pub flops: u64,
}

impl Ledger {
    /// The unit of cost: one row's likelihood, or likelihood and gradient, at one parameter value.
    pub fn evaluations(&self) -> u64 {
        self.likelihoods + self.gradients
    }
}

impl AddAssign for Ledger {
    fn add_assign(&mut self, other: Ledger) {
        self.likelihoods += other.likelihoods;
        self.gradients += other.gradients;
        self.distinct_rows += other.distinct_rows;
        self.flops += other.flops;
    }
}

impl Add for Ledger {
    type Output = Ledger;
    fn add(mut self, other: Ledger) -> Ledger {
        self += other;
        self
    }
}

/// What was done since an earlier look.
impl Sub for Ledger {
    type Output = Ledger;
    fn sub(self, earlier: Ledger) -> Ledger {
        Ledger {
            likelihoods: self.likelihoods - earlier.likelihoods,
            gradients: self.gradients - earlier.gradients,
            distinct_rows: self.distinct_rows - earlier.distinct_rows,
            flops: self.flops - earlier.flops,
        }
    }
}

impl Sum for Ledger {
    fn sum<I: Iterator<Item = Ledger>>(ledgers: I) -> Ledger {
        ledgers.fold(Ledger::default(), Add::add)
    }
}
