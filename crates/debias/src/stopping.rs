//! When to stop: after R replicates, at a cost budget, or at a target error.

use crate::engine::{EngineError, Observer, Store, replicate};
use crate::{Caveat, Debiased, Estimator, Guarantees, Path, Replicates, Seed, Summary};
use thiserror::Error;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopping {
    /// After as many replicates as depths were drawn.
    Replicates,
    /// When the next replicate would not fit into this many expected evaluations, but never before
    /// the first: exactly unbiased, see [`crate::within_budget`].
    Budget(f64),
    /// When the largest standard error is below this: **not unbiased**, because the replicates
    /// decide about their own number.
    StandardError(f64),
}

/// Why a run under a stopping rule has no result.
#[derive(Debug, Error)]
pub enum StoppingError<E: std::error::Error + 'static> {
    /// Stopping on cost needs independent depths.
    #[error("a cost budget needs independent depths: strata cannot change places")]
    Strata,
    /// The target is no number above zero.
    #[error("the target {target} is not a positive number")]
    Target {
        /// The budget or error asked for.
        target: f64,
    },
    /// The error is still too large when the depths drawn are used up.
    #[error("standard error {reached} after {replicates} replicates, above the target {target}")]
    NotReached {
        /// The target.
        target: f64,
        /// The error reached.
        reached: f64,
        /// Replicates run.
        replicates: usize,
    },
    /// The run itself failed.
    #[error(transparent)]
    Engine(#[from] EngineError<E>),
}

/// Replicates before the error is looked at for the first time; their number then doubles.
const FIRST_LOOK: u64 = 64;

/// Runs replicates until the rule says stop, and says what path and rule do to unbiasedness.
pub fn run_until<P: Path>(
    estimator: &Debiased<'_, P>,
    stopping: Stopping,
    seed: Seed,
    store: &dyn Store,
    observer: &dyn Observer,
) -> Result<(Replicates, Guarantees), StoppingError<P::Error>>
where
    for<'a> Debiased<'a, P>: Estimator<Error = P::Error>,
{
    let drawn = estimator.replicates();
    let mut caveats = estimator.path().caveats();
    match stopping {
        Stopping::Replicates => {
            let all = replicate(estimator, 0..drawn, seed, store, observer)?;
            Ok((all, Guarantees { caveats }))
        }
        Stopping::Budget(budget) => {
            check(budget)?;
            let count = estimator.replicates_within(budget).ok_or(StoppingError::Strata)?;
            let all = replicate(estimator, 0..count, seed, store, observer)?;
            Ok((all, Guarantees { caveats }))
        }
        Stopping::StandardError(target) => {
            check(target)?;
            let mut all = Replicates::default();
            loop {
                let done = all.count() as u64;
                let next = (2 * done).clamp(FIRST_LOOK.min(drawn), drawn);
                all.append(replicate(estimator, done..next, seed, store, observer)?);
                let reached = largest_error(&all);
                if reached <= target {
                    caveats.push(Caveat::StoppedOnError);
                    return Ok((all, Guarantees { caveats }));
                }
                if next == drawn {
                    let replicates = all.count();
                    return Err(StoppingError::NotReached { target, reached, replicates });
                }
            }
        }
    }
}

fn check<E: std::error::Error>(target: f64) -> Result<(), StoppingError<E>> {
    if target.is_finite() && target > 0.0 { Ok(()) } else { Err(StoppingError::Target { target }) }
}

fn largest_error(all: &Replicates) -> f64 {
    (0..all.width())
        .map(|entry| {
            Summary::of(&all.functional(entry)).map_or(f64::INFINITY, |s| s.standard_error)
        })
        .fold(0.0, f64::max)
}
