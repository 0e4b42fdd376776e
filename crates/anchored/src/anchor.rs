//! The anchor: a quadratic for all rows, found by Newton's method and then smoothed.
//!
//! ```text
//! plain      step = A⁻¹ (∇ ln p + Σ_i ℓ′_i x_i),         A = −∇² ln p − Σ_i ℓ″_i x_i x_iᵀ
//! smoothed   the same with E[ℓ′_i] and E[ℓ″_i] for a predictor that varies by v_i = x_iᵀ C x_i
//! ```
//!
//! C = A⁻¹ is the covariance of the Laplace approximation. The fixed point of the smoothed steps is
//! the Gaussian closest to the posterior in the sense of variational inference, and the quadratics
//! at it leave the smallest remainders. A start comes from a hundredth of the rows; every pass over
//! all rows is counted, and between two passes the search goes on with the rows that matter
//! (`refined.rs`). A pass whose step is short ends the search: the quadratics that it summed are then
//! the anchor's, and what it noted of the rows makes their strata.
//!
//! The prior is the model's own; where it has kinks, its slope and curvature are averages over the
//! width of the posterior. Everything is computed in units in which the precision has a unit
//! diagonal, so that the units of the columns do not matter.

use crate::anchor_error::{AnchorError, MOST_NUMBERS};
use crate::centring::Centring;
use crate::counted::CountedRows;
use crate::covariance::Covariance;
use crate::exclusive::shape;
use crate::newton::Newton;
use crate::precision::Scaled;
use crate::quadratic::Quadratic;
use crate::strata::Strata;
use crate::sums::{Sums, sums};
use debias::{Ledger, Seed};
use models::linear_algebra::MatrixError;
use posterior::{ArrowShape, Regression, Rows, Smooth};
use samplers::{Frame, FrameError};
use std::sync::Arc;

/// The longest step, in posterior standard deviations, at which the search ends.
const NEWTON: f64 = 0.5;
/// Smoothing matters from this variance of a predictor on; variances are cut at the second value,
/// beyond which a Gaussian says little about the tails.
pub(crate) const MATTERS: f64 = 0.01;
pub(crate) const CAP: f64 = 4.0;
/// Variances up to this factor count as the same.
const ALIKE: f64 = 1.25;
/// Smoothed steps, in standard deviations, are cut at this length.
pub(crate) const LONGEST: f64 = 1.5;
/// Passes after which the search ends: plain ones, and smoothed ones, which need not settle fully.
const MOST_NEWTON: usize = 40;
/// Passes after which a lower density is never accepted, and a step that is still too long is.
const PATIENCE: usize = 12;
const BEARABLE: f64 = 5.0;
const MOST_SMOOTHED: usize = 4;
/// A curvature has fallen when it is so many times less than the steepest; the longest step then, in
/// standard deviations where it was steepest.
const FALLEN: f64 = 1.2;
const OPEN: f64 = 0.2;
/// A curvature that has fallen by so much is that of a mode at infinity.
const LOST: f64 = 1e10;

/// A quadratic for all rows, and where it is good.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Q = Σ_i count_i q_i, around θ₀.
    pub quadratic: Quadratic,
    /// C, with which rows were smoothed.
    pub covariance: Covariance,
    /// C_jj, for all j.
    pub variances: Vec<f64>,
    /// The mode of quadratic and prior, and a factor of their covariance there: coordinates for samplers.
    pub frame: Frame,
    /// Coordinates for samplers where effects share unknown standard deviations.
    pub centring: Option<Centring>,
    /// Passes over all rows.
    pub passes: usize,
    /// All work, that of the start included.
    pub ledger: Ledger,
    /// The largest variance of a predictor.
    pub variance: f64,
    /// The last step, in posterior standard deviations: how far θ₀ is from the fixed point.
    pub step: f64,
}

/// What one pass finds: the sums, and the step from there.
pub(crate) struct Pass {
    pub sums: Sums,
    pub log_density: f64,
    pub newton: Newton,
}

