//! E Z by enumeration: every order of the rows, every depth, no randomness at all.
//!
//! ```text
//! E Z = (1/N!) Σ_orders Σ_t P(T = t) Z(order, t)
//! ```
//!
//! For a handful of rows that is a finite sum, and it is taken over the estimator that users run.

use debias::{
    Coupling, Debiased, Depths, Estimator, Form, Ledger, Path, Rng, Seed, Term, Truncation,
};
use posterior::{DataPath, LevelEstimate, Model, Rows};

/// A path on one given order instead of a random one.
struct OnOrder<'a, R: Rows, M, E> {
    path: &'a DataPath<'a, R, M, E>,
    order: &'a [usize],
}

impl<R, M, E> Path for OnOrder<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    type Shared = ();
    type Error = E::Error;

    fn levels(&self) -> usize {
        self.path.levels()
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.path.level_cost(level)
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        self.path.increment_cost(level, coupling)
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), E::Error> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, E::Error> {
        self.path.prefix_on(self.order, depth, rng)
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, E::Error> {
        self.path.increment_on(self.order, level, coupling, rng)
    }
}

/// The mean of a replicate over all orders and depths; level estimates must be exact.
pub fn mean<R, M, E>(
    path: &DataPath<'_, R, M, E>,
    form: Form,
    law: &Truncation,
) -> anyhow::Result<Vec<f64>>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let rng = &mut Seed(0).stream(0);
    let orders = orders(path.schedule().size(path.levels()));
    let mut mean: Vec<f64> = Vec::new();
    for order in &orders {
        let path = OnOrder { path, order };
        for depth in 1..=law.levels() {
            let estimator = Debiased::new(&path, form, Depths::constant(law, depth, 1))?;
            let value = estimator.estimate(0, rng)?.value;
            mean.resize(value.len(), 0.0);
            let chance = law.mass(depth) / orders.len() as f64;
            mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += chance * value);
        }
    }
    Ok(mean)
}

/// All orders of n rows.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let insert = |shorter: Vec<usize>| {
        (0..n).map(move |place| {
            let mut longer = shorter.clone();
            longer.insert(place, n - 1);
            longer
        })
    };
    orders(n - 1).into_iter().flat_map(insert).collect()
}
