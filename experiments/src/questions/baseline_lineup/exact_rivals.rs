//! The rivals with second-order expansions: whether those that promise to be exact are, and what ours gains.

use records::{Claim, Record, Verdict};
use serde::Deserialize;

/// Exact but for what finite chains keep of their start.
const EXACT: [&str; 4] = ["smh-2", "block-poisson", "ububu", "collapsed-nuts"];
const PROBLEMS: [&str; 2] = ["logistic", "a9a"];
/// Standard errors of a bias that is no accident.
const CLEAR: f64 = 4.0;

/// What is read of a row of the table `lineup`.
#[derive(Deserialize)]
struct Row {
    problem: String,
    method: String,
    passes: f64,
    rmse: f64,
    bias: f64,
    #[serde(rename = "bias by noise")]
    noise: f64,
}

pub fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let rows = record.table("lineup")?.read_rows::<Row>()?;
    Ok(vec![bias(&rows), gain(&rows)])
}

/// Each of these methods on each problem, where it answers last.
fn last<'r>(rows: &'r [Row], methods: &[&str]) -> Vec<&'r Row> {
    let mut last: Vec<&Row> = Vec::new();
    let named = |row: &&Row| {
        methods.contains(&row.method.as_str()) && PROBLEMS.contains(&row.problem.as_str())
    };
    for row in rows.iter().filter(named) {
        last.retain(|other| (&other.method, &other.problem) != (&row.method, &row.problem));
        last.push(row);
    }
    last
}

fn bias(rows: &[Row]) -> Claim {
    let found = last(rows, &EXACT);
    let biased = found.iter().any(|row| row.bias > CLEAR * row.noise);
    let told: Vec<String> = found
        .iter()
        .map(|row| {
            let (bias, noise) = (row.bias, row.noise);
            format!("{} {bias:.1e}, {noise:.1e} by noise alone ({})", row.method, row.problem)
        })
        .collect();
    let told = told.join("; ");
    Claim::ours(
        "ours/lineup-exact-rivals",
        "SMH-2, the signed block-Poisson estimator, UBUBU and NUTS on distinct rows show no bias",
    )
    .found(told.clone())
    .rule("reproduced if at its largest budget none of the four has a bias of more than four of its standard errors on the \
           logistic regression or on a9a")
    .judged(Verdict::of(!biased && !found.is_empty()), format!("Biases in posterior sds: {told}."))
}

/// The nearest idea to ours, at the same cost.
fn gain(rows: &[Row]) -> Claim {
    let (mut ahead, mut asked, mut parts) = (0, 0, Vec::new());
    for row in last(rows, &["smh-2", "block-poisson", "hmc-ecs", "ububu"]) {
        let ours = rows.iter().find(|other| {
            other.method == "anchored" && other.problem == row.problem && other.passes == row.passes
        });
        asked += 1;
        let ours = ours.map(|ours| ours.rmse);
        ahead += usize::from(ours.is_some_and(|ours| ours < row.rmse));
        let beside =
            ours.map_or("no anchored answer".to_owned(), |ours| format!("ours {ours:.1e}"));
        let (rmse, passes) = (row.rmse, row.passes);
        parts.push(format!(
            "{} {rmse:.1e}, {beside}, at {passes:.0} passes ({})",
            row.method, row.problem
        ));
    }
    let told = parts.join("; ");
    Claim::ours(
        "ours/lineup-taylor-rivals",
        "the anchored path errs less than every sampler that has the same second-order expansions",
    )
    .found(told.clone())
    .rule("reproduced if on the logistic regression and on a9a the anchored path has a smaller root mean square error than \
           SMH-2, the signed block-Poisson estimator, HMC-ECS and UBUBU, each at its largest budget; partly if on some")
    .judged(
        match ahead {
            0 => Verdict::NotReproduced,
            all if all == asked => Verdict::Reproduced,
            _ => Verdict::ReproducedUnderReading,
        },
        format!("Root mean square errors in posterior sds: {told}."),
    )
}
