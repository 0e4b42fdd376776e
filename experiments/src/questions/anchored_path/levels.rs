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

use super::case::Case;
use crate::Work;
use crate::methods::anchored::{AnchoredPosterior, RestRows, Reweighting};
use debias::Rng;
use posterior::{Rows, Smooth, pass, subset};
use samplers::{Functional, SharedPoints, WeightError, Weighted};
use serde::{Deserialize, Serialize};

/// Levels on one set of points.
pub struct Levels<'a, R, W> {
    pub rows: &'a R,
    pub reweighting: &'a W,
    pub points: SharedPoints,
    pub functionals: &'a [Functional],
    pub sds: &'a [f64],
}

/// One trial on 2n rows.
#[derive(Serialize, Deserialize)]
pub struct Trial {
    /// Squared error of a level of n rows.
    pub error: f64,
    /// Squared increment to 2n rows.
    pub increment: f64,
    /// Effective share of the points at the worse level.
    pub effective: f64,
}

impl<'a, R, M> Levels<'a, RestRows<'a, R>, AnchoredPosterior<'a, R, M>>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Levels of an anchored posterior.
    pub fn new(
        case: &'a Case<'_>,
        posterior: &'a AnchoredPosterior<'a, R, M>,
        points: SharedPoints,
    ) -> Self {
        let (functionals, sds) = (&case.functionals, &case.truth.sds);
        Levels { rows: posterior.rest(), reweighting: posterior, points, functionals, sds }
    }
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

    /// The level of these rows, however uneven its weights.
    pub fn on(&self, chosen: &[usize]) -> Result<Weighted, WeightError> {
        self.level(self.log_ratios(chosen))
    }

    /// The remainders of these rows, scaled up to all.
    fn log_ratios(&self, chosen: &[usize]) -> Vec<f64> {
        let block = self.rows.gather(chosen);
        let (mut sums, _) = self.reweighting.remainders(self.points.positions(), &block);
        let scale = self.rows.count() as f64 / chosen.len() as f64;
        sums.iter_mut().for_each(|sum| *sum *= scale);
        sums
    }

    fn level(&self, log_ratios: Vec<f64>) -> Result<Weighted, WeightError> {
        self.points.reweigh(log_ratios, self.functionals, 0.0)
    }

    /// The mean over functionals of squares in posterior sds.
    pub fn square(&self, difference: impl Fn(usize) -> f64) -> f64 {
        let squares = self.sds.iter().enumerate().map(|(j, sd)| (difference(j) / sd).powi(2));
        squares.sum::<f64>() / self.sds.len() as f64
    }

    /// Squared errors of levels of this many rows against the truth, and the least effective share.
    pub fn errors(
        &self,
        truth: &[f64],
        size: usize,
        trials: usize,
        rng: &mut Rng,
    ) -> anyhow::Result<(Vec<f64>, f64)> {
        let (mut squares, mut least) = (Vec::new(), f64::INFINITY);
        for _ in 0..trials {
            let level = self.on(&subset(self.rows.count(), size, rng))?;
            squares.push(self.square(|j| level.value[j] - truth[j]));
            least = least.min(level.effective / self.points.count() as f64);
        }
        Ok((squares, least))
    }

    /// Trials on batches of every size, one size after the other; `full` is φ_L on the same points.
    pub fn trials(
        &self,
        work: &Work<'_>,
        step: &str,
        full: &[f64],
        sizes: &[usize],
        trials: usize,
    ) -> anyhow::Result<Vec<Trial>> {
        work.each(step, sizes.len() * trials, |index, rng| {
            let size = sizes[index / trials];
            let chosen = subset(self.rows.count(), 2 * size, rng);
            let first = self.log_ratios(&chosen[..size]);
            let second = self.log_ratios(&chosen[size..]);
            let both = first.iter().zip(&second).map(|(a, b)| 0.5 * (a + b)).collect();
            let [first, second, both] =
                [self.level(first)?, self.level(second)?, self.level(both)?];
            let error = |level: &Weighted| self.square(|j| level.value[j] - full[j]);
            let increment =
                self.square(|j| both.value[j] - 0.5 * (first.value[j] + second.value[j]));
            let effective = first.effective.min(second.effective) / self.points.count() as f64;
            Ok(Trial { error: 0.5 * (error(&first) + error(&second)), increment, effective })
        })
    }
}
