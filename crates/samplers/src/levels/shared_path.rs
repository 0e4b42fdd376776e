//! A path whose levels all reweigh the same points.
//!
//! ```text
//! once a replicate:  θ_1, …, θ_P ~ π_0
//! every level:       φ_t = Σ_i W_i φ(θ_i),   ln W_i = r(θ_i; 𝒟_t) + constant
//! ```
//!
//! For an anchored path r is (N/n_t) Σ_{i ∈ 𝒟_t} [ℓ_i(θ) − q_i(θ)], which is n_t likelihoods a
//! point. The points of an increment cancel; their own error stays in φ_1.

use crate::{Functional, SharedPoints, WeightError, Weighted};
use debias::{Coupling, Ledger, Path, Rng, Schedule, Term};
use posterior::{Block, Reweighting, Rows};
use rand::seq::index;
use std::error::Error;

/// Levels by reweighting; `draw` makes the points of a replicate and says what they cost.
pub struct SharedPath<'a, R, W, D> {
    /// The rows that are sampled.
    pub rows: &'a R,
    /// r.
    pub reweighting: &'a W,
    /// Where the points come from.
    pub draw: D,
    /// n_1, …, n_L; the last is the number of rows.
    pub schedule: &'a Schedule,
    /// φ.
    pub functionals: &'a [Functional],
    /// The effective number of points below which a level has no estimate.
    pub floor: f64,
    /// P as far as it is known beforehand.
    pub expected_points: f64,
}

/// Why a replicate has no value.
#[derive(Debug, thiserror::Error)]
pub enum SharedPathError {
    /// No points.
    #[error("the points of a replicate: {0}")]
    Points(#[source] Box<dyn Error + Send + Sync>),
    /// No usable weights.
    #[error("a level of {rows} rows: {source}")]
    Weights {
        /// n_t.
        rows: usize,
        /// What was wrong with them.
        source: WeightError,
    },
}

impl<R, W, D> SharedPath<'_, R, W, D>
where
    R: Rows,
    W: Reweighting<R::Block>,
{
    fn order(&self, level: usize, rng: &mut Rng) -> Vec<usize> {
        index::sample(rng, self.rows.count(), self.schedule.size(level)).into_vec()
    }

    /// The level that sees these rows, with its effective number of points.
    pub fn weighted(
        &self,
        points: &SharedPoints,
        rows: &[usize],
    ) -> Result<Weighted, SharedPathError> {
        let block = self.rows.gather(rows);
        let log_ratio = |theta: &[f64]| self.reweighting.log_ratio(theta, &block);
        points
            .reweigh(log_ratio, self.functionals, self.floor)
            .map_err(|source| SharedPathError::Weights { rows: block.rows(), source })
    }

    fn estimate(&self, points: &SharedPoints, rows: &[usize]) -> Result<Term, SharedPathError> {
        let value = self.weighted(points, rows)?.value;
        let cost = Ledger {
            likelihoods: (rows.len() * points.count()) as u64,
            distinct_rows: rows.len() as u64,
            ..Ledger::default()
        };
        Ok(Term { value, cost })
    }
}

impl<R, W, D> Path for SharedPath<'_, R, W, D>
where
    R: Rows,
    W: Reweighting<R::Block>,
    D: Fn(&mut Rng) -> Result<(SharedPoints, Ledger), Box<dyn Error + Send + Sync>> + Sync,
{
    type Shared = SharedPoints;
    type Error = SharedPathError;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.schedule.size(level) as f64 * self.expected_points
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

    fn begin(&self, rng: &mut Rng) -> Result<(SharedPoints, Ledger), SharedPathError> {
        (self.draw)(rng).map_err(SharedPathError::Points)
    }

    fn prefix(
        &self,
        points: &mut SharedPoints,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, SharedPathError> {
        let order = self.order(depth, rng);
        let mut seen = 0;
        (1..=depth)
            .map(|level| {
                let size = self.schedule.size(level);
                let mut term = self.estimate(points, &order[..size])?;
                // Nested batches share rows: only the new ones are looked at for the first time.
                term.cost.distinct_rows = (size - seen) as u64;
                seen = size;
                Ok(term)
            })
            .collect()
    }

    fn increment(
        &self,
        points: &mut SharedPoints,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, SharedPathError> {
        let order = self.order(level, rng);
        let mut term = self.estimate(points, &order)?;
        if level == 1 {
            return Ok(term);
        }
        let groups = match coupling {
            Coupling::Nested => 1,
            Coupling::Antithetic => self.schedule.groups(level),
        };
        for group in order.chunks_exact(self.schedule.size(level - 1)).take(groups) {
            let below = self.estimate(points, group)?;
            for (value, below) in term.value.iter_mut().zip(&below.value) {
                *value -= below / groups as f64;
            }
            term.cost += Ledger { distinct_rows: 0, ..below.cost };
        }
        Ok(term)
    }
}
