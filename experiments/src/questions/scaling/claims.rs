//! What the record says of costs that do not grow, or grow with the data alone.

use super::RELATIVE;
use records::{Claim, Record, Verdict};

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![product(record)?, passes(record)?, workers(record)?, firefly(record)?])
}

fn product(record: &Record) -> anyhow::Result<Claim> {
    let slope = |method: &str| -> anyhow::Result<(f64, f64)> {
        let slope = record.quantity(&format!("{method}/slope of work times variance"))?;
        Ok((slope.value, 1.96 * slope.error.unwrap_or(f64::NAN)))
    };
    let (ours, bar) = slope("antithetic-single-term")?;
    let (paper, paper_bar) = slope("coupled-sum")?;
    Ok(Claim::ours("ours/scaling-product", "work × variance of the antithetic single term does not grow with the data")
        .found(format!("slope {ours:.3} ± {bar:.3}; the paper's estimator {paper:.3} ± {paper_bar:.3}"))
        .rule("reproduced if the slope of ln work × variance in ln N, from 10⁵ to 10⁸ rows, is within 0.1 of zero; \
         under a stated reading if only its 95 % interval reaches there")
        .judged(Verdict::graded(ours.abs() <= 0.1, ours.abs() - bar <= 0.1), format!(
            "From 10⁵ to 10⁸ log-Gaussian rows work × variance goes like N^{ours:.2} for the antithetic single term and \
             like N^{paper:.2} for the paper's coupled sum under its law."
        )))
}

fn passes(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("relative")?;
    let (methods, rows, spent) =
        (table.words("method")?, table.numbers("rows")?, table.numbers("evaluations")?);
    let largest = rows.iter().copied().fold(0.0, f64::max);
    let at_largest = |method: &str| {
        let own = (0..rows.len()).filter(|&row| methods[row] == method && rows[row] == largest);
        own.map(|row| spent[row] / rows[row]).next()
    };
    let anchored = at_largest("anchored").unwrap_or(f64::NAN);
    let slope = record.value("anchored/slope of the cost")?;
    let others: Vec<String> = [("full-nuts", "NUTS"), ("firefly", "Firefly")]
        .iter()
        .filter_map(|(method, name)| Some(format!("{name} {:.0}", at_largest(method)?)))
        .collect();
    let beside = if others.is_empty() {
        "the chains on so many rows are not stored here".to_owned()
    } else {
        format!("beside it {} passes", others.join(", "))
    };
    Ok(Claim::ours(
        "ours/scaling-passes",
        format!("{RELATIVE} posterior sds cost the anchored path a few passes, however many rows there are"),
    )
        .found(format!("{anchored:.2} passes at {largest:.0e} rows, slope of the cost {slope:.3}"))
        .rule("reproduced if at the most rows the anchored path takes at most five passes and its cost grows with a \
         slope of at most 1.1")
        .judged(Verdict::of(anchored <= 5.0 && slope <= 1.1), format!(
            "At {largest:.0e} rows {anchored:.2} passes are enough for {RELATIVE} posterior standard deviations; {beside}."
        )))
}

fn workers(record: &Record) -> anyhow::Result<Claim> {
    let most = |method: &str| record.value(&format!("{method}/largest speed-up"));
    let (paper, ours, anchored) =
        (most("coupled-sum")?, most("antithetic-single-term")?, most("anchored")?);
    Ok(Claim::ours("ours/scaling-workers", "antithetic single terms keep more workers busy than the paper's estimator")
        .found(format!("at most {ours:.1} times faster against {paper:.1}; anchored {anchored:.0}"))
        .rule("reproduced if on up to 10 000 workers, by measured costs, the largest speed-up of the antithetic \
         single term is at least twice that of the coupled sum")
        .judged(Verdict::of(ours >= 2.0 * paper), format!(
            "However many workers there are, all wait for the deepest replicate: {paper:.1} times faster than one worker \
             for the paper's 1000 replicates, {ours:.1} for ours, {anchored:.0} on the anchored path."
        )))
}

/// The paper's: Firefly's cost against the rows.
fn firefly(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("relative")?;
    let (methods, rows) = (table.words("method")?, table.numbers("rows")?);
    let spent = table.numbers("evaluations")?;
    let own: Vec<usize> = (0..rows.len()).filter(|&row| methods[row] == "firefly").collect();
    let slope =
        |from: usize, to: usize| (spent[to] / spent[from]).ln() / (rows[to] / rows[from]).ln();
    let slopes: Vec<f64> = own.windows(2).map(|pair| slope(pair[0], pair[1])).collect();
    let (first, last) =
        (slopes.first().copied().unwrap_or(f64::NAN), slopes.last().copied().unwrap_or(f64::NAN));
    let all: Vec<String> = slopes.iter().map(|slope| format!("{slope:.2}")).collect();
    let linear = |slope: &f64| (slope - 1.0).abs() <= 0.1;
    Ok(Claim::printed("firefly/linear", "Firefly's cost is linear in the number of rows", "slope 1")
        .found(format!("slopes from each number of rows to the next, ten times as many: {}", all.join(", ")))
        .rule("reproduced if the evaluations for a fixed error in posterior sds grow with a slope within 0.1 of one \
         between all numbers of rows, from 10⁴ on; under the reading that the set-up counts once it is most of the \
         cost, if between the last two; else not")
        .judged(Verdict::graded(slopes.iter().all(linear), linear(&last)), format!(
            "With as many dark rows looked at whatever N is, an iteration's cost does not grow, and the slope is \
             {first:.2} at first; mode and bounds are passes over all rows, which take over in the end: {last:.2}."
        )))
}
