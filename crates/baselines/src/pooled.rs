//! Rows drawn one by one, gathered many at a time, because sources are quicker at many rows than at one.

use crate::taylor::Taylor;
use debias::Rng;
use models::design::Design;
use posterior::Rows;

/// Rows gathered at a time.
const SIZE: usize = 256;

/// Rows that have been drawn and not been used yet: their law does not depend on the chain.
pub(crate) struct Pool<'a, R: Rows> {
    taylor: &'a Taylor<'a, R>,
    indices: Vec<usize>,
    block: Option<R::Block>,
    used: usize,
    entries: Vec<(usize, f64)>,
}

/// One row.
pub(crate) struct PooledRow<'p> {
    pub(crate) index: usize,
    pub(crate) target: f64,
    /// x · θ*.
    pub(crate) centre: f64,
    entries: &'p [(usize, f64)],
}

impl PooledRow<'_> {
    /// x · θ.
    pub(crate) fn predictor(&self, theta: &[f64]) -> f64 {
        self.entries.iter().map(|&(column, x)| x * theta[column]).sum()
    }
}

impl<'a, R> Pool<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    pub(crate) fn empty(taylor: &'a Taylor<'a, R>) -> Pool<'a, R> {
        Pool { taylor, indices: Vec::new(), block: None, used: SIZE, entries: Vec::new() }
    }

    /// The next row of those that `draw` gives.
    pub(crate) fn next(
        &mut self,
        rng: &mut Rng,
        draw: impl Fn(&mut Rng) -> usize,
    ) -> PooledRow<'_> {
        if self.used == SIZE {
            self.indices = (0..SIZE).map(|_| draw(rng)).collect();
            self.block = None;
            self.used = 0;
        }
        let block = self.block.get_or_insert_with(|| self.taylor.rows.gather(&self.indices));
        block.row(self.used, &mut self.entries);
        let (index, target) = (self.indices[self.used], block.targets()[self.used]);
        self.used += 1;
        PooledRow { index, target, centre: self.taylor.predictors[index], entries: &self.entries }
    }
}
