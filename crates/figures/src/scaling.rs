//! What an answer costs as the data grows, and how many workers can share it.

use crate::prelude::*;

const METHODS: [MethodId; 7] = [
    MethodId::CoupledSum,
    MethodId::AntitheticSingleTerm,
    MethodId::ConstantBatch,
    MethodId::AllRows,
    MethodId::Anchored,
    MethodId::FullNuts,
    MethodId::Firefly,
];

/// Column and description of both axes.
type Axes = [(&'static str, &'static str); 2];

const COSTS: Axes = [("rows", "rows of the data"), ("evaluations", "evaluations to the error")];

/// Table, title and axes.
const PANELS: [(&str, &str, Axes); 3] = [
    ("absolute", "error 0.01, log-Gaussian", COSTS),
    ("relative", "error 0.1 posterior sds, logistic", COSTS),
    ("workers", "many workers, logistic", [("workers", "workers"), ("speed-up", "speed-up")]),
];

/// Costs and speed-ups.
pub(crate) fn scaling(record: &Record) -> Result<Sheet, FigureError> {
    let mut panels = Vec::new();
    for (name, title, [x, y]) in PANELS {
        let table = record.table(name)?;
        let mut curves = Vec::new();
        for method in METHODS {
            let points = Rows::of(table, &[("method", method.name())])?.points(x.0, y.0)?;
            if !points.is_empty() {
                let stroke = if method == MethodId::AllRows { DASHED } else { Stroke::Dotted };
                curves.push(Curve::new(points, color(method), stroke));
            }
        }
        let x = Axis::log(x.1, decades(name, table.numbers(x.0)?)?);
        // A method on the first power of ten would lie on the axis.
        let clear = if y.0 == "evaluations" { 0.99 } else { 1.0 };
        let heights = table.numbers(y.0)?.into_iter().map(|height| clear * height);
        let y = Axis::log(y.1, decades(name, heights)?);
        panels.push(Panel::new(Frame::ROW, x, y).titled(title).with(curves));
    }
    let mark = |method| match method {
        MethodId::AllRows => entry(Mark::Dashed(color(method)), method.label()),
        _ => line(method),
    };
    Ok(Sheet::row((1160, 380), &[325, 325, 325], panels, METHODS.map(mark).into()))
}
