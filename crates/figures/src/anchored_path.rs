//! Anchored paths: what a level is worth, what the debiased estimate costs, and where it ends.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::{Record, Table};
use std::ops::Range;

/// The problems, and their names for the reader.
const PROBLEMS: [(&str, &str); 4] = [
    ("log-gaussian", "log-Gaussian σ"),
    ("logistic", "logistic, ten weights"),
    ("heavy", "heavy tails, 21 weights"),
    ("a9a", "a9a, 124 weights"),
];

/// Methods that are curves, and methods that are single runs.
const CURVES: [(&str, RGBColor, &str); 4] = [
    ("coupled-sum", PALETTE[0], "debiased, the paper's"),
    ("antithetic-single-term", PALETTE[2], "debiased, antithetic\nsingle term"),
    ("constant-batch", PALETTE[1], "averaged constant\nbatches"),
    ("anchored", PALETTE[3], "debiased, anchored"),
];
const RUNS: [(&str, RGBColor, &str); 3] = [
    ("full-nuts", INK, "NUTS on all rows"),
    ("leapfrog-nuts", PALETTE[4], "the same by leapfrogs"),
    ("firefly", PALETTE[5], "Firefly"),
];

/// The rows of a table that belong to one problem, as points of two columns.
fn of(table: &Table, problem: &str, x: &str, y: &str) -> Result<Vec<(f64, f64)>, FigureError> {
    let (names, x, y) = (table.words("problem")?, table.numbers(x)?, table.numbers(y)?);
    let rows = (0..names.len()).filter(|&row| names[row] == problem);
    Ok(rows.map(|row| (x[row], y[row])).filter(|point| point.1 > 0.0).collect())
}

/// Lines, and single marks, on logarithmic axes under a title.
struct Panel<'a> {
    title: &'a str,
    x: &'a str,
    y: &'a str,
    lines: Vec<Curve>,
    marks: Vec<((f64, f64), RGBColor)>,
}

impl Panel<'_> {
    fn draw<B: DrawingBackend>(
        &self,
        canvas: &Canvas<B>,
        range: Range<f64>,
    ) -> Result<(), FigureError> {
        let points = || {
            let lines = self.lines.iter().flat_map(|line| line.points.iter().copied());
            lines.chain(self.marks.iter().map(|mark| mark.0))
        };
        let empty = || FigureError::Empty { table: self.title.to_owned() };
        let across = decades(points().map(|point| point.0)).ok_or_else(empty)?;
        let mut chart = ChartBuilder::on(&canvas.area)
            .caption(self.title, canvas.text(13))
            .margin(canvas.points(8))
            .margin_right(canvas.points(16))
            .x_label_area_size(canvas.points(40))
            .y_label_area_size(canvas.points(54))
            .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
            .map_err(failed)?;
        axes(canvas, &mut chart, (self.x, &power_of_ten), (self.y, &power_of_ten))?;
        curves(canvas, &mut chart, &range, &self.lines)?;
        let dot = |(point, color): &((f64, f64), RGBColor)| {
            let height = point.1.clamp(range.start, range.end);
            Circle::new((point.0, height), canvas.points(5), canvas.line(color, 2))
        };
        chart.draw_series(self.marks.iter().map(dot)).map_err(failed)?;
        Ok(())
    }
}

