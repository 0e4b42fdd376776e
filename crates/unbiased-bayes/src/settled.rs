//! An anchor whose levels keep their weights: found by looking, never by clipping.
//!
//! Without a core first. Points are drawn once, several batches of n_1 rows reweigh them, and the
//! fewest effective points count. Are they fewer than half of all, the core grows: 2 000 rows, then
//! four times as many, up to a quarter of the data. If that does not do, there is no anchored path.
//! All of this is set-up, and all of it is counted.

use crate::framed::chain;
use crate::{EstimateError, Estimation, Spread};
use anchored::uniform::{Anchor, AnchorError, AnchoredPath, Points, SharedPath, doubling};
use debias::{Caveat, Ledger, Rng, Schedule};
use posterior::{Rows, Smooth, Target, subset};
use samplers::{Functional, Length, SharedPoints, Student};

/// Effective points, as a share of all, that the first level must keep.
const WANTED: f64 = 0.5;
/// Effective points, as a share of all, below which a level has no estimate.
const FLOOR: f64 = 0.1;
/// Batches of the first level that are looked at.
const BATCHES: u64 = 8;
/// Levels whose effective points are reported.
const REPORTED: usize = 4;
/// The first core, and by how much it grows.
const CORE: usize = 2000;
const GROWTH: usize = 4;
/// Parameters up to which mirrored pairs of a Student-t stand for the base density; beyond, a chain.
const FEW: usize = 16;
const PAIRS: usize = 32;
const DEGREES: f64 = 30.0;
/// Draws a parameter from which on a regression on the gradients takes away more noise than it adds.
const CONTROLLED: usize = 4;

/// An anchor, and how the points of a replicate are drawn on it.
pub(crate) struct Settled<'a, R: Rows, M> {
    pub anchor: Anchor<'a, R, M>,
    pub schedule: Schedule,
    /// The least effective points over points of each level looked at.
    pub shares: Vec<f64>,
    pub spread: Spread,
    /// Passes over all rows, those for cores that did not do included.
    pub passes: u64,
    /// All work, the same included.
    pub setup: Ledger,
    kinks: Option<Vec<f64>>,
    length: Length,
}

/// Draws the points of a replicate.
pub(crate) type Draw<'b> = Box<dyn Fn(&mut Rng) -> Points + Sync + 'b>;

