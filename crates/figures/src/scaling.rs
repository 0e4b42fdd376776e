//! What an answer costs as the data grows, and how many workers can share it.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::power_of_ten;
use plotters::prelude::*;
use records::Record;

pub(crate) struct Scaling;

/// Every method, its colour, and its name for the reader.
const METHODS: [(&str, RGBColor, &str); 7] = [
    ("coupled-sum", PALETTE[0], "debiased, the paper's"),
    ("antithetic-single-term", PALETTE[2], "debiased, antithetic\nsingle term"),
    ("constant-batch", PALETTE[1], "averaged constant\nbatches"),
    ("all-rows", INK, "one pass over all rows"),
    ("anchored", PALETTE[3], "debiased, anchored"),
    ("full-nuts", PALETTE[6], "NUTS on all rows"),
    ("firefly", PALETTE[4], "Firefly"),
];

/// Table, title, and what its axes show.
const PANELS: [(&str, &str, [&str; 2], [&str; 2]); 3] = [
    (
        "absolute",
        "error 0.01, log-Gaussian",
        ["rows", "evaluations"],
        ["rows of the data", "evaluations to the error"],
    ),
    (
        "relative",
        "error 0.1 posterior sds, logistic",
        ["rows", "evaluations"],
        ["rows of the data", "evaluations to the error"],
    ),
    ("workers", "many workers, logistic", ["workers", "speed-up"], ["workers", "speed-up"]),
];

impl Drawing for Scaling {
    const SIZE: (u32, u32) = (1160, 380);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, rest) = canvas.split(325);
        let (middle, rest) = rest.split(325);
        let (right, side) = rest.split(325);
        for ((name, title, columns, words), panel) in PANELS.iter().zip([&left, &middle, &right]) {
            let table = record.table(name)?;
            let (x, y) = (table.numbers(columns[0])?, table.numbers(columns[1])?);
            let methods = table.words("method")?;
            let mut lines = Vec::new();
            for (method, color, _) in METHODS {
                let points: Vec<(f64, f64)> = (0..x.len())
                    .filter(|&row| methods[row] == method)
                    .map(|row| (x[row], y[row]))
                    .collect();
                if !points.is_empty() {
                    lines.push(Curve::new(points, color, Stroke::Dotted));
                }
            }
            let empty = || FigureError::Empty { table: (*name).to_owned() };
            let across = decades(x.iter().copied()).ok_or_else(empty)?;
            let range = decades(y.iter().copied()).ok_or_else(empty)?;
            let mut chart = ChartBuilder::on(&panel.area)
                .caption(*title, panel.text(13))
                .margin(panel.points(10))
                .margin_right(panel.points(16))
                .x_label_area_size(panel.points(42))
                .y_label_area_size(panel.points(54))
                .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
                .map_err(failed)?;
            axes(panel, &mut chart, (words[0], &power_of_ten), (words[1], &power_of_ten))?;
            curves(panel, &mut chart, &range, &lines)?;
        }
        let entries: Vec<_> = METHODS
            .iter()
            .map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned()))
            .collect();
        legend(&side, &entries)
    }
}