/// Four panels and a legend.
fn panels<B: DrawingBackend>(
    canvas: &Canvas<B>,
    panels: &[Panel<'_>],
    ranges: &[Range<f64>],
    entries: &[(Mark, String)],
) -> Result<(), FigureError> {
    let (plots, side) = canvas.split(680);
    let (top, bottom) = plots.cut(310);
    let (first, second) = top.split(340);
    let (third, fourth) = bottom.split(340);
    for ((panel, range), canvas) in panels.iter().zip(ranges).zip([first, second, third, fourth]) {
        panel.draw(&canvas, range.clone())?;
    }
    legend(&side, entries)
}

/// A curve with its band.
fn banded(
    table: &Table,
    problem: &str,
    column: &str,
    color: RGBColor,
) -> Result<Curve, FigureError> {
    let points = of(table, problem, "rows", column)?;
    let low = of(table, problem, "rows", &format!("{column}_low"))?;
    let high = of(table, problem, "rows", &format!("{column}_high"))?;
    let band = low.iter().zip(&high).map(|(low, high)| (low.0, low.1, high.1)).collect();
    Ok(Curve { points, band, color, stroke: Stroke::Dotted })
}

/// Errors of levels against the rows they sample.
pub(crate) struct AnchoredLevels;

impl Drawing for AnchoredLevels {
    const SIZE: (u32, u32) = (880, 620);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (levels, flat) = (record.table("levels")?, record.table("plain")?);
        let mut all = Vec::new();
        let mut ranges = Vec::new();
        for (problem, title) in PROBLEMS {
            let rows = record.value(&format!("{problem}/rows"))?;
            let error = banded(levels, problem, "error", PALETTE[3])?;
            let increment = banded(levels, problem, "increment", PALETTE[2])?;
            let measured = of(flat, problem, "rows", "error")?;
            let sizes = error.points.iter().chain(&measured).map(|point| point.0);
            let mut sizes: Vec<f64> = sizes.collect();
            sizes.sort_by(f64::total_cmp);
            let floor = sizes.iter().map(|&size| (size, (rows / size - 1.0).max(0.0).sqrt()));
            let floor: Vec<(f64, f64)> = floor.filter(|point| point.1 > 0.0).collect();
            let lines = vec![
                Curve::new(floor, INK, Stroke::Dashed),
                Curve::new(measured, PALETTE[1], Stroke::Dotted),
                error,
                increment,
            ];
            let heights = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
            let empty = || FigureError::Empty { table: "levels".to_owned() };
            ranges.push(decades(heights).ok_or_else(empty)?);
            let (x, y) = ("sampled rows n", "posterior sds");
            all.push(Panel { title, x, y, lines, marks: Vec::new() });
        }
        let entries = [
            (Mark::Dashed(INK), "floor √(N/n − 1) of\nplain partial\nposteriors".to_owned()),
            (Mark::Line(PALETTE[1]), "plain partial\nposterior, measured".to_owned()),
            (Mark::Line(PALETTE[3]), "anchored level".to_owned()),
            (Mark::Line(PALETTE[2]), "antithetic increment\nfrom n to 2n rows".to_owned()),
        ];
        panels(canvas, &all, &ranges, &entries)
    }
}

/// Errors of debiased estimates against evaluations.
pub(crate) struct AnchoredErrors;

impl Drawing for AnchoredErrors {
    const SIZE: (u32, u32) = (880, 620);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("errors")?;
        let (names, methods) = (table.words("problem")?, table.words("method")?);
        let (spent, errors) = (table.numbers("evaluations")?, table.numbers("error")?);
        let of = |problem: &str, method: &str| -> Vec<(f64, f64)> {
            let rows = (0..names.len())
                .filter(|&row| names[row] == problem && methods[row] == method)
                .map(|row| (spent[row], errors[row]))
                .filter(|point| point.1 > 0.0);
            thinned(&rows.collect::<Vec<_>>())
        };
        let (mut all, mut ranges) = (Vec::new(), Vec::new());
        for (problem, title) in PROBLEMS {
            let mut lines = Vec::new();
            for (method, color, _) in CURVES {
                let points = of(problem, method);
                if !points.is_empty() {
                    lines.push(Curve::new(points, color, Stroke::Line));
                }
            }
            let mut marks = Vec::new();
            for (method, color, _) in RUNS {
                marks.extend(of(problem, method).into_iter().map(|point| (point, color)));
            }
            let rows = record.value(&format!("{problem}/rows"))?;
            let heights = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
            let heights = heights.chain(marks.iter().map(|mark| mark.0.1));
            let empty = || FigureError::Empty { table: "errors".to_owned() };
            let range = decades(heights).ok_or_else(empty)?;
            let pass = vec![(rows, range.start), (rows, range.end)];
            lines.insert(0, Curve::new(pass, INK, Stroke::Dashed));
            ranges.push(range);
            let (x, y) = ("likelihood evaluations", "error, posterior sds");
            all.push(Panel { title, x, y, lines, marks });
        }
        let mut entries: Vec<(Mark, String)> = CURVES
            .iter()
            .map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned()))
            .collect();
        for (_, color, text) in RUNS {
            entries.push((Mark::Ring(color), text.to_owned()));
        }
        entries.push((Mark::Dashed(INK), "one pass over\nthe data".to_owned()));
        panels(canvas, &all, &ranges, &entries)
    }
}

