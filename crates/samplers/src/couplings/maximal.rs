//! Maximal couplings by rejection (Thorisson 2000; Jacob, O'Leary & Atchadé 2020).
//!
//! ```text
//! X ~ p;   with probability min(1, q(X)/p(X)) let Y = X,
//! else draw Y ~ q until a uniform U exceeds p(Y)/q(Y)
//! ```
//!
//! Then X ~ p, Y ~ q, and P(X = Y) = ∫ min(p, q), the most there can be.

use crate::Student;
use debias::Rng;
use rand::RngExt;

/// A law that can be drawn from and has a density.
pub trait Law {
    /// A draw.
    fn draw(&self, rng: &mut Rng) -> Vec<f64>;

    /// Its log density, up to a constant that is the same for both laws of a pair.
    fn log_density(&self, x: &[f64]) -> f64;
}

impl Law for Student {
    fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        Student::draw(self, rng)
    }

    fn log_density(&self, x: &[f64]) -> f64 {
        Student::log_density(self, x)
    }
}

/// A draw of each law, equal as often as possible.
pub fn maximal(p: &dyn Law, q: &dyn Law, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let x = p.draw(rng);
    if rng.random::<f64>().ln() <= q.log_density(&x) - p.log_density(&x) {
        return (x.clone(), x);
    }
    // On average as many turns as one over the mass that q has beyond p, whatever happened above.
    loop {
        let y = q.draw(rng);
        if rng.random::<f64>().ln() > p.log_density(&y) - q.log_density(&y) {
            return (x, y);
        }
    }
}
