//! Figure 2 of the paper: work × variance against α; the paper's bound, and what it bounds.

use crate::prelude::*;
use crate::ticks::power_of_ten;

const FRAME: Frame = Frame { margin: 10, right: 10, below: 40, beside: 52 };
/// The exponent that the paper prints.
const PRINTED: f64 = 0.87;

/// The bound, and the product itself.
pub(crate) fn work_variance(record: &Record) -> Result<Sheet, FigureError> {
    let panels = vec![bound(record)?, true_curves(record)?];
    Ok(Sheet::row((760, 380), &[370, 390], panels, Vec::new()))
}

fn alpha() -> Axis {
    Axis::linear("exponent α of the truncation law", 0.0..1.5)
}

fn bound(record: &Record) -> Result<Panel, FigureError> {
    let mut points = Rows::of(record.table("bound")?, &[])?.points("alpha", "product")?;
    points.retain(|point| point.1 < 300.0);
    let best = (record.value("bound/alpha")?, record.value("bound/work times variance")?);
    let minimum = format!("minimum at {:.3}", best.0);
    let printed = vec![(PRINTED, 100.0), (PRINTED, 300.0)];
    let x = alpha();
    let y = Axis::linear("expected cost × bound", 100.0..300.0);
    Ok(Panel::new(FRAME, x, y).titled("the paper's bound, N = 10 000").with(vec![
        Curve::new(printed, PALETTE[1], Stroke::Dashes(4)).into(),
        Curve::new(points, PALETTE[0], Stroke::Plain).into(),
        Item::Dot(best, PALETTE[0], 4),
        Item::Text(format!("printed: {PRINTED}"), (PRINTED + 0.03, 290.0), (0, 0), PALETTE[1]),
        Item::Text(minimum, (0.36, 120.0), (0, 0), PALETTE[0]),
    ]))
}

fn true_curves(record: &Record) -> Result<Panel, FigureError> {
    let table = record.table("true-curves")?;
    let mut items = Vec::new();
    for (size, color) in distinct(&table.numbers("rows")?).into_iter().zip(PALETTE) {
        let curve = Rows::at(table, "rows", size)?.points("alpha", "product")?;
        let Some(&end) = curve.last() else { continue };
        let best = record.value(&format!("true/{size}/alpha")).ok().and_then(|alpha| {
            let off = |point: &&Point| (point.0 - alpha).abs();
            curve.iter().min_by(|a, b| off(a).total_cmp(&off(b))).copied()
        });
        items.push(Curve::new(curve, color, Stroke::Plain).into());
        items.extend(best.map(|point| Item::Dot(point, color, 4)));
        items.push(Item::Text(format!("N = {}", power_of_ten(&size)), end, (5, -6), color));
    }
    let x = alpha();
    let y = Axis::log("expected cost × variance", 10.0..100_000.0);
    Ok(Panel::new(Frame { right: 64, ..FRAME }, x, y)
        .titled("the true work × variance")
        .with(items))
}
