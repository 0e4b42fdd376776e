//! What the record says of the paper's claims about Figure 9.

use super::ALPHA;
use crate::reading::{all_rows, by_size, setting, settled};
use debias::{Schedule, Summary, Truncation, quantile};
use records::{Claim, Record, Verdict};

const PRINTED_REPLICATE: f64 = 100.0;
/// First batches that the paper may have used; it prints none.
const FIRST_BATCHES: [usize; 6] = [62, 125, 250, 500, 1000, 2000];
/// What "stable" allows, in posterior sds, and the most noise with which that can be told.
const TOLERANCE: f64 = 0.25;
const MOST_NOISE: f64 = 0.6;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![stable(record)?, full_draw(record)?, days(record)?, small(record)?, anchored(record)?])
}

fn stable(record: &Record) -> anyhow::Result<Claim> {
    let weights = record.table("weights")?;
    let (truth, sd) = (weights.numbers("mean")?[0], weights.numbers("sd")?[0]);
    let sizes = by_size(record, "weight")?;
    let off = |at: &Summary| (at.mean - truth).abs() / sd;
    let noise = |at: &Summary| 2.0 * at.standard_error / sd;
    let settled_at =
        settled(&sizes, |at| off(at) <= TOLERANCE + noise(at) && noise(at) <= MOST_NOISE);
    let farthest = sizes.iter().map(|(_, at)| off(at)).fold(0.0, f64::max);
    let noisiest = sizes.iter().map(|(_, at)| noise(at)).fold(0.0, f64::max);
    let first = (sizes[0].1.mean - truth).abs();
    let thirds = |at: &Summary| (at.mean - truth).abs() + 2.0 * at.standard_error <= first / 3.0;
    let formerly = settled(&sizes, thirds) <= 2035.0;
    let errors = by_size(record, "error")?;
    let at = errors.iter().find(|(size, _)| *size >= 1000.0);
    let (near, left) = at.map_or((f64::INFINITY, f64::NAN), |(size, error)| (*size, error.mean));
    Ok(Claim::printed("a9a/stable", "partial posterior statistics settle from about 1000 rows", "1000 rows")
        .found(format!(
            "β₁ from {settled_at:.0} rows on; its mean over trials is at most {farthest:.2} posterior sds off at any \
             size, with a noise of at most {noisiest:.2}"
        ))
        .rule("reproduced if from at most 1017 rows (the level next to 1000) on the mean of β₁ over trials lies \
         within 0.25 posterior sds of the full posterior mean, beyond two of its own standard errors, which must not \
         exceed 0.6 posterior sds")
        .judged(Verdict::of(settled_at <= 1017.0), format!(
            "The mean of β₁ over batches is settled from {settled_at:.0} rows on, but one batch of {near:.0} rows leaves \
             all weights {left:.1} posterior standard deviations away, root mean square."
        ))
        .formerly("from 2035 rows on within a third of the first error, which is itself noise", Verdict::of(formerly)))
}

fn full_draw(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("repetitions")?;
    let waits = table.numbers("replicates")?;
    let errors = table.numbers("error")?;
    let (low, high) = (quantile(&waits, 0.025), quantile(&waits, 0.975));
    let left = quantile(&errors, 0.5);
    let formerly = (low..=high).contains(&PRINTED_REPLICATE) && left > 1.0;
    let rows = all_rows(record) as usize;
    let (mut told, mut usual) = (Vec::new(), Vec::new());
    for first in FIRST_BATCHES {
        let levels = Schedule::halving(rows, first)?.levels();
        // P(first full draw ≤ r) = 1 − (1 − p)^r.
        let missed = 1.0 - Truncation::geometric(ALPHA, levels)?.mass(levels);
        let wait = |share: f64| (1.0 - share).ln() / missed.ln();
        let [low, median, high] = [0.25, 0.5, 0.75].map(wait);
        told.push(format!("a = {first}: {median:.0} ({low:.0} to {high:.0})"));
        if (low..=high).contains(&PRINTED_REPLICATE) {
            usual.push(format!("{first}"));
        }
    }
    // The standard error of so many replicates as the printed wait, from that of all of ours.
    let replicates = record.table("coupled-sum")?.numbers("depth")?.len() as f64;
    let error = record.value("coupled-sum/standard error in posterior sds")?
        * (replicates / PRINTED_REPLICATE).sqrt();
    Ok(Claim::printed(
        "a9a/full-draw",
        "the full data is drawn around replicate 100, with the estimate not yet converged",
        "100",
    )
        .found(format!("median wait (middle half) for {}", told.join("; ")))
        .rule("neither a nor α is printed, so reproduced at most under a reading: if, by the exact geometric law of \
         the wait at α = 1, 100 lies in its middle half for some a of 62, 125, 250, 500, 1000 and 2000, and the \
         standard error of 100 replicates is above 0.1 posterior sds, root mean square over the weights")
        .judged(Verdict::graded(false, !usual.is_empty() && error > 0.1), format!(
            "Replicate 100 is a usual wait for a = {}. A hundred replicates of ours with a = 1000 have a standard error \
             of {error:.2} posterior sds; {} of them, each stopped at its own first full draw, were {left:.1} off in the \
             median.",
            if usual.is_empty() { "none of these".to_owned() } else { usual.join(" and ") },
            waits.len()
        ))
        .formerly("100 within 95 % of the waits of our runs with a = 1000 alone", Verdict::graded(false, formerly)))
}

