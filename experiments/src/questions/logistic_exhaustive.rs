//! What the paper calls impossible: chains on all 10⁸ rows of `logistic-synthetic`.
//!
//! NUTS with every gradient over all rows, held in memory (8 GB), and Firefly; a kill costs a minute.
//!
//! Run only when asked for: `cargo xtask reproduce logistic-exhaustive`, or `all --exhaustive`.

use crate::methods::full_logistic;
use crate::problems::logistic::{self, WEIGHTS};
use crate::reading::setting;
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
    Ok(vec![firefly_setup(record)?, firefly_mixing(record)?, Claim::printed("logistic/impossible", "a chain on 10⁸ rows cannot be run", "impossible")
        .found(format!("{passes:.0} passes, least effective draws {effective:.0}"))
        .rule("not reproduced if the chain was run and was right: at least 100 effective draws of every weight, \
         and all ten means within four Monte Carlo standard errors of the truth (a false alarm once in 1600 \
         runs); else reproduced")
        .judged(if ran { Verdict::NotReproduced } else { Verdict::Reproduced }, format!(
            "NUTS took {passes:.0} passes over {rows} rows in memory; all means lie within {worst:.1} Monte Carlo \
             standard errors of the truth. Firefly took {firefly:.0} passes and a thousand rows an iteration."
        ))])
}

/// Evaluations before the first draw that counts.
fn firefly_setup(record: &Record) -> anyhow::Result<Claim> {
    let passes = record.value("full-nuts/passes")?;
    let (warm_up, draws) = (setting(record, "warm_up") as f64, setting(record, "draws") as f64);
    let full = passes * warm_up / (warm_up + draws);
    let firefly = record.value("firefly/passes")?;
    Ok(Claim::printed(
        "firefly/setup",
        "Firefly needs roughly as many evaluations as full MCMC before its first sample",
        "as many",
    )
        .found(format!("{firefly:.2} passes for its whole chain, {full:.0} for the warm-up of NUTS on all rows"))
        .rule("reproduced if Firefly's mode, bounds and whole chain take at least half of the evaluations that the \
         warm-up of NUTS on all rows takes by its share of the iterations; else not")
        .judged(Verdict::of(firefly >= 0.5 * full), format!(
            "Mode, bounds and all iterations of Firefly take {firefly:.2} passes over the data; NUTS on all rows takes \
             about {full:.0} before its first draw, by {warm_up:.0} of {:.0} iterations.",
            warm_up + draws
        )))
}

/// Draws of θ against 1/q.
fn firefly_mixing(record: &Record) -> anyhow::Result<Claim> {
    let rows = record.data.first().map_or(f64::NAN, |data| data.rows as f64);
    let looked_at = record.settings.get("dark_rows_looked_at").and_then(|value| value.as_f64());
    let longest = (rows / looked_at.unwrap_or(f64::NAN)).max(10.0);
    let draws = setting(record, "firefly_draws") as f64;
    let effective = record.value("firefly/least effective draws")?;
    let time = draws / effective;
    let bright = record.value("firefly/bright rows")?;
    Ok(Claim::printed("firefly/mixing", "Firefly's mixing time is at least 1/q", format!("{longest:.0} iterations"))
        .found(format!("{time:.2} iterations per effective draw of the worst weight, 1/q = {longest:.0}"))
        .rule("reproduced if an effective draw of the worst weight takes at least 1/q iterations, q the probability \
         of looking at a dark row; else not")
        .judged(Verdict::of(time >= longest), format!(
            "With bounds that touch at the mode {bright:.2} rows are bright on average, and which they are hardly moves \
             the weights: {draws:.0} draws have {effective:.0} effective ones. The bound holds for the brightness \
             of a row, not for the parameters."
        )))
}
