//! Step sizes that warm-up tunes to an acceptance rate.
//!
//! ```text
//! ln ε ← ln ε + i^(−0.6) (a_i − a*)        (Robbins & Monro 1951)
//! ```

use crate::{Point, Step};

/// The point and the step size of a kernel that follows gradients.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stepped {
    /// Where the chain is, with its gradient.
    pub point: Point,
    /// ε.
    pub step_size: f64,
}

impl Stepped {
    /// Moves the step size towards the one that accepts at the given rate.
    pub(crate) fn tune(&mut self, step: &Step, iteration: usize, wanted: f64) {
        let gain = (iteration as f64).powf(-0.6);
        self.step_size *= (gain * (step.acceptance - wanted)).exp();
    }
}
