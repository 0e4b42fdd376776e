//! A path whose levels all reweigh the same points.
//!
//! ```text
//! once a replicate:  θ_1, …, θ_P ~ π_0
//! every level:       φ_t = Σ_p W_p φ(θ_p),   ln W_p = (N/n_t) Σ_{i ∈ 𝒟_t} r_i(θ_p) + constant
//! ```
//!
//! For an anchored path r_i = ℓ_i − q_i, which is n_t likelihoods a point. The points of an
//! increment cancel; their own error stays in φ_1. Rows are gathered block by block, so that the
//! last level, which is all of them, takes no more memory than the first.

use super::Reweighting;
use ::posterior::{DataPathError, Rows, increment_cost, level_increment, nested_levels, subset};
use debias::{Caveat, Coupling, Ledger, Path, Rng, Schedule, Term};
use samplers::{Functional, SharedPoints, WeightError, Weighted};
use std::error::Error;

/// Rows gathered at a time.
const BLOCK: usize = 1 << 13;

/// Levels by reweighting; `draw` makes the points of a replicate and says what they cost.
pub struct SharedPath<'a, R, W, D> {
    /// The rows that are sampled.
    pub rows: &'a R,
    /// r_i.
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
    /// Expected cost of drawing the points, in likelihood evaluations.
    pub expected_opening: f64,
    /// What else than self-normalised weights keeps the levels from being exact: how points are drawn.
    pub caveats: Vec<Caveat>,
}

/// Why a replicate has no value.
#[derive(Debug, thiserror::Error)]
pub enum SharedPathError {
    /// No points.
    #[error("the points of a replicate: {0}")]
    Points(#[source] Box<dyn Error + Send + Sync>),
    /// The schedule ends elsewhere than the rows.
    #[error(transparent)]
    Schedule(#[from] DataPathError),
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
    /// φ_1, …, φ_depth on the beginnings of a given order of rows.
    pub fn prefix_on(
        &self,
        points: &SharedPoints,
        order: &[usize],
        depth: usize,
    ) -> Result<Vec<Term>, SharedPathError> {
        nested_levels(self.schedule, depth, order, |batch| self.estimate(points, batch))
    }

    /// Δ_t on the beginning of a given order of rows.
    pub fn increment_on(
        &self,
        points: &SharedPoints,
        order: &[usize],
        level: usize,
        coupling: Coupling,
    ) -> Result<Term, SharedPathError> {
        level_increment(self.schedule, level, coupling, order, |batch| self.estimate(points, batch))
    }

    fn order(&self, level: usize, rng: &mut Rng) -> Vec<usize> {
        subset(self.rows.count(), self.schedule.size(level), rng)
    }

    /// The level that sees these rows, with its effective number of points and its work.
    pub fn weighted(
        &self,
        points: &SharedPoints,
        rows: &[usize],
    ) -> Result<(Weighted, Ledger), SharedPathError> {
        let mut log_ratios = vec![0.0; points.count()];
        let mut work = Ledger::default();
        for batch in rows.chunks(BLOCK) {
            let block = self.rows.gather(batch);
            let (sums, cost) = self.reweighting.remainders(points.positions(), &block);
            log_ratios.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
            work += cost;
        }
        let scale = self.rows.count() as f64 / rows.len() as f64;
        log_ratios.iter_mut().for_each(|sum| *sum *= scale);
        let weighted = points
            .reweigh(log_ratios, self.functionals, self.floor)
            .map_err(|source| SharedPathError::Weights { rows: rows.len(), source })?;
        Ok((weighted, work))
    }

    fn estimate(&self, points: &SharedPoints, rows: &[usize]) -> Result<Term, SharedPathError> {
        let (Weighted { value, .. }, cost) = self.weighted(points, rows)?;
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

    fn caveats(&self) -> Vec<Caveat> {
        [&[Caveat::SelfNormalisedWeights], &self.caveats[..]].concat()
    }

    fn opening_cost(&self) -> f64 {
        self.expected_opening
    }

    fn level_cost(&self, level: usize) -> f64 {
        // The points, and the expansion.
        self.schedule.size(level) as f64 * (self.expected_points + 1.0)
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        increment_cost(self.schedule, level, coupling, |level| self.level_cost(level))
    }

    fn begin(&self, rng: &mut Rng) -> Result<(SharedPoints, Ledger), SharedPathError> {
        let (last, rows) = (self.schedule.size(self.schedule.levels()), self.rows.count());
        if last != rows {
            return Err(DataPathError { last, rows }.into());
        }
        (self.draw)(rng).map_err(SharedPathError::Points)
    }

    fn prefix(
        &self,
        points: &mut SharedPoints,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, SharedPathError> {
        self.prefix_on(points, &self.order(depth, rng), depth)
    }

    fn increment(
        &self,
        points: &mut SharedPoints,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, SharedPathError> {
        self.increment_on(points, &self.order(level, rng), level, coupling)
    }
}
