//! Predicted against enumerated variance: Var Z of every form, over every batch of every level and every
//! depth, equals what `Tradeoff` says to 1e-12.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod squares;

use debias::{
    Coupling, Debiased, Depths, Estimator, Form, Ledger, Moments, Path, Rng, Schedule, Seed, Term,
    Tradeoff, Truncation,
};
use posterior::DataPath;
use squares::{Flat, NUMBERS, Numbers, SquaredMean, evidence, permutations};
use std::convert::Infallible;

type Squares<'a> = DataPath<'a, Numbers, Flat, SquaredMean>;

/// The path with an order of rows for every level, as independent increments have it; a coupled sum uses
/// that of the last.
struct OnOrders<'a> {
    path: &'a Squares<'a>,
    orders: [&'a [usize]; LEVELS],
}

const SIZES: [usize; LEVELS] = [1, 2, 4];
const LEVELS: usize = 3;

impl Path for OnOrders<'_> {
    type Shared = ();
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.path.levels()
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.path.level_cost(level)
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        self.path.increment_cost(level, coupling)
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), Infallible> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, Infallible> {
        self.path.prefix_on(self.orders[LEVELS - 1], depth, rng)
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, Infallible> {
        self.path.increment_on(self.orders[level - 1], level, coupling, rng)
    }
}

/// Mean and second moment, entry by entry and summed, of equally likely vectors.
fn moments(values: &[Vec<f64>]) -> Moments {
    let share = 1.0 / values.len() as f64;
    let mut mean = vec![0.0; values[0].len()];
    for value in values {
        mean.iter_mut().zip(value).for_each(|(mean, x)| *mean += share * x);
    }
    let second = values.iter().flatten().map(|x| share * x * x).sum();
    Moments { mean, second }
}

#[test]
fn predicted_variances_are_the_enumerated_ones() {
    let rows = SIZES[LEVELS - 1];
    let numbers = Numbers(NUMBERS[..rows].to_vec());
    let schedule = Schedule::explicit(SIZES.to_vec(), rows).unwrap();
    let path = DataPath::new(&numbers, &Flat, &SquaredMean, &schedule).unwrap();
    let rng = &mut Seed(0).stream(0);
    let orders = permutations(rows);
    let (mut cases, mut worst) = (0, 0.0_f64);
    for form in Form::ALL {
        let costs = Tradeoff::level_costs(&path, form);
        let tradeoff = if form == Form::CoupledSum {
            let last = path.prefix_on(&orders[0], LEVELS, rng).unwrap().pop().unwrap().value;
            let mut distances = vec![0.0; LEVELS];
            for order in &orders {
                let levels = path.prefix_on(order, LEVELS, rng).unwrap();
                for (distance, level) in distances.iter_mut().zip(&levels) {
                    let off = level.value.iter().zip(&last).map(|(a, b)| (a - b).powi(2));
                    *distance += off.sum::<f64>() / orders.len() as f64;
                }
            }
            Tradeoff::coupled_sum(&distances, costs)
        } else {
            let mut at = |level: usize| {
                let one = |order: &Vec<usize>| {
                    path.increment_on(order, level, form.coupling(), rng).unwrap().value
                };
                moments(&orders.iter().map(one).collect::<Vec<_>>())
            };
            let all: Vec<Moments> = (1..=LEVELS).map(&mut at).collect();
            Tradeoff::independent(form, &all, costs)
        };
        for law in [
            Truncation::geometric(0.8, LEVELS).unwrap(),
            Truncation::from_masses(vec![0.2, 0.5, 0.3]).unwrap(),
        ] {
            let enumerated = variance(&path, form, &law, &orders);
            let predicted = tradeoff.variance(&law);
            let off = (predicted / enumerated - 1.0).abs();
            assert!(off < 1e-12, "{form:?} {law:?}: {predicted} for {enumerated}");
            (cases, worst) = (cases + 1, worst.max(off));
        }
    }
    evidence("cases", cases);
    evidence("largest relative difference", format!("{worst:.0e}"));
}

/// Var Z, summed over functionals: all orders of every level, and all depths.
fn variance(path: &Squares<'_>, form: Form, law: &Truncation, orders: &[Vec<usize>]) -> f64 {
    let rng = &mut Seed(0).stream(0);
    // Only the beginning of an order matters at lower levels: one order for each beginning.
    let beginnings = |size: usize| -> Vec<&[usize]> {
        let mut some: Vec<&[usize]> = orders.iter().map(Vec::as_slice).collect();
        some.sort_by_key(|order| order[..size].to_vec());
        some.dedup_by_key(|order| order[..size].to_vec());
        some
    };
    let (first, second, third) = (beginnings(1), beginnings(2), beginnings(4));
    let share = 1.0 / (first.len() * second.len() * third.len()) as f64;
    let (mut mean, mut square) = (vec![0.0; 2], 0.0);
    for a in &first {
        for b in &second {
            for c in &third {
                let path = OnOrders { path, orders: [a, b, c] };
                for depth in 1..=LEVELS {
                    let depths = Depths::constant(law, depth, 1);
                    let estimator = Debiased::new(&path, form, depths).unwrap();
                    let value = estimator.estimate(0, rng).unwrap().value;
                    let chance = share * law.mass(depth);
                    mean.iter_mut().zip(&value).for_each(|(mean, z)| *mean += chance * z);
                    square += chance * value.iter().map(|z| z * z).sum::<f64>();
                }
            }
        }
    }
    square - mean.iter().map(|mean| mean * mean).sum::<f64>()
}
