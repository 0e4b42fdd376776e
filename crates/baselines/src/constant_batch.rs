//! Averaged constant batches: the same number of rows every time, and no correction.
//!
//! ```text
//! Z = Ê[φ(θ) ∣ 𝒟],   𝒟 = n rows of N, drawn without replacement
//! ```
//!
//! The bias E[φ ∣ n rows] − E[φ ∣ N rows] stays however many batches are averaged; the error bars
//! know nothing of it.

use crate::{Budget, Exhausted, Misfit};
use debias::{Estimate, Estimator, Rng};
use posterior::{LevelEstimate, Model, PartialPosterior, Rows, subset};
use std::error::Error;

/// One level of a path, again and again.
pub struct ConstantBatch<'a, R, M, E> {
    rows: &'a R,
    model: &'a M,
    level: &'a E,
    // Invariant: between one row and all of them.
    batch: usize,
    budget: Budget,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstantBatchError<E: Error + 'static> {
    /// The level estimate failed.
    #[error(transparent)]
    Level(E),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(Exhausted),
}

impl<'a, R: Rows, M, E> ConstantBatch<'a, R, M, E> {
    /// Batches of this many rows.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        level: &'a E,
        batch: usize,
    ) -> Result<ConstantBatch<'a, R, M, E>, Misfit> {
        Misfit::batch(batch, rows.count())?;
        Ok(ConstantBatch { rows, model, level, batch, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> ConstantBatch<'a, R, M, E> {
        ConstantBatch { budget, ..self }
    }
}

impl<R, M, E> Estimator for ConstantBatch<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    type Error = ConstantBatchError<E::Error>;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, Self::Error> {
        let block = self.rows.gather(&subset(self.rows.count(), self.batch, rng));
        let mut posterior = PartialPosterior::new(self.model, &block).within(self.budget.0);
        let value = self.level.estimate(&mut posterior, rng);
        let cost = posterior.ledger();
        // What a starved level says, be it an error, is not the reason.
        self.budget.check(cost).map_err(ConstantBatchError::Exhausted)?;
        let value = value.map_err(ConstantBatchError::Level)?;
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.level.expected_cost(self.batch)
    }
}
