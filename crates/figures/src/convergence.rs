//! Running estimates of a user's own data, one panel per functional.

use crate::prelude::*;
use crate::running::{Running, STEPS, Series, functionals};
use records::running;

/// Panels of a figure; more functionals than that are left to the table.
const PANELS: usize = 6;
/// Ranges narrower than this share of what they are around are drawn around zero.
const NARROW: f64 = 1e-3;
/// Replicates before which a running mean is no estimate.
const FEWEST: usize = 8;

/// All tables of a record, each one method's replicates.
pub(crate) fn convergence(record: &Record) -> Result<Sheet, FigureError> {
    let methods: Vec<(&Table, RGBColor)> = record
        .tables
        .iter()
        .filter(|table| table.rows() >= 2 && table.numbers("evaluations").is_ok())
        .zip(PALETTE.iter().cycle().copied())
        .collect();
    let Some((first, _)) = methods.first() else {
        return Err(FigureError::Empty { table: "replicates".to_owned() });
    };
    let names: Vec<&str> = functionals(first).take(PANELS).collect();
    let columns = if names.len() > 2 { 2 } else { 1 };
    let rows = names.len().div_ceil(columns);
    let (widths, heights) = (vec![640 / columns as u32; columns], vec![660 / rows as u32; rows]);
    let panels = names.iter().map(|name| panel(record, &methods, name));
    let label = |(table, color): &(&Table, RGBColor)| -> Entry {
        (Mark::Line(*color), table.name().replace('-', " "))
    };
    let legend = methods.iter().map(label).collect();
    Ok(Sheet::grid((800, 660), &widths, &heights, panels.collect::<Result<_, _>>()?, legend))
}

fn panel(
    record: &Record,
    methods: &[(&Table, RGBColor)],
    name: &str,
) -> Result<Panel, FigureError> {
    // Beside others a method is shown with all it cost; alone, by its replicates, because its set-up
    // would press the curve against the edge.
    let alone = methods.len() == 1;
    let mut series = Vec::new();
    for &(table, color) in methods {
        let all = Series::of_table(record, table, Some(name), color)?;
        series.push(if alone { Series { setup: 0.0, cost: 1.0, ..all } } else { all });
    }
    let around = range(&series);
    let middle = 0.5 * (around.start + around.end);
    let mut title = name.to_owned();
    if around.end - around.start <= NARROW * middle.abs() {
        // Digits that never change stand in the title and not at every tick.
        for one in &mut series {
            one.values.iter_mut().for_each(|value| *value -= middle);
        }
        let (sign, size) = if middle < 0.0 { ('+', -middle) } else { ('−', middle) };
        title = format!("{name} {sign} {size:.9}");
    }
    let running = Running {
        title,
        cost: if alone { "replicates" } else { "likelihood evaluations" },
        value: "",
        range: range(&series),
        reference: None,
        series,
        steps: Some(STEPS),
    };
    Ok(running.panel())
}

/// The band of the first method after a tenth of its replicates, and where all of them end.
fn range(series: &[Series]) -> Range<f64> {
    let mut ends = Vec::new();
    for (index, one) in series.iter().enumerate() {
        let all = running(&one.values);
        let Some(last) = all.last() else { continue };
        ends.push(last.0);
        let early = &all[(all.len() / 10).max(FEWEST).min(all.len()) - 1].1;
        if index == 0 {
            ends.extend([early.low, early.high]);
        }
    }
    let finite = ends.into_iter().filter(|end| end.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    // A posterior that is known exactly still has an axis.
    let margin = (0.08 * (high - low)).max(1e-12 * (1.0 + high.abs()));
    low - margin..high + margin
}
