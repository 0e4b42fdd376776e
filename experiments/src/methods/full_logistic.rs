//! Chains on all rows of the synthetic logistic regression.
//!
//! NUTS, 20 + 150 iterations in the coordinates of the Laplace approximation, every gradient over
//! all rows, held in memory and shared out over all threads; a checkpoint after every five
//! iterations. And Firefly Monte Carlo, 500 + 5000 iterations of NUTS moves, which after its passes
//! looks at a thousand rows per iteration.

use super::chains::{ChainAnswer, kernel};
use crate::Work;
use crate::problems::logistic::{LogisticRows, WEIGHTS};
use baselines::{Brightness, Firefly, FireflySettings, FullPosterior, KeptChain, smooth_mode};
use debias::Ledger;
use models::logistic::DenseLogistic;
use posterior::Rows;
use samplers::{Functional, Length};
use serde_json::{Value, json};

const LENGTH: Length = Length { warm_up: 20, draws: 150 };
const FIREFLY: Length = Length { warm_up: 500, draws: 5000 };
/// Transitions between checkpoints.
const EVERY: usize = 5;
/// Dark rows that Firefly looks at in an iteration, on average.
pub const LOOKED_AT: f64 = 1000.0;

/// How the chains are run, for the settings of a record.
pub fn settings(rows: usize) -> Value {
    json!({
        "rows": rows, "warm_up": LENGTH.warm_up, "draws": LENGTH.draws,
        "firefly_warm_up": FIREFLY.warm_up, "firefly_draws": FIREFLY.draws,
        "dark_rows_looked_at": LOOKED_AT,
    })
}

/// NUTS on all rows, which survives a kill; with its divergences.
pub fn nuts(
    work: &Work<'_>,
    step: &str,
    model: &DenseLogistic,
    rows: &LogisticRows,
) -> anyhow::Result<(ChainAnswer, f64)> {
    let (draws, cost) = work.chain(step, |rng, store| {
        let (mode, frame) = smooth_mode(model, rows)?;
        let mut target = FullPosterior::new(model, rows);
        let chain = KeptChain {
            kernel: kernel(),
            frame: &frame,
            start: mode.theta.clone(),
            length: LENGTH,
            every: EVERY,
        };
        let (draws, cost) = chain.run(&mut target, store, work.context.observer, rng)?;
        Ok((draws, cost + Ledger { distinct_rows: 0, ..mode.ledger }))
    })?;
    Ok((ChainAnswer::of(&draws, cost)?, draws.divergences() as f64))
}

/// Firefly; with its bright rows on average.
pub fn firefly(
    work: &Work<'_>,
    step: &str,
    model: &DenseLogistic,
    rows: &LogisticRows,
) -> anyhow::Result<(ChainAnswer, f64)> {
    let count = rows.count() as f64;
    work.cached(step, |rng| {
        let settings = FireflySettings {
            kernel: kernel(),
            brightness: brightness(rows.count()),
            spread: 0.0,
            length: FIREFLY,
            functionals: Functional::means(WEIGHTS),
        };
        let run = Firefly::new(rows, model, settings)?.run(FIREFLY, rng)?;
        Ok((ChainAnswer::of(&run.draws, run.ledger)?, run.bright_share() * count))
    })
}

/// As many dark rows looked at whatever the number of rows.
pub fn brightness(rows: usize) -> Brightness {
    Brightness::Implicit { dark_to_bright: (LOOKED_AT / rows as f64).min(0.1) }
}
