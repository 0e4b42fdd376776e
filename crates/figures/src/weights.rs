//! Figures 5 and 9 of the paper: regression weights, and the errors of all of them.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::running::{Panel, Series};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::{Record, Table, quantile};

/// Table and colour of every method, and its name for the reader.
const METHODS: [(&str, RGBColor, &str); 4] = [
    ("coupled-sum", PALETTE[0], "debiased, the paper's"),
    ("antithetic-single-term", PALETTE[2], "debiased, antithetic\nsingle term"),
    ("constant-batch", PALETTE[1], "averaged constant\nbatches"),
    ("anchored", PALETTE[3], "debiased, anchored"),
];

/// Evaluations before the first replicate, and a replicate's on average.
pub(crate) fn costs(record: &Record, table: &Table) -> Result<(f64, f64), FigureError> {
    let setup = record.value(&format!("{}/set-up cost", table.name())).unwrap_or(0.0);
    Ok((setup, table.numbers("evaluations")?.iter().sum::<f64>() / table.rows() as f64))
}

/// The functionals of a table of replicates: all but what is not one.
pub(crate) fn functionals(table: &Table) -> impl Iterator<Item = &str> {
    let other = ["replicate", "repetition", "depth", "evaluations", "distinct_rows"];
    table.column_names().filter(move |name| !other.contains(name))
}

/// Partial posterior means of the first weight, and the error of all weights.
pub(crate) struct WeightsConvergence;

impl Drawing for WeightsConvergence {
    const SIZE: (u32, u32) = (720, 660);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("convergence")?;
        let rows = table.numbers("rows")?;
        let mut sizes = rows.clone();
        sizes.dedup();
        let at = |column: &str, size: f64| -> Result<Vec<f64>, FigureError> {
            let values = table.numbers(column)?;
            Ok((0..rows.len()).filter(|&row| rows[row] == size).map(|row| values[row]).collect())
        };
        let (Some(&first), Some(&last)) = (sizes.first(), sizes.last()) else {
            return Err(FigureError::Empty { table: "convergence".to_owned() });
        };
        let weights = record.table("weights")?;
        let (truth, sd) = (weights.numbers("mean")?[0], weights.numbers("sd")?[0]);
        let (left, side) = canvas.split(530);
        let (top, bottom) = left.cut(330);

        let mut means = Curve::new(Vec::new(), PALETTE[0], Stroke::Dotted);
        let mut errors = Curve::new(Vec::new(), PALETTE[0], Stroke::Dotted);
        for &size in &sizes {
            let (values, error) = (at("weight", size)?, at("error", size)?);
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            means.points.push((size, mean(&values)));
            means.band.push((size, quantile(&values, 0.025), quantile(&values, 0.975)));
            errors.points.push((size, mean(&error)));
            errors.band.push((size, quantile(&error, 0.025), quantile(&error, 0.975)));
        }
        let all = record.data.first().map_or(f64::NAN, |data| data.rows as f64);
        let floor = |size: &f64| (*size, (all / size - 1.0).max(0.0).sqrt());
        let floor: Vec<(f64, f64)> =
            sizes.iter().map(floor).filter(|point| point.1 > 0.0).collect();

        let bands = means.band.iter().flat_map(|point| [point.1, point.2]);
        let (low, high) = bands.fold((truth, truth), |(a, b), y| (a.min(y), b.max(y)));
        let margin = 0.05 * (high - low).max(4.0 * sd);
        let range = low - margin..high + margin;
        let mut chart = ChartBuilder::on(&top.area)
            .margin(top.points(10))
            .margin_right(top.points(18))
            .x_label_area_size(top.points(42))
            .y_label_area_size(top.points(56))
            .build_cartesian_2d((first..last).log_scale(), range.clone())
            .map_err(failed)?;
        let weight = "posterior mean of the first weight";
        axes(&top, &mut chart, ("rows in the batch", &power_of_ten), (weight, &plain))?;
        let line = Curve::new(vec![(first, truth), (last, truth)], INK, Stroke::Dashed);
        curves(&top, &mut chart, &range, &[means, line])?;

