//! The mode of a target by limited-memory BFGS (Liu & Nocedal 1989).
//!
//! ```text
//! θ ← θ + α H ∇ ln π(θ),   H from the last m pairs of steps and changes of the gradient
//! ```
//!
//! The step α is found by bisection for the weak Wolfe conditions, which also works where the
//! density has kinks (Lewis & Overton 2013): with a Laplace prior the run ends at a kink, with a
//! gradient that does not vanish, because no direction helps any more. [`Ending`] tells which.

use crate::vectors::{add, dot};
use crate::{Point, StartError};
use posterior::Target;
use std::collections::VecDeque;

/// How hard to look, and when to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lbfgs {
    /// m.
    pub memory: usize,
    /// The largest coordinate of the gradient at which a smooth mode is found.
    pub gradient: f64,
    /// The gain of ln π in one iteration, relative to max(1, |ln π|), that ends the search.
    pub gain: f64,
    /// Iterations after which the search has failed.
    pub iterations: usize,
}

impl Lbfgs {
    /// The rules by which common BFGS codes stop: a gradient of 10⁻⁵, or a relative gain of 10⁻⁹.
    pub fn customary() -> Lbfgs {
        Lbfgs { gradient: 1e-5, gain: 1e-9, ..Lbfgs::default() }
    }
}

impl Default for Lbfgs {
    fn default() -> Lbfgs {
        Lbfgs { memory: 10, gradient: 1e-8, gain: 1e-13, iterations: 2000 }
    }
}

/// Where the search ended, and at what price.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The best point, with its gradient.
    pub point: Point,
    /// Steps taken.
    pub iterations: usize,
    /// Gradients computed, line searches included.
    pub evaluations: usize,
    /// Why the search stopped.
    pub ending: Ending,
    /// ln π at the start and after every step.
    pub heights: Vec<f64>,
}

impl Mode {
    /// Steps until ln π was within a distance of the optimum, if it came so near.
    pub fn iterations_within(&self, distance: f64, optimum: f64) -> Option<usize> {
        self.heights.iter().position(|height| optimum - height <= distance)
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The gradient vanished.
    Gradient,
    /// The last step gained next to nothing.
    Gain,
    /// No step along the gradient gains anything: a kink, or the limit of the arithmetic.
    Kink,
}

/// Why there is no mode.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModeError {
    /// The search cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The search did not come to an end.
    #[error("after {iterations} iterations the gradient is still {gradient}")]
    Iterations {
        /// Steps taken.
        iterations: usize,
        /// The largest coordinate of the gradient.
        gradient: f64,
    },
    /// The density rises without end.
    #[error("no end to the rise: the log density is {log_density} and growing")]
    Unbounded {
        /// The last value seen.
        log_density: f64,
    },
}

/// Sufficient gain and curvature of the Wolfe conditions, at their customary values.
const GAIN: f64 = 1e-4;
const CURVATURE: f64 = 0.9;
/// Bisections of a step: beyond that it is below the resolution of a double.
const BISECTIONS: usize = 60;

