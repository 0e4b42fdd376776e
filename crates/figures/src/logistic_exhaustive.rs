//! Chains on all rows beside the truth: their errors with what they claim of them.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves};
use crate::legend::{Mark, legend};
use crate::ticks::plain;
use plotters::prelude::*;
use records::Record;

pub(crate) struct LogisticExhaustive;

/// Column, name for the reader, colour, and how far beside the weight it is drawn.
const METHODS: [(&str, &str, RGBColor, f64); 2] =
    [("full-nuts", "NUTS", PALETTE[0], -0.12), ("firefly", "Firefly", PALETTE[1], 0.12)];

impl Drawing for LogisticExhaustive {
    const SIZE: (u32, u32) = (720, 360);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("weights")?;
        let (truth, sds) = (table.numbers("mean")?, table.numbers("sd")?);
        let weights = truth.len();
        let mut bars = Vec::new();
        for (method, _, color, shift) in METHODS {
            let (means, errors) =
                (table.numbers(method)?, table.numbers(&format!("{method} error"))?);
            bars.extend((0..weights).map(|j| {
                let center = (means[j] - truth[j]) / sds[j];
                ((j + 1) as f64 + shift, center, 1.96 * errors[j] / sds[j], color)
            }));
        }
        let height = bars.iter().map(|bar| bar.1.abs() + bar.2).fold(0.0, f64::max) * 1.1;
        let (across, range) = (0.4..weights as f64 + 0.6, -height..height);
        let (plot, side) = canvas.split(530);
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(10))
            .margin_right(plot.points(18))
            .x_label_area_size(plot.points(42))
            .y_label_area_size(plot.points(56))
            .build_cartesian_2d(across.clone(), range.clone())
            .map_err(failed)?;
        let words = ("weight (the last is the bias)", "error, posterior sds");
        axes(&plot, &mut chart, (words.0, &plain), (words.1, &plain))?;
        let zero = Curve::new(vec![(across.start, 0.0), (across.end, 0.0)], INK, Stroke::Dashed);
        curves(&plot, &mut chart, &range, &[zero])?;
        for (x, center, half, color) in bars {
            let bar = vec![(x, center - half), (x, center + half)];
            chart.draw_series([PathElement::new(bar, plot.line(&color, 2))]).map_err(failed)?;
            let dot = Circle::new((x, center), plot.points(3), color.filled());
            chart.draw_series([dot]).map_err(failed)?;
        }
        let mut entries = Vec::new();
        for (method, name, color, _) in METHODS {
            let value = |what: &str| record.value(&format!("{method}/{what}"));
            let (passes, effective) = (value("passes")?, value("least effective draws")?);
            let text = format!("{name}: {passes:.0} passes,\n{effective:.0} effective draws");
            entries.push((Mark::Dot(color), text));
        }
        entries.push((Mark::Dashed(INK), "the truth, by Newton\nand Laplace".to_owned()));
        legend(&side, &entries)
    }
}
