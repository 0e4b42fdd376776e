//! Every method at doubling budgets, by evaluations and by seconds, and whose intervals hold.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::marker::Marker;
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::Record;

/// Errors against evaluations.
pub(crate) struct Lineup;
/// Errors against seconds.
pub(crate) struct Seconds;
/// Shares of intervals that hold the truth.
pub(crate) struct Coverage;

const SQUARES: Stroke = Stroke::Marked(Marker::Square);
const TRIANGLES: Stroke = Stroke::Marked(Marker::Triangle);
const DIAMONDS: Stroke = Stroke::Marked(Marker::Diamond);

/// Every method, its colour and shape, and its name for the reader. Dots debias or average batches,
/// squares are exact given all rows, triangles follow noisy gradients, diamonds approximate.
const METHODS: [(&str, RGBColor, Stroke, &str); 17] = [
    ("anchored", PALETTE[3], Stroke::Dotted, "debiased, anchored"),
    (
        "anchored-stand-in",
        PALETTE[5],
        Stroke::Dotted,
        "debiased, anchored at a\nsmooth prior's mode",
    ),
    ("antithetic-single-term", PALETTE[2], Stroke::Dotted, "debiased, antithetic\nsingle term"),
    ("coupled-sum", PALETTE[0], Stroke::Dotted, "debiased, the paper's"),
    ("constant-batch", PALETTE[1], Stroke::Dotted, "constant batches"),
    ("full-nuts", PALETTE[6], SQUARES, "NUTS on all rows"),
    ("nuts-control-variates", PALETTE[0], SQUARES, "NUTS, control variates"),
    ("firefly", PALETTE[4], SQUARES, "Firefly"),
    ("zig-zag", PALETTE[5], SQUARES, "Zig-Zag"),
    ("ibis", PALETTE[7], SQUARES, "IBIS"),
    ("sgld", PALETTE[2], TRIANGLES, "SGLD"),
    ("sgld-control-variates", PALETTE[7], TRIANGLES, "SGLD, control variates"),
    ("sghmc", PALETTE[1], TRIANGLES, "SGHMC"),
    ("laplace", PALETTE[6], DIAMONDS, "Laplace mean"),
    ("austerity", PALETTE[3], DIAMONDS, "austerity"),
    ("confidence", PALETTE[4], DIAMONDS, "confidence sampler"),
    ("consensus", PALETTE[7], DIAMONDS, "consensus"),
];

const PANELS: [(&str, &str); 3] = [
    ("logistic", "logistic, 10 weights"),
    ("log-gaussian", "log-Gaussian, σ"),
    ("a9a", "a9a, 124 weights"),
];

const JUDGED: [(&str, &str); 2] =
    [("coverage-logistic", "logistic, 10 weights"), ("coverage-log-gaussian", "log-Gaussian, σ")];

/// Three panels and a legend.
const WIDE: (u32, u32) = (1250, 490);

impl Drawing for Lineup {
    const SIZE: (u32, u32) = WIDE;

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let x = record.table("lineup")?.numbers("evaluations")?;
        errors(record, canvas, &x, "likelihood evaluations, set-up included")
    }
}

impl Drawing for Seconds {
    const SIZE: (u32, u32) = WIDE;

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        errors(record, canvas, &seconds(record)?, "seconds of one core, set-up included")
    }
}

impl Drawing for Coverage {
    const SIZE: (u32, u32) = (760, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, rest) = canvas.split(280);
        let (middle, side) = rest.split(280);
        for ((problem, title), panel) in JUDGED.iter().zip([&left, &middle]) {
            coverage(record, panel, problem, title)?;
        }
        let methods = record.table("coverage")?.words("method")?;
        let there = |method: &str| methods.iter().any(|other| other == method);
        names(&side, there, "95 %")
    }
}

/// The methods that are there, and what is dashed.
fn names<B: DrawingBackend>(
    side: &Canvas<B>,
    there: impl Fn(&str) -> bool,
    dashed: &str,
) -> Result<(), FigureError> {
    let entries: Vec<_> = METHODS
        .iter()
        .filter(|(method, ..)| there(method))
        .map(|(_, color, stroke, text)| (Mark::Curve(*color, *stroke), (*text).to_owned()))
        .chain([(Mark::Dashed(INK), dashed.to_owned())])
        .collect();
    legend(side, &entries)
}

