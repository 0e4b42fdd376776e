//! The path of partial posteriors (the paper's Algorithm 1).
//!
//! ```text
//! 𝒟_1 ⊂ 𝒟_2 ⊂ … ⊂ 𝒟_T     the first n_t rows of one random order, without replacement
//! φ_t = Ê[φ(θ) ∣ 𝒟_t]
//! ```
//!
//! Every batch, and every group of an antithetic increment, is by itself a uniform random subset
//! of its size, so the mean of φ_t is the same wherever it appears.

use crate::{LevelEstimate, Model, PartialPosterior, Rows, subset};
use debias::{Coupling, Ledger, Path, Rng, Schedule, Term};

/// Partial posteriors on random subsets of growing size.
pub struct DataPath<'a, R, M, E> {
    /// All the data.
    pub rows: &'a R,
    /// Prior and likelihood.
    pub model: &'a M,
    /// How a level is computed.
    pub level: &'a E,
    /// n_1, …, n_L; the last is the number of rows.
    pub schedule: &'a Schedule,
}

impl<R, M, E> DataPath<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    /// φ_1, …, φ_depth on the beginnings of a given order of rows.
    pub fn prefix_on(
        &self,
        order: &[usize],
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, E::Error> {
        let mut seen = 0;
        (1..=depth)
            .map(|level| {
                let size = self.schedule.size(level);
                let mut term = self.estimate(&order[..size], rng)?;
                // Nested batches share rows: only the new ones are looked at for the first time.
                term.cost.distinct_rows = (size - seen) as u64;
                seen = size;
                Ok(term)
            })
            .collect()
    }

    /// Δ_t on the beginning of a given order of rows.
    pub fn increment_on(
        &self,
        order: &[usize],
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, E::Error> {
        let order = &order[..self.schedule.size(level)];
        let mut term = self.estimate(order, rng)?;
        if level == 1 {
            return Ok(term);
        }
        let groups = match coupling {
            Coupling::Nested => 1,
            Coupling::Antithetic => self.schedule.groups(level),
        };
        for group in order.chunks_exact(self.schedule.size(level - 1)).take(groups) {
            let below = self.estimate(group, rng)?;
            for (value, below) in term.value.iter_mut().zip(&below.value) {
                *value -= below / groups as f64;
            }
            term.cost += Ledger { distinct_rows: 0, ..below.cost };
        }
        Ok(term)
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

    fn level_cost(&self, level: usize) -> f64 {
        self.level.expected_cost(self.schedule.size(level))
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        let below = match (level, coupling) {
            (1, _) => 0.0,
            (_, Coupling::Nested) => self.level_cost(level - 1),
            (_, Coupling::Antithetic) => {
                self.schedule.groups(level) as f64 * self.level_cost(level - 1)
            }
        };
        self.level_cost(level) + below
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
