//! One problem, with what every method may know of it: an anchor, and its price.

use anyhow::Context as _;
use data::DenseRows;
use debias::Seed;
use posterior::{DenseBlock, Rows, Smooth};
use samplers::{Functional, Metric, NoUTurn};
use unbiased_bayes::anchored::Anchor;

/// Rows, model and the Laplace approximation.
pub(super) struct Problem<'a, M> {
    pub(super) name: &'static str,
    pub(super) rows: &'a DenseRows,
    pub(super) model: &'a M,
    /// φ.
    pub(super) functionals: Vec<Functional>,
    /// Newton's method on some rows and then on all.
    pub(super) anchor: Anchor<'a, DenseRows, M>,
    pub(super) seed: Seed,
}

/// How the plain paths begin.
pub(super) struct Plain {
    /// a.
    pub(super) first: usize,
    /// Of the paper's law.
    pub(super) alpha: f64,
}

impl<'a, M: Smooth<Block = DenseBlock>> Problem<'a, M> {
    pub(super) fn new(
        name: &'static str,
        rows: &'a DenseRows,
        model: &'a M,
        functionals: Vec<Functional>,
        seed: Seed,
    ) -> anyhow::Result<Problem<'a, M>> {
        let share = (rows.count() / 16).max(500);
        let start = vec![0.0; model.dimension()];
        let anchor = Anchor::climb(model, rows, &start, share, seed)
            .with_context(|| format!("the anchor of {name}"))?;
        Ok(Problem { name, rows, model, functionals, anchor, seed })
    }

    /// Evaluations that found anchor and frame.
    pub(super) fn setup(&self) -> f64 {
        self.anchor.ledger.evaluations() as f64
    }

    /// Evaluations of a budget in passes.
    pub(super) fn evaluations(&self, passes: usize) -> f64 {
        (passes * self.rows.count()) as f64
    }
}

/// NUTS for a target whose frame fits: a unit metric, and the acceptance that costs least there.
pub(super) fn nuts() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, target_acceptance: 0.65, ..NoUTurn::default() }
}
