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

/// A path on one given order of the rows instead of a random one: `prefix` and `increment` are those of
/// the path on the beginning of the order.
struct OnOrder<'a, P, F, G> {
    path: &'a P,
    order: &'a [usize],
    prefix: F,
    increment: G,
}

impl<P, F, G> Path for OnOrder<'_, P, F, G>
where
    P: Path,
    F: Fn(&P::Shared, &[usize], usize, &mut Rng) -> Result<Vec<Term>, P::Error> + Sync,
    G: Fn(&P::Shared, &[usize], usize, Coupling, &mut Rng) -> Result<Term, P::Error> + Sync,
{
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
        (self.prefix)(shared, self.order, depth, rng)
    }

    fn increment(
        &self,
        shared: &mut P::Shared,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, P::Error> {
        (self.increment)(shared, self.order, level, coupling, rng)
    }
}

/// The largest |E Z − φ_L| over all forms and functionals, given φ_L and the levels of a path on given
/// orders. All orders and depths have the same stream of random numbers: levels must be exact, or exact
/// given what the replicate shares.
pub fn largest_bias<P, F, G>(
    (path, rows): (&P, usize),
    law: &Truncation,
    last: &[f64],
    (prefix, increment): (F, G),
    seed: Seed,
) -> anyhow::Result<f64>
where
    P: Path,
    F: Fn(&P::Shared, &[usize], usize, &mut Rng) -> Result<Vec<Term>, P::Error> + Sync + Copy,
    G: Fn(&P::Shared, &[usize], usize, Coupling, &mut Rng) -> Result<Term, P::Error> + Sync + Copy,
{
    let orders = orders(rows);
    let mut largest: f64 = 0.0;
    for form in Form::ALL {
        let mut mean = vec![0.0; last.len()];
        for order in &orders {
            let path = OnOrder { path, order, prefix, increment };
            for depth in 1..=law.levels() {
                let estimator = Debiased::new(&path, form, Depths::constant(law, depth, 1))?;
                let value = estimator.estimate(0, &mut seed.stream(0))?.value;
                let chance = law.mass(depth) / orders.len() as f64;
                mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += chance * value);
            }
        }
        largest = mean.iter().zip(last).map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
    }
    Ok(largest)
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
