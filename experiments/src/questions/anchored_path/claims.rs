//! What the record says of anchored paths.

use super::bad_anchors::OFF;
use super::exact::COUPLED;
use records::{Claim, Record, Table, Verdict};

const PROBLEMS: [&str; 4] = ["log-gaussian", "logistic", "heavy", "a9a"];
/// Effective draws for an interval of ± 0.02 posterior sds: (1.96 / 0.02)².
const EFFECTIVE: f64 = 9604.0;
/// Rows of the level that claims speak of, where it was looked at.
const ROWS: f64 = 1024.0;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![
        levels(record)?,
        slopes(record)?,
        few_passes(record, "logistic", "ten", logistic_rival(record))?,
        few_passes(record, "heavy", "21", heavy_rival(record)?)?,
        a9a(record)?,
        law(record)?,
        anchors(record)?,
        core(record)?,
        base(record)?,
        exact(record)?,
    ])
}

/// The numbers of a column in the rows of one problem.
fn of(table: &Table, problem: &str, column: &str) -> anyhow::Result<Vec<f64>> {
    let (names, values) = (table.words("problem")?, table.numbers(column)?);
    Ok((0..values.len()).filter(|&row| names[row] == problem).map(|row| values[row]).collect())
}

fn levels(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("levels")?;
    let (mut worst, mut lowest) = (0.0_f64, f64::INFINITY);
    let mut ours = Vec::new();
    for problem in PROBLEMS {
        let (rows, errors) = (of(table, problem, "rows")?, of(table, problem, "error")?);
        let place = rows.iter().position(|&rows| rows == ROWS).unwrap_or(rows.len() - 1);
        let all = record.value(&format!("{problem}/rows"))?;
        let floor = (all / rows[place] - 1.0).sqrt();
        (worst, lowest) = (worst.max(errors[place]), lowest.min(floor));
        ours.push(format!("{problem} {:.1e} (floor {floor:.1})", errors[place]));
    }
    Ok(Claim::ours(
        "ours/anchored-path-levels",
        "one anchored level of 1024 sampled rows comes to 0.05 posterior sds, where plain partial posteriors cannot \
         come nearer than five",
    )
        .found(ours.join("; "))
        .rule("reproduced if on all four problems the root mean square error of a level of 1024 rows against the last \
         level is at most 0.05 posterior sds and √(N/n − 1) is at least 5")
        .judged(Verdict::of(worst <= 0.05 && lowest >= 5.0), format!(
            "The worst of the four is {worst:.1e} posterior standard deviations off; the floor of plain partial posteriors \
             is nowhere below {lowest:.1}."
        )))
}

fn slopes(record: &Record) -> anyhow::Result<Claim> {
    let mut ours = Vec::new();
    let mut off = Vec::new();
    let mut rounding = Vec::new();
    for problem in PROBLEMS {
        for (what, theory) in [("level slope", 1.0), ("antithetic slope", 2.0)] {
            let Ok(slope) = record.quantity(&format!("{problem}/{what}")) else {
                let left = record.value(&format!("{problem}/largest increment"))?;
                rounding.push(format!("{problem} ({left:.0e} posterior sds)"));
                continue;
            };
            let bar = 2.26 * slope.error.unwrap_or(f64::NAN);
            ours.push(format!("{problem} {what} {:.2} ± {bar:.2}", slope.value));
            if (slope.value - theory).abs() > 0.2_f64.max(bar) {
                off.push(format!("{problem} ({what} {:.2})", slope.value));
            }
        }
    }
    Ok(Claim::ours(
        "ours/anchored-path-slopes",
        "squared errors of anchored levels fall like 1/n and those of antithetic increments like 1/n²",
    )
        .found(ours.join("; "))
        .rule("over the sizes at which every level keeps a quarter of its points: reproduced if all slopes are within \
         0.2 of theory, or within their 95 % interval if that is wider; under a stated reading if some increments are \
         below 1e-8 posterior sds, where they are rounding and have no slope; else not")
        .judged(Verdict::graded(off.is_empty() && rounding.is_empty(), off.is_empty()), format!(
            "{}{}",
            if off.is_empty() {
                "All slopes that can be measured are those of theory.".to_owned()
            } else {
                format!(
                    "Off: {}. A last level that is near makes slopes steeper: with n of N_rest rows the error is that of \
                     1/n − 1/N_rest.",
                    off.join(", ")
                )
            },
            if rounding.is_empty() {
                String::new()
            } else {
                format!(" Increments are rounding on {}.", rounding.join(" and "))
            }
        )))
}

