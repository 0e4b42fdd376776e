//! Running estimates of somebody's own data, one panel a functional.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, PALETTE};
use crate::legend::{Mark, legend};
use crate::running::{Panel, Series};
use crate::weights::{costs, functionals};
use plotters::prelude::*;
use records::{Record, Table, running};
use std::ops::Range;

/// Panels of a figure; more functionals than that are left to the table.
const PANELS: usize = 6;
/// Steps of an axis, of about two points each.
const STEPS: f64 = 120.0;
/// Ranges narrower than this share of what they are around are drawn around zero.
const NARROW: f64 = 1e-3;
/// Replicates before which a running mean is no estimate.
const FEWEST: usize = 8;

/// All tables of a record, each one method's replicates.
pub(crate) struct Convergence;

impl Drawing for Convergence {
    const SIZE: (u32, u32) = (800, 660);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
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
        let (plots, side) = canvas.split(640);
        // The panels of a row, rows from top to bottom.
        let across = if names.len() > 2 { 2 } else { 1 };
        let rows = names.len().div_ceil(across) as u32;
        let mut rest = plots;
        for (row, of_row) in names.chunks(across).enumerate() {
            let left = rows - row as u32;
            let (line, below) = rest.cut(Self::SIZE.1 * left / rows / left.max(1));
            rest = below;
            let (one, two) = line.split(640 / across as u32);
            for (name, place) in of_row.iter().zip([one, two]) {
                let (title, series) = panel(record, &methods, name)?;
                let cost = if methods.len() == 1 { "replicates" } else { "likelihood evaluations" };
                Panel {
                    title: &title,
                    cost,
                    value: "",
                    range: range(&series),
                    references: Vec::new(),
                    series,
                    steps: Some(STEPS),
                }
                .draw(&place)?;
            }
        }
        let label = |(table, color): &(&Table, RGBColor)| {
            (Mark::Line(*color), table.name().replace('-', " "))
        };
        legend(&side, &methods.iter().map(label).collect::<Vec<_>>())
    }
}

fn panel(
    record: &Record,
    methods: &[(&Table, RGBColor)],
    name: &str,
) -> Result<(String, Vec<Series>), FigureError> {
    // Beside others a method is shown with all it cost; alone, by its replicates, because its set-up
    // would press the curve against the edge.
    let alone = methods.len() == 1;
    let mut series = Vec::new();
    for &(table, color) in methods {
        let (setup, cost) = if alone { (0.0, 1.0) } else { costs(record, table)? };
        series.push(Series { values: table.numbers(name)?, setup, cost, color });
    }
    let range = range(&series);
    let middle = 0.5 * (range.start + range.end);
    if range.end - range.start > NARROW * middle.abs() {
        return Ok((name.to_owned(), series));
    }
    // Digits that never change stand in the title and not at every tick.
    for one in &mut series {
        one.values.iter_mut().for_each(|value| *value -= middle);
    }
    let (sign, size) = if middle < 0.0 { ('+', -middle) } else { ('−', middle) };
    Ok((format!("{name} {sign} {size:.9}"), series))
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