impl Anchor {
    /// Looks for the anchor of these rows.
    pub fn find<R, M>(
        model: &M,
        regression: &dyn Regression<R::Block>,
        rows: &CountedRows<'_, R>,
        seed: Seed,
    ) -> Result<(Anchor, Strata), AnchorError>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let d = model.dimension();
        let shape = Arc::new(shape(regression, rows, d));
        if shape.numbers() > MOST_NUMBERS {
            let (parameters, numbers) = (d, shape.numbers());
            return Err(AnchorError::TooMany { parameters, numbers });
        }
        let mut search = Search {
            model,
            regression,
            shape,
            theta: model.start(),
            covariance: None,
            steepest: Vec::new(),
            seed,
            ledger: Ledger::default(),
        };
        let close = search.start(rows);
        let (mut passes, mut pass) = search.climb(rows, NEWTON, MOST_NEWTON, close)?;
        // A pass that was smoothed already is good enough if its covariance is what it finds itself: quadratics
        // are nearly as good from a little further away, and another pass would be most of the work.
        for _ in 0..MOST_SMOOTHED {
            if search.fits(&pass) && pass.newton.longest() <= NEWTON {
                break;
            }
            if !search.refine(rows, &pass) {
                search.advance(&pass, LONGEST, true);
            }
            passes += 1;
            pass = search
                .pass(rows, true)
                .map_err(|source| AnchorError::NotConcave { passes, source })?;
        }
        let step = pass.newton.longest();
        let Pass { sums, newton, .. } = pass;
        let covariance = search.covariance.expect("a smoothed pass was made with a covariance");
        // Points stand around the mode of the quadratic and the prior, which is one step further, and are spread
        // as the last pass says. Rows keep the covariance that the pass was smoothed with.
        let mode = search.theta.iter().zip(&newton.step).map(|(theta, step)| theta + step);
        let factor = newton.precision.covariance().factor().map_err(FrameError::from)?;
        let frame = Frame::new(mode.collect(), factor)?;
        let quadratic = Quadratic {
            anchor: search.theta,
            value: sums.value,
            gradient: sums.gradient,
            hessian: sums.hessian,
        };
        let centring = newton.apart.map(|apart| {
            let apart =
                Scaled::new(apart).map_err(|source| AnchorError::NotConcave { passes, source })?;
            let factor = apart.covariance().factor().map_err(FrameError::from)?;
            let frame = Frame::new(quadratic.anchor.clone(), factor)?;
            Ok::<_, AnchorError>(Centring::new(model.groups(), &quadratic, frame))
        });
        let strata = Strata::new(sums.notes, d);
        let anchor = Anchor {
            variances: covariance.variances(),
            quadratic,
            covariance,
            frame,
            centring: centring.transpose()?,
            passes,
            ledger: search.ledger,
            variance: sums.variance,
            step,
        };
        Ok((anchor, strata))
    }

    /// θ₀.
    pub fn centre(&self) -> &[f64] {
        &self.quadratic.anchor
    }

    /// The standard deviation of a parameter in the Laplace approximation.
    pub fn deviation(&self, j: usize) -> f64 {
        self.variances[j].sqrt()
    }
}

/// Where the search is.
pub(crate) struct Search<'m, M, B> {
    pub model: &'m M,
    pub regression: &'m dyn Regression<B>,
    pub shape: Arc<ArrowShape>,
    pub theta: Vec<f64>,
    // Nothing until a first pass has found one.
    pub covariance: Option<Covariance>,
    // The largest curvature of each parameter seen so far.
    pub steepest: Vec<f64>,
    pub seed: Seed,
    pub ledger: Ledger,
}

