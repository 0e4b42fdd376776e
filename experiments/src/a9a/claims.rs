//! What the record says of the paper's claims about Figure 9.

use debias::{Summary, quantile};
use records::{Claim, Record, Verdict};

const PRINTED_REPLICATE: f64 = 100.0;
const PRINTED_ITERATIONS: f64 = 40.0;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![stable(record)?, full_draw(record)?, days(record)?, bfgs(record)?])
}

fn stable(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("convergence")?;
    let (rows, values) = (table.numbers("rows")?, table.numbers("weight")?);
    let errors = table.numbers("error")?;
    let weights = record.table("weights")?;
    let truth = weights.numbers("mean")?[0];
    let mut sizes = rows.clone();
    sizes.dedup();
    let at = |size: f64, values: &[f64]| -> anyhow::Result<Summary> {
        let at: Vec<f64> =
            (0..rows.len()).filter(|&row| rows[row] == size).map(|row| values[row]).collect();
        Ok(Summary::of(&at)?)
    };
    let first = (at(sizes[0], &values)?.mean - truth).abs();
    let mut settled = f64::INFINITY;
    for &size in sizes.iter().rev() {
        let mean = at(size, &values)?;
        if (mean.mean - truth).abs() > 0.2 * first + 2.0 * mean.standard_error {
            break;
        }
        settled = size;
    }
    let near = sizes.iter().copied().find(|&size| size >= 1000.0).unwrap_or(f64::INFINITY);
    let left = at(near, &errors).map_or(f64::NAN, |summary| summary.mean);
    Ok(Claim {
        id: "a9a/stable".to_owned(),
        statement: "partial posterior statistics settle from about 1000 rows".to_owned(),
        printed: "1000 rows".to_owned(),
        ours: format!("β₁ from {settled:.0} rows on; all weights are then {left:.1} posterior sds off"),
        rule: "reproduced if from at most 2035 rows (the level next to 1000) on the mean of β₁ over trials stays within \
               a fifth of its first error, and two standard errors, of the full posterior mean"
            .to_owned(),
        verdict: if settled <= 2035.0 { Verdict::Reproduced } else { Verdict::NotReproduced },
        sentence: format!(
            "The mean of β₁ over batches settles from {settled:.0} rows on, but one batch of {near:.0} rows leaves all \
             weights {left:.1} posterior standard deviations away, root mean square."
        ),
    })
}

fn full_draw(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("repetitions")?;
    let waits = table.numbers("replicates")?;
    let errors = table.numbers("error")?;
    let chance = record.value("chance of the full data")?;
    // P(first full draw ≤ r) = 1 − (1 − p)^r.
    let by = 1.0 - (1.0 - chance).powf(PRINTED_REPLICATE);
    let (low, median, high) =
        (quantile(&waits, 0.025), quantile(&waits, 0.5), quantile(&waits, 0.975));
    let left = quantile(&errors, 0.5);
    let usual = (0.025..=0.975).contains(&by);
    Ok(Claim {
        id: "a9a/full-draw".to_owned(),
        statement: "the full data is drawn around replicate 100, with the estimate not yet converged".to_owned(),
        printed: "100".to_owned(),
        ours: format!("median {median:.0} of {} runs ({low:.0} to {high:.0})", waits.len()),
        rule: "reproduced if 100 lies in the middle 95 % of the law of the first full draw, and half of the repetitions \
               are then more than one posterior sd from the truth, root mean square over the weights"
            .to_owned(),
        verdict: if usual && left > 1.0 { Verdict::Reproduced } else { Verdict::NotReproduced },
        sentence: format!(
            "The full data is drawn by replicate 100 in {:.0} % of runs, after {median:.0} in the median of ours; the \
             estimates are then {left:.1} posterior standard deviations off (median of repetitions).",
            100.0 * by
        ),
    })
}

fn days(record: &Record) -> anyhow::Result<Claim> {
    let rows = record.data.first().map_or(f64::NAN, |data| data.rows as f64);
    let evaluations = record.value("full-nuts/total cost")?;
    let gradients = evaluations / rows;
    let effective = record.value("full-nuts/least effective draws")?;
    // At ten million rows a second, which a plain loop reaches on one core of any recent machine.
    let seconds = evaluations / 1e7;
    Ok(Claim {
        id: "a9a/days".to_owned(),
        statement: "full posterior sampling takes days".to_owned(),
        printed: "days".to_owned(),
        ours: format!("{gradients:.0} gradients, least effective draws {effective:.0} of 500"),
        rule: "not reproduced if a chain of 100 + 500 iterations takes less than an hour at ten million rows a second"
            .to_owned(),
        verdict: if seconds < 3600.0 { Verdict::NotReproduced } else { Verdict::Reproduced },
        sentence: format!(
            "NUTS in the metric of the Laplace approximation takes {gradients:.0} gradients for 600 iterations: \
             {seconds:.0} seconds at ten million rows a second."
        ),
    })
}

fn bfgs(record: &Record) -> anyhow::Result<Claim> {
    let iterations = record.value("mode/iterations")?;
    let near = record.value("mode/iterations to within one")?;
    let like = |iterations: f64| (0.5..=2.0).contains(&(iterations / PRINTED_ITERATIONS));
    Ok(Claim {
        id: "a9a/bfgs".to_owned(),
        statement: "the mode takes about 40 iterations of BFGS".to_owned(),
        printed: "40".to_owned(),
        ours: format!("{iterations:.0}; {near:.0} to a log density within one of the best"),
        rule: "reproduced if L-BFGS ends within a factor of two of 40 iterations at customary tolerances (gradient 1e-5, \
               gain 1e-9); under a stated reading if it comes within one of the best log density by then"
            .to_owned(),
        verdict: match (like(iterations), like(near)) {
            (true, _) => Verdict::Reproduced,
            (false, true) => Verdict::ReproducedUnderReading,
            (false, false) => Verdict::NotReproduced,
        },
        sentence: format!(
            "L-BFGS ends after {iterations:.0} iterations, held up by the kinks of the prior; {near:.0} bring the log \
             density within one of the best found."
        ),
    })
}
