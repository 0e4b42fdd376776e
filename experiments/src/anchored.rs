//! Anchored paths as experiments run them.
//!
//! ```text
//! anchor   Newton on a share of the rows, then over all of them until a step is below 0.1 sds
//! points   once a replicate: mirrored pairs around the centre of the base density, or, where there
//!          is a core, the draws of a chain on it
//! levels   the same points, reweighted by the remainders of the sampled rows
//! ```
//!
//! Every pass and every row of the share is part of the set-up cost.

use debias::{Caveat, Ledger, Rng, Schedule, ScheduleError, Seed};
use models::anchor::{AnchoredPosterior, CoreChoice, Mode, RestRows, Survey, newton, survey};
use models::linear_algebra::Symmetric;
use posterior::{Rows, Smooth, Target, subset};
use samplers::{
    Factor, Frame, Functional, KinkedNoUTurn, Length, Sampler, SharedPath, SharedPoints, Start,
    Student,
};
use std::error::Error;
use std::ops::Range;

/// An anchor is good when Newton's next step is shorter than this many posterior sds in every
/// weight; with a hundred weights the steps add up, and twenty times that ruins the expansion.
const STEP: f64 = 0.1;
/// A first guess on some of the rows need not be better than this.
const GUESS: f64 = 2.0;
/// Passes after which there is no anchor.
const MOST_PASSES: u64 = 20;
/// Degrees of freedom of the proposal: hardly heavier than the Gaussian that the base nearly is.
const DEGREES: f64 = 30.0;
/// Effective points, as a share of all, below which a level has no estimate.
const FLOOR: f64 = 0.25;

/// Gradients that a chain through kinks takes an iteration, about.
const GRADIENTS: f64 = 8.0;

/// The points of a replicate, and what they cost.
pub type Points = Result<(SharedPoints, Ledger), Box<dyn Error + Send + Sync>>;

/// An anchor over all rows.
pub struct Anchor<'a, R: Rows, M> {
    /// The base density and what levels add to it.
    pub posterior: AnchoredPosterior<'a, R, M>,
    /// The Laplace approximation: where points are drawn.
    pub frame: Frame,
    /// Passes over all rows.
    pub passes: u64,
    /// All work, the share of the rows included.
    pub ledger: Ledger,
}

impl<'a, R, M> Anchor<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Climbs on `share` random rows first, and from there on all.
    pub fn climb(
        model: &'a M,
        rows: &'a R,
        start: &[f64],
        share: usize,
        seed: Seed,
    ) -> anyhow::Result<Anchor<'a, R, M>> {
        let chosen = subset(rows.count(), share, &mut seed.child("anchor").stream(0));
        let near = newton(model, &Chosen { rows, chosen }, start, GUESS, MOST_PASSES)?;
        let mode = newton(model, rows, &near.theta, STEP, MOST_PASSES)?;
        let mut ledger = near.ledger;
        ledger += mode.ledger;
        let (passes, frame) = (mode.passes, frame_of(&mode.theta, &mode.covariance)?);
        let Mode { expansion, ledger: of_all, .. } = mode;
        let survey = Survey { expansion, core: Vec::new(), ledger: of_all };
        Ok(Anchor { posterior: AnchoredPosterior::new(model, rows, survey), frame, passes, ledger })
    }

    /// Climbs under a smooth stand-in of the prior, and keeps exact the rows that stray most from
    /// their expansion.
    pub fn with_core(
        model: &'a M,
        stand_in: &M,
        rows: &'a R,
        start: &[f64],
        core: usize,
    ) -> anyhow::Result<Anchor<'a, R, M>> {
        let mode = newton(stand_in, rows, start, STEP, MOST_PASSES)?;
        let choice = CoreChoice { size: core, covariance: mode.covariance.entries() };
        let survey = survey(model, rows, &mode.theta, Some(&choice));
        let (passes, frame) = (mode.passes + 1, frame_of(&mode.theta, &mode.covariance)?);
        let posterior = AnchoredPosterior::new(model, rows, survey);
        let mut ledger = mode.ledger;
        ledger += Ledger { distinct_rows: 0, ..posterior.ledger() };
        Ok(Anchor { posterior, frame, passes, ledger })
    }

    /// The path whose replicates share the draws of a chain on the base density, for a model with a
    /// Laplace prior of this scale.
    pub fn path_by_chain<'b>(
        &'b self,
        schedule: &'b Schedule,
        functionals: &'b [Functional],
        scale: f64,
        length: Length,
    ) -> anyhow::Result<AnchoredPath<'b, R, M, impl Fn(&mut Rng) -> Points + Sync + use<'b, R, M>>>
    {
        let kernel = KinkedNoUTurn::new(self.frame.factor().clone(), scale)?;
        let draw = move |rng: &mut Rng| -> Points {
            let mut base = self.posterior.base();
            let start = Start::Frame { spread: 1.0 };
            let start = start.draw(self.frame.dimension(), Some(&self.frame), rng)?;
            let draws = kernel.sample(&mut base, &start, length, rng)?;
            Ok((SharedPoints::of_draws(&draws), base.ledger()))
        };
        let points = length.draws as f64;
        let gradients = GRADIENTS * (length.warm_up as f64 + points);
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
    ) -> anyhow::Result<AnchoredPath<'b, R, M, impl Fn(&mut Rng) -> Points + Sync + use<'b, R, M>>>
    {
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

/// A path on an anchored posterior.
pub type AnchoredPath<'b, R, M, D> =
    SharedPath<'b, RestRows<'b, R>, AnchoredPosterior<'b, R, M>, D>;

/// Mean and covariance as coordinates for samplers.
pub fn frame_of(mean: &[f64], covariance: &Symmetric) -> anyhow::Result<Frame> {
    let factor = Factor::of_covariance(&covariance.entries(), mean.len())?;
    Ok(Frame::new(mean.to_vec(), factor)?)
}

/// Some of the rows, as rows.
struct Chosen<'a, R> {
    rows: &'a R,
    chosen: Vec<usize>,
}

impl<R: Rows> Rows for Chosen<'_, R> {
    type Block = R::Block;

    fn count(&self) -> usize {
        self.chosen.len()
    }

    fn gather(&self, indices: &[usize]) -> R::Block {
        let indices: Vec<usize> = indices.iter().map(|&index| self.chosen[index]).collect();
        self.rows.gather(&indices)
    }

    fn range(&self, range: Range<usize>) -> R::Block {
        self.rows.gather(&self.chosen[range])
    }
}
