//! The estimator: a path, a form, a law and the depths drawn from it.

use crate::{Depths, Estimate, Estimator, Form, Ledger, Path, Rng, Term, within_budget};
use thiserror::Error;

/// An unbiased estimator of E φ_L.
pub struct Debiased<'a, P> {
    path: &'a P,
    form: Form,
    // Invariant: drawn from a law with as many levels as the path.
    depths: Depths,
}

/// Why path, law and depths do not go together.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DebiasedError {
    /// A law that ends too early would bias the estimate; one that ends too late has no meaning.
    #[error("the truncation law has {law} levels and the path {path}")]
    Levels {
        /// Levels of the law.
        law: usize,
        /// Levels of the path.
        path: usize,
    },
}

impl<'a, P: Path> Debiased<'a, P> {
    /// Puts an estimator together.
    pub fn new(path: &'a P, form: Form, depths: Depths) -> Result<Debiased<'a, P>, DebiasedError> {
        let (law, levels) = (depths.law().levels(), path.levels());
        if law != levels {
            return Err(DebiasedError::Levels { law, path: levels });
        }
        Ok(Debiased { path, form, depths })
    }

    /// What is being debiased.
    pub fn path(&self) -> &P {
        self.path
    }

    /// The depths of the replicates.
    pub fn depths(&self) -> &Depths {
        &self.depths
    }

    /// How many replicates a cost budget buys, by the rule of [`within_budget`]; `None` when the
    /// depths depend on each other, because the rule needs replicates that could change places.
    pub fn replicates_within(&self, budget: f64) -> Option<u64> {
        let costs = (0..self.depths.count() as u64).map(|index| self.expected_cost(index));
        (self.depths.scheme() == crate::Scheme::Independent).then(|| within_budget(costs, budget))
    }

    fn coupled_sum(
        &self,
        shared: &mut P::Shared,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Term, P::Error> {
        let levels = self.path.prefix(shared, depth, rng)?;
        let mut sum = Term { value: vec![0.0; levels[0].value.len()], cost: Ledger::default() };
        for level in 1..=depth {
            let weight = 1.0 / self.depths.law().tail(level);
            for (entry, value) in sum.value.iter_mut().enumerate() {
                let below = if level == 1 { 0.0 } else { levels[level - 2].value[entry] };
                *value += weight * (levels[level - 1].value[entry] - below);
            }
            sum.cost += levels[level - 1].cost;
        }
        Ok(sum)
    }

    /// φ_1 and the weighted increments of the levels that enter.
    fn increments(
        &self,
        shared: &mut P::Shared,
        levels: impl Iterator<Item = usize>,
        rng: &mut Rng,
    ) -> Result<Term, P::Error> {
        let coupling = self.form.coupling();
        let mut sum = self.path.increment(shared, 1, coupling, rng)?;
        for level in levels {
            let weight = 1.0 / self.form.chance(self.depths.law(), level);
            let increment = self.path.increment(shared, level, coupling, rng)?;
            for (value, step) in sum.value.iter_mut().zip(&increment.value) {
                *value += weight * step;
            }
            sum.cost += increment.cost;
        }
        Ok(sum)
    }
}

impl<P: Path> Estimator for Debiased<'_, P> {
    type Error = P::Error;

    fn estimate(&self, replicate: u64, rng: &mut Rng) -> Result<Estimate, P::Error> {
        let depth = self.depths.depth(replicate);
        let (mut shared, opening) = self.path.begin_replicate(replicate, rng)?;
        let sum = match self.form {
            Form::CoupledSum => self.coupled_sum(&mut shared, depth, rng)?,
            Form::AntitheticSum => self.increments(&mut shared, 2..=depth, rng)?,
            Form::SingleTerm | Form::AntitheticSingleTerm => {
                self.increments(&mut shared, (2..=depth).last().into_iter(), rng)?
            }
        };
        Ok(Estimate { value: sum.value, depth, cost: opening + sum.cost })
    }

    fn replicates(&self) -> u64 {
        self.depths.count() as u64
    }

    fn expected_cost(&self, replicate: u64) -> f64 {
        self.form.replicate_cost(self.path, self.depths.depth(replicate))
    }
}
