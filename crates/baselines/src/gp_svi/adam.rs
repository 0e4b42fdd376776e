//! Adam (Kingma & Ba 2015, Algorithm 1), climbing.
//!
//! ```text
//! m ← β₁ m + (1 − β₁) g     v ← β₂ v + (1 − β₂) g²     θ ← θ + α m̂ / (√v̂ + ε)
//! m̂ = m / (1 − β₁ᵗ)         v̂ = v / (1 − β₂ᵗ)
//! ```

/// β₁, β₂ and ε are those of the publication.
const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const SMALL: f64 = 1e-8;

/// The running moments.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    step: f64,
    time: i32,
    mean: Vec<f64>,
    square: Vec<f64>,
}

impl Adam {
    pub(super) fn new(step: f64, dimension: usize) -> Adam {
        Adam { step, time: 0, mean: vec![0.0; dimension], square: vec![0.0; dimension] }
    }

    /// One step uphill.
    pub(super) fn climb(&mut self, theta: &mut [f64], gradient: &[f64]) {
        self.time += 1;
        let (first, second) = (1.0 - FIRST.powi(self.time), 1.0 - SECOND.powi(self.time));
        for (j, &g) in gradient.iter().enumerate() {
            self.mean[j] = FIRST * self.mean[j] + (1.0 - FIRST) * g;
            self.square[j] = SECOND * self.square[j] + (1.0 - SECOND) * g * g;
            let (mean, square) = (self.mean[j] / first, self.square[j] / second);
            theta[j] += self.step * mean / (square.sqrt() + SMALL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_its_length_and_the_top_is_found() {
        let mut adam = Adam::new(0.1, 2);
        let mut theta = [0.0, 5.0];
        adam.climb(&mut theta, &[1000.0, -1e-3]);
        assert!((theta[0] - 0.1).abs() < 1e-9 && (theta[1] - 4.9).abs() < 1e-5);
        for _ in 0..2000 {
            let slopes = [1.0 - theta[0], -3.0 * (theta[1] - 2.0)];
            adam.climb(&mut theta, &slopes);
        }
        assert!((theta[0] - 1.0).abs() < 1e-3 && (theta[1] - 2.0).abs() < 1e-3, "{theta:?}");
    }
}