impl Lbfgs {
    /// Climbs from a starting point.
    pub fn maximise(&self, target: &mut dyn Target, start: &[f64]) -> Result<Mode, ModeError> {
        let mut point = Point::with_gradient(target, start)?;
        let mut evaluations = 1;
        let mut pairs = Pairs::default();
        let mut heights = vec![point.log_density];
        for iterations in 0..self.iterations {
            if largest(&point.gradient) <= self.gradient {
                let ending = Ending::Gradient;
                return Ok(Mode { point, iterations, evaluations, ending, heights });
            }
            let mut direction = pairs.direction(&point.gradient);
            if dot(&direction, &point.gradient) <= 0.0 {
                pairs.kept.clear();
                direction = pairs.direction(&point.gradient);
            }
            let mut next = search(target, &point, &direction, &mut evaluations)?;
            if next.is_none() && !pairs.kept.is_empty() {
                pairs.kept.clear();
                direction = pairs.direction(&point.gradient);
                next = search(target, &point, &direction, &mut evaluations)?;
            }
            let Some(next) = next else {
                let ending = Ending::Kink;
                return Ok(Mode { point, iterations, evaluations, ending, heights });
            };
            let gain = next.log_density - point.log_density;
            pairs.learn(&point, &next, self.memory);
            point = next;
            heights.push(point.log_density);
            let little = gain <= self.gain * point.log_density.abs().max(1.0);
            if little && largest(&point.gradient) > self.gradient {
                let (iterations, ending) = (iterations + 1, Ending::Gain);
                return Ok(Mode { point, iterations, evaluations, ending, heights });
            }
        }
        let gradient = largest(&point.gradient);
        Err(ModeError::Iterations { iterations: self.iterations, gradient })
    }
}

/// A point along an ascent direction that meets the weak Wolfe conditions, if there is one.
fn search(
    target: &mut dyn Target,
    from: &Point,
    direction: &[f64],
    evaluations: &mut usize,
) -> Result<Option<Point>, ModeError> {
    let slope = dot(direction, &from.gradient);
    let (mut low, mut high, mut step) = (0.0, f64::INFINITY, 1.0);
    let mut best: Option<Point> = None;
    for _ in 0..BISECTIONS {
        let mut next = from.clone();
        for (x, direction) in next.position.iter_mut().zip(direction) {
            *x += step * direction;
        }
        next.log_density = target.gradient(&next.position, &mut next.gradient);
        *evaluations += 1;
        // A NaN fails the comparison and shortens the step.
        let gained = next.log_density >= from.log_density + GAIN * step * slope
            && next.log_density > from.log_density
            && next.log_density.is_finite();
        if !gained {
            high = step;
        } else if dot(direction, &next.gradient) > CURVATURE * slope {
            low = step;
            best = Some(next);
        } else {
            return Ok(Some(next));
        }
        step = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * step };
    }
    match best {
        Some(Point { log_density, .. }) if high.is_infinite() => {
            Err(ModeError::Unbounded { log_density })
        }
        // At a kink the curvature condition may be out of reach; a gain is still a gain.
        best => Ok(best),
    }
}

/// The last steps s and changes of the negative gradient y, newest last.
#[derive(Default)]
struct Pairs {
    kept: VecDeque<(Vec<f64>, Vec<f64>)>,
}

impl Pairs {
    /// H ∇ ln π by the two-loop recursion; a step of unit length where nothing is known.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut q = gradient.to_vec();
        let mut weights = Vec::with_capacity(self.kept.len());
        for (s, y) in self.kept.iter().rev() {
            let weight = dot(s, &q) / dot(s, y);
            add(&mut q, -weight, y);
            weights.push(weight);
        }
        let scale = match self.kept.back() {
            Some((s, y)) => dot(s, y) / dot(y, y),
            None => 1.0 / dot(gradient, gradient).sqrt(),
        };
        q.iter_mut().for_each(|q| *q *= scale);
        for ((s, y), weight) in self.kept.iter().zip(weights.iter().rev()) {
            let change = weight - dot(y, &q) / dot(s, y);
            add(&mut q, change, s);
        }
        q
    }

    fn learn(&mut self, before: &Point, after: &Point, memory: usize) {
        let s = difference(&after.position, &before.position);
        let y = difference(&before.gradient, &after.gradient);
        // Only a pair with positive curvature keeps H positive definite.
        if dot(&s, &y) > 1e-12 * dot(&y, &y).sqrt() * dot(&s, &s).sqrt() {
            self.kept.push_back((s, y));
        }
        while self.kept.len() > memory {
            self.kept.pop_front();
        }
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn largest(gradient: &[f64]) -> f64 {
    gradient.iter().fold(0.0, |largest, value| value.abs().max(largest))
}
