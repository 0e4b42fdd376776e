//! Averaged constant batches: the same number of rows every time, and no correction.
//!
//! ```text
//! Z = Ê[φ(θ) ∣ 𝒟],   𝒟 = n rows of N, drawn without replacement
//! ```
//!
//! The bias E[φ ∣ n rows] − E[φ ∣ N rows] stays however many batches are averaged; the error bars
//! know nothing of it.

use debias::{Estimate, Estimator, Rng};
use posterior::{LevelEstimate, Model, PartialPosterior, Rows, subset};

/// One level of a path, again and again.
pub struct ConstantBatch<'a, R, M, E> {
    rows: &'a R,
    model: &'a M,
    level: &'a E,
    // Invariant: between one row and all of them.
    batch: usize,
}

/// Why there is no such estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("batches of {batch} rows out of {rows}")]
pub struct ConstantBatchError {
    /// n.
    pub batch: usize,
    /// N.
    pub rows: usize,
}

impl<'a, R: Rows, M, E> ConstantBatch<'a, R, M, E> {
    /// Batches of this many rows.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        level: &'a E,
        batch: usize,
    ) -> Result<ConstantBatch<'a, R, M, E>, ConstantBatchError> {
        if batch == 0 || batch > rows.count() {
            return Err(ConstantBatchError { batch, rows: rows.count() });
        }
        Ok(ConstantBatch { rows, model, level, batch })
    }
}

impl<R, M, E> Estimator for ConstantBatch<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    type Error = E::Error;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, E::Error> {
        let block = self.rows.gather(&subset(self.rows.count(), self.batch, rng));
        let mut posterior = PartialPosterior::new(self.model, &block);
        let value = self.level.estimate(&mut posterior, rng)?;
        Ok(Estimate { value, depth: 1, cost: posterior.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.level.expected_cost(self.batch)
    }
}
