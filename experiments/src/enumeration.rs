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
use posterior::{DataPath, LevelEstimate, Model, Reweighting, Rows};
use samplers::{SharedPath, SharedPathError};
use unbiased_bayes::anchored::Points;

/// A path that can be asked for its levels on one given order of the rows.
pub trait Ordered: Path {
    /// How many rows there are to be ordered.
    fn rows(&self) -> usize;

    /// φ_1, …, φ_depth on the beginnings of the order.
    fn prefix_on(
        &self,
        shared: &Self::Shared,
        order: &[usize],
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, Self::Error>;

    /// Δ_t on the beginning of the order.
    fn increment_on(
        &self,
        shared: &Self::Shared,
        order: &[usize],
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, Self::Error>;
}

impl<R, M, E> Ordered for DataPath<'_, R, M, E>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    fn rows(&self) -> usize {
        self.schedule().size(self.levels())
    }

    fn prefix_on(
        &self,
        (): &(),
        order: &[usize],
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, E::Error> {
        DataPath::prefix_on(self, order, depth, rng)
    }

    fn increment_on(
        &self,
        (): &(),
        order: &[usize],
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, E::Error> {
        DataPath::increment_on(self, order, level, coupling, rng)
    }
}

impl<R, W, D> Ordered for SharedPath<'_, R, W, D>
where
    R: Rows,
    W: Reweighting<R::Block>,
    D: Fn(&mut Rng) -> Points + Sync,
{
    fn rows(&self) -> usize {
        self.rows.count()
    }

    fn prefix_on(
        &self,
        points: &Self::Shared,
        order: &[usize],
        depth: usize,
        _: &mut Rng,
    ) -> Result<Vec<Term>, SharedPathError> {
        SharedPath::prefix_on(self, points, order, depth)
    }

    fn increment_on(
        &self,
        points: &Self::Shared,
        order: &[usize],
        level: usize,
        coupling: Coupling,
        _: &mut Rng,
    ) -> Result<Term, SharedPathError> {
        SharedPath::increment_on(self, points, order, level, coupling)
    }
}

/// A path on one given order instead of a random one.
struct OnOrder<'a, P> {
    path: &'a P,
    order: &'a [usize],
}

impl<P: Ordered> Path for OnOrder<'_, P> {
    type Shared = P::Shared;
    type Error = P::Error;

    fn levels(&self) -> usize {
        self.path.levels()
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.path.level_cost(level)
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        self.path.increment_cost(level, coupling)
    }

    fn begin(&self, rng: &mut Rng) -> Result<(P::Shared, Ledger), P::Error> {
        self.path.begin(rng)
    }

    fn prefix(
        &self,
        shared: &mut P::Shared,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, P::Error> {
        self.path.prefix_on(shared, self.order, depth, rng)
    }

    fn increment(
        &self,
        shared: &mut P::Shared,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, P::Error> {
        self.path.increment_on(shared, self.order, level, coupling, rng)
    }
}

/// The mean of a replicate over all orders and depths, each with the same stream of random numbers:
/// levels must be exact, or exact given what the replicate shares.
pub fn mean<P: Ordered>(
    path: &P,
    form: Form,
    law: &Truncation,
    seed: Seed,
) -> anyhow::Result<Vec<f64>> {
    let orders = orders(path.rows());
    let mut mean: Vec<f64> = Vec::new();
    for order in &orders {
        let path = OnOrder { path, order };
        for depth in 1..=law.levels() {
            let estimator = Debiased::new(&path, form, Depths::constant(law, depth, 1))?;
            let value = estimator.estimate(0, &mut seed.stream(0))?.value;
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
