//! The path of partial posteriors (the paper's Algorithm 1).
//!
//! ```text
//! 𝒟_1 ⊂ 𝒟_2 ⊂ … ⊂ 𝒟_T     the first n_t rows of one random order, without replacement
//! φ_t = Ê[φ(θ) ∣ 𝒟_t]
//! ```

use crate::{
    LevelEstimate, Model, PartialPosterior, Rows, increment_cost, level_increment, nested_levels,
    subset,
};
use debias::{Caveat, Coupling, Ledger, Path, Rng, Schedule, Term};

/// Partial posteriors on random subsets of growing size.
pub struct DataPath<'a, R, M, E> {
    rows: &'a R,
    model: &'a M,
    level: &'a E,
    // Invariant: ends at the number of rows.
    schedule: &'a Schedule,
}

/// Why there is no such path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schedule ends at {last} rows and the data has {rows}: the estimate would be biased")]
pub struct DataPathError {
    /// n_L.
    pub last: usize,
    /// N.
    pub rows: usize,
}

impl<'a, R, M, E> DataPath<'a, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    /// The path of a level estimate on the batches of a schedule that ends with all rows.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        level: &'a E,
        schedule: &'a Schedule,
    ) -> Result<DataPath<'a, R, M, E>, DataPathError> {
        let last = schedule.size(schedule.levels());
        if last != rows.count() {
            return Err(DataPathError { last, rows: rows.count() });
        }
        Ok(DataPath { rows, model, level, schedule })
    }

    /// n_1, …, n_L.
    pub fn schedule(&self) -> &'a Schedule {
        self.schedule
    }

    /// φ_1, …, φ_depth on the beginnings of a given order of rows.
    pub fn prefix_on(
        &self,
        order: &[usize],
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, E::Error> {
        nested_levels(self.schedule, depth, order, |batch| self.estimate(batch, rng))
    }

    /// Δ_t on the beginning of a given order of rows.
    pub fn increment_on(
        &self,
        order: &[usize],
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, E::Error> {
        level_increment(self.schedule, level, coupling, order, |batch| self.estimate(batch, rng))
    }

    /// The first n_t rows of a random order, at a cost that grows with n_t and not with N.
    fn order(&self, level: usize, rng: &mut Rng) -> Vec<usize> {
        subset(self.rows.count(), self.schedule.size(level), rng)
    }

    fn estimate(&self, indices: &[usize], rng: &mut Rng) -> Result<Term, E::Error> {
        let block = self.rows.gather(indices);
        let mut posterior = PartialPosterior::new(self.model, &block);
        let value = self.level.estimate(&mut posterior, rng)?;
        Ok(Term { value, cost: posterior.ledger() })
    }
}

impl<R, M, E> Path for DataPath<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    type Shared = ();
    type Error = E::Error;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn caveats(&self) -> Vec<Caveat> {
        self.level.caveats()
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.level.expected_cost(self.schedule.size(level))
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        increment_cost(self.schedule, level, coupling, |level| self.level_cost(level))
    }

    fn begin(&self, _rng: &mut Rng) -> Result<((), Ledger), E::Error> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, E::Error> {
        self.prefix_on(&self.order(depth, rng), depth, rng)
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, E::Error> {
        self.increment_on(&self.order(level, rng), level, coupling, rng)
    }
}
