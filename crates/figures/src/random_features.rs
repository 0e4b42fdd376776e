//! Figure 6 of the paper: errors of single batches, and of running means at the same cost.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::legend::{Mark, legend};
use crate::ticks::power_of_ten;
use plotters::prelude::*;
use records::{Record, quantile};

pub(crate) struct RandomFeatures;

/// The errors shown, from what nobody can see to what everybody does.
const ERRORS: std::ops::Range<f64> = 1e-4..1e1;

impl Drawing for RandomFeatures {
    const SIZE: (u32, u32) = (900, 380);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, rest) = canvas.split(350);
        let (right, side) = rest.split(350);
        convergence(record, &left)?;
        running(record, &right)?;
        legend(
            &side,
            &[
                (
                    Mark::Square(RGBColor(205, 227, 240)),
                    "one batch: middle\n95 % of the trials".to_owned(),
                ),
                (Mark::Dashed(INK), "the printed 0.2".to_owned()),
                (Mark::Line(PALETTE[1]), "mean of constant\nbatches".to_owned()),
                (Mark::Line(PALETTE[0]), "mean of debiased,\nthe paper's".to_owned()),
                (Mark::Line(PALETTE[2]), "mean of debiased,\nantithetic single term".to_owned()),
            ],
        )
    }
}

fn convergence<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("paper-convergence")?;
    let (rows, errors) = (table.numbers("rows")?, table.numbers("error")?);
    let mut sizes = rows.clone();
    sizes.dedup();
    let at = |size: f64| -> Vec<f64> {
        (0..rows.len()).filter(|&row| rows[row] == size).map(|row| errors[row]).collect()
    };
    let clip = |value: f64| value.clamp(ERRORS.start, ERRORS.end);
    let mut chart = ChartBuilder::on(&canvas.area)
        .caption("one batch", canvas.text(13))
        .margin(canvas.points(10))
        .x_label_area_size(canvas.points(42))
        .y_label_area_size(canvas.points(56))
        .build_cartesian_2d((50.0..1e4).log_scale(), ERRORS.log_scale())
        .map_err(failed)?;
    let (x, y) = ("rows in the batch", "mean squared error of predictions");
    axes(canvas, &mut chart, (x, &power_of_ten), (y, &power_of_ten))?;
    let upper = sizes.iter().map(|&size| (size, clip(quantile(&at(size), 0.975))));
    let lower = sizes.iter().rev().map(|&size| (size, clip(quantile(&at(size), 0.025))));
    let band = Polygon::new(upper.chain(lower).collect::<Vec<_>>(), PALETTE[0].mix(0.18).filled());
    chart.draw_series([band]).map_err(failed)?;
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<(f64, f64)> = sizes.iter().map(|&size| (size, clip(mean(at(size))))).collect();
    chart.draw_series(LineSeries::new(means, canvas.line(&PALETTE[0], 2))).map_err(failed)?;
    let dash = canvas.points(5) as i32;
    let printed =
        DashedLineSeries::new([(50.0, 0.2), (1e4, 0.2)], dash, dash, canvas.line(&INK, 1));
    chart.draw_series(printed).map_err(failed)?;
    Ok(())
}

fn running<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("paper-running")?;
    let mut chart = ChartBuilder::on(&canvas.area)
        .caption("running means", canvas.text(13))
        .margin(canvas.points(10))
        .x_label_area_size(canvas.points(42))
        .y_label_area_size(canvas.points(56))
        .build_cartesian_2d((400.0..1e6).log_scale(), ERRORS.log_scale())
        .map_err(failed)?;
    let (x, y) = ("rows evaluated", "mean squared error of predictions");
    axes(canvas, &mut chart, (x, &power_of_ten), (y, &power_of_ten))?;
    for (name, color) in [
        ("constant_batch", PALETTE[1]),
        ("coupled_sum", PALETTE[0]),
        ("antithetic_single_term", PALETTE[2]),
    ] {
        let errors = table.numbers(name)?;
        let rows = table.numbers(&format!("{name}_rows"))?;
        let (mut spent, mut shown) = (0.0, 0.0);
        let curve = errors.iter().zip(&rows).filter_map(|(error, rows)| {
            spent += rows;
            // Points closer than two per cent cannot be told apart.
            let apart = spent > 1.02 * shown;
            shown = if apart { spent } else { shown };
            apart.then_some((spent, error.clamp(ERRORS.start, ERRORS.end)))
        });
        let curve: Vec<(f64, f64)> =
            curve.filter(|point| (400.0..1e6).contains(&point.0)).collect();
        chart.draw_series(LineSeries::new(curve, canvas.line(&color, 2))).map_err(failed)?;
    }
    Ok(())
}
