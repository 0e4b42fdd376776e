//! Figure 2 of the paper: work × variance against α; the paper's bound, and what it bounds.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, PALETTE, axes, failed};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::Record;

pub(crate) struct WorkVariance;

impl Drawing for WorkVariance {
    const SIZE: (u32, u32) = (760, 380);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, right) = canvas.split(370);
        bound(record, &left)?;
        true_curves(record, &right)
    }
}

fn bound<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("bound")?;
    let (alphas, products) = (table.numbers("alpha")?, table.numbers("product")?);
    let best = (record.value("bound/alpha")?, record.value("bound/work times variance")?);
    let mut chart = ChartBuilder::on(&canvas.area)
        .caption("the paper's bound, N = 10 000", canvas.text(13))
        .margin(canvas.points(10))
        .x_label_area_size(canvas.points(40))
        .y_label_area_size(canvas.points(52))
        .build_cartesian_2d(0.0..1.5, 100.0..300.0)
        .map_err(failed)?;
    axes(
        canvas,
        &mut chart,
        ("exponent α of the truncation law", &plain),
        ("expected cost × bound", &plain),
    )?;
    let printed = 0.87;
    let dash = canvas.points(4) as i32;
    chart
        .draw_series(DashedLineSeries::new(
            [(printed, 100.0), (printed, 300.0)],
            dash,
            dash,
            canvas.line(&PALETTE[1], 1),
        ))
        .map_err(failed)?;
    let points =
        alphas.iter().copied().zip(products.iter().copied()).filter(|point| point.1 < 300.0);
    chart.draw_series(LineSeries::new(points, canvas.line(&PALETTE[0], 2))).map_err(failed)?;
    chart
        .draw_series([Circle::new(best, canvas.points(4), PALETTE[0].filled())])
        .map_err(failed)?;
    let label = canvas.text(11);
    chart
        .draw_series([
            Text::new(
                "printed: 0.87".to_owned(),
                (printed + 0.03, 290.0),
                label.clone().color(&PALETTE[1]),
            ),
            Text::new(format!("minimum at {:.3}", best.0), (0.36, 120.0), label.color(&PALETTE[0])),
        ])
        .map_err(failed)?;
    Ok(())
}

fn true_curves<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("true-curves")?;
    let rows = table.numbers("rows")?;
    let (alphas, products) = (table.numbers("alpha")?, table.numbers("product")?);
    let mut sizes = rows.clone();
    sizes.dedup();
    let mut chart = ChartBuilder::on(&canvas.area)
        .caption("the true work × variance", canvas.text(13))
        .margin(canvas.points(10))
        .margin_right(canvas.points(64))
        .x_label_area_size(canvas.points(40))
        .y_label_area_size(canvas.points(52))
        .build_cartesian_2d(0.0..1.5, (10.0..100_000.0).log_scale())
        .map_err(failed)?;
    axes(
        canvas,
        &mut chart,
        ("exponent α of the truncation law", &plain),
        ("expected cost × variance", &power_of_ten),
    )?;
    for (place, &size) in sizes.iter().enumerate() {
        let color = PALETTE[place];
        let curve: Vec<(f64, f64)> = (0..rows.len())
            .filter(|&row| rows[row] == size)
            .map(|row| (alphas[row], products[row]))
            .collect();
        let Some(&end) = curve.last() else { continue };
        chart
            .draw_series(LineSeries::new(curve.clone(), canvas.line(&color, 2)))
            .map_err(failed)?;
        if let Ok(alpha) = record.value(&format!("true/{size}/alpha")) {
            let nearest =
                curve.iter().min_by(|a, b| (a.0 - alpha).abs().total_cmp(&(b.0 - alpha).abs()));
            if let Some(&point) = nearest {
                chart
                    .draw_series([Circle::new(point, canvas.points(4), color.filled())])
                    .map_err(failed)?;
            }
        }
        let (pixel_x, pixel_y) = chart.backend_coord(&end);
        let label = format!("N = {}", power_of_ten(&size));
        let offset = (pixel_x + canvas.points(5) as i32, pixel_y - canvas.points(6) as i32);
        let base = canvas.area.get_base_pixel();
        let place = (offset.0 - base.0, offset.1 - base.1);
        canvas.area.draw_text(&label, &canvas.text(11).color(&color), place).map_err(failed)?;
    }
    Ok(())
}
