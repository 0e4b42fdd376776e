//! The mode of a smooth target in few dimensions, by Newton's method.
//!
//! ```text
//! θ ← θ + α H⁻¹ ∇ ln π(θ),   H by differences of the gradient,   α = 1, 1/2, 1/4, …
//! ```
//!
//! Each iteration costs 2 d + 1 gradients and squares the error; beyond some tens of parameters
//! `Lbfgs` is cheaper, and at a kink it is the only one that works.

use crate::{Ending, Frame, FrameError, Mode, ModeError, Point};
use posterior::Target;

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// The length of a step, in posterior standard deviations, at which the mode is found.
    pub step: f64,
    /// The step of the differences.
    pub difference: f64,
    /// Iterations after which the search has failed.
    pub iterations: usize,
}

impl Default for Newton {
    fn default() -> Newton {
        Newton { step: 1e-8, difference: f64::EPSILON.cbrt(), iterations: 50 }
    }
}

/// Why there is no mode.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NewtonError {
    /// The search cannot start, or does not end.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// The target is not concave on the way.
    #[error("the curvature in iteration {iteration}: {source}")]
    Curvature {
        /// Which iteration, from zero.
        iteration: usize,
        /// What is wrong with it.
        source: FrameError,
    },
}

/// Halvings of a step: beyond that it is below the resolution of a double.
const HALVINGS: usize = 50;

impl Newton {
    /// Climbs from a starting point; the mode, and the Laplace approximation of the last iteration.
    pub fn maximise(
        &self,
        target: &mut dyn Target,
        start: &[f64],
    ) -> Result<(Mode, Frame), NewtonError> {
        let mut point = Point::with_gradient(target, start).map_err(ModeError::from)?;
        let mut evaluations = 1;
        let mut heights = vec![point.log_density];
        for iteration in 0..self.iterations {
            let frame = Frame::laplace(target, &point.position, self.difference)
                .map_err(|source| NewtonError::Curvature { iteration, source })?;
            evaluations += 2 * start.len();
            // In the frame's coordinates the step is Cᵀ g, measured in posterior sds.
            let mut z = vec![0.0; start.len()];
            frame.factor().apply_transpose(&point.gradient, &mut z);
            let length = z.iter().map(|z| z * z).sum::<f64>().sqrt();
            let ending = if length <= self.step { Some(Ending::Gradient) } else { None };
            let next = match ending {
                Some(_) => None,
                None => climb(target, &point, &frame, &z, &mut evaluations),
            };
            let Some(next) = next else {
                let ending = ending.unwrap_or(Ending::Gain);
                let iterations = iteration;
                return Ok((Mode { point, iterations, evaluations, ending, heights }, frame));
            };
            point = next;
            heights.push(point.log_density);
        }
        let gradient = point.gradient.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        Err(ModeError::Iterations { iterations: self.iterations, gradient }.into())
    }
}

/// The first point along the halved steps that is higher, if there is one.
fn climb(
    target: &mut dyn Target,
    from: &Point,
    frame: &Frame,
    z: &[f64],
    evaluations: &mut usize,
) -> Option<Point> {
    let mut step = vec![0.0; z.len()];
    frame.factor().apply(z, &mut step);
    let mut next = from.clone();
    for _ in 0..HALVINGS {
        for i in 0..step.len() {
            next.position[i] = from.position[i] + step[i];
            step[i] *= 0.5;
        }
        next.log_density = target.gradient(&next.position, &mut next.gradient);
        *evaluations += 1;
        if next.log_density > from.log_density && next.log_density.is_finite() {
            return Some(next);
        }
    }
    None
}
