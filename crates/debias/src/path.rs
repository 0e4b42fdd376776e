//! The sequence being debiased.

use crate::{Caveat, Ledger, Rng};

/// A vector computed at a cost: a level estimate φ_t or an increment Δ_t.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The functionals, in a fixed order.
    pub value: Vec<f64>,
    /// The work behind them.
    pub cost: Ledger,
}

/// How the parts of an increment Δ_t = φ_t − φ_{t−1} hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coupling {
    /// φ_{t−1} sees the first n_{t−1} of the n_t rows.
    Nested,
    /// The mean of φ_{t−1} over ⌊n_t / n_{t−1}⌋ disjoint groups of the n_t rows is taken away from
    /// φ_t (Giles & Szpruch 2014; Blanchet & Glynn 2015).
    Antithetic,
}

/// A sequence of random estimates φ_1, …, φ_L of growing accuracy; levels count from one.
///
/// The mean of φ_t must not depend on which other levels are asked for, nor on the coupling:
/// that, and nothing else, makes the sum telescope. Within a call the parts may share rows,
/// points or random numbers in any way.
pub trait Path: Sync {
    /// What all levels of one replicate share: nothing, `()`, or for example the points of an
    /// importance sampler.
    type Shared;
    /// Why a level could not be computed.
    type Error: std::error::Error + Send + Sync + 'static;

    /// L.
    fn levels(&self) -> usize;

    /// Why E φ_L is not exactly what is asked for, if it is not.
    fn caveats(&self) -> Vec<Caveat> {
        Vec::new()
    }

    /// Expected cost of what the levels of a replicate share, in likelihood evaluations.
    fn opening_cost(&self) -> f64 {
        0.0
    }

    /// Expected cost of φ_t, in likelihood evaluations.
    fn level_cost(&self, level: usize) -> f64;

    /// Expected cost of Δ_t; for t = 1 that of φ_1.
    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64;

    /// Opens a replicate: draws what its levels share, and says what that cost.
    fn begin(&self, rng: &mut Rng) -> Result<(Self::Shared, Ledger), Self::Error>;

    /// The same for replicate number r, on a path whose replicates divide points among them that were
    /// drawn beforehand.
    fn begin_replicate(
        &self,
        _replicate: u64,
        rng: &mut Rng,
    ) -> Result<(Self::Shared, Ledger), Self::Error> {
        self.begin(rng)
    }

    /// φ_1, …, φ_depth on nested batches of one random order.
    fn prefix(
        &self,
        shared: &mut Self::Shared,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, Self::Error>;

    /// Δ_t on a batch of its own; Δ_1 = φ_1.
    fn increment(
        &self,
        shared: &mut Self::Shared,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, Self::Error>;
}
