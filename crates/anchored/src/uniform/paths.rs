//! The two paths on an anchor: points by a proposal, or by a chain where there is a core.

use super::{Anchor, AnchorError, AnchoredPosterior, RestRows, SharedPath};
use ::posterior::{Rows, Smooth, Target};
use debias::{Caveat, Ledger, Rng, Schedule, ScheduleError};
use samplers::{Functional, KinkedNoUTurn, Length, Sampler, SharedPoints, Start, Student};
use std::error::Error;

/// Degrees of freedom of the proposal: hardly heavier than the Gaussian that the base nearly is.
const DEGREES: f64 = 30.0;
/// Effective points, as a share of all, below which a level has no estimate.
const FLOOR: f64 = 0.25;

/// The points of a replicate, and what they cost.
pub type Points = Result<(SharedPoints, Ledger), Box<dyn Error + Send + Sync>>;

/// A path on an anchored posterior.
pub type AnchoredPath<'b, R, M, D> =
    SharedPath<'b, RestRows<'b, R>, AnchoredPosterior<'b, R, M>, D>;

impl<R, M> Anchor<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// The path whose replicates share the draws of a chain on the base density, for a model with a
    /// Laplace prior of this scale; control variates from its gradients take away noise of the base.
    pub fn path_by_chain<'b>(
        &'b self,
        schedule: &'b Schedule,
        functionals: &'b [Functional],
        scale: f64,
        length: Length,
    ) -> Result<
        AnchoredPath<'b, R, M, impl Fn(&mut Rng) -> Points + Sync + use<'b, R, M>>,
        AnchorError,
    > {
        let kernel = KinkedNoUTurn::new(self.frame.factor().clone(), scale)?;
        let draw = move |rng: &mut Rng| -> Points {
            let mut base = self.posterior.base();
            let start = Start::Frame { spread: 1.0 };
            let start = start.draw(self.frame.dimension(), Some(&self.frame), rng)?;
            let draws = kernel.sample(&mut base, &start, length, rng)?;
            Ok((SharedPoints::controlled(&draws, functionals)?, base.ledger()))
        };
        let points = length.draws as f64;
        let gradients = KinkedNoUTurn::expected_gradients(length);
        Ok(SharedPath {
            rows: self.posterior.rest(),
            reweighting: &self.posterior,
            draw,
            schedule,
            functionals,
            floor: FLOOR * points,
            expected_points: points,
            expected_opening: gradients * self.posterior.core_size() as f64,
            caveats: vec![Caveat::FiniteChain],
        })
    }

    /// The path whose replicates share pairs of mirrored points.
    pub fn path<'b>(
        &'b self,
        schedule: &'b Schedule,
        functionals: &'b [Functional],
        pairs: usize,
    ) -> Result<
        AnchoredPath<'b, R, M, impl Fn(&mut Rng) -> Points + Sync + use<'b, R, M>>,
        AnchorError,
    > {
        let proposal = Student::new(self.frame.clone(), DEGREES)?;
        let draw = move |rng: &mut Rng| {
            let mut base = self.posterior.base();
            let points = SharedPoints::mirrored(&proposal, pairs, rng).onto(&mut base);
            Ok((points, base.ledger()))
        };
        Ok(SharedPath {
            rows: self.posterior.rest(),
            reweighting: &self.posterior,
            draw,
            schedule,
            functionals,
            floor: FLOOR * 2.0 * pairs as f64,
            expected_points: 2.0 * pairs as f64,
            expected_opening: 0.0,
            caveats: Vec::new(),
        })
    }
}

/// Doubling from about `first` rows to just below all of them, and then all: groups split every
/// batch evenly, so that only remainders of third order are left, and the last step is short.
pub fn doubling(rows: usize, first: usize) -> Result<Schedule, ScheduleError> {
    let doublings = (rows / first).max(1).ilog2();
    Schedule::geometric(rows >> doublings, 2.0, rows)
}
