//! The bias of finite chains, and when coupled chains meet.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::{Record, quantile};

pub(crate) struct ChainBias;

impl Drawing for ChainBias {
    const SIZE: (u32, u32) = (880, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (left, rest) = canvas.split(350);
        let (right, side) = rest.split(340);
        bias(record, &left)?;
        meetings(record, &right)?;
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[0]), "finite chains, 95 %\ninterval".to_owned()),
                (Mark::Dot(PALETTE[3]), "coupled chains, 95 %\ninterval".to_owned()),
                (Mark::Dashed(INK), "no bias".to_owned()),
                (Mark::Line(PALETTE[2]), "median meeting time;\nband: middle 95 %".to_owned()),
            ],
        )
    }
}

fn bias<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("bias")?;
    let names = table.words("levels")?;
    let (target, sd) = (record.value("target")?, record.value("posterior sd")?);
    let (sigma, error) = (table.numbers("sigma")?, table.numbers("error")?);
    // Zero has no logarithm: one step stands for none.
    let at = |row: usize| ((sigma[row] - target) / sd, 1.96 * error[row] / sd);
    let mut line = Curve::new(Vec::new(), PALETTE[0], Stroke::Dotted);
    let mut pair = None;
    for (row, name) in names.iter().enumerate() {
        let (middle, half) = at(row);
        if let Some(warm_up) = name.strip_prefix("warm-up-").and_then(|w| w.parse::<f64>().ok()) {
            line.points.push((warm_up.max(1.0), middle));
            line.band.push((warm_up.max(1.0), middle - half, middle + half));
        } else if name == "coupled" {
            pair = Some((middle, half));
        }
    }
    let highs = line.band.iter().map(|point| point.2);
    let lows = line.band.iter().map(|point| point.1);
    let (low, high) = (lows.fold(0.0, f64::min), highs.fold(0.0, f64::max));
    let margin = 0.06 * (high - low);
    let range = low - margin..high + margin;
    let mut chart = ChartBuilder::on(&canvas.area)
        .margin(canvas.points(8))
        .margin_right(canvas.points(14))
        .x_label_area_size(canvas.points(40))
        .y_label_area_size(canvas.points(54))
        .build_cartesian_2d((1.0..1000.0).log_scale(), range.clone())
        .map_err(failed)?;
    let words = ("steps of warm-up (none drawn at 1)", "bias, posterior sds");
    axes(canvas, &mut chart, (words.0, &power_of_ten), (words.1, &plain))?;
    let zero = Curve::new(vec![(1.0, 0.0), (1000.0, 0.0)], INK, Stroke::Dashed);
    curves(canvas, &mut chart, &range, &[zero, line])?;
    if let Some((middle, half)) = pair {
        let bar = vec![(700.0, middle - half), (700.0, middle + half)];
        let style = canvas.line(&PALETTE[3], 2);
        chart.draw_series([PathElement::new(bar, style)]).map_err(failed)?;
        let dot = Circle::new((700.0, middle), canvas.points(4), PALETTE[3].filled());
        chart.draw_series([dot]).map_err(failed)?;
    }
    Ok(())
}

fn meetings<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
    let table = record.table("meetings")?;
    let (rows, times) = (table.numbers("rows")?, table.numbers("meeting")?);
    let mut sizes = rows.clone();
    sizes.dedup();
    let mut line = Curve::new(Vec::new(), PALETTE[2], Stroke::Dotted);
    for &size in &sizes {
        let met: Vec<f64> =
            (0..rows.len()).filter(|&row| rows[row] == size).map(|row| times[row]).collect();
        line.points.push((size, quantile(&met, 0.5)));
        line.band.push((size, quantile(&met, 0.025), quantile(&met, 0.975)));
    }
    let empty = || FigureError::Empty { table: "meetings".to_owned() };
    let range = decades(line.band.iter().flat_map(|point| [point.1, point.2])).ok_or_else(empty)?;
    let across = decades(sizes.iter().copied()).ok_or_else(empty)?;
    let mut chart = ChartBuilder::on(&canvas.area)
        .margin(canvas.points(8))
        .margin_right(canvas.points(14))
        .x_label_area_size(canvas.points(40))
        .y_label_area_size(canvas.points(54))
        .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
        .map_err(failed)?;
    axes(
        canvas,
        &mut chart,
        ("rows of the level", &power_of_ten),
        ("meeting time", &power_of_ten),
    )?;
    curves(canvas, &mut chart, &range, &[line])
}
