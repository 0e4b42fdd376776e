//! What the paper calls impossible: chains on all 10⁸ rows of `logistic-synthetic`.
//!
//! NUTS, 20 + 150 iterations in the coordinates of the Laplace approximation, every gradient over
//! all rows, held in memory (8 GB) and shared out over all threads; a checkpoint after every five
//! iterations, so that a kill costs a minute. And Firefly Monte Carlo, 500 + 5000 iterations of
//! NUTS moves, which after its passes looks at a thousand rows an iteration.
//!
//! Run only when asked for: `cargo xtask reproduce logistic-exhaustive`, or `all --exhaustive`.

use crate::logistic_synthetic::rows;
use crate::weights::Truth;
use crate::{Context, Experiment};
use baselines::{
    Brightness, Firefly, FireflyError, FireflySettings, FullPosterior, KeptChain, smooth_mode,
};
use data::{Generated, LogisticLaw};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use records::{Claim, Quantity, Record, Scale, Table, Verdict};
use samplers::diagnostics::Summary;
use samplers::{Draws, Functional, Length, Metric, NoUTurn};
use serde_json::json;

/// The experiment `logistic-exhaustive`.
pub struct LogisticExhaustive;

const WEIGHTS: usize = 10;
const LENGTH: Length = Length { warm_up: 20, draws: 150 };
const FIREFLY: Length = Length { warm_up: 500, draws: 5000 };
/// Transitions between checkpoints.
const EVERY: usize = 5;
/// Dark rows looked at by Firefly in an iteration, on average.
const LOOKED_AT: f64 = 1000.0;

impl Experiment for LogisticExhaustive {
    fn id(&self) -> &'static str {
        "logistic-exhaustive"
    }

    fn paper(&self) -> &'static str {
        "Section 5, what it rules out"
    }

    fn question(&self) -> &'static str {
        "Is a chain on 10⁸ rows impossible?"
    }

    fn needs(&self) -> &'static [&'static str] {
        &["logistic-synthetic"]
    }

    fn long(&self) -> bool {
        true
    }

    fn timed(&self) -> &'static [(&'static str, &'static str)] {
        &[("logistic/impossible", "full-nuts")]
    }

    fn memory(&self, scale: Scale) -> f64 {
        if scale == Scale::Full { 10.0 } else { 0.5 }
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let count = match context.scale {
            Scale::Full => 100_000_000,
            Scale::Smoke => 1 << 14,
        };
        let (rows, mut data) = rows(context, count);
        let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: 1.0 })?;
        let settings = json!({
            "rows": count, "warm_up": LENGTH.warm_up, "draws": LENGTH.draws,
            "firefly_warm_up": FIREFLY.warm_up, "firefly_draws": FIREFLY.draws,
            "dark_rows_looked_at": LOOKED_AT,
        });
        let (synthetic, source) = context.needed("logistic-synthetic")?;
        data.push(source);
        let weights = synthetic.table("weights")?;
        let truth = Truth {
            means: weights.numbers("mean")?,
            sds: weights.numbers("sd")?,
            errors: vec![0.0; WEIGHTS],
        };

        (context.say)("Firefly: the mode, the bounds, and a chain");
        let firefly = FireflyChain { rows: &rows, model: &model };
        let firefly = context.replicate("firefly", &settings, &data, &firefly, 1)?;

        let (draws, chain_cost) = context.chain("full-nuts", &settings, &data, |rng, store| {
            (context.say)("full NUTS: the mode, then all rows into memory");
            let (mode, frame) = smooth_mode(&model, &rows)?;
            let mut target = FullPosterior::new(&model, &rows);
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
        let chain = describe(&draws)?;
        let fly = firefly.value(0);
        let fly = [&fly[..WEIGHTS], &fly[WEIGHTS..2 * WEIGHTS], &fly[2 * WEIGHTS..3 * WEIGHTS]];
        let mut quantities = Vec::new();
        for (name, [means, errors, effective], cost) in [
            ("full-nuts", [&chain[0][..], &chain[1][..], &chain[2][..]], chain_cost),
            ("firefly", fly, firefly.total_cost()),
        ] {
            let deviations = means.iter().zip(&truth.means).zip(errors);
            let worst = deviations.map(|((mean, truth), error)| ((mean - truth) / error).abs());
            let least = effective.iter().copied().fold(f64::INFINITY, f64::min);
            for (label, value) in [
                ("rms error in posterior sds", truth.error(means)),
                ("largest error in Monte Carlo standard errors", worst.fold(0.0, f64::max)),
                ("least effective draws", least),
                ("passes", cost.evaluations() as f64 / count as f64),
                ("passes an effective draw", cost.evaluations() as f64 / count as f64 / least),
            ] {
                quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
            }
        }
        quantities.push(Quantity::rough("full-nuts/divergences", draws.divergences() as f64));
        quantities.push(Quantity::rough("firefly/bright rows", firefly.value(0)[3 * WEIGHTS]));
        let table = Table::new("weights")
            .with("index", (1..=WEIGHTS as i64).collect::<Vec<_>>())
            .with("mean", truth.means.clone())
            .with("sd", truth.sds.clone())
            .with("full-nuts", chain[0].clone())
            .with("full-nuts error", chain[1].clone())
            .with("firefly", fly[0].to_vec())
            .with("firefly error", fly[1].to_vec());
        Ok(Record { data, quantities, tables: vec![table], ..context.record(self, &settings) })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>> {
        let value = |name: &str| record.value(&format!("full-nuts/{name}"));
        let (passes, effective) = (value("passes")?, value("least effective draws")?);
        let worst = value("largest error in Monte Carlo standard errors")?;
        let firefly = record.value("firefly/passes")?;
        let rows = record.data.first().map_or(0, |data| data.rows);
        let ran = worst < 4.0 && effective > 100.0;
        Ok(vec![Claim {
            id: "logistic/impossible".to_owned(),
            statement: "a chain on 10⁸ rows cannot be run".to_owned(),
            printed: "impossible".to_owned(),
            ours: format!("{passes:.0} passes, least effective draws {effective:.0}"),
            rule: "not reproduced if the chain was run and was right: at least 100 effective draws of every weight, and \
                   all ten means within four Monte Carlo standard errors of the truth (a false alarm once in 1600 runs); \
                   else reproduced"
                .to_owned(),
            verdict: if ran { Verdict::NotReproduced } else { Verdict::Reproduced },
            sentence: format!(
                "NUTS took {passes:.0} passes over {rows} rows in memory; all means lie within {worst:.1} Monte Carlo \
                 standard errors of the truth. Firefly took {firefly:.0} passes and a thousand rows an iteration."
            ),
        }])
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
