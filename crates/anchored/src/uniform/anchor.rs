//! The anchor: where all rows are expanded, and what finding it cost.

use super::AnchoredPosterior;
use super::chosen::Chosen;
use ::posterior::{DataPathError, Rows, Smooth, Target, subset};
use debias::{Ledger, Seed};
use models::anchor::{CoreChoice, Mode, NewtonError, Survey, newton, survey};
use models::linear_algebra::Symmetric;
use samplers::{Factor, Frame, FrameError, KinkScale, StudentError};

/// An anchor is good when Newton's next step is shorter than this many posterior sds in every
/// weight; with a hundred weights the steps add up, and twenty times that ruins the expansion.
const STEP: f64 = 0.1;
/// A first guess on some of the rows need not be better than this.
const GUESS: f64 = 2.0;
/// Newton's steps on the base density that are tried, and the step, in sds, at which its mode is found.
const FREE_STEPS: usize = 10;
const CENTRED: f64 = 1e-3;
/// Passes after which there is no anchor.
const MOST_PASSES: u64 = 20;

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

/// Why there is no anchor, or no path on it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnchorError {
    /// No mode.
    #[error("the anchor: {0}")]
    Newton(#[from] NewtonError),
    /// No frame.
    #[error("the frame of the anchor: {0}")]
    Frame(#[from] FrameError),
    /// No proposal.
    #[error(transparent)]
    Student(#[from] StudentError),
    /// The schedule ends elsewhere than the rows outside the core.
    #[error(transparent)]
    Schedule(#[from] DataPathError),
    /// No kinks of this scale.
    #[error(transparent)]
    Kinks(#[from] KinkScale),
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
    ) -> Result<Anchor<'a, R, M>, AnchorError> {
        Anchor::settle(model, model, rows, start, Some((share, seed)), 0)
    }

    /// Climbs under a smooth stand-in of the prior, and keeps exact the rows that stray most from
    /// their expansion.
    pub fn with_core(
        model: &'a M,
        stand_in: &M,
        rows: &'a R,
        start: &[f64],
        core: usize,
    ) -> Result<Anchor<'a, R, M>, AnchorError> {
        Anchor::settle(model, stand_in, rows, start, None, core)
    }

    /// Climbs under a stand-in, on a share of the rows first if one is given, and keeps so many
    /// rows exact, which takes one pass more than none.
    pub fn settle(
        model: &'a M,
        stand_in: &M,
        rows: &'a R,
        start: &[f64],
        share: Option<(usize, Seed)>,
        core: usize,
    ) -> Result<Anchor<'a, R, M>, AnchorError> {
        let mut start = start.to_vec();
        let mut ledger = Ledger::default();
        if let Some((share, seed)) = share {
            let chosen = subset(rows.count(), share, &mut seed.child("anchor").stream(0));
            let near = newton(stand_in, &Chosen { rows, chosen }, &start, GUESS, MOST_PASSES)?;
            (start, ledger) = (near.theta, near.ledger);
        }
        let mode = newton(stand_in, rows, &start, STEP, MOST_PASSES)?;
        ledger += mode.ledger;
        let frame = frame_of(&mode.theta, &mode.covariance)?;
        let Mode { expansion, covariance, passes, ledger: of_all, theta, .. } = mode;
        if core == 0 {
            let survey = Survey { expansion, core: Vec::new(), ledger: of_all };
            let posterior = AnchoredPosterior::new(model, rows, survey);
            return Ok(Anchor { posterior, frame, passes, ledger });
        }
        let choice = CoreChoice { size: core, covariance: covariance.entries() };
        let posterior =
            AnchoredPosterior::new(model, rows, survey(model, rows, &theta, Some(&choice)));
        ledger += Ledger { distinct_rows: 0, ..posterior.ledger() };
        Ok(Anchor { posterior, frame, passes: passes + 1, ledger })
    }
}

impl<R, M> Anchor<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// The same with the frame around the mode of the base density, which is not quite where the climb
    /// ended, a short step away from the mode under a stand-in of the prior. Points that mirror each
    /// other there cancel, and the base takes no rows but the core's to look at. Where steps do not
    /// settle, at a kink that matters, the frame stays.
    pub fn centred(mut self) -> Result<Self, AnchorError> {
        let (factor, d) = (self.frame.factor(), self.frame.dimension());
        let mut base = self.posterior.base();
        let mut centre = self.frame.mean().to_vec();
        let (mut gradient, mut step, mut shift) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
        let mut found = false;
        for _ in 0..FREE_STEPS {
            base.gradient(&centre, &mut gradient);
            factor.apply_transpose(&gradient, &mut step);
            found = step.iter().all(|step| step.abs() < CENTRED);
            if found {
                break;
            }
            factor.apply(&step, &mut shift);
            centre.iter_mut().zip(&shift).for_each(|(centre, shift)| *centre += shift);
        }
        self.ledger += base.ledger();
        if found {
            self.frame = Frame::new(centre, factor.clone())?;
        }
        Ok(self)
    }
}

/// Mean and covariance as coordinates for samplers.
pub fn frame_of(mean: &[f64], covariance: &Symmetric) -> Result<Frame, FrameError> {
    let factor = Factor::of_covariance(&covariance.entries(), mean.len())?;
    Frame::new(mean.to_vec(), factor)
}
