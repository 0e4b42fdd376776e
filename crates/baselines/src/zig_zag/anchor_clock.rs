//! Turns that need no rows: those by the prior, and by all rows' gradient at the centre.
//!
//! ```text
//! rate of coordinate i:   (v_i [g_i − ∂_i ln p(θ)])⁺,    g_i = −Σ_j ∂_i ℓ_j(θ*)
//! flat        constant on a piece
//! Gaussian    linear in time, growing by v_i²/s²
//! Laplace     at most (v_i g_i + |v_i|/b)⁺, and thinned by the sign of θ_i: its kink is exact
//! Student     the same with the steepest slope of its density
//! ```

use super::clock::Rate;
use super::trajectory::Trajectory;
use models::prior::Prior;

/// The prior, and the gradient at the centre.
pub struct AnchorClock {
    pub prior: Prior,
    pub centre: Vec<f64>,
    /// g.
    pub slope: Vec<f64>,
}

impl AnchorClock {
    /// A bound on the rate of coordinate i from a time on.
    pub fn bound(&self, path: &Trajectory, i: usize, time: f64) -> Rate {
        let v = path.velocity()[i];
        let (now, growth) = match self.prior {
            Prior::Laplace { scale } => (self.steepest(v, i, 1.0 / scale), 0.0),
            Prior::Student { degrees, scale } => {
                (self.steepest(v, i, (degrees + 1.0) / (2.0 * degrees.sqrt() * scale)), 0.0)
            }
            Prior::HalfStudent { degrees, .. } => (self.steepest(v, i, degrees.max(1.0)), 0.0),
            Prior::Flat => (self.rate(path, i, time), 0.0),
            Prior::Gaussian { standard_deviation } => {
                (self.rate(path, i, time), (v / standard_deviation).powi(2))
            }
        };
        Rate { now, growth, most: f64::INFINITY }
    }

    /// The largest rate where the slope of the prior is at most this.
    fn steepest(&self, v: f64, i: usize, slope: f64) -> f64 {
        (v * self.slope[i] + v.abs() * slope).max(0.0)
    }

    /// The rate of coordinate i at a time.
    pub fn rate(&self, path: &Trajectory, i: usize, time: f64) -> f64 {
        let theta = self.centre[i] + path.coordinate(i, time);
        let mut slope = [-self.slope[i]];
        self.prior.add_gradient(&[theta], &mut slope);
        (-path.velocity()[i] * slope[0]).max(0.0)
    }
}
