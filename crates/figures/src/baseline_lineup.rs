//! Every method at doubling budgets, and whose intervals hold.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::Record;

pub(crate) struct BaselineLineup;

/// Browns and greens beside the palette, for more methods than it has colours.
const MORE: [RGBColor; 7] = [
    RGBColor(136, 86, 30),
    RGBColor(120, 160, 40),
    RGBColor(110, 60, 160),
    RGBColor(170, 170, 170),
    RGBColor(200, 40, 60),
    RGBColor(0, 90, 80),
    RGBColor(240, 190, 160),
];

/// Every method, its colour, and its name for the reader.
const METHODS: [(&str, RGBColor, &str); 14] = [
    ("anchored", PALETTE[3], "debiased, anchored"),
    ("antithetic-single-term", PALETTE[2], "debiased, antithetic\nsingle term"),
    ("coupled-sum", PALETTE[0], "debiased, the paper's"),
    ("constant-batch", PALETTE[1], "constant batches"),
    ("full-nuts", PALETTE[6], "NUTS on all rows"),
    ("firefly", PALETTE[4], "Firefly"),
    ("zig-zag", PALETTE[5], "Zig-Zag"),
    ("ibis", MORE[0], "IBIS"),
    ("sgld", MORE[1], "SGLD"),
    ("sgld-control-variates", MORE[5], "SGLD, control variates"),
    ("sghmc", MORE[2], "SGHMC"),
    ("austerity", MORE[4], "austerity"),
    ("confidence", MORE[6], "confidence sampler"),
    ("consensus", MORE[3], "consensus"),
];

const PANELS: [(&str, &str); 2] =
    [("logistic", "logistic, 10 weights"), ("log-gaussian", "log-Gaussian, σ")];

impl Drawing for BaselineLineup {
    const SIZE: (u32, u32) = (1180, 440);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, rest) = canvas.split(370);
        let (middle, rest) = rest.split(370);
        let (right, side) = rest.split(250);
        for ((problem, title), panel) in PANELS.iter().zip([&left, &middle]) {
            errors(record, panel, problem, title)?;
        }
        coverage(record, &right)?;
        let entries: Vec<_> = METHODS
            .iter()
            .map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned()))
            .chain([(Mark::Dashed(INK), "one posterior sd; 95 %".to_owned())])
            .collect();
        legend(&side, &entries)
    }
}

/// Root mean square errors against evaluations.
fn errors<B: DrawingBackend>(
    record: &Record,
    panel: &Canvas<B>,
    problem: &str,
    title: &str,
) -> Result<(), FigureError> {
    let table = record.table("lineup")?;
    let (problems, methods) = (table.words("problem")?, table.words("method")?);
    let (x, y) = (table.numbers("evaluations")?, table.numbers("rmse")?);
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let own: Vec<usize> = (0..x.len()).filter(|&row| problems[row] == problem).collect();
    let empty = || FigureError::Empty { table: format!("lineup of {problem}") };
    let across = decades(own.iter().map(|&row| x[row])).ok_or_else(empty)?;
    let range = decades(own.iter().map(|&row| y[row]).chain([1.0])).ok_or_else(empty)?;
    let mut lines =
        vec![Curve::new(vec![(across.start, 1.0), (across.end, 1.0)], INK, Stroke::Dashed)];
    // Ours last, on top of the others.
    for (method, color, _) in METHODS.iter().rev() {
        let rows: Vec<usize> = own.iter().copied().filter(|&row| methods[row] == *method).collect();
        if !rows.is_empty() {
            let points = rows.iter().map(|&row| (x[row], y[row])).collect();
            let band = rows.iter().map(|&row| (x[row], low[row], high[row])).collect();
            lines.push(Curve { points, band, color: *color, stroke: Stroke::Dotted });
        }
    }
    let mut chart = ChartBuilder::on(&panel.area)
        .caption(title, panel.text(13))
        .margin(panel.points(10))
        .margin_right(panel.points(16))
        .x_label_area_size(panel.points(42))
        .y_label_area_size(panel.points(54))
        .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
        .map_err(failed)?;
    let words = ["likelihood evaluations, set-up included", "RMSE in posterior sds"];
    axes(panel, &mut chart, (words[0], &power_of_ten), (words[1], &power_of_ten))?;
    curves(panel, &mut chart, &range, &lines)
}

/// Shares of intervals that hold the truth.
fn coverage<B: DrawingBackend>(record: &Record, panel: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("coverage")?;
    let methods = table.words("method")?;
    let (hits, all) = (table.numbers("covered")?, table.numbers("repetitions")?);
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let least = low.iter().copied().fold(0.9, f64::min);
    let range = (100.0 * least / 10.0).floor() * 10.0..100.0;
    let across = 0.0..methods.len() as f64 + 1.0;
    let mut chart = ChartBuilder::on(&panel.area)
        .caption("95 % intervals", panel.text(13))
        .margin(panel.points(10))
        .margin_right(panel.points(16))
        .x_label_area_size(panel.points(42))
        .y_label_area_size(panel.points(54))
        .build_cartesian_2d(across.clone(), range)
        .map_err(failed)?;
    let nothing = |_: &f64| String::new();
    axes(
        panel,
        &mut chart,
        ("method, by colour", &nothing),
        ("intervals that hold the truth, %", &plain),
    )?;
    let dash = panel.points(5) as i32;
    let goal = [(across.start, 95.0), (across.end, 95.0)];
    chart
        .draw_series(DashedLineSeries::new(goal, dash, dash, panel.line(&INK, 1)))
        .map_err(failed)?;
    let mut place = 0.0;
    for (method, color, _) in METHODS {
        for row in (0..methods.len()).filter(|&row| methods[row] == method) {
            place += 1.0;
            let bar = vec![(place, 100.0 * low[row]), (place, 100.0 * high[row])];
            let share = (place, 100.0 * hits[row] / all[row]);
            chart.draw_series([PathElement::new(bar, panel.line(&color, 2))]).map_err(failed)?;
            let dot = Circle::new(share, panel.points(4), color.filled());
            chart.draw_series([dot]).map_err(failed)?;
        }
    }
    Ok(())
}
