//! Random-walk Metropolis that looks at as many rows as a test asks for.
//!
//! ```text
//! θ' = θ + s C ξ            accept  ⇔  Λ(θ, θ') > ψ
//! Λ = (1/N) Σ_i [ℓ_i(θ') − ℓ_i(θ)]        ψ = (1/N) ln[ U p(θ) / p(θ') ],   U ~ U(0, 1)
//! ```
//!
//! The test sees the mean and the spread of n differences, drawn without replacement, and either
//! decides or asks for more; with all rows Λ is known and the step is that of Metropolis. The
//! paper's two rivals of this kind are [`Austerity`](crate::Austerity) and
//! [`Confidence`](crate::Confidence). Each row looked at costs two likelihoods, at θ and at θ'.

use crate::row_sample::{RowOrder, Running};
use crate::{Budget, Exhausted, Extent, Misfit, RowLikelihoods, answer};
use debias::{Estimate, Estimator, Ledger, Rng};
use posterior::{DenseBlock, Rows};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{Factor, Functional, Length};

/// What a test sees of the differences ℓ_i(θ') − ℓ_i(θ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// n.
    pub rows: usize,
    /// N.
    pub total: usize,
    /// Their mean Λ̂.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// A bound on max − min over all rows; zero for a test that does not ask for it.
    pub range: f64,
    /// How often the test has looked in this step, this time included.
    pub looks: usize,
}

/// A rule for when to stop looking.
pub trait SequentialTest: Sync {
    /// Whether Λ̂ is surely enough on its side of ψ.
    fn decides(&self, evidence: &Evidence, threshold: f64) -> bool;

    /// Rows to be seen at the next look, after this many; the first is asked with none.
    fn next(&self, rows: usize) -> usize;

    /// Whether the range of the differences is needed, and with it a pass over all rows.
    fn needs_range(&self) -> bool;
}

/// Everything but the test.
#[derive(Clone, Debug)]
pub struct SubsampledSettings {
    /// s.
    pub scale: f64,
    /// C.
    pub shape: Factor,
    /// θ_0.
    pub start: Vec<f64>,
    /// Steps to forget and steps to keep.
    pub length: Length,
    /// φ.
    pub functionals: Vec<Functional>,
}

/// The baseline.
pub struct SubsampledWalk<'a, R, M, T> {
    rows: &'a R,
    model: &'a M,
    test: T,
    settings: SubsampledSettings,
    // For tests that need it.
    extent: Option<Extent>,
    before: Ledger,
    budget: Budget,
}

/// The kept part of one chain.
#[derive(Clone, Debug, PartialEq)]
pub struct SubsampledRun {
    /// θ_t, one after the other.
    pub positions: Vec<f64>,
    /// The share of all rows that each of these steps looked at.
    pub fractions: Vec<f64>,
    /// The share of proposals accepted among them.
    pub acceptance: f64,
    /// All work, what went before and the pass for the range included.
    pub ledger: Ledger,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SubsampledError {
    /// A batch, a dimension or a length makes no sense.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The walk does not move.
    #[error("proposals of scale {scale}")]
    Scale {
        /// s.
        scale: f64,
    },
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, M, T> SubsampledWalk<'a, R, M, T>
where
    R: Rows<Block = DenseBlock>,
    M: RowLikelihoods,
    T: SequentialTest,
{
    /// Refuses settings that make no sense; makes the pass for the range if the test needs it, which
    /// counts in every answer.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        test: T,
        settings: SubsampledSettings,
    ) -> Result<SubsampledWalk<'a, R, M, T>, SubsampledError> {
        let SubsampledSettings { scale, shape, start, length, .. } = &settings;
        Misfit::batch(test.next(0), rows.count())?;
        Misfit::dimensions(model.dimension(), &[start.len(), shape.dimension()])?;
        Misfit::length(*length)?;
        if !(*scale > 0.0 && scale.is_finite()) {
            return Err(SubsampledError::Scale { scale: *scale });
        }
        let extent = test.needs_range().then(|| Extent::of(rows));
        let (before, budget) = (Ledger::default(), Budget::UNLIMITED);
        Ok(SubsampledWalk { rows, model, test, settings, extent, before, budget })
    }