impl<M, B> Search<'_, M, B>
where
    M: Smooth<Block = B>,
{
    /// Newton's method: steps that lower the density by much are halved. Returns the number of
    /// passes, and the last one, made where the step is short; the step is not taken yet.
    pub fn climb<R: Rows<Block = B>>(
        &mut self,
        rows: &CountedRows<'_, R>,
        tolerance: f64,
        most: usize,
        last: bool,
    ) -> Result<(usize, Pass), AnchorError> {
        let d = self.theta.len();
        let mut best: Option<(Vec<f64>, f64, Vec<f64>)> = None;
        let mut length = f64::INFINITY;
        // Where predictors hardly vary, or steps are short already, the next pass is smoothed and may be the last.
        let mut smoothing = last;
        let (mut latest, mut open) = (None, None);
        for passes in 1..=most {
            let smooth = smoothing && self.covariance.is_some();
            let mut pass = self.pass(rows, smooth);
            if smooth && best.is_none() && pass.is_err() {
                // What a sample foresaw was no good.
                (self.covariance, smoothing) = (None, false);
                pass = self.pass(rows, false);
            }
            let pass = pass.map_err(|source| AnchorError::NotConcave { passes, source });
            let value = pass.as_ref().map_or(f64::NAN, |pass| pass.log_density);
            match &mut best {
                None if !value.is_finite() => {
                    return Err(pass.err().unwrap_or(AnchorError::Start { value }));
                }
                // A density that is lower by more than its typical variation: the step was too long.
                // After many passes nothing lower is taken, so that steps cannot go in circles.
                Some((from, height, step))
                    if value.is_nan()
                        || value
                            < *height
                                - if passes > PATIENCE { 0.01 } else { d as f64 }
                                - 1e-9 * height.abs() =>
                {
                    step.iter_mut().for_each(|step| *step *= 0.5);
                    self.theta = from.iter().zip(&*step).map(|(from, step)| from + step).collect();
                    continue;
                }
                _ => {}
            }
            let pass = pass?;
            // The largest step takes an inverse, and is never below the root mean square.
            length = if last && pass.newton.decrement <= tolerance {
                pass.newton.longest()
            } else {
                pass.newton.decrement
            };
            open = self.open(&pass);
            if length <= tolerance && open.is_none() {
                // A plain pass has no strata; the caller goes on from its step.
                return Ok((passes, pass));
            }
            let from = self.theta.clone();
            if !self.refine(rows, &pass) {
                let hardly_vary = pass.sums.variance < MATTERS;
                smoothing &= hardly_vary || length <= LONGEST;
                // Far from the anchor smoothed steps lead astray: Newton's own come first.
                let longest = if smooth && !hardly_vary { LONGEST } else { f64::INFINITY };
                self.advance(&pass, longest, smoothing);
            }
            let moved = self.theta.iter().zip(&from).map(|(to, from)| to - from).collect();
            best = Some((from.clone(), pass.log_density, moved));
            latest = Some((from, pass));
        }
        if let Some(parameter) = open {
            return Err(AnchorError::AtInfinity { parameter, passes: most });
        }
        match latest {
            // Any quadratic is valid: one that is a little off only needs larger samples.
            Some((from, pass)) if length < BEARABLE => {
                // Its step has been taken already, and is taken back here.
                self.theta = from;
                Ok((most, pass))
            }
            _ => Err(AnchorError::NotSettled { passes: most, step: length }),
        }
    }

    /// A parameter with a flat prior whose mode may lie at infinity. Where classes are separated the curvature
    /// falls without end and posterior standard deviations grow, so that every step seems shorter than the
    /// last: where curvature has fallen, steps are measured by the steepest that was seen.
    fn open(&mut self, pass: &Pass) -> Option<usize> {
        let curvature = pass.sums.hessian.diagonal_entries();
        self.steepest.resize(curvature.len(), 0.0);
        let mut open = (None, OPEN);
        for (j, steepest) in self.steepest.iter_mut().enumerate() {
            *steepest = steepest.max(-curvature[j]);
            let ratio = *steepest / -curvature[j];
            // Far out the slope is lost in rounding, and a step of nothing means nothing.
            let length = match ratio < LOST {
                true => pass.newton.step[j].abs() * steepest.sqrt(),
                false => f64::INFINITY,
            };
            if pass.newton.prior[j] == 0.0 && ratio > FALLEN && length > open.1 {
                open = (Some(j), length);
            }
        }
        open.0
    }

    /// Whether a pass was smoothed, and with the covariance of its Newton step.
    fn fits(&self, pass: &Pass) -> bool {
        if pass.sums.notes.octaves.is_empty() {
            return false;
        }
        let found = pass.newton.precision.covariance().variances();
        let used = self.covariance.as_ref().map_or(Vec::new(), Covariance::variances);
        used.iter().zip(&found).all(|(used, found)| (1.0 / ALIKE..ALIKE).contains(&(used / found)))
    }

    /// Takes the step of a pass, cut at so many posterior standard deviations; the covariance is
    /// inverted only where the next pass looks at it.
    pub fn advance(&mut self, pass: &Pass, longest: f64, smooth: bool) {
        let share =
            if longest.is_finite() { (longest / pass.newton.longest()).min(1.0) } else { 1.0 };
        for (theta, step) in self.theta.iter_mut().zip(&pass.newton.step) {
            *theta += share * step;
        }
        if smooth || self.model.kinks().is_some() {
            self.covariance = Some(pass.newton.precision.covariance().clone());
        }
    }

    pub fn pass<R: Rows<Block = B>>(
        &mut self,
        rows: &CountedRows<'_, R>,
        smooth: bool,
    ) -> Result<Pass, MatrixError> {
        let sums = self.sums(rows, smooth);
        self.step(sums)
    }

    /// One pass over these rows.
    pub fn sums<R: Rows<Block = B>>(&mut self, rows: &CountedRows<'_, R>, smooth: bool) -> Sums {
        self.ledger.gradients += rows.kinds() as u64;
        self.ledger.distinct_rows = self.ledger.distinct_rows.max(rows.kinds() as u64);
        let covariance = self.covariance.as_ref().filter(|_| smooth);
        let entries = covariance.map(|covariance| (&covariance.entries, CAP));
        sums(self.regression, rows, &self.theta, &self.shape, entries)
    }

    /// The step from here.
    pub fn step(&self, sums: Sums) -> Result<Pass, MatrixError> {
        let deviations: Vec<f64> = match &self.covariance {
            // A first guess, for priors with kinks only.
            None => vec![1.0; self.theta.len()],
            Some(covariance) => covariance.variances().iter().map(|v| v.sqrt()).collect(),
        };
        let newton = Newton::new(self.model, &sums, &self.theta, &deviations)?;
        let log_density = newton.height(self.model, &sums, &self.theta);
        Ok(Pass { sums, log_density, newton })
    }
}
