//! What every baseline promises, asked of each from one list.
//!
//! The same seed gives the same answer and another seed another one; work is counted and adds up
//! over replicates; settings that make no sense are refused with their numbers; a budget that is
//! too small gives a typed error and no answer.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{
    Brightness, Budget, ConstantBatch, ConstantBatchError, Exhausted, Firefly, FireflyError,
    FireflySettings, FullChain, FullChainError, FullPosterior,
};
use data::{Generated, LogisticLaw};
use debias::engine::{EngineError, Forgetful, Unobserved, replicate};
use debias::{Estimator, Ledger, Replicates, Seed};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use samplers::{ByChain, Framing, Functional, Length, RandomWalk, Start};
use std::fmt::{Debug, Display};

const ROWS: usize = 400;
const WIDTH: usize = 9;

/// One baseline: how to ask it, what it must refuse, and how it runs out of budget.
struct Case<'a, E> {
    name: &'static str,
    estimator: &'a E,
    /// What its constructors said to settings that make no sense.
    refused: Vec<Option<String>>,
    /// What it says when the budget is one evaluation; none for a method without a budget.
    starved: Option<Option<Exhausted>>,
}

/// The one check.
fn conforms<E: Estimator>(case: Case<'_, E>) {
    let Case { name, estimator, refused, starved } = case;
    let run = |seed: u64| -> Replicates {
        replicate(estimator, 0..4, Seed(seed), &Forgetful, &Unobserved).unwrap()
    };
    let (first, again, other) = (run(1), run(1), run(2));
    assert_eq!(first, again, "{name}: one seed, one answer");
    assert_ne!(first.values(), other.values(), "{name}: another seed, another answer");
    assert!(first.width() > 0, "{name}: it answers something");
    for cost in first.costs() {
        assert!(cost.evaluations() + cost.flops > 0, "{name}: nothing is free");
        assert!(
            (1..=ROWS as u64).contains(&cost.distinct_rows),
            "{name}: {} distinct rows of {ROWS}",
            cost.distinct_rows
        );
    }
    let alone: Ledger = (0..4)
        .map(|index| estimator.estimate(index, &mut Seed(1).stream(index)).unwrap().cost)
        .sum();
    assert_eq!(alone, first.total_cost(), "{name}: costs add up");
    assert!(estimator.expected_cost(0) > 0.0, "{name}: the engine can plan");
    for (index, refusal) in refused.iter().enumerate() {
        let message = refusal.as_ref().unwrap_or_else(|| panic!("{name}: setting {index} passed"));
        assert!(message.chars().any(|c| c.is_ascii_digit()), "{name}: no number in: {message}");
    }
    if let Some(starved) = starved {
        let Exhausted { spent, budget } = starved.unwrap_or_else(|| panic!("{name}: not starved"));
        assert!(spent > budget && budget == 1, "{name}: {spent} of {budget}");
    }
}

/// What a constructor said, if it refused.
fn refusal<T, E: Display>(built: Result<T, E>) -> Option<String> {
    built.err().map(|error| error.to_string())
}

/// The error of a first replicate that should have run out of budget.
fn starve<E: Estimator>(
    estimator: &E,
    exhausted: impl Fn(&E::Error) -> Option<Exhausted>,
) -> Option<Exhausted>
where
    E::Error: Debug,
{
    match replicate(estimator, 0..1, Seed(3), &Forgetful, &Unobserved) {
        Err(EngineError::Replicate { source, .. }) => exhausted(&source),
        _ => None,
    }
}

fn rows() -> Generated<LogisticLaw> {
    Generated::new(LogisticLaw::paper(), Seed(11), ROWS)
}

fn model() -> DenseLogistic {
    DenseLogistic::new(WIDTH, Prior::Laplace { scale: 1.0 }).unwrap()
}

/// A short random walk.
fn walk(draws: usize) -> ByChain<RandomWalk> {
    ByChain {
        sampler: RandomWalk { scale: 0.2 },
        framing: Framing::Plain,
        start: Start::Uniform { radius: 0.1 },
        length: Length { warm_up: 5, draws },
        functionals: Functional::means(WIDTH + 1),
        control_variates: false,
        expected_evaluations: 6.0 + draws as f64,
    }
}

#[test]
fn constant_batch() {
    let (rows, model, level) = (rows(), model(), walk(10));
    let of = |batch| ConstantBatch::new(&rows, &model, &level, batch);
    conforms(Case {
        name: "constant batch",
        estimator: &of(50).unwrap(),
        refused: vec![refusal(of(0)), refusal(of(ROWS + 1))],
        starved: None,
    });
    assert_eq!(of(0).err(), Some(ConstantBatchError { batch: 0, rows: ROWS }));
}

#[test]
fn full_chain() {
    let (rows, model) = (rows(), model());
    let posterior = FullPosterior::new(&model, &rows);
    assert_eq!(posterior.rows(), rows.count() as u64);
    let of = |draws| FullChain::new(&posterior, walk(draws));
    let poor = of(10).unwrap().within(Budget(1));
    conforms(Case {
        name: "full chain",
        estimator: &of(10).unwrap(),
        refused: vec![refusal(of(0))],
        starved: Some(starve(&poor, |error| match error {
            FullChainError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn firefly() {
    let (rows, model) = (rows(), model());
    let of = |brightness, draws| {
        let settings = FireflySettings {
            kernel: RandomWalk { scale: 0.5 },
            brightness,
            spread: 1.0,
            length: Length { warm_up: 5, draws },
            functionals: Functional::means(WIDTH + 1),
        };
        Firefly::new(&rows, &model, settings)
    };
    let implicit = |dark_to_bright| Brightness::Implicit { dark_to_bright };
    let explicit = |rows| Brightness::Explicit { rows };
    let poor = of(implicit(0.1), 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "firefly",
        estimator: &of(implicit(0.1), 10).unwrap(),
        refused: vec![
            refusal(of(implicit(0.0), 10)),
            refusal(of(implicit(1.1), 10)),
            refusal(of(implicit(-0.5), 10)),
            refusal(of(explicit(0), 10)),
            refusal(of(explicit(ROWS + 1), 10)),
            refusal(of(implicit(0.1), 0)),
        ],
        starved: Some(starve(&poor, |error| match error {
            FireflyError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}
