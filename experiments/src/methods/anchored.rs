//! The anchored path, as every experiment builds it.
//!
//! ```text
//! π_t(θ) ∝ p(θ) exp{ Σ_{i ∈ K} ℓ_i(θ) + Q_rest(θ) + (N_rest/n_t) Σ_{i ∈ S_t} [ℓ_i(θ) − q_i(θ)] }
//! ```
//!
//! No other file finds an anchor or builds a path on one. Experiments differ in [`AnchoredSettings`]
//! and in nothing else.

use anchored::uniform::{Anchor, CoupledPath, Points, SharedPath, doubling};
use debias::{Form, Ledger, Path, Rng, Schedule, Seed, Tradeoff, Truncation, unpiloted};
use models::anchor::{CoreChoice, Survey};
use posterior::{Rows, Smooth, Target};
use samplers::{
    Draws, Frame, Functional, KinkedNoUTurn, Lagged, Length, Sampler, SharedPoints, Start, Student,
};

pub use anchored::uniform::{AnchoredPosterior, RestRows, Reweighting, frame_of};
pub use models::anchor::{Mode, newton, survey};

/// The form of all replicates.
pub const FORM: Form = Form::AntitheticSingleTerm;
/// The decay that the law allows for, slower than the n⁻² of theory: all levels get the same share of
/// the work, so that increments which stop shrinking, at the latest where rounding begins, cost little.
pub const BETA: f64 = 1.0;
/// The cost of all corrections over that of the first level.
pub const SHARE: f64 = 0.25;
/// Degrees of freedom of the proposal of mirrored points around an anchor off the mode.
const DEGREES: f64 = 30.0;

/// What differs between experiments.
#[derive(Clone)]
pub struct AnchoredSettings {
    /// Random rows on which Newton's method begins, and their seed; without them it begins on all rows.
    pub guess: Option<(usize, Seed)>,
    /// Rows that are kept exact.
    pub core: usize,
    /// The rows that levels sample.
    pub levels: LevelSizes,
    /// How the points of a replicate are drawn.
    pub points: PointSource,
    /// Whether levels whose weights are too uneven are refused.
    pub refuse: bool,
}

/// The rows that levels sample.
#[derive(Clone)]
pub enum LevelSizes {
    /// Doubling from this size to all rows outside the core.
    From(usize),
    /// These sizes.
    Explicit(Vec<usize>),
}

/// How the points of a replicate are drawn.
#[derive(Clone, Copy)]
pub enum PointSource {
    /// So many pairs that mirror each other, from a Student-t around the anchor.
    Mirrored(usize),
    /// By NUTS on the base density, exactly through the kinks of a Laplace prior of this scale, with
    /// control variates.
    Chain { scale: f64, length: Length },
}

impl AnchoredSettings {
    /// Mirrored points, Newton's method on some rows first, no core.
    pub fn mirrored(guess: (usize, Seed), first: usize, pairs: usize) -> AnchoredSettings {
        AnchoredSettings {
            guess: Some(guess),
            core: 0,
            levels: LevelSizes::From(first),
            points: PointSource::Mirrored(pairs),
            refuse: true,
        }
    }

    /// A core, and points by a chain under a Laplace prior of this scale.
    pub fn with_core(core: usize, first: usize, scale: f64, length: Length) -> AnchoredSettings {
        AnchoredSettings {
            guess: None,
            core,
            levels: LevelSizes::From(first),
            points: PointSource::Chain { scale, length },
            refuse: true,
        }
    }
}

/// An anchor with the levels of a path on it.
pub struct Anchored<'a, R: Rows, M> {
    /// The anchor, its frame, and what finding it took.
    pub anchor: Anchor<'a, R, M>,
    /// n_1, …, n_L.
    pub schedule: Schedule,
    /// φ.
    pub functionals: Vec<Functional>,
    settings: AnchoredSettings,
}

/// A path whose replicates share points, however these are drawn.
pub type AnchoredPath<'b, R, M> = SharedPath<
    'b,
    RestRows<'b, R>,
    AnchoredPosterior<'b, R, M>,
    Box<dyn Fn(&mut Rng) -> Points + Sync + 'b>,
>;

