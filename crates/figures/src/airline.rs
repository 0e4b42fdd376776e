//! Figure 7 of the paper: errors of predicted delays.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves};
use crate::legend::{Mark, legend};
use crate::ticks::{plain, power_of_ten};
use plotters::prelude::*;
use records::{Record, quantile};

pub(crate) struct Airline;

const METHODS: [(&str, RGBColor); 3] = [
    ("coupled-sum", PALETTE[0]),
    ("antithetic-single-term", PALETTE[2]),
    ("constant-batch", PALETTE[1]),
];

/// Minutes that the paper prints, for GP-SVI and for its own estimator.
const PRINTED: [f64; 2] = [32.6, 27.9];

impl Drawing for Airline {
    const SIZE: (u32, u32) = (960, 420);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let (rival, all) = (record.value("gp-svi/rmse")?, record.value("all-rows/rmse")?);
        let (left, rest) = canvas.split(385);
        let (right, side) = rest.split(385);

        let table = record.table("convergence")?;
        let batches = by_size(&table.numbers("rows")?, &table.numbers("rmse")?);
        let mut one = Curve::new(Vec::new(), PALETTE[5], Stroke::Dotted);
        for (size, values) in &batches {
            one.points.push((*size, mean(values)));
            one.band.push((*size, quantile(values, 0.025), quantile(values, 0.975)));
        }

        let table = record.table("running")?;
        let (seen, errors) = (table.numbers("replicates")?, table.numbers("rmse")?);
        let spent = table.numbers("rows")?;
        let mut running = Vec::new();
        for (name, color) in METHODS {
            let own: Vec<usize> = (0..seen.len())
                .filter(|&row| table.words("method").is_ok_and(|words| words[row] == name))
                .collect();
            let pick = |column: &[f64]| own.iter().map(|&row| column[row]).collect::<Vec<f64>>();
            let costs = by_size(&pick(&seen), &pick(&spent));
            let values = by_size(&pick(&seen), &pick(&errors));
            let mut curve = Curve::new(Vec::new(), color, Stroke::Dotted);
            for ((_, cost), (_, values)) in costs.iter().zip(&values) {
                curve.points.push((mean(cost), mean(values)));
                let (low, high) = (quantile(values, 0.025), quantile(values, 0.975));
                curve.band.push((mean(cost), low, high));
            }
            running.push(curve);
        }

        let low = PRINTED.iter().copied().fold(rival.min(all), f64::min) - 1.0;
        let high = one.points.iter().map(|point| point.1).fold(rival.max(all), f64::max) + 2.0;
        let range = low..high;
        let error = "error of predictions, minutes";
        for (panel, title, mut lines) in
            [(&left, "one batch", vec![one]), (&right, "running means of replicates", running)]
        {
            let across = lines.iter().flat_map(|line| &line.points).map(|point| point.0);
            let (first, last) =
                across.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let printed = PRINTED.map(|value| (value, PALETTE[4]));
            for (value, color) in [(rival, PALETTE[3]), (all, INK)].into_iter().chain(printed) {
                let line = vec![(first, value), (last, value)];
                lines.push(Curve::new(line, color, Stroke::Dashed));
            }
            let mut chart = ChartBuilder::on(&panel.area)
                .caption(title, panel.text(13))
                .margin(panel.points(10))
                .margin_right(panel.points(16))
                .x_label_area_size(panel.points(42))
                .y_label_area_size(panel.points(50))
                .build_cartesian_2d((first..last).log_scale(), range.clone())
                .map_err(failed)?;
            axes(panel, &mut chart, ("rows", &power_of_ten), (error, &plain))?;
            curves(panel, &mut chart, &range, &lines)?;
        }
        let batch = record.value("constant-batch/batch")?;
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[5]), "one batch".to_owned()),
                (Mark::Line(PALETTE[0]), "debiased, the paper's".to_owned()),
                (Mark::Line(PALETTE[2]), "debiased, antithetic\nsingle term".to_owned()),
                (Mark::Line(PALETTE[1]), format!("averaged batches of\n{batch:.0} rows")),
                (Mark::Dashed(PALETTE[3]), "GP-SVI".to_owned()),
                (Mark::Dashed(INK), "regression on all\nrows".to_owned()),
                (
                    Mark::Dashed(PALETTE[4]),
                    "printed, other flights:\nGP-SVI 32.6,\ndebiased 27.9".to_owned(),
                ),
                (
                    Mark::Square(RGBColor(226, 226, 226)),
                    "bands: middle 95 %\nof repetitions".to_owned(),
                ),
            ],
        )
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The values of every key, keys in ascending order.
fn by_size(keys: &[f64], values: &[f64]) -> Vec<(f64, Vec<f64>)> {
    let mut sizes = keys.to_vec();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let of = |size: f64| keys.iter().zip(values).filter(move |(key, _)| **key == size);
    sizes.into_iter().map(|size| (size, of(size).map(|(_, value)| *value).collect())).collect()
}
