//! Running means with their 95 % bands.

use crate::FigureError;
use crate::canvas::{Canvas, axes, failed};
use crate::curves::{Curve, Stroke, curves};
use crate::ticks::{fitted, power_of_ten};
use plotters::prelude::*;
use records::running;
use std::ops::Range;

/// One estimator's replicates, in order.
pub(crate) struct Series {
    pub(crate) values: Vec<f64>,
    /// What was spent before the first replicate, in the unit of the axis.
    pub(crate) setup: f64,
    /// What one replicate costs on average, in the unit of the axis.
    pub(crate) cost: f64,
    pub(crate) color: RGBColor,
}

impl Series {
    /// What so many replicates cost.
    fn spent(&self, replicates: usize) -> f64 {
        self.setup + self.cost * replicates as f64
    }
}

/// A panel of running means against accumulated cost, with horizontal lines of reference.
pub(crate) struct Panel<'a> {
    pub(crate) title: &'a str,
    pub(crate) cost: &'a str,
    pub(crate) value: &'a str,
    pub(crate) range: Range<f64>,
    pub(crate) references: Vec<(f64, RGBColor)>,
    pub(crate) series: Vec<Series>,
    /// Steps of the axis, of which each holds one point of a curve at most, or no such rule: after a
    /// long set-up many points would share a pixel.
    pub(crate) steps: Option<f64>,
}

/// Points along a curve: enough for the eye.
const POINTS: usize = 160;

impl Panel<'_> {
    /// Draws the panel on all of the canvas.
    pub(crate) fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let costs = self.series.iter().map(|series| series.spent(series.values.len()));
        let most = costs.fold(0.0, f64::max);
        let least = self.series.iter().map(|series| series.spent(8)).fold(f64::INFINITY, f64::min);
        let mut chart = ChartBuilder::on(&canvas.area)
            .caption(self.title, canvas.text(13))
            .margin(canvas.points(10))
            .margin_right(canvas.points(18))
            .x_label_area_size(canvas.points(42))
            .y_label_area_size(canvas.points(56))
            .build_cartesian_2d((least..most).log_scale(), self.range.clone())
            .map_err(failed)?;
        let label = fitted(&self.range);
        axes(canvas, &mut chart, (self.cost, &power_of_ten), (self.value, &label))?;
        let mut lines = Vec::new();
        for (value, color) in &self.references {
            lines.push(Curve::new(vec![(least, *value), (most, *value)], *color, Stroke::Dashed));
        }
        for series in &self.series {
            let mut curve = thinned(series, least);
            if let Some(steps) = self.steps {
                spaced(&mut curve, (most / least).ln() / steps);
            }
            lines.push(Curve {
                points: curve.iter().map(|point| (point.0, point.1)).collect(),
                band: curve.iter().map(|point| (point.0, point.2, point.3)).collect(),
                color: series.color,
                stroke: Stroke::Line,
            });
        }
        curves(canvas, &mut chart, &self.range, &lines)
    }
}

/// (cost, mean, low, high) at places evenly spread on the logarithmic axis.
fn thinned(series: &Series, least: f64) -> Vec<(f64, f64, f64, f64)> {
    let all = running(&series.values);
    let first =
        (((least - series.setup) / series.cost).ceil().max(8.0) as usize).clamp(2, all.len());
    let growth = (all.len() as f64 / first as f64).powf(1.0 / POINTS as f64);
    let mut places: Vec<usize> = (0..=POINTS)
        .map(|step| (first as f64 * growth.powi(step as i32)).round() as usize)
        .collect();
    places.dedup();
    places
        .into_iter()
        .map(|place| {
            let (mean, interval) = all[place.clamp(1, all.len()) - 1];
            (series.spent(place), mean, interval.low, interval.high)
        })
        .collect()
}

/// Leaves out points nearer than a step to the one before, but never the last.
fn spaced(curve: &mut Vec<(f64, f64, f64, f64)>, step: f64) {
    let Some(last) = curve.pop() else { return };
    let mut before = f64::NEG_INFINITY;
    curve.retain(|point| {
        let keep = point.0.ln() >= before + step && point.0.ln() + step <= last.0.ln();
        if keep {
            before = point.0.ln();
        }
        keep
    });
    curve.push(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowded_points_go_and_the_last_stays() {
        let point = |x: f64| (x.exp(), 0.0, 0.0, 0.0);
        let mut curve: Vec<_> = [0.0, 0.1, 0.5, 0.9, 1.5, 1.95, 2.0].map(point).to_vec();
        spaced(&mut curve, 0.45);
        assert_eq!(curve, [0.0, 0.5, 1.5, 2.0].map(point));
    }
}
