//! The bias of finite chains, and when coupled chains meet.

use crate::prelude::*;

const FRAME: Frame = Frame { right: 14, ..Frame::SMALL };

/// Both.
pub(crate) fn chain_bias(record: &Record) -> Result<Sheet, FigureError> {
    let legend = vec![
        entry(Mark::Line(PALETTE[0]), "finite chains, 95 %\ninterval"),
        entry(Mark::Dot(PALETTE[3]), "coupled chains, 95 %\ninterval"),
        entry(Mark::Dashed(INK), "no bias"),
        entry(Mark::Line(PALETTE[2]), "median meeting time;\nband: middle 95 %"),
    ];
    Ok(Sheet::row((880, 400), &[350, 340], vec![bias(record)?, meetings(record)?], legend))
}

fn bias(record: &Record) -> Result<Panel, FigureError> {
    let table = record.table("bias")?;
    let names = table.words("levels")?;
    let (target, sd) = (record.value("target")?, record.value("posterior sd")?);
    let (sigma, error) = (table.numbers("sigma")?, table.numbers("error")?);
    let mut line = Curve::new(Vec::new(), PALETTE[0], Stroke::Dotted);
    let mut pair = Vec::new();
    for (row, name) in names.iter().enumerate() {
        let (bias, half) = ((sigma[row] - target) / sd, 1.96 * error[row] / sd);
        if let Some(warm_up) = name.strip_prefix("warm-up-").and_then(|w| w.parse::<f64>().ok()) {
            // Zero has no logarithm: one step stands for none.
            line.points.push((warm_up.max(1.0), bias));
            line.band.push((warm_up.max(1.0), bias - half, bias + half));
        } else if name == "coupled" {
            let bar = vec![(700.0, bias - half), (700.0, bias + half)];
            pair = vec![Item::Path(bar, PALETTE[3], 2), Item::Dot((700.0, bias), PALETTE[3], 4)];
        }
    }
    let lines = [Curve::level(&(1.0..1000.0), 0.0, INK), line];
    let (low, high) = band_ends(&lines).fold((0.0_f64, 0.0_f64), |(a, b), y| (a.min(y), b.max(y)));
    let margin = 0.06 * (high - low);
    let x = Axis::log("steps of warm-up (none drawn at 1)", 1.0..1000.0);
    let y = Axis::linear("bias, posterior sds", low - margin..high + margin);
    Ok(Panel::new(FRAME, x, y).with(lines).with(pair))
}

fn meetings(record: &Record) -> Result<Panel, FigureError> {
    let table = record.table("meetings")?;
    let groups = grouped(&table.numbers("rows")?, &table.numbers("meeting")?);
    let medians = groups.iter().map(|(size, times)| (*size, quantile(times, 0.5))).collect();
    let line = [Curve::banded(medians, middle(&groups), PALETTE[2], Stroke::Dotted)];
    let x =
        Axis::log("rows of the level", decades("meetings", groups.iter().map(|group| group.0))?);
    let y = Axis::log("meeting time", decades("meetings", band_ends(&line))?);
    Ok(Panel::new(FRAME, x, y).with(line))
}
