//! Gradients from mini-batches, unbiased and noisy.
//!
//! ```text
//! ĝ(θ) = ∇ ln p(θ) + (N/b) Σ_{i∈B} ∇ℓ_i(θ)
//! ĝ(θ) = ∇ ln p(θ) + Σ_i ∇ℓ_i(θ̂) + (N/b) Σ_{i∈B} [∇ℓ_i(θ) − ∇ℓ_i(θ̂)]      about a centre θ̂
//! ```
//!
//! B are b rows drawn without replacement, anew for every gradient. The variance of the first form
//! is of order N²/b wherever θ is; that of the second of order N² |θ − θ̂|²/b, which in a posterior
//! is N/b (Baker, Fearnhead, Fox & Nemeth 2019).

use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use models::anchor::Mode;
use posterior::{Differentiable, Rows, subset};

/// A point with the gradient of all rows there, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Centre {
    /// θ̂.
    pub theta: Vec<f64>,
    /// Σ_i ∇ℓ_i(θ̂).
    pub gradient: Vec<f64>,
    /// The passes that found it.
    pub ledger: Ledger,
}

impl Centre {
    /// Where the last pass of Newton's method was: one step before the mode, and the gradient of
    /// all rows is there already.
    pub fn of(mode: &Mode) -> Centre {
        let (theta, gradient) = (mode.expansion.anchor.clone(), mode.expansion.gradient.clone());
        Centre { theta, gradient, ledger: mode.ledger }
    }
}

/// ĝ, counted.
pub(crate) struct StochasticGradient<'a, R, M> {
    rows: &'a R,
    model: &'a M,
    batch: usize,
    centre: Option<&'a Centre>,
    seen: SeenRows,
    ledger: Ledger,
}

impl<'a, R: Rows, M: Differentiable<Block = R::Block>> StochasticGradient<'a, R, M> {
    pub(crate) fn new(
        rows: &'a R,
        model: &'a M,
        batch: usize,
        centre: Option<&'a Centre>,
    ) -> StochasticGradient<'a, R, M> {
        let ledger = centre.map_or(Ledger::default(), |centre| centre.ledger);
        let seen = SeenRows::new(rows.count());
        StochasticGradient { rows, model, batch, centre, seen, ledger }
    }

    /// Overwrites `gradient` with ĝ(θ).
    pub(crate) fn at(&mut self, theta: &[f64], gradient: &mut [f64], rng: &mut Rng) {
        let indices = subset(self.rows.count(), self.batch, rng);
        self.seen.see(&indices);
        self.ledger.gradients += self.batch as u64;
        let block = self.rows.gather(&indices);
        let scale = self.rows.count() as f64 / self.batch as f64;
        gradient.fill(0.0);
        self.model.add_gradient(theta, &block, gradient);
        if let Some(centre) = self.centre {
            self.ledger.gradients += self.batch as u64;
            let mut there = vec![0.0; theta.len()];
            self.model.add_gradient(&centre.theta, &block, &mut there);
            for ((here, there), all) in gradient.iter_mut().zip(there).zip(&centre.gradient) {
                *here += all / scale - there;
            }
        }
        gradient.iter_mut().for_each(|slope| *slope *= scale);
        self.model.add_prior_gradient(theta, gradient);
    }

    /// The work so far, the centre's included.
    pub(crate) fn ledger(&self) -> Ledger {
        let distinct_rows = self.seen.count().max(self.ledger.distinct_rows);
        Ledger { distinct_rows, ..self.ledger }
    }
}
