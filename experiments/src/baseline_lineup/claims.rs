//! Who errs least, who is biased, whose intervals hold.

use records::{Claim, Record, Table, Verdict};

/// Problems as tables name them and as people do.
const PROBLEMS: [(&str, &str); 2] =
    [("logistic", "logistic regression"), ("log-gaussian", "log-Gaussian")];
/// Unbiased, or biased by no more than finite chains or particles leave.
const EXACT: [&str; 7] = [
    "coupled-sum",
    "antithetic-single-term",
    "anchored",
    "full-nuts",
    "firefly",
    "zig-zag",
    "ibis",
];
/// Standard errors of a bias that is no accident.
const CLEAR: f64 = 4.0;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let rows = Row::all(record.table("lineup")?)?;
    Ok(vec![least(&rows), bias(&rows), plain(&rows), coverage(record)?])
}

struct Row {
    problem: String,
    method: String,
    passes: f64,
    rmse: f64,
    bias: f64,
    noise: f64,
}

impl Row {
    fn all(table: &Table) -> anyhow::Result<Vec<Row>> {
        let (problems, methods) = (table.words("problem")?, table.words("method")?);
        let (passes, rmse) = (table.numbers("passes")?, table.numbers("rmse")?);
        let (bias, noise) = (table.numbers("bias")?, table.numbers("bias by noise")?);
        let row = |i: usize| Row {
            problem: problems[i].clone(),
            method: methods[i].clone(),
            passes: passes[i],
            rmse: rmse[i],
            bias: bias[i],
            noise: noise[i],
        };
        Ok((0..passes.len()).map(row).collect())
    }
}

fn verdict(holds: bool) -> Verdict {
    if holds { Verdict::Reproduced } else { Verdict::NotReproduced }
}

/// The rows of a problem at its largest budget, the least error first.
fn ranked<'r>(rows: &'r [Row], problem: &str) -> Vec<&'r Row> {
    let own = || rows.iter().filter(|row| row.problem == problem);
    let largest = own().map(|row| row.passes).fold(0.0, f64::max);
    let mut ranked: Vec<&Row> = own().filter(|row| row.passes == largest).collect();
    ranked.sort_by(|a, b| a.rmse.total_cmp(&b.rmse));
    ranked
}

fn least(rows: &[Row]) -> Claim {
    let mut holds = true;
    let mut parts = Vec::new();
    for (problem, name) in PROBLEMS {
        let ranked = ranked(rows, problem);
        holds &= ranked.first().is_some_and(|row| row.method == "anchored");
        let told: Vec<String> =
            ranked.iter().take(4).map(|row| format!("{} {:.1e}", row.method, row.rmse)).collect();
        parts.push(format!("{name}: {}", told.join(", ")));
    }
    let passes = rows.iter().map(|row| row.passes).fold(0.0, f64::max);
    let told = parts.join("; ");
    Claim {
        id: "ours/lineup-least-error".to_owned(),
        statement: "for the same likelihood evaluations no method errs less than the anchored path".to_owned(),
        printed: "ours".to_owned(),
        ours: told.clone(),
        rule: "reproduced if the anchored path has the least root mean square error at the largest budget on both \
               problems"
            .to_owned(),
        verdict: verdict(holds),
        sentence: format!("Root mean square errors in posterior sds for {passes:.0} passes, the four best: {told}."),
    }
}

fn bias(rows: &[Row]) -> Claim {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for (problem, name) in PROBLEMS {
        for row in ranked(rows, problem).into_iter().filter(|row| row.bias > CLEAR * row.noise) {
            let told = format!("{} {:.2e} ({name})", row.method, row.bias);
            let exact = EXACT.contains(&row.method.as_str());
            if exact { wrong.push(told) } else { seen.push(told) }
        }
    }
    let list = |list: &[String]| {
        if list.is_empty() { "none".to_owned() } else { list.join(", ") }
    };
    let (wrong_list, seen_list) = (list(&wrong), list(&seen));
    Claim {
        id: "ours/lineup-bias".to_owned(),
        statement: "methods that promise to be exact show no bias".to_owned(),
        printed: "ours".to_owned(),
        ours: format!("exact methods with a clear bias: {wrong_list}; others: {seen_list}"),
        rule: "reproduced if at the largest budget no debiased estimator, exact chain or particle method has a bias of \
               more than four of its standard errors"
            .to_owned(),
        verdict: verdict(wrong.is_empty()),
        sentence: format!(
            "At the largest budget a clear bias, in posterior sds, is seen of {seen_list}; among methods that promise \
             none: {wrong_list}."
        ),
    }
}