/// What NUTS on all rows takes in passes for a variance of one squared posterior sd.
fn logistic_rival(record: &Record) -> Option<f64> {
    record.value("logistic/full-nuts/passes an effective draw").ok()
}

/// How many chains like the stored one an interval of ± 0.02 posterior sds takes.
pub(super) fn runs_of_the_chain(record: &Record) -> Option<f64> {
    let passes = record.value("logistic/full-nuts/passes").ok()?;
    Some(logistic_rival(record)? * EFFECTIVE / passes)
}

fn heavy_rival(record: &Record) -> anyhow::Result<Option<f64>> {
    Ok(Some(record.value("heavy/full-nuts/passes an effective draw")?))
}

fn few_passes(
    record: &Record,
    problem: &str,
    weights: &str,
    rival: Option<f64>,
) -> anyhow::Result<Claim> {
    let value = |what: &str| record.value(&format!("{problem}/{what}"));
    let largest = value("largest error in posterior sds")?;
    let claimed = 1.96 * value("standard error in posterior sds")?;
    let (passes, rows) = (value("passes")?, value("rows")?);
    let full = rival.map(|passes| passes * EFFECTIVE);
    let beside = full.map_or(
        "the chain on all rows is not stored here".to_owned(),
        |full| format!(
            "NUTS on all rows would take {full:.0} passes for an interval of ± 0.02, {:.0} times as many evaluations",
            full / passes
        ),
    );
    Ok(Claim::ours(
        format!("ours/anchored-path-{problem}"),
        format!(
            "all {weights} posterior means given {rows:.0} rows to 0.02 posterior sds from at most five passes and a hundredth, \
             without a pilot"
        ),
    )
        .found(format!("agrees with Laplace to the next order to {largest:.1e} sds, {passes:.2} passes"))
        .rule("reproduced if the largest error against Newton and Laplace over all rows, and half the 95 % interval, \
         are below 0.02 posterior sds, at no more than 5.01 N evaluations in all")
        .judged(Verdict::of(largest < 0.02 && claimed < 0.02 && passes <= 5.01), format!(
            "{passes:.2} passes agree with Laplace to the next order, which ours/laplace-truth is about, to \
             {largest:.1e} posterior standard deviations in every weight, and the interval claims ± {claimed:.1e}; {beside}, by the effective draws that a chain really gave."
        )))
}

fn a9a(record: &Record) -> anyhow::Result<Claim> {
    let value = |what: &str| record.value(&format!("a9a/{what}"));
    let largest = value("largest error in posterior sds")?;
    let claimed = value("standard error in posterior sds")?;
    let spent = value("set-up cost")? + value("total cost")?;
    let share = |name: &str| -> anyhow::Result<f64> {
        let unit = value(&format!("{name}/evaluations for one sd squared"))?;
        Ok(spent * claimed.powi(2) / unit)
    };
    let (leapfrog, kinked) = (share("leapfrog")?, share("kinked")?);
    Ok(Claim::ours(
        "ours/anchored-path-a9a",
        "all 124 posterior means of a9a to 0.05 posterior sds from at most a tenth of the evaluations of whitened \
         full NUTS for the same accuracy",
    )
        .found(format!(
            "largest error {largest:.3} sds, {leapfrog:.3} of the evaluations by leapfrogs, {kinked:.3} of those through kinks"
        ))
        .rule("reproduced if the largest error against long chains on all rows is below 0.05 posterior sds, with at \
         most a tenth of the evaluations that NUTS in the frame of the Laplace approximation, by leapfrogs, takes for \
         the same root mean square standard error")
        .judged(Verdict::of(largest < 0.05 && leapfrog <= 0.1), format!(
            "{spent:.2e} evaluations, no pilot, leave at most {largest:.3} posterior standard deviations in any weight, the \
             reference's own noise included, and claim {claimed:.4} (root mean square). NUTS on all rows takes {:.0} times \
             as many for that by leapfrogs and {:.0} times as many through the kinks.",
            1.0 / leapfrog,
            1.0 / kinked
        )))
}

