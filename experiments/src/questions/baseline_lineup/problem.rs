//! One problem, with the anchor that all methods may use, and its cost.

use super::Rules;
use super::answers::Setup;
use crate::methods::anchored::{Anchored, AnchoredSettings, LevelSizes, PointSource};
use anyhow::Context as _;
use debias::Seed;
use posterior::{Rows, Smooth};
use records::DataSource;
use samplers::Functional;

/// Pairs of points.
pub const PAIRS: usize = 32;

/// Rows, model and the Laplace approximation.
pub struct Problem<'a, R: Rows, M> {
    pub rows: &'a R,
    pub model: &'a M,
    /// φ.
    pub functionals: Vec<Functional>,
    /// Newton's method, on some rows first where there are many.
    pub anchored: Anchored<'a, R, M>,
    /// What that took.
    pub setup: Setup,
    pub seed: Seed,
}

/// How the plain paths begin.
pub struct Plain {
    /// a.
    pub first: usize,
    /// Of the paper's law.
    pub alpha: f64,
}

impl<'a, R, M> Problem<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Climbs; under a smooth prior where the model's has kinks.
    pub fn new(
        name: &str,
        (model, smooth, rows): (&'a M, &M, &'a R),
        functionals: &[Functional],
        rules: &Rules<'_>,
        data: &[DataSource],
    ) -> anyhow::Result<Problem<'a, R, M>> {
        let (step, seed) = (format!("{name}-set-up"), rules.context.seed.child(name));
        // A sixteenth of the rows, but enough to tell the parameters apart.
        let share = (rows.count() / 16).max(50 * model.dimension());
        let settings = AnchoredSettings {
            guess: (share < rows.count()).then_some((share, seed)),
            core: 0,
            levels: LevelSizes::From(rules.anchored_first),
            points: PointSource::Mirrored(PAIRS),
            refuse: true,
        };
        let anchored = rules.work(data).timed(&step, || {
            Anchored::new((model, smooth, rows), functionals, settings)
                .with_context(|| format!("the anchor of {name}"))
        })?;
        let setup = Setup { step, evaluations: anchored.evaluations() };
        Ok(Problem { rows, model, functionals: functionals.to_vec(), anchored, setup, seed })
    }
}
