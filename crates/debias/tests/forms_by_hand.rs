//! Every form on a path without randomness: values, costs and means by hand.

use debias::{
    Coupling, Debiased, Depths, Estimator, Form, Ledger, Path, Rng, Seed, Term, Truncation,
};
use std::convert::Infallible;

/// φ = 2, 7, 13, 29 and nothing random; level t costs t.
struct Known;

const LEVELS: [f64; 4] = [2.0, 7.0, 13.0, 29.0];

fn term(value: f64, level: usize) -> Term {
    let likelihoods = level as u64;
    Term { value: vec![value], cost: Ledger { likelihoods, ..Ledger::default() } }
}

impl Path for Known {
    type Shared = ();
    type Error = Infallible;

    fn levels(&self) -> usize {
        LEVELS.len()
    }

    fn level_cost(&self, level: usize) -> f64 {
        level as f64
    }

    fn increment_cost(&self, level: usize, _: Coupling) -> f64 {
        level as f64
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), Infallible> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, _: &mut Rng) -> Result<Vec<Term>, Infallible> {
        Ok((1..=depth).map(|level| term(LEVELS[level - 1], level)).collect())
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        _: Coupling,
        _: &mut Rng,
    ) -> Result<Term, Infallible> {
        let below = if level == 1 { 0.0 } else { LEVELS[level - 2] };
        Ok(term(LEVELS[level - 1] - below, level))
    }
}

/// Masses ½, ¼, ⅛, ⅛, so tails 1, ½, ¼, ⅛ and increments 2, 5, 6, 16.
#[test]
fn every_form_at_every_depth_by_hand() {
    let masses = vec![0.5, 0.25, 0.125, 0.125];
    let law = Truncation::from_masses(masses.clone()).expect("they sum to one");
    let sums = [2.0, 2.0 + 10.0, 2.0 + 10.0 + 24.0, 2.0 + 10.0 + 24.0 + 128.0];
    let single = [2.0, 2.0 + 20.0, 2.0 + 48.0, 2.0 + 128.0];
    for (form, values, costs) in [
        (Form::CoupledSum, sums, [1, 3, 6, 10]),
        (Form::AntitheticSum, sums, [1, 3, 6, 10]),
        (Form::SingleTerm, single, [1, 3, 4, 5]),
        (Form::AntitheticSingleTerm, single, [1, 3, 4, 5]),
    ] {
        let mut mean = 0.0;
        for depth in 1..=4 {
            let depths = Depths::constant(&law, depth, 1);
            let debiased = Debiased::new(&Known, form, depths).expect("four levels each");
            let Ok(found) = debiased.estimate(0, &mut Seed(1).stream(0));
            assert_eq!(found.value, [values[depth - 1]], "{form:?} at depth {depth}");
            assert_eq!(found.cost.likelihoods, costs[depth - 1], "{form:?} at depth {depth}");
            assert_eq!(debiased.expected_cost(0), costs[depth - 1] as f64, "{form:?}");
            mean += masses[depth - 1] * found.value[0];
        }
        assert_eq!(mean, LEVELS[3], "{form:?}");
    }
}
