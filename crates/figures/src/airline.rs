//! Figure 7 of the paper: errors of predicted delays.

use crate::prelude::*;

/// Minutes that the paper prints, for GP-SVI and for its own estimator.
const PRINTED: [f64; 2] = [32.6, 27.9];

/// Errors of single batches and of running means.
pub(crate) fn airline(record: &Record) -> Result<Sheet, FigureError> {
    let rival = record.value(&MethodId::GpSvi.quantity("rmse"))?;
    let all = record.value(&MethodId::AllRows.quantity("rmse"))?;
    let table = record.table("convergence")?;
    let batches = grouped(&table.numbers("rows")?, &table.numbers("rmse")?);
    let one = Curve::spread(&batches, PALETTE[5]);

    let table = record.table("running")?;
    let mut running = Vec::new();
    // There is no anchored path to the features.
    for &method in &DEBIASED[..3] {
        let rows = Rows::of(table, &[("method", method.name())])?;
        let seen = rows.column("replicates")?;
        let costs = grouped(&seen, &rows.column("rows")?);
        let errors = grouped(&seen, &rows.column("rmse")?);
        let errors = costs.iter().zip(errors).map(|((_, cost), (_, errors))| (mean(cost), errors));
        running.push(Curve::spread(&errors.collect::<Vec<_>>(), color(method)));
    }

    let debiased = running[1].points.last().map_or(f64::NAN, |point| point.1);
    let worst =
        points_of(&running).map(|point| point.1).chain(band_ends(&running)).fold(0.0, f64::max);
    let low = PRINTED.iter().copied().fold(rival.min(all), f64::min) - 1.0;
    let high = one.points.iter().map(|point| point.1).fold(rival.max(all), f64::max) + 2.0;
    let errors = "error of predictions, minutes";
    let panel = |title: &str, mut lines: Vec<Curve>, y: Axis| {
        let across = lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let (first, last) = across.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
        let printed = PRINTED.map(|value| (value, PALETTE[4]));
        let levels = [(rival, color(MethodId::GpSvi)), (all, INK)].into_iter().chain(printed);
        lines.extend(levels.map(|(value, color)| Curve::level(&(first..last), value, color)));
        let x = Axis::log("rows", first..last);
        Panel::new(Frame { beside: 50, ..Frame::ROW }, x, y).titled(title).with(lines)
    };
    // Few replicates can err by far more than one batch does: only a logarithmic axis holds them all.
    let tall = Axis::log(errors, 10.0..1.1 * worst.max(high)).labelled(Labels::OneTwoFive);
    let panels = vec![
        panel(
            &format!("one batch; {all:.1} minutes given all rows"),
            vec![one],
            Axis::linear(errors, low..high),
        ),
        panel(
            &format!("running means; antithetic {debiased:.1}, GP-SVI {rival:.1}"),
            running,
            tall,
        ),
    ];
    let batch = record.value(&MethodId::ConstantBatch.quantity("batch"))?;
    let legend = vec![
        entry(Mark::Line(PALETTE[5]), "one batch"),
        line(MethodId::CoupledSum),
        line(MethodId::AntitheticSingleTerm),
        (
            Mark::Line(color(MethodId::ConstantBatch)),
            format!("averaged batches of\n{batch:.0} rows"),
        ),
        entry(Mark::Dashed(color(MethodId::GpSvi)), MethodId::GpSvi.label()),
        entry(Mark::Dashed(INK), "regression on all\nrows"),
        entry(Mark::Dashed(PALETTE[4]), "printed, other flights:\nGP-SVI 32.6,\ndebiased 27.9"),
        entry(Mark::Square(RGBColor(226, 226, 226)), "bands: middle 95 %\nof repetitions"),
    ];
    Ok(Sheet::row((960, 420), &[385, 385], panels, legend))
}
