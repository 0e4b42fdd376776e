//! What the record says of the paper's claims about Figure 7.

use crate::reading::setting;
use debias::Summary;
use records::{Claim, Record, Verdict};

const PRINTED_DEBIASED: f64 = 27.9;
const PRINTED_RIVAL: f64 = 32.6;
const PRINTED_BATCH: f64 = 2773.0;
const REPLICATES: f64 = 100.0;
const RIVAL_ROWS: f64 = 1e6;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![rmse(record)?, thousand(record)?, constant(record)?, cheaper(record)?])
}

/// The paper's numbers are about its own flights, and other flights are no test of them.
fn on_its_flights(record: &Record, holds: bool) -> anyhow::Result<Verdict> {
    let of_paper = record.value("is 2008")? == 1.0;
    Ok(if of_paper { Verdict::of(holds) } else { Verdict::NotTestableHere })
}

/// How a comparison was judged before: on other flights it could hold under that reading.
const BEFORE: &str = "the same comparison on whatever flights there are, under a stated reading on others than \
                      the paper's";

/// The verdict of that.
fn before(record: &Record, holds: bool) -> anyhow::Result<Verdict> {
    Ok(Verdict::graded(holds && record.value("is 2008")? == 1.0, holds))
}

fn data(record: &Record) -> &str {
    record.data.first().map_or("", |data| data.name.as_str())
}

fn rmse(record: &Record) -> anyhow::Result<Claim> {
    let debiased = record.quantity("coupled-sum/rmse")?;
    let error = debiased.error.unwrap_or(f64::NAN);
    let ours = record.value("antithetic-single-term/rmse")?;
    let rival = record.quantity("gp-svi/rmse")?;
    let rival_error = rival.error.unwrap_or(f64::NAN);
    let all = record.value("all-rows/rmse")?;
    let below = debiased.value + 1.96 * error.hypot(rival_error) < rival.value;
    let printed = below && debiased.value + 1.96 * error < PRINTED_DEBIASED;
    let formerly = below && (record.value("is 2008")? == 0.0 || printed);
    let rival = rival.value;
    Ok(Claim::printed(
        "airline/rmse",
        "debiased predictions err by less than 27.9 minutes, GP-SVI by 32.6",
        format!("{PRINTED_DEBIASED} against {PRINTED_RIVAL}"),
    )
        .found(format!(
            "{:.2} ± {:.2} against {rival:.2} ± {:.2}",
            debiased.value,
            1.96 * error,
            1.96 * rival_error
        ))
        .rule("reproduced if the paper's estimator errs by less than 27.9 minutes and by less than GP-SVI, 1.96 joint \
         standard errors included; not testable on other flights than the paper's")
        .judged(on_its_flights(record, printed)?, format!(
            "On {}: debiased {:.2}, our estimator {ours:.2}, regression on all rows {all:.2}, GP-SVI {rival:.2} \
             minutes. No unbiased estimate of the regression can beat the regression itself.",
            data(record),
            debiased.value
        ))
        .formerly(BEFORE, before(record, formerly)?))
}

fn thousand(record: &Record) -> anyhow::Result<Claim> {
    let batch = record.quantity("batch 1000/rmse")?;
    let rival = record.quantity("gp-svi/rmse")?;
    let error = batch.error.unwrap_or(f64::NAN).hypot(rival.error.unwrap_or(f64::NAN));
    let (rival, below) = (rival.value, batch.value + 1.96 * error < rival.value);
    Ok(Claim::printed(
        "airline/1000",
        "1000 rows already predict slightly better than GP-SVI",
        format!("below {PRINTED_RIVAL}"),
    )
        .found(format!("{:.2} against {rival:.2}", batch.value))
        .rule("reproduced if the mean error of one batch of 1000 rows, 1.96 joint standard errors included, is below \
         GP-SVI's; not testable on other flights than the paper's")
        .judged(on_its_flights(record, below)?, format!(
            "On {}: one batch of 1000 rows errs by {:.2} minutes, GP-SVI by {rival:.2}.",
            data(record),
            batch.value
        ))
        .formerly(BEFORE, before(record, below)?))
}

fn constant(record: &Record) -> anyhow::Result<Claim> {
    let debiased = record.quantity("coupled-sum/rmse")?;
    let constant = record.quantity("constant-batch/rmse")?;
    let ours = record.quantity("antithetic-single-term/rmse")?;
    let batch = record.value("constant-batch/batch")?;
    let replicates = setting(record, "replicates");
    let table = record.table("running")?;
    let (seen, errors) = (table.numbers("replicates")?, table.numbers("rmse")?);
    let last = |method: &str| -> anyhow::Result<Vec<f64>> {
        let words = table.words("method")?;
        let rows = (0..seen.len()).filter(|&row| words[row] == method);
        Ok(rows.filter(|&row| seen[row] == replicates as f64).map(|row| errors[row]).collect())
    };
    // Methods share the basis of a repetition, so differences are taken repetition by repetition.
    let pairs = last("coupled-sum")?.into_iter().zip(last("constant-batch")?);
    let difference = Summary::of(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>())?;
    let better = difference.interval.high < 0.0;
    Ok(Claim::printed(
        "airline/constant",
        "debiasing predicts better than averaged constant batches of equal cost",
        "better",
    )
        .found(format!(
            "{:.2} against {:.2}; difference {:.2} ({:.2} to {:.2})",
            debiased.value,
            constant.value,
            difference.mean,
            difference.interval.low,
            difference.interval.high
        ))
        .rule("reproduced if the 95 % interval of the difference, repetition by repetition, lies below zero; not \
         testable on other flights than the paper's")
        .judged(on_its_flights(record, better)?, format!(
            "On {} after {replicates} replicates: debiased {:.2}, our estimator {:.2}, constant batches of {batch:.0} rows \
             {:.2} minutes.",
            data(record), debiased.value, ours.value, constant.value
        ))
        .formerly(BEFORE, before(record, better)?))
}

fn cheaper(record: &Record) -> anyhow::Result<Claim> {
    let printed = RIVAL_ROWS / (REPLICATES * PRINTED_BATCH);
    let rows = record.value("gp-svi/rows")? / record.value("coupled-sum/rows")?;
    let operations = record.value("gp-svi/operations")? / record.value("coupled-sum/operations")?;
    Ok(Claim::printed("airline/cheaper", "debiasing costs an order of magnitude less than GP-SVI", "10 times")
        .found(format!(
            "{printed:.1} times by the printed rows; {rows:.1} in rows and {operations:.1} in operations here"
        ))
        .rule("reproduced if the measured rows differ by a factor of eight or more; else wrong as printed if the \
         printed rows do not either, and not reproduced if they do")
        .judged(match (rows >= 8.0, printed >= 8.0) {
            (true, _) => Verdict::Reproduced,
            (false, false) => Verdict::WrongAsPrinted,
            (false, true) => Verdict::NotReproduced,
        }, format!(
            "100 replicates of 2773 rows are {printed:.1} times fewer than a million, and every level of a replicate \
             reads its rows again: {rows:.1} times fewer rows in our run, {operations:.1} times fewer operations of \
             linear algebra."
        )))
}