fn law(record: &Record) -> anyhow::Result<Claim> {
    let (mut work, mut variance) = (0.0_f64, 0.0_f64);
    let mut ours = Vec::new();
    for problem in PROBLEMS {
        let value =
            |what: &str| record.value(&format!("{problem}/corrections' share of the {what}"));
        (work, variance) = (work.max(value("cost")?), variance.max(value("variance")?));
        ours.push(format!("{problem} {:.2} and {:.1e}", value("cost")?, value("variance")?));
    }
    Ok(Claim::ours(
        "ours/anchored-path-law",
        "a law without a pilot costs at most a quarter more work and a quarter of the variance",
    )
        .found(format!("share of the first level's work, and of the variance: {}", ours.join("; ")))
        .rule("reproduced if on all four problems corrections cost at most a quarter of the first level and, by \
         increments measured apart, hold at most a quarter of the variance")
        .judged(Verdict::of(work <= 0.25 + 1e-9 && variance <= 0.25), format!(
            "Corrections cost {:.0} % of the first level, by construction, and hold at most {:.1} % of the variance, the \
             rounding of increments that are nothing else included: where they are worth next to nothing the path could \
             stop at its first level, and the price is that of having no pilot to say so.",
            100.0 * work,
            100.0 * variance
        )))
}

fn anchors(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("anchors")?;
    let mut ours = Vec::new();
    let mut bad = Vec::new();
    for problem in PROBLEMS {
        let errors = of(table, problem, "error")?;
        let shares = of(table, problem, "effective_share")?;
        anyhow::ensure!(errors.len() == OFF.len(), "the record has no anchors off for {problem}");
        if !(errors[2] <= 0.1 && shares[2] >= 0.25) {
            let share = 100.0 * shares[2];
            bad.push(format!("{problem} errs by {:.2} and keeps {share:.0} %", errors[2]));
        }
        let each = OFF.iter().zip(&errors).map(|(off, error)| format!("{off:.0}: {error:.1e}"));
        ours.push(format!("{problem} {}", each.collect::<Vec<_>>().join(" ")));
    }
    Ok(Claim::ours(
        "ours/anchored-path-anchors",
        "an anchor two posterior sds off still gives levels to a tenth of a posterior sd",
    )
        .found(format!("sds off and error of a level of 1024 rows: {}", ours.join("; ")))
        .rule("reproduced if with an anchor whose farthest weight is two posterior sds off a level of 1024 rows errs \
         by at most 0.1 posterior sds and keeps a quarter of its points, on all problems looked at")
        .judged(Verdict::of(bad.is_empty()), format!(
            "{} Errors hold the noise of the points. Steps in many weights add up, which is why anchors are refined until \
             Newton's step is below a tenth of a posterior sd.",
            if bad.is_empty() {
                "Two sds do no harm.".to_owned()
            } else {
                format!("Two sds off, {}.", bad.join(", "))
            }
        )))
}

fn core(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("cores")?;
    let (cores, rows) = (table.numbers("core")?, table.numbers("rows")?);
    let (errors, last) = (table.numbers("error")?, table.numbers("last_share")?);
    let at = |row: &usize| rows[*row] == ROWS;
    let each: Vec<String> = (0..rows.len())
        .filter(at)
        .map(|row| format!("{:.0}: {:.3} ({:.0} %)", cores[row], errors[row], 100.0 * last[row]))
        .collect();
    let enough = (0..rows.len()).filter(at).find(|&row| errors[row] <= 0.05 && last[row] >= 0.5);
    let least = enough.map_or(f64::INFINITY, |row| cores[row]);
    Ok(Claim::ours("ours/anchored-path-core", "a9a needs a core, and one of at most 2000 of its 32 561 rows is enough")
        .found(format!("core: error of a level of 1024 rows (effective points at the last level) {}", each.join("; ")))
        .rule("reproduced if the smallest core of those tried that leaves at most 0.05 posterior sds at 1024 sampled \
         rows, with half of the points effective at the last level, has between 1 and 2000 rows")
        .judged(Verdict::of((1.0..=2000.0).contains(&least)), format!("The smallest core tried that is enough has {least:.0} rows.")))
}

