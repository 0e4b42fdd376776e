//! Figures 5 and 9 of the paper: regression weights, and the errors of all of them.

use crate::prelude::*;
use crate::running::{Running, STEPS, Series, ends};

/// Partial posterior means of the first weight, and the error of all weights.
pub(crate) fn convergence(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("convergence")?;
    let rows = table.numbers("rows")?;
    let groups = grouped(&rows, &table.numbers("weight")?);
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        return Err(FigureError::Empty { table: "convergence".to_owned() });
    };
    let weights = record.table("weights")?;
    let (truth, sd) = (weights.numbers("mean")?[0], weights.numbers("sd")?[0]);
    let means = [Curve::spread(&groups, PALETTE[0])];
    let (low, high) = band_ends(&means).fold((truth, truth), |(a, b), y| (a.min(y), b.max(y)));
    let margin = 0.05 * (high - low).max(4.0 * sd);
    let across = || Axis::short_log("rows in the batch", first.0..last.0);
    let given_all = Curve::level(&across().range, truth, INK);
    let x = across();
    let y = Axis::linear("posterior mean of the first weight", low - margin..high + margin);
    let top = Panel::new(Frame::SINGLE, x, y).with(means).with([given_all]);

    let all = record.data.first().map_or(f64::NAN, |data| data.rows as f64);
    // No floor: a prior that shrinks the weights brings small batches nearer than this.
    let flat_prior = groups.iter().map(|(size, _)| (*size, (all / size - 1.0).max(0.0).sqrt()));
    let flat_prior: Vec<Point> = flat_prior.filter(|point| point.1 > 0.0).collect();
    let errors = [Curve::spread(&grouped(&rows, &table.numbers("error")?), PALETTE[0])];
    let [few, many] = [errors[0].points.first(), errors[0].points.last()]
        .map(|point| in_words(point.map_or(f64::NAN, |point| point.1)));
    let title =
        format!("{:.0} rows err by {few} posterior sds, {:.0} rows by {many}", first.0, last.0);
    let heights = band_ends(&errors).chain(flat_prior.iter().map(|point| point.1));
    let x = across();
    let y = Axis::log("error of all weights, posterior sds", decades("convergence", heights)?);
    let bottom = Panel::new(Frame::SINGLE, x, y)
        .titled(&title)
        .with(errors)
        .with([Curve::new(flat_prior, INK, DASHED)]);
    let legend = vec![
        (Mark::Line(PALETTE[0]), format!("mean of {} batches", first.1.len())),
        entry(Mark::Square(RGBColor(214, 232, 243)), "middle 95 % of\nthe batches"),
        entry(
            Mark::Dashed(INK),
            "given all rows (above);\n√(N/n − 1), what it is\nwithout a prior (below)",
        ),
    ];
    Ok(Sheet::grid((720, 660), &[530], &[330, 330], vec![top, bottom], legend))
}

/// Running estimates of the first weight.
pub(crate) fn debiasing(record: &Record) -> Result<Sheet, FigureError> {
    let truth = record.table("weights")?.numbers("mean")?[0];
    let one = |method| Series::of_method(record, method, None);
    let series: Vec<Series> = DEBIASED.into_iter().map(one).collect::<Result<_, _>>()?;
    let panel = Running {
        title: ends(&series, truth),
        cost: "likelihood evaluations",
        value: "estimate of the first weight",
        range: truth - 1.0..truth + 1.0,
        reference: Some(truth),
        series,
        steps: Some(STEPS),
    };
    let mut legend = lines(&DEBIASED);
    legend.push(entry(Mark::Dashed(INK), "given all rows"));
    Ok(Sheet::row((720, 400), &[530], vec![panel.panel()], legend))
}

/// The error of all weights against what was spent.
pub(crate) fn errors(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("errors")?;
    let mut curves = Vec::new();
    for method in DEBIASED {
        let rows = Rows::of(table, &[("method", method.name())])?;
        let points = thinned(&rows.points("evaluations", "error")?);
        curves.push(Curve::new(points, color(method), Stroke::Line));
    }
    let last = |place: usize| curves[place].points.last().map_or(f64::NAN, |point| point.1);
    // The first and the last of DEBIASED.
    let title = format!(
        "the paper's estimator ends {} posterior sds off, the anchored path {}",
        in_words(last(0)),
        in_words(last(DEBIASED.len() - 1))
    );
    let mut legend = lines(&DEBIASED);
    let nuts = |what: &str| record.value(&MethodId::FullNuts.quantity(what)).ok();
    if let Some(point) = nuts("total cost").zip(nuts("rms error in posterior sds")) {
        curves.push(Curve::new(vec![point], INK, Stroke::Dotted));
        legend.push(entry(Mark::Dot(INK), MethodId::FullNuts.label()));
    }
    let across = decades("errors", points_of(&curves).map(|point| point.0))?;
    // A little lower, so that no curve ends on the axis itself.
    let range = decades("errors", points_of(&curves).map(|point| 0.85 * point.1))?;
    curves.push(Curve::level(&across, 1.0, INK));
    legend.push(entry(Mark::Dashed(INK), "one posterior sd"));
    if let Some(floor) = record.value("floor in posterior sds").ok().filter(|floor| *floor > 0.0) {
        curves.push(Curve::level(&across, floor, PALETTE[4]));
        let text = "floor of the rows that\nthe paper's looked at";
        legend.push(entry(Mark::Dashed(PALETTE[4]), text));
    }
    let x = Axis::log("likelihood evaluations", across);
    let y = Axis::log("error of all weights, posterior sds", range);
    let panel = Panel::new(Frame::SINGLE, x, y).titled(&title).with(curves);
    Ok(Sheet::row((720, 400), &[530], vec![panel], legend))
}
