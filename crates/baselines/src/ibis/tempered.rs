//! The rows so far, and a power of those that are coming in.
//!
//! ```text
//! π(θ) ∝ p(θ) Π_{i so far} p(x_i ∣ θ) [ Π_{i new} p(x_i ∣ θ) ]^λ,    0 < λ ≤ 1
//! ```

use debias::Ledger;
use posterior::{Block, Differentiable, Target};

/// The target between one batch and the next; every row asked counts once.
pub struct Tempered<'a, M: Differentiable> {
    /// Prior and likelihood.
    pub model: &'a M,
    /// The rows so far; may be none.
    pub seen: &'a M::Block,
    /// The rows coming in.
    pub new: &'a M::Block,
    /// λ.
    pub power: f64,
    /// The work done so far.
    pub ledger: Ledger,
}

impl<M: Differentiable> Clone for Tempered<'_, M> {
    fn clone(&self) -> Self {
        Tempered { ..*self }
    }
}

impl<M: Differentiable> Tempered<'_, M> {
    /// Rows so far and new ones.
    pub fn rows(&self) -> u64 {
        (self.seen.rows() + self.new.rows()) as u64
    }
}

impl<M: Differentiable> Target for Tempered<'_, M> {
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.ledger.likelihoods += self.rows();
        self.model.log_prior(theta)
            + self.model.log_likelihood(theta, self.seen)
            + self.power * self.model.log_likelihood(theta, self.new)
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.ledger.gradients += self.rows();
        gradient.fill(0.0);
        let new = self.model.add_gradient(theta, self.new, gradient);
        gradient.iter_mut().for_each(|slope| *slope *= self.power);
        self.power * new
            + self.model.add_gradient(theta, self.seen, gradient)
            + self.model.add_prior_gradient(theta, gradient)
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{GaussianLaw, Generated};
    use debias::Seed;
    use models::log_gaussian::LogGaussian;
    use posterior::{PartialPosterior, Rows};

    /// At λ = 1 the posterior given all rows, at λ = 0 that given those so far, between them linear.
    #[test]
    fn between_two_posteriors() {
        let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(3), 50);
        let (seen, new, all) = (rows.range(0..20), rows.range(20..50), rows.range(0..50));
        let theta = [0.1, 0.4];
        let at = |power: f64| {
            let ledger = Ledger::default();
            let mut target =
                Tempered { model: &LogGaussian, seen: &seen, new: &new, power, ledger };
            let mut gradient = [9.0; 2];
            let value = target.gradient(&theta, &mut gradient);
            assert!((value / target.log_density(&theta) - 1.0).abs() < 1e-12);
            assert_eq!((target.ledger.gradients, target.ledger.likelihoods), (50, 50));
            [value, gradient[0], gradient[1]]
        };
        let whole = |block| {
            let mut gradient = [0.0; 2];
            let mut posterior = PartialPosterior::new(&LogGaussian, block);
            let value = Target::gradient(&mut posterior, &theta, &mut gradient);
            [value, gradient[0], gradient[1]]
        };
        let (before, after) = (whole(&seen), whole(&all));
        let (none, half, one) = (at(0.0), at(0.5), at(1.0));
        for i in 0..3 {
            assert!((none[i] / before[i] - 1.0).abs() < 1e-12);
            assert!((one[i] / after[i] - 1.0).abs() < 1e-12);
            assert!((half[i] - 0.5 * (before[i] + after[i])).abs() < 1e-10);
        }
    }
}
