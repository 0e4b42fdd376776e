//! The mode under a Laplace prior by orthant-wise L-BFGS (Andrew & Gao 2007).
//!
//! ```text
//! ln π(θ) = ℓ(θ) − Σ_j |θ_j| / b
//! slope   ⋄_j = ∂_j ℓ − s_j / b                              where θ_j ≠ 0, s_j = sign θ_j
//!         ⋄_j = ∂_j ℓ moved towards zero by 1/b, or zero     where θ_j = 0
//! step    θ ← Π(θ + α H ⋄),   H from changes of ∇ℓ alone
//! ```
//!
//! Within an orthant the prior is linear, so a step is taken in one orthant only: Π sets to zero
//! every weight that would leave it, and a direction against its own slope is dropped. Unlike
//! [`Lbfgs`], which creeps along kinks, this puts weights at zero exactly and knows when it is done:
//! at the mode all ⋄_j vanish. The target's own gradient is to hold −s_j/b, and nothing at a kink.

use crate::lbfgs::{Ending, Lbfgs, Mode, ModeError, Pairs, dot, largest};
use crate::{Point, StartError};
use posterior::Target;

/// A search for the mode of a target with a factor exp(−|θ_j| / b) in every coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthantwise {
    /// When to stop, and how many pairs H remembers.
    pub search: Lbfgs,
    /// b.
    pub scale: f64,
}

/// Sufficient gain of a step (Armijo), at its customary value.
const GAIN: f64 = 1e-4;
/// Halvings of a step: beyond that it is below the resolution of a double.
const HALVINGS: usize = 60;

impl Orthantwise {
    /// Climbs from a starting point; the gradient of the mode's point is that of ℓ less the prior's.
    ///
    /// # Panics
    /// If the scale is not positive.
    pub fn maximise(&self, target: &mut dyn Target, start: &[f64]) -> Result<Mode, ModeError> {
        assert!(self.scale > 0.0, "a Laplace prior of scale {}", self.scale);
        let bound = 1.0 / self.scale;
        let mut smooth = Smooth { target, bound, evaluations: 0 };
        let mut point = smooth.at(start)?;
        let mut heights = vec![point.log_density];
        let mut pairs = Pairs::default();
        for iterations in 0..=self.search.iterations {
            let slope = slopes(&point, bound);
            let end = |point: Point, heights, evaluations, ending| {
                let point = Point { gradient: slope.clone(), ..point };
                Ok(Mode { point, iterations, evaluations, ending, heights })
            };
            if largest(&slope) <= self.search.gradient {
                return end(point, heights, smooth.evaluations, Ending::Gradient);
            }
            if let [.., before, now] = heights[..]
                && now - before <= self.search.gain * now.abs().max(1.0)
            {
                return end(point, heights, smooth.evaluations, Ending::Gain);
            }
            let mut next = smooth.search(&point, &slope, &pairs);
            if next.is_none() && !pairs.is_empty() {
                pairs = Pairs::default();
                next = smooth.search(&point, &slope, &pairs);
            }
            let Some(next) = next else {
                return end(point, heights, smooth.evaluations, Ending::Kink);
            };
            pairs.learn(&point, &next, self.search.memory);
            point = next;
            heights.push(point.log_density);
        }
        let gradient = largest(&slopes(&point, bound));
        Err(ModeError::Iterations { iterations: self.search.iterations, gradient })
    }
}

/// ⋄ at a point that holds ∇ℓ.
fn slopes(point: &Point, bound: f64) -> Vec<f64> {
    let slope = |(&x, &g): (&f64, &f64)| match x {
        0.0 => g.signum() * (g.abs() - bound).max(0.0),
        x => g - bound * x.signum(),
    };
    point.position.iter().zip(&point.gradient).map(slope).collect()
}

/// A target of which points hold ln π and ∇ℓ.
struct Smooth<'a> {
    target: &'a mut dyn Target,
    bound: f64,
    evaluations: usize,
}

impl Smooth<'_> {
    fn at(&mut self, theta: &[f64]) -> Result<Point, StartError> {
        self.evaluations += 1;
        let mut point = Point::with_gradient(self.target, theta)?;
        for (gradient, &x) in point.gradient.iter_mut().zip(theta) {
            *gradient += if x == 0.0 { 0.0 } else { self.bound * x.signum() };
        }
        Ok(point)
    }

    /// The first of ever shorter steps within one orthant that gains enough, if there is one.
    fn search(&mut self, from: &Point, slope: &[f64], pairs: &Pairs) -> Option<Point> {
        let mut direction = pairs.direction(slope);
        for (direction, slope) in direction.iter_mut().zip(slope) {
            if *direction * slope <= 0.0 {
                *direction = 0.0;
            }
        }
        let mut step = 1.0;
        for _ in 0..HALVINGS {
            let place = |j: usize| {
                let (x, moved) = (from.position[j], from.position[j] + step * direction[j]);
                let orthant = if x == 0.0 { slope[j] } else { x };
                if moved * orthant > 0.0 { moved } else { 0.0 }
            };
            let theta: Vec<f64> = (0..slope.len()).map(place).collect();
            let walked: Vec<f64> = theta.iter().zip(&from.position).map(|(a, b)| a - b).collect();
            // A point where the density is not finite is a step too long.
            if let Ok(next) = self.at(&theta)
                && next.log_density >= from.log_density + GAIN * dot(slope, &walked)
                && next.log_density > from.log_density
            {
                return Some(next);
            }
            step *= 0.5;
        }
        None
    }
}
