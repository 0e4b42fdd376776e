//! Curves on one chart: a line, its points, and a band around it.

use crate::FigureError;
use crate::canvas::{Canvas, failed};
use crate::marker::Marker;
use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;
use std::ops::Range;

/// How a curve is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Stroke {
    /// A line that ends in a dot.
    Line,
    /// A line through dots.
    Dotted,
    /// A line through other shapes.
    Marked(Marker),
    /// A dashed line of reference.
    Dashed,
}

/// One curve.
pub(crate) struct Curve {
    /// (x, y), in the order of x.
    pub(crate) points: Vec<(f64, f64)>,
    /// (x, low, high), or nothing.
    pub(crate) band: Vec<(f64, f64, f64)>,
    pub(crate) color: RGBColor,
    pub(crate) stroke: Stroke,
}

impl Curve {
    /// Without a band.
    pub(crate) fn new(points: Vec<(f64, f64)>, color: RGBColor, stroke: Stroke) -> Curve {
        Curve { points, band: Vec::new(), color, stroke }
    }
}

/// Draws bands first and lines over them; what leaves the range is drawn at its edge.
pub(crate) fn curves<B, X, Y>(
    canvas: &Canvas<B>,
    chart: &mut ChartContext<'_, B, Cartesian2d<X, Y>>,
    range: &Range<f64>,
    curves: &[Curve],
) -> Result<(), FigureError>
where
    B: DrawingBackend,
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let clip = |value: f64| value.clamp(range.start, range.end);
    for curve in curves.iter().filter(|curve| !curve.band.is_empty()) {
        let above = curve.band.iter().map(|point| (point.0, clip(point.2)));
        let below = curve.band.iter().rev().map(|point| (point.0, clip(point.1)));
        let outline = above.chain(below).collect::<Vec<_>>();
        chart
            .draw_series([Polygon::new(outline, curve.color.mix(0.16).filled())])
            .map_err(failed)?;
    }
    for Curve { points, color, stroke, .. } in curves {
        let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x, clip(y))).collect();
        if *stroke == Stroke::Dashed {
            let dash = canvas.points(5) as i32;
            chart
                .draw_series(DashedLineSeries::new(points, dash, dash, canvas.line(color, 1)))
                .map_err(failed)?;
            continue;
        }
        let line = LineSeries::new(points.iter().copied(), canvas.line(color, 2));
        chart.draw_series(line).map_err(failed)?;
        if let Stroke::Marked(marker) = stroke {
            let shapes = points.iter().map(|&point| marker.at(point, canvas.points(3), *color));
            chart.draw_series(shapes).map_err(failed)?;
            continue;
        }
        // A curve too short to be seen still has its end.
        let first = if *stroke == Stroke::Dotted { 0 } else { points.len().saturating_sub(1) };
        let dot = |&point: &(f64, f64)| Circle::new(point, canvas.points(3), color.filled());
        chart.draw_series(points[first..].iter().map(dot)).map_err(failed)?;
    }
    Ok(())
}

/// The range of positive numbers, whole powers of ten at both ends.
pub(crate) fn decades(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let (low, high) = values
        .filter(|value| value.is_finite() && *value > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let power = |exponent: f64| 10f64.powf(exponent);
    (low < f64::INFINITY)
        .then(|| power(low.log10().floor())..power((high.log10() + 1e-9).ceil()))
        .filter(|range| range.start < range.end)
}
