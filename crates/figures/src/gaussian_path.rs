//! Figure 1 of the paper: paths, stops, estimates, their density and the exact posterior mean.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, PALETTE, axes, failed};
use crate::density::density;
use crate::legend::{Mark, legend};
use crate::ticks::plain;
use plotters::prelude::*;
use records::{Record, quantile};

pub(crate) struct GaussianPath;

/// Cells of the density a side.
const CELLS: usize = 56;

impl Drawing for GaussianPath {
    const SIZE: (u32, u32) = (680, 470);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let estimates = record.table("coupled-sum")?;
        let (x, y) = (estimates.numbers("mean_1")?, estimates.numbers("mean_2")?);
        if x.is_empty() {
            return Err(FigureError::Empty { table: "coupled-sum".to_owned() });
        }
        let paths = record.table("paths")?;
        let owner = paths.numbers("replicate")?;
        let (path_x, path_y) = (paths.numbers("mean_1")?, paths.numbers("mean_2")?);
        let (range_x, range_y) = (range(&x, &path_x), range(&y, &path_y));
        let inside = |x: f64, y: f64| range_x.contains(&x) && range_y.contains(&y);
        let outside = x.iter().zip(&y).filter(|&(&x, &y)| !inside(x, y)).count();

        let (plot, side) = canvas.split(480);
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(12))
            .x_label_area_size(plot.points(42))
            .y_label_area_size(plot.points(52))
            .build_cartesian_2d(range_x.clone(), range_y.clone())
            .map_err(failed)?;
        axes(
            &plot,
            &mut chart,
            ("posterior mean of μ₁", &plain),
            ("posterior mean of μ₂", &plain),
        )?;

        // The density, darkest where estimates are densest.
        let (grid_x, step_x) = grid(&range_x);
        let (grid_y, step_y) = grid(&range_y);
        let heights = density(&x, &y, &grid_x, &grid_y);
        let highest = heights.iter().flatten().copied().fold(0.0, f64::max);
        for (row, &at_y) in heights.iter().zip(&grid_y) {
            for (&height, &at_x) in row.iter().zip(&grid_x) {
                let shade = 0.6 * height / highest;
                if shade < 0.01 {
                    continue;
                }
                let corners = [
                    (at_x - 0.5 * step_x, at_y - 0.5 * step_y),
                    (at_x + 0.5 * step_x, at_y + 0.5 * step_y),
                ];
                let cell = Rectangle::new(corners, blend(PALETTE[5], shade).filled());
                chart.draw_series([cell]).map_err(failed)?;
            }
        }
        let dot = plot.points(1) as i32;
        let shown = x.iter().zip(&y).filter(|&(&x, &y)| inside(x, y));
        chart
            .draw_series(
                shown.map(|(&x, &y)| Circle::new((x, y), dot, RGBColor(150, 150, 150).filled())),
            )
            .map_err(failed)?;

        let mut shown = owner.clone();
        shown.dedup();
        for (place, &replicate) in shown.iter().enumerate() {
            let color = PALETTE[place % PALETTE.len()];
            let points: Vec<(f64, f64)> = (0..owner.len())
                .filter(|&row| owner[row] == replicate)
                .map(|row| (path_x[row], path_y[row]))
                .collect();
            let Some(&stop) = points.last() else { continue };
            let row = replicate as usize - 1;
            let estimate = (x[row], y[row]);
            chart
                .draw_series([PathElement::new(points.clone(), canvas.line(&color, 2))])
                .map_err(failed)?;
            let small = plot.points(2) as i32;
            chart
                .draw_series(points.iter().map(|&point| Circle::new(point, small, color.filled())))
                .map_err(failed)?;
            let dots = (1..24).map(|step| {
                let share = f64::from(step) / 24.0;
                (stop.0 + share * (estimate.0 - stop.0), stop.1 + share * (estimate.1 - stop.1))
            });
            let dots = dots.filter(|&(x, y)| inside(x, y));
            chart
                .draw_series(dots.map(|point| Circle::new(point, dot, color.filled())))
                .map_err(failed)?;
            let half = plot.points(4) as i32;
            let square = EmptyElement::at(stop)
                + Rectangle::new([(-half, -half), (half, half)], color.filled());
            chart.draw_series([square]).map_err(failed)?;
            if inside(estimate.0, estimate.1) {
                let radius = plot.points(4) as i32;
                chart
                    .draw_series([Circle::new(estimate, radius, color.filled())])
                    .map_err(failed)?;
            }
        }
        let center = (record.value("coupled-sum/mean_1")?, record.value("coupled-sum/mean_2")?);
        let truth = (record.value("posterior mean/1")?, record.value("posterior mean/2")?);
        chart
            .draw_series([Circle::new(center, plot.points(7), canvas.line(&BLACK, 2))])
            .map_err(failed)?;
        chart
            .draw_series([Cross::new(truth, plot.points(6), canvas.line(&BLACK, 2))])
            .map_err(failed)?;

        let count = x.len();
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[0]), "path of partial\nposterior means".to_owned()),
                (Mark::Square(PALETTE[0]), "where it stops".to_owned()),
                (Mark::Dotted(PALETTE[0]), "to its estimate".to_owned()),
                (Mark::Dot(PALETTE[0]), "estimate of the path".to_owned()),
                (
                    Mark::Dot(RGBColor(150, 150, 150)),
                    format!("all {count} estimates\n({outside} outside)"),
                ),
                (Mark::Ring(BLACK), "mean of estimates".to_owned()),
                (Mark::Cross(BLACK), "exact posterior mean".to_owned()),
            ],
        )
    }
}

/// The range of the middle 94 % of the estimates, a few of which lie far out, and of all paths.
fn range(estimates: &[f64], paths: &[f64]) -> std::ops::Range<f64> {
    let low = paths.iter().copied().fold(quantile(estimates, 0.03), f64::min);
    let high = paths.iter().copied().fold(quantile(estimates, 0.97), f64::max);
    let room = 0.06 * (high - low).max(1e-12);
    low - room..high + room
}

fn grid(range: &std::ops::Range<f64>) -> (Vec<f64>, f64) {
    let step = (range.end - range.start) / CELLS as f64;
    ((0..CELLS).map(|cell| range.start + (cell as f64 + 0.5) * step).collect(), step)
}

fn blend(color: RGBColor, share: f64) -> RGBColor {
    let mix = |channel: u8| (255.0 + share * (f64::from(channel) - 255.0)).round() as u8;
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}