        let bands = errors.band.iter().flat_map(|point| [point.1, point.2]);
        let heights = bands.chain(floor.iter().map(|point| point.1));
        let range = decades(heights)
            .ok_or_else(|| FigureError::Empty { table: "convergence".to_owned() })?;
        let mut chart = ChartBuilder::on(&bottom.area)
            .margin(bottom.points(10))
            .margin_right(bottom.points(18))
            .x_label_area_size(bottom.points(42))
            .y_label_area_size(bottom.points(56))
            .build_cartesian_2d((first..last).log_scale(), range.clone().log_scale())
            .map_err(failed)?;
        let error = "error of all weights, posterior sds";
        axes(&bottom, &mut chart, ("rows in the batch", &power_of_ten), (error, &power_of_ten))?;
        let floor = Curve::new(floor, INK, Stroke::Dashed);
        curves(&bottom, &mut chart, &range, &[errors, floor])?;

        let trials = at("weight", first)?.len();
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[0]), format!("mean of {trials} batches")),
                (Mark::Square(RGBColor(214, 232, 243)), "middle 95 % of\nthe batches".to_owned()),
                (
                    Mark::Dashed(INK),
                    "given all rows (above);\nthe floor √(N/n − 1)\n(below)".to_owned(),
                ),
            ],
        )
    }
}

/// Running estimates of the first weight.
pub(crate) struct WeightsDebiasing;

impl Drawing for WeightsDebiasing {
    const SIZE: (u32, u32) = (720, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let truth = record.table("weights")?.numbers("mean")?[0];
        let mut series = Vec::new();
        for (name, color, _) in METHODS {
            let table = record.table(name)?;
            let (setup, cost) = costs(record, table)?;
            let first = functionals(table).next().unwrap_or_default();
            series.push(Series { values: table.numbers(first)?, setup, cost, color });
        }
        let (plot, side) = canvas.split(530);
        Panel {
            title: "",
            cost: "likelihood evaluations",
            value: "estimate of the first weight",
            range: truth - 1.0..truth + 1.0,
            references: vec![(truth, INK)],
            series,
            steps: None,
        }
        .draw(&plot)?;
        let mut entries: Vec<_> = METHODS
            .iter()
            .map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned()))
            .collect();
        entries.push((Mark::Dashed(INK), "given all rows".to_owned()));
        legend(&side, &entries)
    }
}

/// The error of all weights against what was spent.
pub(crate) struct WeightsErrors;

impl Drawing for WeightsErrors {
    const SIZE: (u32, u32) = (720, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("errors")?;
        let (spent, errors) = (table.numbers("evaluations")?, table.numbers("error")?);
        let mut lines = Vec::new();
        for (name, color, _) in METHODS {
            let of_method = table.words("method")?.iter().map(|method| method == name);
            let points = of_method.zip(spent.iter().zip(&errors));
            let points = points.filter(|(own, _)| *own).map(|(_, (&x, &y))| (x, y)).collect();
            lines.push(Curve::new(points, color, Stroke::Line));
        }
        let points = || lines.iter().flat_map(|line| &line.points);
        let empty = || FigureError::Empty { table: "errors".to_owned() };
        let across = decades(points().map(|point| point.0)).ok_or_else(empty)?;
        let range = decades(points().map(|point| point.1)).ok_or_else(empty)?;
        let (plot, side) = canvas.split(530);
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(10))
            .margin_right(plot.points(18))
            .x_label_area_size(plot.points(42))
            .y_label_area_size(plot.points(56))
            .build_cartesian_2d(across.clone().log_scale(), range.clone().log_scale())
            .map_err(failed)?;
        let words = ("likelihood evaluations", "error of all weights, posterior sds");
        axes(&plot, &mut chart, (words.0, &power_of_ten), (words.1, &power_of_ten))?;
        let level = |height: f64| vec![(across.start, height), (across.end, height)];
        lines.push(Curve::new(level(1.0), INK, Stroke::Dashed));
        let floor = record.value("floor in posterior sds").ok().filter(|floor| *floor > 0.0);
        lines.extend(floor.map(|floor| Curve::new(level(floor), PALETTE[4], Stroke::Dashed)));
        curves(&plot, &mut chart, &range, &lines)?;
        let mut entries: Vec<_> = METHODS
            .iter()
            .map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned()))
            .collect();
        entries.push((Mark::Dashed(INK), "one posterior sd".to_owned()));
        if floor.is_some() {
            let words = "floor of the rows that\nthe paper's looked at";
            entries.push((Mark::Dashed(PALETTE[4]), words.to_owned()));
        }
        legend(&side, &entries)
    }
}
