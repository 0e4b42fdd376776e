//! Curves: a line, its points, and a band around it.

use crate::FigureError;
use crate::marker::Marker;
use crate::sheet::Point;
use plotters::style::RGBColor;
use records::quantile;
use std::ops::Range;

/// How a curve is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Stroke {
    /// A line.
    Plain,
    /// A line that ends in a dot.
    Line,
    /// A line through dots.
    Dotted,
    /// A line through other shapes.
    Marked(Marker),
    /// A line of reference in dashes of this length in points.
    Dashes(u32),
}

/// A line of reference.
pub(crate) const DASHED: Stroke = Stroke::Dashes(5);

/// One curve; what leaves the range of the axis is drawn at its edge.
pub(crate) struct Curve {
    /// (x, y), in the order of x.
    pub(crate) points: Vec<Point>,
    /// (x, low, high), or nothing.
    pub(crate) band: Vec<(f64, f64, f64)>,
    pub(crate) color: RGBColor,
    pub(crate) stroke: Stroke,
    /// How opaque the band is.
    pub(crate) shade: f64,
}

impl Curve {
    /// Without a band.
    pub(crate) fn new(points: Vec<Point>, color: RGBColor, stroke: Stroke) -> Curve {
        Curve::banded(points, Vec::new(), color, stroke)
    }

    /// With a band.
    pub(crate) fn banded(
        points: Vec<Point>,
        band: Vec<(f64, f64, f64)>,
        color: RGBColor,
        stroke: Stroke,
    ) -> Curve {
        Curve { points, band, color, stroke, shade: 0.16 }
    }

    /// A horizontal line of reference.
    pub(crate) fn level(across: &Range<f64>, height: f64, color: RGBColor) -> Curve {
        Curve::new(vec![(across.start, height), (across.end, height)], color, DASHED)
    }

    /// The mean of the values of every key, in the band of their middle 95 %.
    pub(crate) fn spread(groups: &[(f64, Vec<f64>)], color: RGBColor) -> Curve {
        let points = groups.iter().map(|(key, values)| (*key, mean(values))).collect();
        Curve::banded(points, middle(groups), color, Stroke::Dotted)
    }
}

/// The middle 95 % of the values of every key.
pub(crate) fn middle(groups: &[(f64, Vec<f64>)]) -> Vec<(f64, f64, f64)> {
    let ends = |values: &[f64]| (quantile(values, 0.025), quantile(values, 0.975));
    groups.iter().map(|(key, values)| (*key, ends(values).0, ends(values).1)).collect()
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The ends of all bands.
pub(crate) fn band_ends(curves: &[Curve]) -> impl Iterator<Item = f64> {
    curves.iter().flat_map(|curve| curve.band.iter().flat_map(|point| [point.1, point.2]))
}

/// All points.
pub(crate) fn points_of(curves: &[Curve]) -> impl Iterator<Item = Point> {
    curves.iter().flat_map(|curve| curve.points.iter().copied())
}

/// Points at least so far apart that the eye can follow, and the last: many points at one place would be
/// joined by spikes that leave the axes.
pub(crate) fn thinned(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for &point in points {
        if kept.last().is_none_or(|last| point.0 >= 1.03 * last.0) {
            kept.push(point);
        }
    }
    if let Some(last) = points.last()
        && kept.last() != Some(last)
    {
        if kept.len() > 1 {
            kept.pop();
        }
        kept.push(*last);
    }
    kept
}

/// The range of positive numbers of a table, whole powers of ten at both ends.
pub(crate) fn decades(
    table: &str,
    values: impl IntoIterator<Item = f64>,
) -> Result<Range<f64>, FigureError> {
    let (low, high) = values
        .into_iter()
        .filter(|value| value.is_finite() && *value > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let power = |exponent: f64| 10f64.powf(exponent);
    (low < f64::INFINITY)
        .then(|| power(low.log10().floor())..power((high.log10() + 1e-9).ceil()))
        .filter(|range| range.start < range.end)
        .ok_or_else(|| FigureError::Empty { table: table.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn crowded_points_go_and_the_last_stays() {
        let points = [1.0, 1.01, 1.02, 2.0, 2.01].map(|x| (x, x)).to_vec();
        assert_eq!(thinned(&points), [(1.0, 1.0), (2.01, 2.01)]);
    }
}
