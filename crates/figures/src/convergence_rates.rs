//! Figure 10 of the paper: squared distances to the full posterior against rows.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::power_of_ten;
use plotters::prelude::*;
use records::Record;

pub(crate) struct ConvergenceRates;

impl Drawing for ConvergenceRates {
    const SIZE: (u32, u32) = (720, 420);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("distances")?;
        let (rows, squares) = (table.numbers("rows")?, table.numbers("squared_distance")?);
        let names = table.words("statistic")?;
        let mut known: Vec<&String> = names.iter().collect();
        known.dedup();
        let (mut lines, mut entries) = (Vec::new(), Vec::new());
        for (name, color) in known.into_iter().zip(PALETTE) {
            let points: Vec<(f64, f64)> = (0..rows.len())
                .filter(|&row| names[row] == *name)
                .map(|row| (rows[row], squares[row]))
                .collect();
            let value = |label: &str| record.value(&format!("{name}/{label}"));
            let (beta, constant) = (value("beta")?, value("constant")?);
            let fit = [points.first(), points.last()].into_iter().flatten();
            let fit = fit.map(|&(x, _)| (x, constant * x.powf(-beta))).collect();
            lines.push(Curve::new(fit, color, Stroke::Dashed));
            lines.push(Curve::new(points, color, Stroke::Dotted));
            let (low, high) = (value("beta, low")?, value("beta, high")?);
            entries.push((
                Mark::Line(color),
                format!("{name}:\nβ = {beta:.2} ({low:.2} to {high:.2})"),
            ));
        }
        let empty = || FigureError::Empty { table: "distances".to_owned() };
        let across = decades(rows.iter().copied()).ok_or_else(empty)?;
        let range = decades(squares.iter().copied()).ok_or_else(empty)?;
        let (plot, side) = canvas.split(500);
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(10))
            .margin_right(plot.points(18))
            .x_label_area_size(plot.points(42))
            .y_label_area_size(plot.points(56))
            .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
            .map_err(failed)?;
        let distance = "squared distance to the full posterior";
        axes(&plot, &mut chart, ("rows in the batch", &power_of_ten), (distance, &power_of_ten))?;
        curves(&plot, &mut chart, &range, &lines)?;
        legend(&side, &entries)
    }
}
