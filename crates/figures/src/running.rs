//! Running means with their 95 % bands.

use crate::prelude::*;
use records::running;

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
    /// A functional of a table of replicates, or the first one, against evaluations.
    pub(crate) fn of_table(
        record: &Record,
        table: &Table,
        functional: Option<&str>,
        color: RGBColor,
    ) -> Result<Series, FigureError> {
        let setup = record.value(&format!("{}/set-up cost", table.name())).unwrap_or(0.0);
        let first = functional.or_else(|| functionals(table).next()).unwrap_or_default();
        let cost = mean(&table.numbers("evaluations")?);
        Ok(Series { values: table.numbers(first)?, setup, cost, color })
    }

    /// The same of the table of a method.
    pub(crate) fn of_method(
        record: &Record,
        method: MethodId,
        functional: Option<&str>,
    ) -> Result<Series, FigureError> {
        Series::of_table(record, record.table(method.name())?, functional, color(method))
    }

    /// What so many replicates cost.
    fn spent(&self, replicates: usize) -> f64 {
        self.setup + self.cost * replicates as f64
    }
}

/// Where the debiased estimates end, those of [`DEBIASED`] in its order, and where they should.
pub(crate) fn ends(series: &[Series], truth: f64) -> String {
    let names = ["the paper's", "antithetic", "batches", "anchored"];
    let ends = names.iter().zip(series);
    let ends = ends.map(|(name, one)| format!("{name} {:.2}", mean(&one.values)));
    let ends = ends.collect::<Vec<_>>().join(", ");
    format!("ends: {ends}; truth {truth:.2}").replace('-', "−")
}

/// The functionals of a table of replicates: all columns but those about the replicate itself.
pub(crate) fn functionals(table: &Table) -> impl Iterator<Item = &str> {
    let other = ["replicate", "repetition", "depth", "evaluations", "distinct_rows"];
    table.column_names().filter(move |name| !other.contains(name))
}

/// Running means against accumulated cost, with a horizontal line of reference.
pub(crate) struct Running {
    pub(crate) title: String,
    pub(crate) cost: &'static str,
    pub(crate) value: &'static str,
    pub(crate) range: Range<f64>,
    pub(crate) reference: Option<f64>,
    pub(crate) series: Vec<Series>,
    /// Steps of the axis, of which each holds one point of a curve at most, or no such rule: after a
    /// long set-up many points would share a pixel.
    pub(crate) steps: Option<f64>,
}

/// Steps of an axis, of about two points each.
pub(crate) const STEPS: f64 = 120.0;

/// Points along a curve: enough for the eye.
const POINTS: usize = 160;

impl Running {
    /// As a panel.
    pub(crate) fn panel(self) -> Panel {
        let costs = self.series.iter().map(|series| series.spent(series.values.len()));
        let most = costs.fold(0.0, f64::max);
        let least = self.series.iter().map(|series| series.spent(8)).fold(f64::INFINITY, f64::min);
        let across = least..most;
        let mut lines: Vec<Curve> =
            self.reference.map(|value| Curve::level(&across, value, INK)).into_iter().collect();
        for series in &self.series {
            let mut curve = thinned(series, least);
            if let Some(steps) = self.steps {
                spaced(&mut curve, (most / least).ln() / steps);
            }
            let points = curve.iter().map(|point| (point.0, point.1)).collect();
            let band = curve.iter().map(|point| (point.0, point.2, point.3)).collect();
            lines.push(Curve::banded(points, band, series.color, Stroke::Line));
        }
        let x = Axis::log(self.cost, across);
        let y = Axis::linear(self.value, self.range).labelled(Labels::Fitted);
        Panel::new(Frame::SINGLE, x, y).titled(&self.title).with(lines)
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