    /// The same, with the work behind start and shape, a mode for example: it counts in every
    /// answer.
    pub fn after(self, before: Ledger) -> SubsampledWalk<'a, R, M, T> {
        SubsampledWalk { before, ..self }
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> SubsampledWalk<'a, R, M, T> {
        SubsampledWalk { budget, ..self }
    }

    /// One chain.
    pub fn run(&self, rng: &mut Rng) -> Result<SubsampledRun, SubsampledError> {
        let SubsampledSettings { scale, shape, start, length, .. } = &self.settings;
        let (d, total) = (start.len(), self.rows.count());
        let mut work = Work { order: RowOrder::new(total), ledger: self.set_up() };
        let mut theta = start.clone();
        let mut positions = Vec::with_capacity(length.draws * d);
        let (mut fractions, mut accepted) = (Vec::with_capacity(length.draws), 0);
        for step in 0..length.transitions() {
            let noise: Vec<f64> =
                (0..d).map(|_| scale * rng.sample::<f64, _>(StandardNormal)).collect();
            let mut proposal = vec![0.0; d];
            shape.apply(&noise, &mut proposal);
            proposal.iter_mut().zip(&theta).for_each(|(new, old)| *new += old);
            let (better, seen) = self.compare(&theta, &proposal, &mut work, rng)?;
            if better {
                theta = proposal;
            }
            if step >= length.warm_up {
                positions.extend_from_slice(&theta);
                fractions.push(seen as f64 / total as f64);
                accepted += usize::from(better);
            }
        }
        let acceptance = accepted as f64 / length.draws as f64;
        let ledger = work.order.counted(work.ledger);
        Ok(SubsampledRun { positions, fractions, acceptance, ledger })
    }

    /// What went before, and the pass over all rows, if there was one.
    fn set_up(&self) -> Ledger {
        let passed = if self.extent.is_some() { self.rows.count() as u64 } else { 0 };
        self.before + Ledger { likelihoods: passed, distinct_rows: passed, ..Ledger::default() }
    }

    /// Whether the test accepts the proposal, and how many rows it looked at.
    fn compare(
        &self,
        theta: &[f64],
        proposal: &[f64],
        work: &mut Work,
        rng: &mut Rng,
    ) -> Result<(bool, usize), SubsampledError> {
        let total = self.rows.count();
        let prior = self.model.log_prior(theta) - self.model.log_prior(proposal);
        // 1 − U is never zero.
        let threshold = ((1.0 - rng.random::<f64>()).ln() + prior) / total as f64;
        let range =
            self.extent.as_ref().map_or(0.0, |extent| self.model.range(extent, theta, proposal));
        let mut sample = Running::default();
        for looks in 1.. {
            let seen = sample.count;
            let rows = work.order.draw(seen, self.test.next(seen).min(total), rng);
            work.ledger.likelihoods += 2 * rows.len() as u64;
            let block = self.rows.gather(rows);
            let (old, new) = (
                self.model.row_log_likelihoods(theta, &block),
                self.model.row_log_likelihoods(proposal, &block),
            );
            new.iter().zip(&old).for_each(|(new, old)| sample.push(new - old));
            self.budget.check(work.ledger)?;
            let evidence = Evidence {
                rows: sample.count,
                total,
                mean: sample.mean,
                deviation: sample.deviation(),
                range,
                looks,
            };
            if sample.count == total || self.test.decides(&evidence, threshold) {
                break;
            }
        }
        // What is not a number is never accepted.
        Ok((sample.mean > threshold, sample.count))
    }
}

struct Work {
    order: RowOrder,
    ledger: Ledger,
}

impl<R, M, T> Estimator for SubsampledWalk<'_, R, M, T>
where
    R: Rows<Block = DenseBlock>,
    M: RowLikelihoods,
    T: SequentialTest,
{
    type Error = SubsampledError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, SubsampledError> {
        let SubsampledRun { positions, ledger, .. } = self.run(rng)?;
        let d = self.model.dimension();
        Ok(answer::even(&self.settings.functionals, &positions, d, ledger))
    }

    /// As if every step looked once; what it takes is not known before.
    fn expected_cost(&self, _: u64) -> f64 {
        let looked_at = self.settings.length.transitions() * self.test.next(0);
        self.set_up().likelihoods as f64 + 2.0 * looked_at as f64
    }
}
