//! Anchored levels by coupled chains: nothing is left that could bias the estimate.
//!
//! ```text
//! E φ̂_t = E_{π_t} φ     for every batch, by pairs of lagged chains that have met
//! E Z   = E_{π_L} φ = E[φ(θ) ∣ all rows]
//! ```
//!
//! Self-normalised weights leave a bias of the order of one over their effective number, which no
//! sum over levels takes away; a chain of finite length leaves its own. Levels here have neither.
//! The chains propose from the Laplace approximation of the anchor, which all levels resemble: a
//! pair meets at the first candidate that both accept.
//!
//! Far away the expansions rule a level that lacks rows, and Q_rest − (N_rest/n) Σ q_i need not fall
//! there: such a level need not be integrable. So it is cut off a few posterior sds away from the
//! anchor. Which density stands at a level t < L does not matter to E Z; the last is not cut.

use super::{Anchor, AnchorError, AnchoredPosterior};
use ::posterior::{
    DataPathError, Rows, Smooth, Target, increment_cost, level_increment, nested_levels, subset,
};
use debias::{Coupling, Ledger, Path, Rng, Schedule, Term};
use samplers::{
    ByCoupledChains, CoupledError, Frame, Framing, Functional, Independence, Lagged, Start, Student,
};

/// Degrees of freedom of the proposal: tails above those of the last level.
const DEGREES: f64 = 5.0;
/// Distance from the anchor, beyond √d, at which levels that lack rows are cut off.
const RADIUS: f64 = 6.0;

/// The path of an anchor whose levels are pairs of chains.
pub struct CoupledPath<'b, R: Rows, M> {
    posterior: &'b AnchoredPosterior<'b, R, M>,
    frame: &'b Frame,
    chains: ByCoupledChains<Independence>,
    // Invariant: ends at the rows outside the core.
    schedule: &'b Schedule,
}

impl<R, M> Anchor<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// The path without any bias; chains look at core and batch at every step.
    pub fn path_by_coupled_chains<'b>(
        &'b self,
        schedule: &'b Schedule,
        functionals: &[Functional],
        lagged: Lagged,
    ) -> Result<CoupledPath<'b, R, M>, AnchorError> {
        let (last, rows) = (schedule.size(schedule.levels()), self.posterior.rest().count());
        if last != rows {
            return Err(DataPathError { last, rows }.into());
        }
        let proposal = Student::new(Frame::standard(self.frame.dimension()), DEGREES)?;
        let chains = ByCoupledChains {
            kernel: Independence { proposal },
            framing: Framing::Given(self.frame.clone()),
            start: Start::Frame { spread: 1.0 },
            lagged,
            functionals: functionals.to_vec(),
            // A candidate serves both chains.
            expected_evaluations: lagged.last as f64,
        };
        Ok(CoupledPath { posterior: &self.posterior, frame: &self.frame, chains, schedule })
    }
}

impl<R, M> CoupledPath<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    fn order(&self, level: usize, rng: &mut Rng) -> Vec<usize> {
        subset(self.posterior.rest().count(), self.schedule.size(level), rng)
    }

    fn estimate(&self, batch: &[usize], rng: &mut Rng) -> Result<Term, CoupledError> {
        let block = self.posterior.rest().gather(batch);
        let mut level = self.posterior.level(&block);
        let whole = batch.len() == self.posterior.rest().count();
        let value = if whole {
            self.chains.values(&mut level, rng)?
        } else {
            self.chains.values(&mut Near { target: &mut level, frame: self.frame }, rng)?
        };
        Ok(Term { value, cost: level.ledger() })
    }
}

impl<R, M> Path for CoupledPath<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    type Shared = ();
    type Error = CoupledError;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn level_cost(&self, level: usize) -> f64 {
        let rows = self.posterior.core_size() + self.schedule.size(level);
        self.chains.expected_evaluations * rows as f64
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        increment_cost(self.schedule, level, coupling, |level| self.level_cost(level))
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), CoupledError> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, CoupledError> {
        let order = self.order(depth, rng);
        nested_levels(self.schedule, depth, &order, |batch| self.estimate(batch, rng))
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, CoupledError> {
        let order = self.order(level, rng);
        level_increment(self.schedule, level, coupling, &order, |batch| self.estimate(batch, rng))
    }
}

/// A density that is zero far from the anchor.
struct Near<'a, T> {
    target: &'a mut T,
    frame: &'a Frame,
}

impl<T: Target> Near<'_, T> {
    fn holds(&self, theta: &[f64]) -> bool {
        let square: f64 = self.frame.coordinates(theta).iter().map(|z| z * z).sum();
        square.sqrt() <= RADIUS + (theta.len() as f64).sqrt()
    }
}

impl<T: Target> Target for Near<'_, T> {
    fn dimension(&self) -> usize {
        self.target.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        if self.holds(theta) { self.target.log_density(theta) } else { f64::NEG_INFINITY }
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        if self.holds(theta) {
            return self.target.gradient(theta, gradient);
        }
        gradient.fill(0.0);
        f64::NEG_INFINITY
    }

    fn ledger(&self) -> Ledger {
        self.target.ledger()
    }
}