impl<'a, R, M> Settled<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Looks; what it took is added to `spent`, also where nothing is found.
    pub fn find(
        problem: &Estimation<'a, R, M>,
        smooth: &M,
        first: usize,
        spent: &mut Ledger,
    ) -> Result<Settled<'a, R, M>, EstimateError> {
        let settings = &problem.settings;
        let all = problem.rows.count();
        let dimension = problem.model.dimension();
        let seed = settings.seed.child("anchored");
        let (mut core, mut passes) = (0, 0);
        // A hundredth of the rows, but enough to tell the parameters apart.
        let share = (all / 100).max(20 * dimension).min(all);
        let mut start = vec![0.0; dimension];
        let mut guess = Some((share, seed));
        loop {
            problem.say(&match core {
                0 => "anchor: Newton's method over all rows".to_owned(),
                core => format!("anchor: {core} rows of high leverage kept exact"),
            });
            let anchor = Anchor::settle(problem.model, smooth, problem.rows, &start, guess, core)?;
            let anchor = anchor.centred()?;
            *spent += anchor.ledger;
            passes += anchor.passes;
            (start, guess) = (anchor.frame.mean().to_vec(), None);
            let rest = all - core;
            let schedule = doubling(rest, first.min(rest))?;
            let mut settled = Settled {
                anchor,
                schedule,
                shares: Vec::new(),
                spread: Spread { sds: Vec::new(), efficiencies: Vec::new(), gradients: 0.0 },
                passes,
                setup: *spent,
                kinks: problem.model.kinks(),
                length: settings.length.into(),
            };
            settled.measure(&problem.functionals, &mut seed.child("trial").stream(core as u64))?;
            *spent = settled.setup;
            let share = settled.shares.iter().copied().fold(1.0, f64::min);
            if share >= WANTED && schedule_is_long_enough(&settled.schedule) {
                return Ok(settled);
            }
            core = if core == 0 { CORE } else { GROWTH * core };
            if core > all / 4 {
                return Err(EstimateError::Degenerate { core, first, share, wanted: WANTED });
            }
        }
    }

    /// Whether pairs of a proposal will do for the points.
    fn by_pairs(&self) -> bool {
        self.anchor.frame.dimension() <= FEW
    }

    /// The path; `functionals` are those of the problem.
    pub fn path<'b>(
        &'b self,
        functionals: &'b [Functional],
    ) -> Result<AnchoredPath<'b, R, M, Draw<'b>>, EstimateError> {
        let posterior = &self.anchor.posterior;
        let core = posterior.core_size() as f64;
        let (points, opening, caveats) = if self.by_pairs() {
            let points = 2.0 * PAIRS as f64;
            (points, points * core, Vec::new())
        } else {
            let iterations = self.length.transitions() as f64;
            let opening = self.spread.gradients.max(1.0) * iterations * core;
            (self.length.draws as f64, opening, vec![Caveat::FiniteChain])
        };
        Ok(SharedPath {
            rows: posterior.rest(),
            reweighting: posterior,
            draw: self.draw(functionals)?,
            schedule: &self.schedule,
            functionals,
            floor: FLOOR * points,
            expected_points: points,
            expected_opening: opening,
            caveats,
        })
    }

    fn draw<'b>(&'b self, functionals: &'b [Functional]) -> Result<Draw<'b>, EstimateError> {
        let Anchor { posterior, frame, .. } = &self.anchor;
        if self.by_pairs() {
            let proposal = Student::new(frame.clone(), DEGREES).map_err(AnchorError::from)?;
            return Ok(Box::new(move |rng: &mut Rng| {
                let mut base = posterior.base();
                let points = SharedPoints::mirrored(&proposal, PAIRS, rng).onto(&mut base);
                Ok((points, base.ledger()))
            }));
        }
        Ok(Box::new(move |rng: &mut Rng| {
            let mut base = posterior.base();
            let draws = chain(&mut base, frame, self.kinks.as_deref(), self.length, rng)?;
            let points = if draws.count() >= CONTROLLED * draws.dimension() {
                SharedPoints::controlled(&draws, functionals)?
            } else {
                SharedPoints::of_draws(&draws)
            };
            Ok((points, base.ledger()))
        }))
    }

    /// Effective points of the first levels, and the spread of the base density.
    fn measure(&mut self, functionals: &[Functional], rng: &mut Rng) -> Result<(), EstimateError> {
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| EstimateError::Chain(error);
        let mut base = Counted { target: self.anchor.posterior.base(), gradients: 0 };
        let draws = chain(&mut base, &self.anchor.frame, self.kinks.as_deref(), self.length, rng)
            .map_err(|error| failed(error.into()))?;
        let iterations = self.length.transitions() as f64;
        self.spread = Spread::of(&draws, functionals, base.gradients as f64 / iterations, 1.0);
        let mut work = base.target.ledger();
        let (points, opening) = (self.draw(functionals)?)(rng).map_err(failed)?;
        work += opening;
        let mut path = self.path(functionals)?;
        path.floor = 0.0;
        let mut shares = Vec::new();
        for level in 1..=self.schedule.levels().saturating_sub(1).clamp(1, REPORTED) {
            let rows = self.schedule.size(level);
            let mut least = 1.0_f64;
            for _ in 0..if level == 1 { BATCHES } else { 1 } {
                let batch = subset(path.rows.count(), rows, rng);
                let (weighted, cost) =
                    path.weighted(&points, &batch).map_err(|error| failed(error.into()))?;
                least = least.min(weighted.effective / points.count() as f64);
                work += cost;
            }
            shares.push(least);
        }
        drop(path);
        self.shares = shares;
        self.setup += work;
        Ok(())
    }
}

/// A pilot looks at three levels at least.
fn schedule_is_long_enough(schedule: &Schedule) -> bool {
    schedule.levels() >= 3
}

/// A target that counts calls: where there is no core, no rows are evaluated, and the ledger is empty.
struct Counted<T> {
    target: T,
    gradients: u64,
}

impl<T: Target> Target for Counted<T> {
    fn dimension(&self) -> usize {
        self.target.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.target.log_density(theta)
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.gradients += 1;
        self.target.gradient(theta, gradient)
    }

    fn ledger(&self) -> Ledger {
        self.target.ledger()
    }
}