fn base(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("base-noise")?;
    let column = |name: &str| table.numbers(name);
    let draws = column("draws")?;
    let (base, helped) = (column("base")?, column("base_controlled")?);
    let (last, last_helped) = (column("last_level")?, column("last_level_controlled")?);
    let each: Vec<String> = (0..draws.len())
        .map(|row| {
            format!(
                "{:.0} draws: base {:.4}, with {:.4}; last level {:.4}, with {:.4}",
                draws[row], base[row], helped[row], last[row], last_helped[row]
            )
        })
        .collect();
    let ratio = |row: usize| (base[row] / helped[row]).powi(2);
    let least = (0..draws.len()).map(ratio).fold(f64::INFINITY, f64::min);
    let kept = (0..draws.len()).map(|row| (last[row] / last_helped[row]).powi(2));
    let kept = kept.fold(f64::INFINITY, f64::min);
    Ok(Claim::ours(
        "ours/anchored-path-base",
        "control variates halve the variance that the base's own Monte Carlo error adds on a9a",
    )
        .found(each.join("; "))
        .rule("reproduced if at every length of the chain the variance of the base's means, root mean square over \
         weights, is at most half with control variates")
        .judged(Verdict::of(least >= 2.0), format!(
            "Control variates make the variance of the base {least:.1} times smaller at least, and that of the last level, \
             where uneven weights add noise that the shift does not see, {kept:.1} times."
        )))
}

fn exact(record: &Record) -> anyhow::Result<Claim> {
    let enumerated = record.value("exact/enumeration to 1e-12")? == 1.0;
    let table = record.table("exact")?;
    let (names, off) = (table.words("levels")?, table.numbers("bias_errors")?);
    let sds = table.numbers("bias_sds")?;
    let coupled = names
        .iter()
        .position(|name| name == COUPLED)
        .ok_or_else(|| anyhow::anyhow!("the record has no {COUPLED}"))?;
    let each: Vec<String> = (0..names.len())
        .map(|row| {
            format!("{} {:+.4} sds ({:+.1} standard errors)", names[row], sds[row], off[row])
        })
        .collect();
    let fewest = coupled + 1;
    let right = enumerated && off[coupled].abs() < 4.0;
    // The bias that coupled chains are there to remove, and four standard errors of what they leave.
    let seen = 4.0 * (sds[coupled] / off[coupled]).abs();
    let told = seen <= sds[fewest].abs();
    Ok(Claim::ours(
        "ours/anchored-path-exact",
        "anchored paths are exact: enumerated over all orders of the rows, and unbiased with coupled chains inside",
    )
        .found(format!("bias {}", each.join("; ")))
        .rule("reproduced if the mean over all orders of seven rows and all depths is the last level on the same \
         points to 1e-12 for every form, and with coupled chains the mean for 256 rows lies within four standard \
         errors of the closed form (a false alarm once in sixteen thousand runs), which together must be smaller than \
         the bias of self-normalised weights of the fewest points; under the reading that the enumeration is enough, \
         if they are larger; else not")
        .judged(Verdict::graded(right && told, right), format!(
            "Four standard errors of the coupled chains are {seen:.3} posterior sds, {} than the bias that they would have \
             to exclude. Coupled chains are {:+.1} standard errors off; self-normalised weights of {}, with as many replicates, {:+.1}: \
             {:+.4} posterior standard deviations that no replicate takes away, and that more points do.",
            if told { "less" } else { "more" },
            off[coupled],
            names[fewest],
            off[fewest],
            sds[fewest]
        ))
        .formerly("the same whatever the standard error", Verdict::of(right)))
}
