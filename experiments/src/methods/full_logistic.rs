//! Chains on all rows of the synthetic logistic regression.
//!
//! NUTS, 20 + 150 iterations in the coordinates of the Laplace approximation, every gradient over
//! all rows, held in memory and shared out over all threads; a checkpoint after every five
//! iterations. And Firefly Monte Carlo, 500 + 5000 iterations of NUTS moves, which after its passes
//! looks at a thousand rows an iteration.

use crate::Context;
use baselines::{
    Brightness, Firefly, FireflyError, FireflySettings, FullPosterior, KeptChain, smooth_mode,
};
use data::{Generated, LogisticLaw};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::logistic::DenseLogistic;
use posterior::Rows;
use records::DataSource;
use samplers::diagnostics::Summary;
use samplers::{Draws, Functional, Length, Metric, NoUTurn};
use serde_json::{Value, json};

/// Nine weights and the bias.
pub const WEIGHTS: usize = 10;
const LENGTH: Length = Length { warm_up: 20, draws: 150 };
const FIREFLY: Length = Length { warm_up: 500, draws: 5000 };
/// Transitions between checkpoints.
const EVERY: usize = 5;
/// Dark rows looked at by Firefly in an iteration, on average.
const LOOKED_AT: f64 = 1000.0;

/// All rows, and who asks.
pub struct FullLogistic<'a> {
    pub rows: &'a Generated<LogisticLaw>,
    pub model: &'a DenseLogistic,
    pub settings: &'a Value,
    pub data: &'a [DataSource],
}

/// What a chain says of all weights.
pub struct ChainAnswer {
    pub means: Vec<f64>,
    /// Monte Carlo standard errors.
    pub errors: Vec<f64>,
    /// Effective draws.
    pub effective: Vec<f64>,
    /// All work, set-up included.
    pub cost: Ledger,
    /// Divergences of NUTS, bright rows of Firefly on average.
    pub aside: f64,
}

impl ChainAnswer {
    /// Effective draws of the weight that has fewest.
    pub fn least_effective(&self) -> f64 {
        self.effective.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl FullLogistic<'_> {
    /// How the chains are run, for the settings of a record.
    pub fn settings(rows: usize) -> Value {
        json!({
            "rows": rows, "warm_up": LENGTH.warm_up, "draws": LENGTH.draws,
            "firefly_warm_up": FIREFLY.warm_up, "firefly_draws": FIREFLY.draws,
            "dark_rows_looked_at": LOOKED_AT,
        })
    }

    /// NUTS on all rows, which survives a kill.
    pub fn nuts(&self, context: &Context<'_>, step: &str) -> anyhow::Result<ChainAnswer> {
        let (draws, cost) = context.timed(step, self.settings, self.data, |rng, store| {
            let (mode, frame) = smooth_mode(self.model, self.rows)?;
            let mut target = FullPosterior::new(self.model, self.rows);
            let chain = KeptChain {
                kernel: kernel(),
                frame: &frame,
                start: mode.theta.clone(),
                length: LENGTH,
                every: EVERY,
            };
            let (draws, cost) = chain.run(&mut target, store, context.observer, rng)?;
            Ok((draws, cost + Ledger { distinct_rows: 0, ..mode.ledger }))
        })?;
        let [means, errors, effective] = describe(&draws)?;
        Ok(ChainAnswer { means, errors, effective, cost, aside: draws.divergences() as f64 })
    }

    /// Firefly.
    pub fn firefly(&self, context: &Context<'_>, step: &str) -> anyhow::Result<ChainAnswer> {
        let chain = FireflyChain { rows: self.rows, model: self.model };
        let run = context.replicate(step, self.settings, self.data, &chain, 1)?;
        let part = |place: usize| run.value(0)[place * WEIGHTS..(place + 1) * WEIGHTS].to_vec();
        Ok(ChainAnswer {
            means: part(0),
            errors: part(1),
            effective: part(2),
            cost: run.total_cost(),
            aside: run.value(0)[3 * WEIGHTS],
        })
    }
}

/// NUTS for a target whose frame fits: a unit metric, and the acceptance that costs least there.
fn kernel() -> NoUTurn {
    NoUTurn { metric: Metric::Unit, target_acceptance: 0.65, ..NoUTurn::default() }
}

/// Means, Monte Carlo standard errors and effective draws of all weights.
fn describe(draws: &Draws) -> anyhow::Result<[Vec<f64>; 3]> {
    let summary = Summary::of_draws(std::slice::from_ref(draws))?;
    Ok([
        summary.iter().map(|weight| weight.mean).collect(),
        summary.iter().map(|weight| weight.mcse).collect(),
        summary.iter().map(|weight| weight.ess_bulk).collect(),
    ])
}

/// One Firefly chain: means, errors and effective draws, then the mean number of bright rows.
struct FireflyChain<'a> {
    rows: &'a Generated<LogisticLaw>,
    model: &'a DenseLogistic,
}

impl Estimator for FireflyChain<'_> {
    type Error = FireflyError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, FireflyError> {
        let count = self.rows.count() as f64;
        let settings = FireflySettings {
            kernel: kernel(),
            brightness: Brightness::Implicit { dark_to_bright: (LOOKED_AT / count).min(0.1) },
            spread: 0.0,
            length: FIREFLY,
            functionals: Functional::means(WEIGHTS),
        };
        let run = Firefly::new(self.rows, self.model, settings)?.run(FIREFLY, rng)?;
        let mut value: Vec<f64> = match describe(&run.draws) {
            Ok(columns) => columns.concat(),
            // Draws that cannot be diagnosed have no errors to show.
            Err(_) => vec![f64::NAN; 3 * WEIGHTS],
        };
        value.push(run.bright_share() * count);
        Ok(Estimate { value, depth: 1, cost: run.ledger })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        10.0 * self.rows.count() as f64
    }
}
