//! Figure 6 of the paper: errors of single batches, and of running means at the same cost.

use crate::prelude::*;

/// The errors shown, from what cannot be seen to what cannot be overlooked.
const ERRORS: Range<f64> = 1e-4..1e1;

const METHODS: [MethodId; 3] =
    [MethodId::ConstantBatch, MethodId::CoupledSum, MethodId::AntitheticSingleTerm];

/// Both panels.
pub(crate) fn random_features(record: &Record) -> Result<Sheet, FigureError> {
    let line = |method, text| entry(Mark::Line(color(method)), text);
    let legend = vec![
        entry(Mark::Square(RGBColor(205, 227, 240)), "one batch: middle\n95 % of the trials"),
        entry(Mark::Dashed(INK), "the printed 0.2"),
        line(METHODS[0], "mean of constant\nbatches"),
        line(METHODS[1], "mean of debiased,\nthe paper's"),
        line(METHODS[2], "mean of debiased,\nantithetic single term"),
    ];
    let panels = vec![convergence(record)?, running(record)?];
    Ok(Sheet::row((900, 380), &[350, 350], panels, legend))
}

fn panel(title: &str, x: Axis, lines: Vec<Curve>) -> Panel {
    let y = Axis::log("mean squared error of predictions", ERRORS);
    Panel::new(Frame { right: 10, ..Frame::SINGLE }, x, y).titled(title).with(lines)
}

fn convergence(record: &Record) -> Result<Panel, FigureError> {
    let table = record.table("paper-convergence")?;
    let groups = grouped(&table.numbers("rows")?, &table.numbers("error")?);
    let spread = Curve::spread(&groups, PALETTE[0]);
    let means = Curve { shade: 0.18, stroke: Stroke::Plain, ..spread };
    let across = 50.0..1e4;
    let printed = Curve::level(&across, 0.2, INK);
    Ok(panel("one batch", Axis::log("rows in the batch", across), vec![means, printed]))
}

fn running(record: &Record) -> Result<Panel, FigureError> {
    let table = record.table("paper-running")?;
    let across = 400.0..1e6;
    let mut lines = Vec::new();
    for method in METHODS {
        let errors = table.numbers(&method.column())?;
        let rows = table.numbers(&format!("{}_rows", method.column()))?;
        let (mut spent, mut shown) = (0.0, 0.0);
        let curve = errors.iter().zip(&rows).filter_map(|(error, rows)| {
            spent += rows;
            // Points closer than two per cent cannot be told apart.
            let apart = spent > 1.02 * shown;
            shown = if apart { spent } else { shown };
            apart.then_some((spent, *error))
        });
        let curve = curve.filter(|point| across.contains(&point.0)).collect();
        lines.push(Curve::new(curve, color(method), Stroke::Plain));
    }
    Ok(panel("running means", Axis::log("rows evaluated", across), lines))
}
