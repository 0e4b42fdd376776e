//! What every baseline promises, and the one check of it.

use baselines::Exhausted;
use data::{Generated, LogisticLaw};
use debias::engine::{EngineError, Forgetful, Unobserved, replicate};
use debias::{Estimator, Ledger, Replicates, Seed};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use samplers::{ByChain, Framing, Functional, Length, RandomWalk, Start};
use std::fmt::{Debug, Display};

/// Rows of the synthetic logistic regression.
pub const ROWS: usize = 400;
/// Covariates, without the bias.
pub const WIDTH: usize = 9;

/// One baseline: how to ask it, what it must refuse, and how it runs out of budget.
pub struct Case<'a, E> {
    /// In messages.
    pub name: &'static str,
    /// How to ask it.
    pub estimator: &'a E,
    /// What its constructors said to settings that make no sense.
    pub refused: Vec<Option<String>>,
    /// What it says when the budget is one evaluation; none for a method without a budget.
    pub starved: Option<Option<Exhausted>>,
}

/// The one check.
pub fn conforms<E: Estimator>(case: Case<'_, E>) {
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
pub fn refusal<T, E: Display>(built: Result<T, E>) -> Option<String> {
    built.err().map(|error| error.to_string())
}

/// The error of a first replicate that should have run out of budget.
pub fn starve<E: Estimator>(
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

/// Few rows.
pub fn rows() -> Generated<LogisticLaw> {
    Generated::new(LogisticLaw::paper(), Seed(11), ROWS)
}

/// The paper's prior.
pub fn model() -> DenseLogistic {
    DenseLogistic::new(WIDTH, Prior::Laplace { scale: 1.0 }).unwrap()
}

/// A short random walk.
pub fn walk(draws: usize) -> ByChain<RandomWalk> {
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