/// Where debiasing without an anchor is the wrong choice.
fn plain(rows: &[Row]) -> Claim {
    let mut lost = 0;
    let mut asked = 0;
    let mut parts = Vec::new();
    for (problem, name) in PROBLEMS {
        let of = |method: &str, passes: f64| {
            let own =
                |row: &&Row| row.problem == problem && row.method == method && row.passes == passes;
            rows.iter().find(own).map(|row| row.rmse)
        };
        let largest = rows.iter().map(|row| row.passes).fold(0.0, f64::max);
        let mut budgets: Vec<f64> = rows.iter().map(|row| row.passes).collect();
        budgets.sort_by(f64::total_cmp);
        budgets.dedup();
        for method in ["coupled-sum", "antithetic-single-term"] {
            let both: Vec<(f64, f64, f64)> = budgets
                .iter()
                .filter_map(|&at| Some((at, of(method, at)?, of("constant-batch", at)?)))
                .collect();
            let losses: Vec<String> =
                both.iter().filter(|b| b.1 > b.2).map(|b| format!("{:.0}", b.0)).collect();
            asked += both.len();
            lost += losses.len();
            let where_lost = match losses.len() {
                _ if both.is_empty() => "not compared, its pilot fits no budget".to_owned(),
                0 => "at no budget".to_owned(),
                all if all == both.len() => "at every budget".to_owned(),
                _ => format!("at {} passes", losses.join(", ")),
            };
            let last = match (
                of(method, largest),
                of("constant-batch", largest),
                of("full-nuts", largest),
            ) {
                (Some(own), Some(constant), Some(full)) => {
                    format!(
                        " ({own:.2} against {constant:.2} at the largest, NUTS on all rows {full:.3})"
                    )
                }
                _ => String::new(),
            };
            parts.push(format!("{method} {where_lost}{last}, {name}"));
        }
    }
    Claim {
        id: "ours/lineup-plain-paths".to_owned(),
        statement: "debiasing on a plain path beats averaged constant batches of the same cost".to_owned(),
        printed: "ours".to_owned(),
        ours: format!("loses in {lost} of {asked} comparisons"),
        rule: "reproduced if the error is smaller at every budget; under a stated reading if at some, which are then \
               the reading; not reproduced if at none"
            .to_owned(),
        verdict: match lost {
            0 => Verdict::Reproduced,
            lost if lost < asked => Verdict::ReproducedUnderReading,
            _ => Verdict::NotReproduced,
        },
        sentence: format!("Plain paths with chains inside lose to constant batches: {}.", parts.join("; ")),
    }
}

fn coverage(record: &Record) -> anyhow::Result<Claim> {
    let table = record.table("coverage")?;
    let (methods, hits, all) =
        (table.words("method")?, table.numbers("covered")?, table.numbers("repetitions")?);
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let (mut inside, mut reach) = (true, true);
    let mut parts = Vec::new();
    for (i, method) in methods.iter().enumerate() {
        let share = hits[i] / all[i];
        parts.push(format!(
            "{method} {:.1} % ({:.1} to {:.1})",
            100.0 * share,
            100.0 * low[i],
            100.0 * high[i]
        ));
        if EXACT.contains(&method.as_str()) {
            inside &= (0.925..=0.975).contains(&share);
            reach &= low[i] <= 0.975 && high[i] >= 0.925;
        }
    }
    let told = parts.join(", ");
    Ok(Claim {
        id: "ours/lineup-coverage".to_owned(),
        statement: "95 % intervals of exact methods hold the truth 95 times in a hundred".to_owned(),
        printed: "ours".to_owned(),
        ours: told.clone(),
        rule: "reproduced if the coverage of debiased estimators and full NUTS is between 92.5 and 97.5 %; under a stated \
               reading if only their binomial intervals reach there"
            .to_owned(),
        verdict: match (inside, reach) {
            (true, _) => Verdict::Reproduced,
            (false, true) => Verdict::ReproducedUnderReading,
            (false, false) => Verdict::NotReproduced,
        },
        sentence: format!("Of {:.0} claimed 95 % intervals of σ the truth is in: {told}.", all.first().copied().unwrap_or(0.0)),
    })
}
