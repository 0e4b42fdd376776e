//! One problem, with what every method may know of it: an anchor, and its price.

use super::answers::Setup;
use crate::Context;
use anyhow::Context as _;
use debias::Seed;
use posterior::{Rows, Smooth};
use records::DataSource;
use samplers::{Functional, Metric, NoUTurn};
use serde_json::Value;
use unbiased_bayes::anchored::Anchor;

/// Rows, model and the Laplace approximation.
pub(super) struct Problem<'a, R: Rows, M> {
    pub(super) rows: &'a R,
    pub(super) model: &'a M,
    /// φ.
    pub(super) functionals: Vec<Functional>,
    /// Newton's method, on some rows first where there are many.
    pub(super) anchor: Anchor<'a, R, M>,
    /// What that took.
    pub(super) setup: Setup,
    pub(super) seed: Seed,
}

/// How the plain paths begin.
pub(super) struct Plain {
    /// a.
    pub(super) first: usize,
    /// Of the paper's law.
    pub(super) alpha: f64,
}

impl<'a, R, M> Problem<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Climbs; under a smooth stand-in for a prior with kinks.
    pub(super) fn new(
        name: &str,
        (rows, model, stand_in): (&'a R, &'a M, &M),
        functionals: Vec<Functional>,
        context: &Context<'_>,
        (settings, data): (&Value, &[DataSource]),
    ) -> anyhow::Result<Problem<'a, R, M>> {
        let (step, seed) = (format!("{name}-set-up"), context.seed.child(name));
        let d = model.dimension();
        // A sixteenth of the rows, but enough to tell the parameters apart.
        let share = (rows.count() / 16).max(50 * d);
        let share = (share < rows.count()).then_some((share, seed));
        let anchor = context.timed(&step, settings, data, |_, _| {
            Anchor::settle(model, stand_in, rows, &vec![0.0; d], share, 0)
                .with_context(|| format!("the anchor of {name}"))
        })?;
        let setup = Setup { step, evaluations: anchor.ledger.evaluations() as f64 };
        Ok(Problem { rows, model, functionals, anchor, setup, seed })
    }
}

/// NUTS for a target whose frame fits: a unit metric, and the acceptance that costs least there.
pub(super) fn nuts() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, target_acceptance: 0.65, ..NoUTurn::default() }
}
