//! Figures 3 and 4 of the paper: partial posterior means of σ, and debiased estimates.

use crate::prelude::*;
use crate::running::{Running, Series};

/// Figure 3.
pub(crate) fn convergence(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("convergence")?;
    let groups = grouped(&table.numbers("rows")?, &table.numbers("sigma")?);
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        return Err(FigureError::Empty { table: "convergence".to_owned() });
    };
    let across = first.0..last.0;
    let means = Curve { shade: 0.18, ..Curve::spread(&groups, PALETTE[0]) };
    let target = Curve::level(&across, record.value("target")?, INK);
    let x = Axis::log("rows in the batch", across);
    let y = Axis::linear("posterior mean of σ", 0.8..2.6);
    let panel = Panel::new(Frame::SINGLE, x, y).with([target, means]);
    let legend = vec![
        (Mark::Line(PALETTE[0]), format!("mean of {} batches", first.1.len())),
        entry(Mark::Square(RGBColor(205, 227, 240)), "middle 95 % of\nthe batches"),
        entry(Mark::Dashed(INK), "given all rows"),
    ];
    Ok(Sheet::row((720, 400), &[530], vec![panel], legend))
}

/// Figure 4.
pub(crate) fn debiasing(record: &Record) -> Result<Sheet, FigureError> {
    let series = |method| Series::of_method(record, method, Some("sigma"));
    let target = record.value("target")?;
    let panel = Running {
        title: String::new(),
        cost: "likelihood evaluations",
        value: "estimate of the posterior mean of σ",
        range: target - 0.5..target + 0.5,
        reference: Some(target),
        series: DEBIASED.into_iter().map(series).collect::<Result<_, _>>()?,
        steps: None,
    };
    let full = record.value(&MethodId::FullNuts.quantity("total cost"))?;
    let batch = record.value(&MethodId::ConstantBatch.quantity("batch"))?;
    let mut legend = lines(&DEBIASED);
    legend[2] =
        (Mark::Line(color(MethodId::ConstantBatch)), format!("constant batches\nof {batch} rows"));
    legend.push(entry(Mark::Dashed(INK), "exact, all rows"));
    let text = format!("full NUTS would stand\nat {full:.1e} evaluations");
    legend.push((Mark::Dot(INK), text));
    Ok(Sheet::row((720, 400), &[530], vec![panel.panel()], legend))
}