/// For each row of the line-up the seconds of one core that its answer takes: those of the set-up, and
/// evaluations beyond it at the speed of the method's whole step.
fn seconds(record: &Record) -> Result<Vec<f64>, FigureError> {
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

/// Root mean square errors on all problems.
fn errors<B: DrawingBackend>(
    record: &Record,
    canvas: &Canvas<B>,
    x: &[f64],
    across: &str,
) -> Result<(), FigureError> {
    let (left, rest) = canvas.split(350);
    let (middle, rest) = rest.split(350);
    let (right, side) = rest.split(350);
    for ((problem, title), panel) in PANELS.iter().zip([&left, &middle, &right]) {
        panel_of(record, panel, (problem, title), x, across)?;
    }
    names(&side, |_| true, "one posterior sd")
}

fn panel_of<B: DrawingBackend>(
    record: &Record,
    panel: &Canvas<B>,
    (problem, title): (&str, &str),
    x: &[f64],
    words: &str,
) -> Result<(), FigureError> {
    let table = record.table("lineup")?;
    let (problems, methods) = (table.words("problem")?, table.words("method")?);
    let y = table.numbers("rmse")?;
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let own: Vec<usize> = (0..x.len()).filter(|&row| problems[row] == problem).collect();
    let empty = || FigureError::Empty { table: format!("lineup of {problem}") };
    let across = decades(own.iter().map(|&row| x[row])).ok_or_else(empty)?;
    let range = decades(own.iter().map(|&row| y[row]).chain([1.0])).ok_or_else(empty)?;
    let mut lines =
        vec![Curve::new(vec![(across.start, 1.0), (across.end, 1.0)], INK, Stroke::Dashed)];
    // Ours last, on top of the others.
    for (method, color, stroke, _) in METHODS.iter().rev() {
        let rows: Vec<usize> = own.iter().copied().filter(|&row| methods[row] == *method).collect();
        if !rows.is_empty() {
            let points = rows.iter().map(|&row| (x[row], y[row])).collect();
            let band = rows.iter().map(|&row| (x[row], low[row], high[row])).collect();
            lines.push(Curve { points, band, color: *color, stroke: *stroke });
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
    let sds = "RMSE in posterior sds";
    axes(panel, &mut chart, (words, &power_of_ten), (sds, &power_of_ten))?;
    curves(panel, &mut chart, &range, &lines)
}

/// Shares of intervals that hold the truth.
fn coverage<B: DrawingBackend>(
    record: &Record,
    panel: &Canvas<B>,
    problem: &str,
    title: &str,
) -> Result<(), FigureError> {
    let table = record.table("coverage")?;
    let (problems, methods) = (table.words("problem")?, table.words("method")?);
    let (hits, all) = (table.numbers("covered")?, table.numbers("intervals")?);
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let least = low.iter().copied().fold(0.9, f64::min);
    let range = (100.0 * least / 10.0).floor() * 10.0..100.0;
    let own: Vec<usize> = (0..methods.len()).filter(|&row| problems[row] == problem).collect();
    let across = 0.0..own.len() as f64 + 1.0;
    let mut chart = ChartBuilder::on(&panel.area)
        .caption(title, panel.text(13))
        .margin(panel.points(10))
        .margin_right(panel.points(16))
        .x_label_area_size(panel.points(42))
        .y_label_area_size(panel.points(54))
        .build_cartesian_2d(across.clone(), range.clone())
        .map_err(failed)?;
    let nothing = |_: &f64| String::new();
    axes(
        panel,
        &mut chart,
        ("method, by colour and shape", &nothing),
        ("intervals that hold the truth, %", &plain),
    )?;
    let dash = panel.points(5) as i32;
    let goal = [(across.start, 95.0), (across.end, 95.0)];
    chart
        .draw_series(DashedLineSeries::new(goal, dash, dash, panel.line(&INK, 1)))
        .map_err(failed)?;
    let mut place = 0.0;
    let mut shares = Vec::new();
    for (method, color, stroke, _) in METHODS {
        for &row in own.iter().filter(|&&row| methods[row] == method) {
            place += 1.0;
            let bar = vec![(place, 100.0 * low[row]), (place, 100.0 * high[row])];
            let share = vec![(place, 100.0 * hits[row] / all[row])];
            chart.draw_series([PathElement::new(bar, panel.line(&color, 2))]).map_err(failed)?;
            shares.push(Curve::new(share, color, stroke));
        }
    }
    curves(panel, &mut chart, &range, &shares)
}
