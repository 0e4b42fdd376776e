//! What an anchor does that is some posterior sds off.
//!
//! The anchor is moved from the mode along a random direction until the farthest weight is off by so
//! many posterior standard deviations, the unit in which Newton's steps are measured; expansion,
//! base density and points are made anew from there.

use super::levels::Levels;
use super::problem::{Problem, root};
use super::report::Report;
use super::{FIRST, PAIRS};
use crate::Context;
use models::anchor::{AnchoredPosterior, Mode, Survey, newton};
use posterior::{Rows, Smooth, subset};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{Frame, SharedPoints, Student};
use unbiased_bayes::anchored::frame_of;

/// Posterior sds between the mode and the anchor.
pub const OFF: [f64; 5] = [0.0, 1.0, 2.0, 5.0, 10.0];
/// Rows of the level that is looked at.
pub const ROWS: usize = 4 * FIRST;
/// As for the anchored paths themselves.
const DEGREES: f64 = 30.0;

/// The anchor that many sds off.
pub fn moved(frame: &Frame, off: f64, context: &Context<'_>, name: &str) -> Vec<f64> {
    let d = frame.dimension();
    let rng = &mut context.step_seed("bad-anchors").child(name).stream(0);
    let z: Vec<f64> = (0..d).map(|_| rng.sample::<f64, _>(StandardNormal)).collect();
    let mut theta = vec![0.0; d];
    frame.place(&z, &mut theta);
    let shift: Vec<f64> =
        theta.iter().zip(frame.mean()).map(|(theta, mean)| theta - mean).collect();
    let sd = |j: usize| frame.factor().row(j).iter().map(|c| c * c).sum::<f64>().sqrt();
    let farthest = (0..d).map(|j| shift[j].abs() / sd(j)).fold(0.0, f64::max);
    frame.mean().iter().zip(&shift).map(|(mean, shift)| mean + off / farthest * shift).collect()
}

/// Errors of levels on every anchor.
pub fn measure<R, M>(
    context: &Context<'_>,
    problem: &Problem<'_>,
    (model, rows): (&M, &R),
    start: &[f64],
    trials: usize,
    report: &mut Report,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    (context.say)(&format!("{}: anchors off the mode", problem.name));
    let best = newton(model, rows, start, 1e-3, 20)?;
    let best = frame_of(&best.theta, &best.covariance)?;
    for off in OFF {
        let anchor = moved(&best, off, context, problem.name);
        // One pass, whatever the step: this anchor and no other.
        let Mode { expansion, theta, covariance, ledger, .. } =
            newton(model, rows, &anchor, f64::INFINITY, 1)?;
        let survey = Survey { expansion, core: Vec::new(), ledger };
        let posterior = AnchoredPosterior::new(model, rows, survey);
        let proposal = Student::new(frame_of(&theta, &covariance)?, DEGREES)?;
        let rng = &mut context.step_seed("bad-anchors").child(problem.name).stream(1);
        let points = SharedPoints::mirrored(&proposal, PAIRS, rng).onto(&mut posterior.base());
        let levels = Levels {
            rows: posterior.rest(),
            reweighting: &posterior,
            points,
            functionals: problem.functionals,
            sds: &problem.truth.sds,
        };
        let mut squares = Vec::new();
        let mut least = f64::INFINITY;
        for _ in 0..trials {
            let chosen = subset(levels.rows.count(), ROWS, rng);
            let level = levels.level(levels.log_ratios(&chosen).0)?;
            squares.push(levels.square(|j| level.value[j] - problem.truth.means[j]));
            least = least.min(level.effective / levels.points.count() as f64);
        }
        let (error, low, high) = root(&squares);
        report.anchors.push(problem.name, [off, error, low, high, least]);
    }
    Ok(())
}