impl<'a, R, M> Anchored<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Finds the anchor, under a smooth prior where the model's has kinks.
    pub fn new(
        (model, smooth, rows): (&'a M, &M, &'a R),
        functionals: &[Functional],
        settings: AnchoredSettings,
    ) -> anyhow::Result<Anchored<'a, R, M>> {
        let start = vec![0.0; model.dimension()];
        let anchor = Anchor::settle(model, smooth, rows, &start, settings.guess, settings.core)?;
        let rest = rows.count() - settings.core;
        let schedule = match &settings.levels {
            LevelSizes::From(first) => doubling(rest, *first)?,
            LevelSizes::Explicit(sizes) => Schedule::explicit(sizes.clone(), rest)?,
        };
        Ok(Anchored { anchor, schedule, functionals: functionals.to_vec(), settings })
    }

    /// Evaluations that finding the anchor took.
    pub fn evaluations(&self) -> f64 {
        self.anchor.ledger.evaluations() as f64
    }

    /// The path.
    pub fn path(&self) -> anyhow::Result<AnchoredPath<'_, R, M>> {
        let (schedule, functionals) = (&self.schedule, &self.functionals[..]);
        let path = match self.settings.points {
            PointSource::Mirrored(pairs) => {
                boxed(self.anchor.path(schedule, functionals, pairs)?)
            }
            PointSource::Chain { scale, length } => {
                boxed(self.anchor.path_by_chain(schedule, functionals, scale, length)?)
            }
        };
        let floor = if self.settings.refuse { path.floor } else { 0.0 };
        Ok(SharedPath { floor, ..path })
    }

    /// The path without any bias, whose levels are estimated by pairs of coupled chains.
    pub fn coupled_path(&self, lagged: Lagged) -> anyhow::Result<CoupledPath<'_, R, M>> {
        Ok(self.anchor.path_by_coupled_chains(&self.schedule, &self.functionals, lagged)?)
    }

    /// The law that needs no pilot.
    pub fn law<P: Path>(&self, path: &P) -> anyhow::Result<Truncation> {
        let costs = Tradeoff::level_costs(path, FORM);
        Ok(unpiloted(self.schedule.sizes(), &costs, BETA, SHARE)?)
    }

    /// The chain by which points of a base density under a Laplace prior of this scale are drawn.
    pub fn base_chain(&self, scale: f64) -> anyhow::Result<BaseChain<'_>> {
        let kernel = KinkedNoUTurn::new(self.anchor.frame.factor().clone(), scale)?;
        Ok(BaseChain { kernel, frame: &self.anchor.frame })
    }
}

fn boxed<'b, R, M, D>(
    path: SharedPath<'b, RestRows<'b, R>, AnchoredPosterior<'b, R, M>, D>,
) -> AnchoredPath<'b, R, M>
where
    R: Rows,
    D: Fn(&mut Rng) -> Points + Sync + 'b,
{
    SharedPath {
        rows: path.rows,
        reweighting: path.reweighting,
        draw: Box::new(path.draw),
        schedule: path.schedule,
        functionals: path.functionals,
        floor: path.floor,
        expected_points: path.expected_points,
        expected_opening: path.expected_opening,
        caveats: path.caveats,
    }
}

/// NUTS on a base density, in the frame of an anchor.
pub struct BaseChain<'a> {
    kernel: KinkedNoUTurn,
    frame: &'a Frame,
}

impl BaseChain<'_> {
    /// Draws from a base density, which need not be that of the anchor.
    pub fn draws(
        &self,
        base: &mut dyn Target,
        length: Length,
        rng: &mut Rng,
    ) -> anyhow::Result<Draws> {
        let start = Start::Frame { spread: 1.0 };
        let start = start.draw(self.frame.dimension(), Some(self.frame), rng)?;
        Ok(self.kernel.sample(base, &start, length, rng)?)
    }
}

/// The posterior expanded at any anchor, however bad, with mirrored points drawn from there.
pub fn expanded_at<'a, R, M>(
    (model, rows): (&'a M, &'a R),
    theta: &[f64],
    pairs: usize,
    rng: &mut Rng,
) -> anyhow::Result<(AnchoredPosterior<'a, R, M>, SharedPoints)>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    // One pass, whatever the step: this anchor and no other.
    let Mode { expansion, theta, covariance, ledger, .. } =
        newton(model, rows, theta, f64::INFINITY, 1)?;
    let posterior =
        AnchoredPosterior::new(model, rows, Survey { expansion, core: Vec::new(), ledger });
    let proposal = Student::new(frame_of(&theta, &covariance)?, DEGREES)?;
    let points = SharedPoints::mirrored(&proposal, pairs, rng).onto(&mut posterior.base());
    Ok((posterior, points))
}

/// The posterior expanded at any anchor, with a core that is chosen there by the covariance of a frame.
pub fn expanded_with_core<'a, R, M>(
    (model, rows): (&'a M, &'a R),
    theta: &[f64],
    core: usize,
    frame: &Frame,
) -> AnchoredPosterior<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let choice = CoreChoice { size: core, covariance: frame.factor().covariance() };
    AnchoredPosterior::new(model, rows, survey(model, rows, theta, Some(&choice)))
}

/// The points of one replicate of a path.
pub fn points_of<R: Rows, M>(
    path: &AnchoredPath<'_, R, M>,
    rng: &mut Rng,
) -> anyhow::Result<(SharedPoints, Ledger)> {
    (path.draw)(rng).map_err(|error| anyhow::anyhow!("{error}"))
}
