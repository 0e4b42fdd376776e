//! Chains on all rows beside the truth: their errors with what they claim of them.

use crate::prelude::*;

/// The methods, their names for the reader, their colours, and how far beside the weight they are drawn.
const METHODS: [(MethodId, &str, RGBColor, f64); 2] = [
    (MethodId::FullNuts, "NUTS", PALETTE[0], -0.12),
    (MethodId::Firefly, "Firefly", PALETTE[1], 0.12),
];

/// Errors of all weights.
pub(crate) fn logistic_exhaustive(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("weights")?;
    let (truth, sds) = (table.numbers("mean")?, table.numbers("sd")?);
    let weights = truth.len();
    let (mut bars, mut legend, mut height) = (Vec::new(), Vec::new(), 0.0_f64);
    for (method, name, color, shift) in METHODS {
        let means = table.numbers(method.name())?;
        let errors = table.numbers(&format!("{method} error"))?;
        for j in 0..weights {
            let (x, error) = ((j + 1) as f64 + shift, (means[j] - truth[j]) / sds[j]);
            let half = 1.96 * errors[j] / sds[j];
            height = height.max(error.abs() + half);
            bars.push(Item::Path(vec![(x, error - half), (x, error + half)], color, 2));
            bars.push(Item::Dot((x, error), color, 3));
        }
        let value = |what: &str| record.value(&method.quantity(what));
        let (passes, effective) = (value("passes")?, value("least effective draws")?);
        let text = format!("{name}: {passes:.0} passes,\n{effective:.0} effective draws");
        legend.push((Mark::Dot(color), text));
    }
    legend.push(entry(Mark::Dashed(INK), "the truth, by Newton\nand Laplace"));
    let (across, height) = (0.4..weights as f64 + 0.6, height * 1.1);
    let zero = Curve::level(&across, 0.0, INK);
    let x = Axis::linear("weight (the last is the bias)", across);
    let y = Axis::linear("error, posterior sds", -height..height);
    let panel = Panel::new(Frame::SINGLE, x, y).with([zero]).with(bars);
    Ok(Sheet::row((720, 360), &[530], vec![panel], legend))
}
