//! Figures 3 and 4 of the paper: partial posterior means of σ, and debiased estimates.

use crate::prelude::*;
use crate::running::{Running, STEPS, Series, ends};

/// Figure 3.
pub(crate) fn convergence(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("convergence")?;
    let groups = grouped(&table.numbers("rows")?, &table.numbers("sigma")?);
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        return Err(FigureError::Empty { table: "convergence".to_owned() });
    };
    let across = first.0..last.0;
    let target = record.value("target")?;
    let off = |group: &(f64, Vec<f64>)| 100.0 * (mean(&group.1) / target - 1.0);
    let title = format!(
        "batches of {:.0} rows are off by {:+.0} %, of {:.0} rows by {:+.1} %",
        first.0,
        off(first),
        last.0,
        off(last)
    );
    let means = Curve { shade: 0.18, ..Curve::spread(&groups, PALETTE[0]) };
    let target = Curve::level(&across, target, INK);
    let x = Axis::log("rows in the batch", across);
    let y = Axis::linear("posterior mean of σ", 0.8..2.6);
    let panel = Panel::new(Frame::SINGLE, x, y).titled(&title).with([target, means]);
    let legend = vec![
        (Mark::Line(PALETTE[0]), format!("mean of {} batches", first.1.len())),
        entry(Mark::Square(RGBColor(205, 227, 240)), "middle 95 % of\nthe batches"),
        entry(Mark::Dashed(INK), "given all rows"),
    ];
    Ok(Sheet::row((720, 400), &[530], vec![panel], legend))
}

/// Figure 4.
pub(crate) fn debiasing(record: &Record) -> Result<Sheet, FigureError> {
    let target = record.value("target")?;
    let one = |method| Series::of_method(record, method, Some("sigma"));
    let series: Vec<Series> = DEBIASED.into_iter().map(one).collect::<Result<_, _>>()?;
    let panel = Running {
        title: ends(&series, target),
        cost: "likelihood evaluations",
        value: "estimate of the posterior mean of σ",
        range: target - 0.5..target + 0.5,
        reference: Some(target),
        series,
        steps: Some(STEPS),
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