/// Points at least so far apart that the eye can follow, and the last.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for &point in points {
        if kept.last().is_none_or(|last| point.0 >= 1.03 * last.0) {
            kept.push(point);
        }
    }
    match points.last() {
        Some(last) if kept.len() > 1 && kept.last() != Some(last) => {
            kept.pop();
            kept.push(*last);
        }
        Some(last) if kept.last() != Some(last) => kept.push(*last),
        _ => {}
    }
    kept
}

/// Bad anchors, and cores of a9a.
pub(crate) struct AnchoredLimits;

impl Drawing for AnchoredLimits {
    const SIZE: (u32, u32) = (880, 380);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, right) = canvas.split(440);
        anchors(record, &left)?;
        cores(record, &right)
    }
}

fn anchors<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("anchors")?;
    let (plot, side) = canvas.split(310);
    let (mut lines, mut entries) = (Vec::new(), Vec::new());
    for ((problem, title), color) in
        PROBLEMS.into_iter().zip([PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3]])
    {
        let points = of(table, problem, "sds_off", "error")?;
        if points.is_empty() {
            continue;
        }
        let low = of(table, problem, "sds_off", "error_low")?;
        let high = of(table, problem, "sds_off", "error_high")?;
        let band = low.iter().zip(&high).map(|(low, high)| (low.0, low.1, high.1)).collect();
        lines.push(Curve { points, band, color, stroke: Stroke::Dotted });
        entries.push((Mark::Line(color), title.replace(", ", ",\n")));
    }
    let heights = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let range =
        decades(heights).ok_or_else(|| FigureError::Empty { table: "anchors".to_owned() })?;
    let mut chart = ChartBuilder::on(&plot.area)
        .caption("an anchor off the mode", plot.text(13))
        .margin(plot.points(8))
        .x_label_area_size(plot.points(40))
        .y_label_area_size(plot.points(54))
        .build_cartesian_2d(0.0..10.0, range.clone().log_scale())
        .map_err(failed)?;
    let y = "error of a level of 1024 rows, posterior sds";
    axes(&plot, &mut chart, ("posterior sds off", &plain), (y, &power_of_ten))?;
    curves(&plot, &mut chart, &range, &lines)?;
    legend(&side, &entries)
}

fn cores<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("cores")?;
    let (cores, rows) = (table.numbers("core")?, table.numbers("rows")?);
    let errors = table.numbers("error")?;
    let (plot, side) = canvas.split(310);
    let mut sizes = rows.clone();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let (mut lines, mut entries) = (Vec::new(), Vec::new());
    for (&size, color) in sizes.iter().zip([PALETTE[0], PALETTE[2], PALETTE[3]]) {
        let at = (0..rows.len()).filter(|&row| rows[row] == size);
        let points: Vec<(f64, f64)> = at.map(|row| (cores[row], errors[row])).collect();
        lines.push(Curve::new(points, color, Stroke::Dotted));
        entries.push((Mark::Line(color), format!("{size:.0} rows\nsampled")));
    }
    let range = decades(errors.iter().copied())
        .ok_or_else(|| FigureError::Empty { table: "cores".to_owned() })?;
    let most = cores.iter().copied().fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&plot.area)
        .caption("the core of a9a", plot.text(13))
        .margin(plot.points(8))
        .x_label_area_size(plot.points(40))
        .y_label_area_size(plot.points(54))
        .build_cartesian_2d(0.0..most, range.clone().log_scale())
        .map_err(failed)?;
    let y = "error of a level, posterior sds";
    axes(&plot, &mut chart, ("rows kept exact", &plain), (y, &power_of_ten))?;
    curves(&plot, &mut chart, &range, &lines)?;
    legend(&side, &entries)
}
