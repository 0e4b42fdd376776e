//! Figure 8 of the paper: running estimates of a stream's mean.

use crate::prelude::*;
use crate::running::{Running, STEPS, Series, ends};

/// Running estimates against rows.
pub(crate) fn streaming(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("replicates")?;
    let count = table.rows() as f64;
    let series = |&method: &MethodId| -> Result<Series, FigureError> {
        let cost = record.value(&method.quantity("distinct rows"))? / count;
        let setup = record.value(&method.quantity("set-up cost")).unwrap_or(0.0);
        let values = table.numbers(&method.column())?;
        Ok(Series { values, setup, cost, color: color(method) })
    };
    // Nothing can be anchored at rows that are forgotten.
    let series: Vec<Series> = DEBIASED[..3].iter().map(series).collect::<Result<_, _>>()?;
    let panel = Running {
        title: ends(&series, 10.0),
        cost: "rows used and forgotten",
        value: "estimate of the mean",
        range: 0.0..20.0,
        reference: Some(10.0),
        series,
        steps: Some(STEPS),
    };
    let kept = record.quantity("running posterior/mean")?;
    let text = format!(
        "all rows kept in a\nrunning posterior:\n{:.2} ± {:.2}",
        kept.value,
        1.96 * kept.error.unwrap_or(0.0)
    );
    let legend = vec![
        entry(Mark::Line(color(MethodId::ConstantBatch)), "constant batches"),
        line(MethodId::CoupledSum),
        line(MethodId::AntitheticSingleTerm),
        entry(Mark::Dashed(INK), "truth"),
        (Mark::Dot(INK), text),
    ];
    Ok(Sheet::row((720, 400), &[530], vec![panel.panel()], legend))
}
