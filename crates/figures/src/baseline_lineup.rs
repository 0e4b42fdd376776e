//! Every method at doubling budgets, by evaluations and by seconds, and whose intervals hold.

use crate::prelude::*;

const PROBLEMS: [(&str, &str); 3] = [
    ("logistic", "logistic, 10 weights"),
    ("log-gaussian", "log-Gaussian, σ"),
    ("a9a", "a9a, 124 weights"),
];

/// Errors against evaluations.
pub(crate) fn lineup(record: &Record) -> Result<Sheet, FigureError> {
    errors(
        record.table("lineup")?.clone(),
        "evaluations",
        "likelihood evaluations, set-up included",
    )
}

/// Errors against seconds.
pub(crate) fn seconds(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("lineup")?.clone().with("seconds", answer_seconds(record)?);
    errors(table, "seconds", "seconds of one core, set-up included")
}

/// The methods of a table, in the order of all methods.
fn methods(table: &Table) -> Result<Vec<MethodId>, FigureError> {
    let names = table.words("method")?;
    let there = |method: &MethodId| names.iter().any(|name| name == method.name());
    Ok(MethodId::ALL.iter().copied().filter(there).collect())
}

/// The methods of a table, and what is dashed.
fn legend(table: &Table, dashed: &str) -> Result<Vec<Entry>, FigureError> {
    let short = |method: MethodId| match method {
        MethodId::ConstantBatch => (shaped(method).0, "constant batches".to_owned()),
        _ => shaped(method),
    };
    let mut entries: Vec<Entry> = methods(table)?.into_iter().map(short).collect();
    entries.push(entry(Mark::Dashed(INK), dashed));
    Ok(entries)
}

/// For each row of the line-up the seconds of one core that its answer takes: those of the set-up, and
/// evaluations beyond it at the speed of the method's whole step.
fn answer_seconds(record: &Record) -> Result<Vec<f64>, FigureError> {
    let clock = record.table("seconds")?;
    let (steps, wall, threads) =
        (clock.words("step")?, clock.numbers("seconds")?, clock.numbers("threads")?);
    let of = |step: &str| steps.iter().position(|other| other == step);
    let work = record.table("work")?;
    let (problems, methods) = (work.words("problem")?, work.words("method")?);
    let (setups, own) = (work.words("set-up")?, work.words("step")?);
    let (before, all) = (work.numbers("set-up evaluations")?, work.numbers("evaluations")?);
    let table = record.table("lineup")?;
    let evaluations = table.numbers("evaluations")?;
    let (problem, method) = (table.words("problem")?, table.words("method")?);
    let answer = |at: usize| {
        let same = |row: &usize| problems[*row] == problem[at] && methods[*row] == method[at];
        let Some(row) = (0..problems.len()).find(same) else { return f64::NAN };
        let setup = of(&setups[row]).map_or(0.0, |step| wall[step]);
        let speed = of(&own[row]).map_or(f64::NAN, |step| wall[step] * threads[step] / all[row]);
        let beyond = evaluations[at] - before[row];
        if beyond > 0.0 { setup + beyond * speed } else { setup }
    };
    Ok((0..evaluations.len()).map(answer).collect())
}

/// Root mean square errors on all problems against a column of the table.
fn errors(table: Table, x: &str, words: &'static str) -> Result<Sheet, FigureError> {
    let mut panels = Vec::new();
    for (problem, title) in PROBLEMS {
        let name = format!("lineup of {problem}");
        let all = Rows::of(&table, &[("problem", problem)])?;
        let across = decades(&name, all.column(x)?)?;
        let range = decades(&name, all.column("rmse")?.into_iter().chain([1.0]))?;
        let mut lines = vec![Curve::level(&across, 1.0, INK)];
        // Ours last, on top of the others.
        for method in methods(&table)?.into_iter().rev() {
            let rows = Rows::of(&table, &[("problem", problem), ("method", method.name())])?;
            let (color, stroke) = style(method);
            if !rows.is_empty() {
                lines.push(rows.curve(x, ["rmse", "low", "high"], color, stroke)?);
            }
        }
        let x = Axis::log(words, across);
        let y = Axis::log("RMSE in posterior sds", range);
        panels.push(Panel::new(Frame::ROW, x, y).titled(title).with(lines));
    }
    let legend = legend(&table, "one posterior sd")?;
    Ok(Sheet::row((1250, 700), &[350, 350, 350], panels, legend))
}

/// Shares of intervals that hold the truth.
pub(crate) fn coverage(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("coverage")?;
    let least = table.numbers("low")?.into_iter().fold(0.9, f64::min);
    let range = (100.0 * least / 10.0).floor() * 10.0..100.0;
    let mut panels = Vec::new();
    for (problem, title) in &PROBLEMS[..2] {
        let problem = format!("coverage-{problem}");
        let (mut bars, mut shares) = (Vec::new(), Vec::new());
        for method in methods(table)? {
            let rows = Rows::of(table, &[("problem", &problem), ("method", method.name())])?;
            let (hits, all) = (rows.column("covered")?, rows.column("intervals")?);
            let (low, high) = (rows.column("low")?, rows.column("high")?);
            let (color, stroke) = style(method);
            for row in 0..hits.len() {
                let place = bars.len() as f64 + 1.0;
                let bar = vec![(place, 100.0 * low[row]), (place, 100.0 * high[row])];
                bars.push(Item::Path(bar, color, 2));
                let share = vec![(place, 100.0 * hits[row] / all[row])];
                shares.push(Curve::new(share, color, stroke));
            }
        }
        let across = 0.0..bars.len() as f64 + 1.0;
        let goal = Curve::level(&across, 95.0, INK);
        let x = Axis::linear("method, by colour and shape", across).labelled(Labels::Blank);
        let y = Axis::linear("intervals that hold the truth, %", range.clone());
        panels
            .push(Panel::new(Frame::ROW, x, y).titled(title).with([goal]).with(bars).with(shares));
    }
    Ok(Sheet::row((760, 400), &[280, 280], panels, legend(table, "95 %")?))
}
