//! What one level of an anchored path is worth: its error against the last level on the same
//! points, and its antithetic increment.
//!
//! ```text
//! error      (φ(S) − φ_L) / posterior sd               S of n rows
//! increment  (φ(S ∪ S') − ½ φ(S) − ½ φ(S')) / posterior sd
//! ```
//!
//! Squares are averaged over functionals. All levels reweigh one set of points, so that nothing but
//! the rows differs.

use debias::{Estimate, Estimator, Ledger, Rng};
use posterior::{Reweighting, Rows, pass, subset};
use samplers::{Functional, SharedPoints, WeightError, Weighted};

/// Levels on one set of points.
pub struct Levels<'a, R, W> {
    pub rows: &'a R,
    pub reweighting: &'a W,
    pub points: SharedPoints,
    pub functionals: &'a [Functional],
    pub sds: &'a [f64],
}

impl<R, W> Levels<'_, R, W>
where
    R: Rows,
    W: Reweighting<R::Block>,
{
    /// The last level: all rows, on all threads.
    pub fn full(&self) -> Result<Weighted, WeightError> {
        let zeros = vec![0.0; self.points.count()];
        let sums = pass(
            self.rows,
            |block| self.reweighting.remainders(self.points.positions(), &block).0,
            zeros,
            |total, part| total.iter_mut().zip(part).for_each(|(total, part)| *total += part),
        );
        self.points.reweigh(sums, self.functionals, 0.0)
    }

    /// The remainders of these rows, scaled up to all.
    pub fn log_ratios(&self, chosen: &[usize]) -> (Vec<f64>, Ledger) {
        let block = self.rows.gather(chosen);
        let (mut sums, cost) = self.reweighting.remainders(self.points.positions(), &block);
        let scale = self.rows.count() as f64 / chosen.len() as f64;
        sums.iter_mut().for_each(|sum| *sum *= scale);
        (sums, cost)
    }

    /// A level from its log ratios, however uneven its weights.
    pub fn level(&self, log_ratios: Vec<f64>) -> Result<Weighted, WeightError> {
        self.points.reweigh(log_ratios, self.functionals, 0.0)
    }

    /// The mean over functionals of squares in posterior sds.
    pub fn square(&self, difference: impl Fn(usize) -> f64) -> f64 {
        let squares = self.sds.iter().enumerate().map(|(j, sd)| (difference(j) / sd).powi(2));
        squares.sum::<f64>() / self.sds.len() as f64
    }
}

/// Trials on batches of every size, one size after the other.
pub struct Trials<'a, R, W> {
    pub levels: &'a Levels<'a, R, W>,
    /// φ_L on the same points.
    pub full: &'a [f64],
    pub sizes: &'a [usize],
    pub trials: usize,
}

impl<R, W> Estimator for Trials<'_, R, W>
where
    R: Rows,
    W: Reweighting<R::Block>,
{
    type Error = WeightError;

    /// Squared error of a level of n rows, squared increment to 2n rows, effective share of the
    /// points at the worse level.
    fn estimate(&self, index: u64, rng: &mut Rng) -> Result<Estimate, WeightError> {
        let Trials { levels, full, .. } = self;
        let size = self.sizes[index as usize / self.trials];
        let chosen = subset(levels.rows.count(), 2 * size, rng);
        let (first, mut cost) = levels.log_ratios(&chosen[..size]);
        let (second, other) = levels.log_ratios(&chosen[size..]);
        cost += other;
        let both = first.iter().zip(&second).map(|(a, b)| 0.5 * (a + b)).collect();
        let [first, second, both] =
            [levels.level(first)?, levels.level(second)?, levels.level(both)?];
        let error = |level: &Weighted| levels.square(|j| level.value[j] - full[j]);
        let step = levels.square(|j| both.value[j] - 0.5 * (first.value[j] + second.value[j]));
        let effective = first.effective.min(second.effective) / levels.points.count() as f64;
        let value = vec![0.5 * (error(&first) + error(&second)), step, effective];
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, index: u64) -> f64 {
        let size = self.sizes[index as usize / self.trials];
        2.0 * size as f64 * self.levels.points.count() as f64
    }
}
