//! Figure 10 of the paper: squared distances to the full posterior against rows.

use crate::prelude::*;

/// Distances and fits.
pub(crate) fn convergence_rates(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("distances")?;
    let (mut lines, mut legend) = (Vec::new(), Vec::new());
    for (name, color) in names(table, "statistic")?.iter().zip(PALETTE) {
        let points = Rows::of(table, &[("statistic", name)])?.points("rows", "squared_distance")?;
        let value = |label: &str| record.value(&format!("{name}/{label}"));
        let (beta, constant) = (value("beta")?, value("constant")?);
        let fit = [points.first(), points.last()].into_iter().flatten();
        let fit = fit.map(|&(x, _)| (x, constant * x.powf(-beta))).collect();
        lines.push(Curve::new(fit, color, DASHED));
        lines.push(Curve::new(points, color, Stroke::Dotted));
        let (low, high) = (value("beta, low")?, value("beta, high")?);
        let text = format!("{name}:\nβ = {beta:.2} ({low:.2} to {high:.2})");
        legend.push((Mark::Line(color), text));
    }
    let squares = decades("distances", table.numbers("squared_distance")?)?;
    let x = Axis::log("rows in the batch", decades("distances", table.numbers("rows")?)?);
    let y = Axis::log("squared distance to the full posterior", squares);
    let panel = Panel::new(Frame::SINGLE, x, y).with(lines);
    Ok(Sheet::row((720, 420), &[500], vec![panel], legend))
}
