//! What the paper calls impossible: chains on all 10⁸ rows of `logistic-synthetic`.
//!
//! NUTS with every gradient over all rows, held in memory (8 GB), and Firefly; a kill costs a minute.
//!
//! Run only when asked for: `cargo xtask reproduce logistic-exhaustive`, or `all --exhaustive`.

use crate::methods::full_logistic::{FullLogistic, WEIGHTS};
use crate::problems::truth::Truth;
use crate::questions::logistic_synthetic::rows;
use crate::{Context, Experiment};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use records::{Claim, Quantity, Record, Scale, Table, Verdict};

/// The experiment `logistic-exhaustive`.
pub struct LogisticExhaustive;

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
        let settings = FullLogistic::settings(count);
        let (synthetic, source) = context.needed("logistic-synthetic")?;
        data.push(source);
        let weights = synthetic.table("weights")?;
        let truth = Truth {
            means: weights.numbers("mean")?,
            sds: weights.numbers("sd")?,
            errors: vec![0.0; WEIGHTS],
        };

        let chains = FullLogistic { rows: &rows, model: &model, settings: &settings, data: &data };
        (context.say)("Firefly: the mode, the bounds, and a chain");
        let firefly = chains.firefly(context, "firefly")?;
        (context.say)("full NUTS: the mode, then all rows into memory");
        let nuts = chains.nuts(context, "full-nuts")?;
        let mut quantities = Vec::new();
        for (name, chain) in [("full-nuts", &nuts), ("firefly", &firefly)] {
            let deviations = chain.means.iter().zip(&truth.means).zip(&chain.errors);
            let worst = deviations.map(|((mean, truth), error)| ((mean - truth) / error).abs());
            let (least, passes) =
                (chain.least_effective(), chain.cost.evaluations() as f64 / count as f64);
            for (label, value) in [
                ("rms error in posterior sds", truth.error(&chain.means)),
                ("largest error in Monte Carlo standard errors", worst.fold(0.0, f64::max)),
                ("least effective draws", least),
                ("passes", passes),
                ("passes an effective draw", passes / least),
            ] {
                quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
            }
        }
        quantities.push(Quantity::rough("full-nuts/divergences", nuts.aside));
        quantities.push(Quantity::rough("firefly/bright rows", firefly.aside));
        let table = Table::new("weights")
            .with("index", (1..=WEIGHTS as i64).collect::<Vec<_>>())
            .with("mean", truth.means.clone())
            .with("sd", truth.sds.clone())
            .with("full-nuts", nuts.means)
            .with("full-nuts error", nuts.errors)
            .with("firefly", firefly.means)
            .with("firefly error", firefly.errors);
        Ok(Record { data, quantities, tables: vec![table], ..context.record(self, &settings) })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>> {
        let value = |name: &str| record.value(&format!("full-nuts/{name}"));
        let (passes, effective) = (value("passes")?, value("least effective draws")?);
        let worst = value("largest error in Monte Carlo standard errors")?;
        let firefly = record.value("firefly/passes")?;
        let rows = record.data.first().map_or(0, |data| data.rows);
        let ran = worst < 4.0 && effective > 100.0;
        Ok(vec![Claim::printed("logistic/impossible", "a chain on 10⁸ rows cannot be run", "impossible")
            .found(format!("{passes:.0} passes, least effective draws {effective:.0}"))
            .rule("not reproduced if the chain was run and was right: at least 100 effective draws of every weight, \
             and all ten means within four Monte Carlo standard errors of the truth (a false alarm once in 1600 \
             runs); else reproduced")
            .judged(if ran { Verdict::NotReproduced } else { Verdict::Reproduced }, format!(
                "NUTS took {passes:.0} passes over {rows} rows in memory; all means lie within {worst:.1} Monte Carlo \
                 standard errors of the truth. Firefly took {firefly:.0} passes and a thousand rows an iteration."
            ))])
    }
}
