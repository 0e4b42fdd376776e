//! What the paper calls impossible: chains on all 10⁸ rows of `logistic-synthetic`.
//!
//! NUTS with every gradient over all rows, held in memory (8 GB), and Firefly; a kill costs a minute.
//!
//! Run only when asked for: `cargo xtask reproduce logistic-exhaustive`, or `all --exhaustive`.

use crate::methods::full_logistic;
use crate::problems::logistic::{self, WEIGHTS};
use crate::{Context, Experiment};
use records::{Claim, Quantity, Record, Table, Verdict};

/// The experiment `logistic-exhaustive`.
pub const EXPERIMENT: Experiment = Experiment {
    needs: &["logistic-synthetic"],
    long: true,
    memory: 10.0,
    timed: &[("logistic/impossible", "full-nuts")],
    ..Experiment::new(
        "logistic-exhaustive",
        "Section 5, what it rules out",
        "Is a chain on 10⁸ rows impossible?",
        run,
        claims,
    )
};

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let count = context.scale.pick(100_000_000, 1 << 14);
    let (rows, mut data) = logistic::rows(context, count);
    let model = logistic::model()?;
    let settings = full_logistic::settings(count);
    let (synthetic, source) = context.needed("logistic-synthetic")?;
    data.push(source);
    let truth = logistic::stored_truth(&synthetic)?;

    let work = context.work(&settings, &data);
    (context.say)("Firefly: the mode, the bounds, and a chain");
    let (firefly, bright) = full_logistic::firefly(&work, "firefly", &model, &rows)?;
    (context.say)("full NUTS: the mode, then all rows into memory");
    let (nuts, divergences) = full_logistic::nuts(&work, "full-nuts", &model, &rows)?;
    let mut quantities = Vec::new();
    for (name, chain) in [("full-nuts", &nuts), ("firefly", &firefly)] {
        let (least, passes) =
            (chain.least_effective(), chain.cost.evaluations() as f64 / count as f64);
        for (label, value) in [
            ("rms error in posterior sds", truth.error(&chain.means)),
            ("largest error in Monte Carlo standard errors", chain.worst(&truth.means)),
            ("least effective draws", least),
            ("passes", passes),
            ("passes an effective draw", passes / least),
        ] {
            quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
        }
    }
    quantities.push(Quantity::rough("full-nuts/divergences", divergences));
    quantities.push(Quantity::rough("firefly/bright rows", bright));
    let table = Table::new("weights")
        .with("index", (1..=WEIGHTS as i64).collect::<Vec<_>>())
        .with("mean", truth.means)
        .with("sd", truth.sds)
        .with("full-nuts", nuts.means)
        .with("full-nuts error", nuts.errors)
        .with("firefly", firefly.means)
        .with("firefly error", firefly.errors);
    let record = context.record(&EXPERIMENT, &settings);
    Ok(Record { data, quantities, tables: vec![table], ..record })
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
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
