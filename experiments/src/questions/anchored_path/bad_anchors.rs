//! What an anchor does that is some posterior sds off.
//!
//! The anchor is moved from the mode along a random direction until the farthest weight is off by so
//! many posterior standard deviations, the unit in which Newton's steps are measured; expansion,
//! base density and points are made anew from there.

use super::case::{Case, root};
use super::levels::Levels;
use super::report::Report;
use super::{FIRST, PAIRS};
use crate::Context;
use crate::methods::anchored::{expanded_at, frame_of, newton};
use posterior::{Rows, Smooth};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::Frame;

/// Posterior sds between the mode and the anchor.
pub const OFF: [f64; 5] = [0.0, 1.0, 2.0, 5.0, 10.0];
/// Rows of the level that is looked at.
pub const ROWS: usize = 4 * FIRST;

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
    case: &Case<'_>,
    (model, rows): (&M, &R),
    start: &[f64],
    report: &mut Report,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let context = case.work.context;
    (context.say)(&format!("{}: anchors off the mode", case.name));
    let best = newton(model, rows, start, 1e-3, 20)?;
    let best = frame_of(&best.theta, &best.covariance)?;
    for off in OFF {
        let anchor = moved(&best, off, context, case.name);
        let rng = &mut context.step_seed("bad-anchors").child(case.name).stream(1);
        let (posterior, points) = expanded_at((model, rows), &anchor, PAIRS, rng)?;
        let levels = Levels::new(case, &posterior, points);
        let (squares, least) = levels.errors(&case.truth.means, ROWS, case.trials, rng)?;
        let (error, low, high) = root(&squares);
        report.anchors.push(case.name, [off, error, low, high, least]);
    }
    Ok(())
}
