//! The search for the anchor where it is cheap: on a few rows at the start, and between two passes over all
//! rows on those that matter.
//!
//! A pass at θ₁ leaves the quadratics of all rows and their scores, and with them a sample S in which rows with
//! a large score are certain. The search goes on with
//!
//! ```text
//! Q(θ) + Σ_{i ∈ S} w_i [ℓ_i(θ) − q_i(θ)]
//! ```
//!
//! where q_i is a row's quadratic at θ₁ and Q their sum: Newton's method with control variates. Where a few rows
//! are nothing like a parabola, the quadratic of all rows would send a step far too far, or not far enough; here
//! these rows speak for themselves, and the next pass over all rows is the last as a rule.

use crate::anchor::{LONGEST, MATTERS, Pass, Search};
use crate::anchor_error::AnchorError;
use crate::counted::CountedRows;
use crate::quadratic::Quadratic;
use crate::strata::{Notes, Strata};
use models::linear_algebra::MatrixError;
use posterior::{Rows, Smooth};

/// A start is looked for on this share of the rows, and at least so many for each parameter.
const SHARE: usize = 100;
const ROWS_PER_PARAMETER: usize = 20;
/// So many rows for each parameter are plenty.
const PLENTY: usize = 1000;
/// The longest step, in posterior standard deviations, at which a start ends, and its steps at most.
const START: f64 = 0.5;
const MOST_START: usize = 50;
/// The share of rows that matter, at least so many for each parameter, and the share that they may be at most.
const PART: usize = 50;
const MATTERING_PER_PARAMETER: usize = 100;
const MOST_ROWS: usize = 8;
/// The longest step at which they have said what they can, and their steps at most.
const SETTLED: f64 = 0.15;
const MOST: usize = 20;

impl<M, B> Search<'_, M, B>
where
    M: Smooth<Block = B>,
{
    /// Looks for a start on a sample of the rows, and for the covariance that all rows would have there.
    /// Returns whether the search has come so close that passes may be smoothed.
    pub fn start<R: Rows<Block = B>>(&mut self, rows: &CountedRows<'_, R>) -> bool {
        let (d, kinds) = (self.theta.len(), rows.kinds());
        let share = (kinds / SHARE).max(ROWS_PER_PARAMETER * d);
        if 2 * share >= kinds {
            return false;
        }
        let (from, seed) = (self.theta.clone(), self.seed.child("start"));
        let mut some = rows.sample(share, seed.child("0"));
        let found = self.climb(&some, START, MOST_START, false);
        self.steepest.clear();
        let mut pass = match found {
            Ok((_, pass)) => pass,
            // A start that does not settle is a start all the same, unless it runs away.
            Err(AnchorError::NotSettled { .. }) => return false,
            Err(_) => {
                self.theta = from;
                return false;
            }
        };
        self.covariance = Some(pass.newton.precision.covariance().clone());
        // With few rows for each parameter a larger share leads closer. Smoothed by what the smaller one leaves
        // open, rows that are sure of their class by chance do not send steps astray.
        if share < PLENTY * d && 20 * share < kinds {
            some = rows.sample(10 * share, seed.child("1"));
            match self.settle(&some, None, START, true) {
                Some(settled) => pass = settled,
                None => return false,
            }
        }
        self.foresee(&some, pass, kinds as f64 / some.kinds() as f64).is_ok()
    }

    /// The covariance of all rows from a sample, so many times fewer. The first pass takes less time without,
    /// and has none where predictors hardly vary given the sample alone and no parameter is left to the prior.
    fn foresee<R: Rows<Block = B>>(
        &mut self,
        some: &CountedRows<'_, R>,
        pass: Pass,
        times: f64,
    ) -> Result<(), MatrixError> {
        let varies = self.sums(some, true).variance > MATTERS;
        let (mut sums, own) = (pass.sums, pass.newton.prior);
        let hessian = sums.hessian.clone();
        sums.hessian.add(times - 1.0, &hessian);
        let told = hessian.diagonal_entries().iter().zip(own).all(|(h, own)| -h > own);
        let found = self.step(sums)?;
        let needed = varies || !told || self.model.kinks().is_some();
        self.covariance = needed.then(|| found.newton.precision.covariance().clone());
        Ok(())
    }

    /// Goes on from a pass over all rows with those that matter. False, and nothing done, where the pass has
    /// no strata, its own step is short, the rows are too few for it to pay, or they lead nowhere.
    pub fn refine<R: Rows<Block = B>>(&mut self, rows: &CountedRows<'_, R>, pass: &Pass) -> bool {
        let d = self.theta.len();
        let size = (rows.kinds() / PART).max(MATTERING_PER_PARAMETER * d);
        let strata = !pass.sums.notes.octaves.is_empty();
        if !strata || pass.newton.longest() <= LONGEST || MOST_ROWS * size > rows.kinds() {
            return false;
        }
        // Nobody looks at their order here.
        let notes = Notes { keys: Vec::new(), ..pass.sums.notes.clone() };
        let strata = Strata::new(notes, d);
        let exponents = strata.exponents(size as f64);
        let rng = &mut self.seed.child("refined").stream(self.ledger.gradients);
        let picked = strata.draw(&exponents, rng).picked();
        let chosen: Vec<(usize, f64)> =
            picked.iter().map(|one| (one.row as usize, one.weight())).collect();
        let some = rows.weighted(&chosen);
        let from = (self.theta.clone(), self.covariance.clone());
        let here = self.sums(&some, true);
        let gradient = pass.sums.gradient.iter().zip(&here.gradient);
        let mut others = Quadratic {
            anchor: self.theta.clone(),
            value: pass.sums.value - here.value,
            gradient: gradient.map(|(all, here)| all - here).collect(),
            hessian: pass.sums.hessian.clone(),
        };
        others.hessian.add(-1.0, &here.hessian);
        self.advance(pass, f64::INFINITY, true);
        let found = self.settle(&some, Some((&others, pass.log_density)), SETTLED, false);
        if let Some(found) = found
            && found.log_density > pass.log_density
        {
            self.covariance = Some(found.newton.precision.covariance().clone());
            return true;
        }
        (self.theta, self.covariance) = from;
        false
    }

    /// Smoothed steps on some rows until they are short, or as many as there may be; the last step is not taken.
    /// Beside the rows stands what others say, and the density where they were expanded and the first step began.
    fn settle<R: Rows<Block = B>>(
        &mut self,
        some: &CountedRows<'_, R>,
        others: Option<(&Quadratic, f64)>,
        tolerance: f64,
        update: bool,
    ) -> Option<Pass> {
        let d = self.theta.len() as f64;
        let (mut before, mut height) = match others {
            Some((others, height)) => (others.anchor.clone(), height),
            None => (self.theta.clone(), f64::NEG_INFINITY),
        };
        let mut latest = None;
        for _ in 0..MOST {
            let mut sums = self.sums(some, true);
            if let Some((others, _)) = others {
                sums.value += others.add_gradient(&self.theta, &mut sums.gradient);
                sums.hessian.add(1.0, &others.hessian);
            }
            match self.step(sums) {
                Ok(found) if found.log_density >= height - d => {
                    if found.newton.longest() <= tolerance {
                        return Some(found);
                    }
                    (height, before) = (found.log_density, self.theta.clone());
                    self.advance(&found, f64::INFINITY, update);
                    latest = Some(found);
                }
                // The step was too long.
                _ => {
                    let both = self.theta.iter_mut().zip(&before);
                    both.for_each(|(theta, before)| *theta = 0.5 * (*theta + before));
                }
            }
        }
        self.theta = before;
        latest
    }
}