fn days(record: &Record) -> anyhow::Result<Claim> {
    let evaluations = record.value("full-nuts/total cost")?;
    let gradients = evaluations / all_rows(record);
    let effective = record.value("full-nuts/least effective draws")?;
    let (warm_up, draws) = (setting(record, "warm_up"), setting(record, "draws"));
    // At ten million rows per second, which a plain loop reaches on one core of any recent machine.
    let seconds = evaluations / 1e7;
    Ok(Claim::printed("a9a/days", "full posterior sampling takes days", "days")
        .found(format!("{gradients:.0} gradients, least effective draws {effective:.0} of {draws}"))
        .rule("not reproduced if a chain of 100 + 500 iterations takes less than an hour at ten million rows a second")
        .judged(if seconds < 3600.0 { Verdict::NotReproduced } else { Verdict::Reproduced }, format!(
            "NUTS in the metric of the Laplace approximation takes {gradients:.0} gradients for {} iterations: \
             {seconds:.0} seconds at ten million rows a second.",
            warm_up + draws
        )))
}

/// Error per evaluation of debiasing and of NUTS on all rows.
fn small(record: &Record) -> anyhow::Result<Claim> {
    let error = record.value("coupled-sum/standard error in posterior sds")?;
    let spent = record.value("coupled-sum/total cost")?;
    let full =
        record.value("reference/total cost")? / record.value("reference/mean effective draws")?;
    let times = error.powi(2) * spent / full;
    Ok(Claim::printed("small/mcmc", "on small data debiasing does not beat full MCMC for the same work", "not beaten")
        .found(format!("{times:.0} times the evaluations of NUTS for the same standard error"))
        .rule("reproduced if the paper's estimator takes more evaluations than NUTS on all rows for the same standard \
         error, root mean square over the weights; else not")
        .judged(Verdict::of(times > 1.0), format!(
            "For the same standard error the paper's estimator takes {times:.0} times the evaluations of NUTS on all rows."
        )))
}

/// Ours: all 124 means for a share of what full NUTS costs.
fn anchored(record: &Record) -> anyhow::Result<Claim> {
    let largest = record.value("anchored/largest error in posterior sds")?;
    let rms = record.value("anchored/rms error in posterior sds")?;
    let spent = record.value("anchored/set-up cost")? + record.value("anchored/total cost")?;
    let claimed = record.value("anchored/standard error in posterior sds")?;
    // Full NUTS comes to 1/√ESS posterior sds: what the same standard error would cost it.
    let draws = record.value("reference/mean effective draws")?;
    let full = record.value("reference/total cost")? / draws / claimed.powi(2);
    let share = spent / full;
    Ok(Claim::ours(
        "ours/anchored-a9a",
        "anchored paths find all 124 posterior means to 0.05 posterior sds from at most a tenth of the evaluations of \
         full NUTS",
    )
        .found(format!("largest error {largest:.3} sds, {share:.2} of the evaluations"))
        .rule("reproduced if the largest error against long chains on all rows is below 0.05 posterior sds, with at \
         most a tenth of the evaluations that those chains would need for the same standard error; under a stated \
         reading if only the second fails")
        .judged(Verdict::graded(largest < 0.05 && share <= 0.1, largest < 0.05), format!(
            "The largest error of 124 means is {largest:.3} posterior standard deviations (root mean square {rms:.3}, the \
             chains' own noise included), from {share:.2} of the evaluations that NUTS on all rows, itself through the \
             kinks, takes for as small a standard error."
        )))
}
