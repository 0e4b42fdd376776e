//! The posterior given some of the rows: π_t(θ) ∝ p(θ) Π_{i ∈ 𝒟_t} p(x_i ∣ θ).

use crate::{Block, Differentiable, Model, Target};
use debias::Ledger;

/// The only way from a level estimate to the likelihood: every evaluation is counted.
pub struct PartialPosterior<'a, M: Model + ?Sized> {
    model: &'a M,
    block: &'a M::Block,
    ledger: Ledger,
    // Evaluations after which the density is no longer computed.
    ration: u64,
}

impl<'a, M: Model + ?Sized> PartialPosterior<'a, M> {
    /// The posterior given the rows of this block; its rows count as looked at.
    pub fn new(model: &'a M, block: &'a M::Block) -> Self {
        let ledger = Ledger { distinct_rows: block.rows() as u64, ..Ledger::default() };
        PartialPosterior { model, block, ledger, ration: u64::MAX }
    }

    /// The same, which answers −∞ at no cost once more than this many evaluations have been done:
    /// whatever samples from it stands still and comes to its end, and its ledger tells why. Rows
    /// read for a closed form are read all the same.
    pub fn within(self, evaluations: u64) -> Self {
        PartialPosterior { ration: evaluations, ..self }
    }

    fn starved(&self) -> bool {
        self.ledger.evaluations() > self.ration
    }

    /// The model.
    pub fn model(&self) -> &'a M {
        self.model
    }

    /// n_t.
    pub fn rows(&self) -> usize {
        self.block.rows()
    }

    /// The number of parameters.
    pub fn dimension(&self) -> usize {
        self.model.dimension()
    }

    /// The rows, for closed forms, which read each row as one likelihood evaluation does.
    pub fn read_rows(&mut self) -> &'a M::Block {
        self.ledger.likelihoods += self.block.rows() as u64;
        self.block
    }

    /// The same rows under another model, with a count of its own that does not hold them again.
    pub fn under<'b>(&'b self, model: &'b M) -> PartialPosterior<'b, M> {
        let ration = self.ration.saturating_sub(self.ledger.evaluations());
        PartialPosterior { model, block: self.block, ledger: Ledger::default(), ration }
    }

    /// Counts work done with the rows elsewhere.
    pub fn count(&mut self, work: Ledger) {
        self.ledger += work;
    }

    /// Counts dense linear algebra done with the rows.
    pub fn count_flops(&mut self, flops: u64) {
        self.ledger.flops += flops;
    }

    /// ln π_t(θ), up to a constant.
    pub fn log_density(&mut self, theta: &[f64]) -> f64 {
        if self.starved() {
            return f64::NEG_INFINITY;
        }
        self.ledger.likelihoods += self.block.rows() as u64;
        self.model.log_prior(theta) + self.model.log_likelihood(theta, self.block)
    }

    /// The work done so far.
    pub fn ledger(&self) -> Ledger {
        self.ledger
    }
}

impl<M: Differentiable + ?Sized> Target for PartialPosterior<'_, M> {
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        PartialPosterior::log_density(self, theta)
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        if self.starved() {
            return f64::NEG_INFINITY;
        }
        self.ledger.gradients += self.block.rows() as u64;
        self.model.add_prior_gradient(theta, gradient)
            + self.model.add_gradient(theta, self.block, gradient)
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DenseBlock, Smooth};

    /// Nothing but rows to be counted.
    struct Flat;

    impl Model for Flat {
        type Block = DenseBlock;

        fn dimension(&self) -> usize {
            1
        }

        fn log_prior(&self, _: &[f64]) -> f64 {
            0.5
        }

        fn log_likelihood(&self, _: &[f64], block: &DenseBlock) -> f64 {
            block.rows() as f64
        }
    }

    impl Differentiable for Flat {
        fn add_prior_gradient(&self, _: &[f64], gradient: &mut [f64]) -> f64 {
            gradient[0] += 2.0;
            0.5
        }

        fn add_gradient(&self, _: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
            gradient[0] += 1.0;
            block.rows() as f64
        }
    }

    impl Smooth for Flat {
        fn add_prior_hessian(&self, _: &[f64], _: &mut [f64]) {}

        fn add_hessian(&self, _: &[f64], block: &DenseBlock, _: &mut [f64], _: &mut [f64]) -> f64 {
            block.rows() as f64
        }
    }

    #[test]
    fn rows_are_their_own_expansions_unless_a_model_says_otherwise() {
        let block = DenseBlock::zeros(7, 1);
        assert_eq!(Flat.remainder_scores(&[0.0], &[1.0], &block), [0.0; 7]);
    }

    #[test]
    fn every_evaluation_counts_its_rows_and_a_ration_ends_them() {
        let block = DenseBlock::zeros(7, 1);
        let mut posterior = PartialPosterior::new(&Flat, &block).within(21);
        assert_eq!((posterior.dimension(), posterior.rows()), (1, 7));
        let mut gradient = [9.0];
        assert_eq!(posterior.gradient(&[0.0], &mut gradient), 7.5);
        assert_eq!(gradient, [3.0]);
        assert_eq!(PartialPosterior::log_density(&mut posterior, &[0.0]), 7.5);
        posterior.read_rows();
        let expected = Ledger { likelihoods: 14, gradients: 7, distinct_rows: 7, flops: 0 };
        assert_eq!(posterior.ledger(), expected);
        // The ration is spent and not exceeded: one more evaluation, and then no more.
        assert_eq!(PartialPosterior::log_density(&mut posterior, &[0.0]), 7.5);
        assert_eq!(PartialPosterior::log_density(&mut posterior, &[0.0]), f64::NEG_INFINITY);
        assert_eq!(posterior.gradient(&[0.0], &mut gradient), f64::NEG_INFINITY);
        assert_eq!((gradient, posterior.ledger().evaluations()), ([0.0], 28));
        // Under another model the same rows are not counted as looked at again.
        let under = PartialPosterior::new(&Flat, &block).within(5);
        assert_eq!(under.under(&Flat).ledger(), Ledger::default());
    }
}
