//! Figures 3 and 4 of the paper: partial posterior means of σ, and debiased estimates.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::legend::{Mark, legend};
use crate::running::{Panel, Series};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::{Record, quantile};

/// Figure 3.
pub(crate) struct LogGaussianConvergence;

impl Drawing for LogGaussianConvergence {
    const SIZE: (u32, u32) = (720, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("convergence")?;
        let (rows, values) = (table.numbers("rows")?, table.numbers("sigma")?);
        let mut sizes = rows.clone();
        sizes.dedup();
        let at = |size: f64| -> Vec<f64> {
            (0..rows.len()).filter(|&row| rows[row] == size).map(|row| values[row]).collect()
        };
        let (Some(&first), Some(&last)) = (sizes.first(), sizes.last()) else {
            return Err(FigureError::Empty { table: "convergence".to_owned() });
        };
        let (plot, side) = canvas.split(530);
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(10))
            .margin_right(plot.points(18))
            .x_label_area_size(plot.points(42))
            .y_label_area_size(plot.points(56))
            .build_cartesian_2d((first..last).log_scale(), 0.8..2.6)
            .map_err(failed)?;
        axes(
            &plot,
            &mut chart,
            ("rows in the batch", &power_of_ten),
            ("posterior mean of σ", &plain),
        )?;
        let upper = sizes.iter().map(|&size| (size, quantile(&at(size), 0.975).min(2.6)));
        let lower = sizes.iter().rev().map(|&size| (size, quantile(&at(size), 0.025).max(0.8)));
        let band =
            Polygon::new(upper.chain(lower).collect::<Vec<_>>(), PALETTE[0].mix(0.18).filled());
        chart.draw_series([band]).map_err(failed)?;
        let dash = plot.points(5) as i32;
        let target = record.value("target")?;
        let line = [(first, target), (last, target)];
        chart
            .draw_series(DashedLineSeries::new(line, dash, dash, plot.line(&INK, 1)))
            .map_err(failed)?;
        let means: Vec<(f64, f64)> = sizes
            .iter()
            .map(|&size| (size, at(size).iter().sum::<f64>() / at(size).len() as f64))
            .collect();
        chart
            .draw_series(LineSeries::new(means.clone(), plot.line(&PALETTE[0], 2)))
            .map_err(failed)?;
        let radius = plot.points(3);
        chart
            .draw_series(
                means.into_iter().map(|mean| Circle::new(mean, radius, PALETTE[0].filled())),
            )
            .map_err(failed)?;
        let trials = at(first).len();
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[0]), format!("mean of {trials} batches")),
                (Mark::Square(RGBColor(205, 227, 240)), "middle 95 % of\nthe batches".to_owned()),
                (Mark::Dashed(INK), "given all rows".to_owned()),
            ],
        )
    }
}

/// Figure 4.
pub(crate) struct LogGaussianDebiasing;

impl Drawing for LogGaussianDebiasing {
    const SIZE: (u32, u32) = (720, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let series = |name: &str, color| -> Result<Series, FigureError> {
            let table = record.table(name)?;
            let cost = table.numbers("evaluations")?.iter().sum::<f64>() / table.rows() as f64;
            let setup = record.value(&format!("{name}/set-up cost")).unwrap_or(0.0);
            Ok(Series { values: table.numbers("sigma")?, setup, cost, color })
        };
        let target = record.value("target")?;
        let (plot, side) = canvas.split(530);
        Panel {
            title: "",
            cost: "likelihood evaluations",
            value: "estimate of the posterior mean of σ",
            range: target - 0.5..target + 0.5,
            references: vec![(target, INK)],
            series: vec![
                series("coupled-sum", PALETTE[0])?,
                series("antithetic-single-term", PALETTE[2])?,
                series("constant-batch", PALETTE[1])?,
                series("anchored", PALETTE[3])?,
            ],
            steps: None,
        }
        .draw(&plot)?;
        let full = record.value("full-nuts/total cost")?;
        let batch = record.value("constant-batch/batch")?;
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[0]), "debiased, the paper's".to_owned()),
                (Mark::Line(PALETTE[2]), "debiased, antithetic\nsingle term".to_owned()),
                (Mark::Line(PALETTE[1]), format!("constant batches\nof {batch} rows")),
                (Mark::Line(PALETTE[3]), "debiased, anchored".to_owned()),
                (Mark::Dashed(INK), "exact, all rows".to_owned()),
                (Mark::Dot(INK), format!("full NUTS would stand\nat {full:.1e} evaluations")),
            ],
        )
    }
}
