//! Forms, laws and depth schemes; how increments shrink; what chains leave of it.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE, axes, failed};
use crate::curves::{Curve, Stroke, curves, decades};
use crate::legend::{Mark, legend};
use crate::ticks::power_of_ten;
use plotters::prelude::*;
use records::{Record, Table};

/// The forms, their colours and names.
const FORMS: [(&str, RGBColor, &str); 4] = [
    ("coupled-sum", PALETTE[0], "coupled sum"),
    ("single-term", PALETTE[1], "single term"),
    ("antithetic-sum", PALETTE[5], "antithetic sum"),
    ("antithetic-single-term", PALETTE[2], "antithetic single\nterm"),
];

const LAWS: [&str; 2] = ["geometric", "optimal"];
const SCHEMES: [&str; 3] = ["independent", "stratified", "systematic"];

/// The problems of a table in their order.
fn problems(table: &Table) -> Result<Vec<String>, FigureError> {
    let mut names = table.words("problem")?.to_vec();
    names.dedup();
    Ok(names)
}

/// Work × variance of every way over the paper's.
pub(crate) struct EstimatorForms;

impl Drawing for EstimatorForms {
    const SIZE: (u32, u32) = (880, 720);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("forms")?;
        let names = problems(table)?;
        let (problem, form) = (table.words("problem")?, table.words("form")?);
        let (law, scheme) = (table.words("law")?, table.words("scheme")?);
        let [ratio, low, high] =
            [table.numbers("ratio")?, table.numbers("ratio_low")?, table.numbers("ratio_high")?];
        let (plot, side) = canvas.split(680);
        let empty = || FigureError::Empty { table: "forms".to_owned() };
        let range = decades(low.iter().chain(&high).copied()).ok_or_else(empty)?;
        let count = names.len() as f64;
        let mut chart = ChartBuilder::on(&plot.area)
            .margin(plot.points(10))
            .margin_right(plot.points(20))
            .x_label_area_size(plot.points(44))
            .y_label_area_size(plot.points(170))
            .build_cartesian_2d(range.log_scale(), 0.0..count)
            .map_err(failed)?;
        let nothing = |_: &f64| String::new();
        axes(
            &plot,
            &mut chart,
            ("work × variance over the paper's", &power_of_ten),
            ("", &nothing),
        )?;
        let one = [(1.0, 0.0), (1.0, count)];
        let dash = plot.points(4) as i32;
        let line = DashedLineSeries::new(one, dash, dash, plot.line(&INK, 1));
        chart.draw_series(line).map_err(failed)?;
        for (place, name) in names.iter().enumerate() {
            let base = count - place as f64;
            let (_, y) = chart.backend_coord(&(1.0, base - 0.5));
            let origin = plot.area.get_base_pixel();
            let style = plot.text(11);
            let at = (plot.points(8) as i32, y - origin.1 - plot.points(6) as i32);
            plot.area.draw_text(name, &style, at).map_err(failed)?;
            let here = |row: &usize| problem[*row] == *name;
            for row in (0..problem.len()).filter(here) {
                let Some(slot) = FORMS.iter().position(|known| known.0 == form[row]) else {
                    continue;
                };
                let steps = [LAWS.iter().position(|known| *known == law[row])]
                    .into_iter()
                    .chain([SCHEMES.iter().position(|known| *known == scheme[row])])
                    .collect::<Option<Vec<usize>>>();
                let color = FORMS[slot].1;
                // The default is the form and the law that the pilot chose, on a line of its own.
                let (line, color, filled) = match steps.as_deref() {
                    Some([law, scheme]) => (6 * slot + 3 * law + scheme, color, *law == 1),
                    _ if law[row] == "default" => (24, INK, true),
                    _ => continue,
                };
                let y = base - 0.07 - 0.86 * (line as f64 + 0.5) / 25.0;
                let ends = vec![(low[row], y), (high[row], y)];
                let bar = PathElement::new(ends, plot.line(&color, 1));
                chart.draw_series([bar]).map_err(failed)?;
                let style = if filled { color.filled() } else { plot.line(&color, 1) };
                let dot = Circle::new((ratio[row], y), plot.points(3), style);
                chart.draw_series([dot]).map_err(failed)?;
            }
        }
        let mut entries: Vec<(Mark, String)> =
            FORMS.iter().map(|(_, color, text)| (Mark::Line(*color), (*text).to_owned())).collect();
        entries.push((
            Mark::Line(INK),
            "default: one of the last\ntwo, as the pilot chooses".to_owned(),
        ));
        entries.push((Mark::Dot(INK), "optimal law".to_owned()));
        entries.push((Mark::Ring(INK), "geometric law at its\nbest exponent".to_owned()));
        let schemes = "three marks each, from\nabove: independent,\nstratified, systematic";
        entries.push((Mark::Dotted(INK), schemes.to_owned()));
        entries.push((Mark::Dashed(INK), "the paper's estimator".to_owned()));
        legend(&side, &entries)
    }
}

/// E Δ² against rows, nested and antithetic.
pub(crate) struct IncrementDecays;

impl Drawing for IncrementDecays {
    const SIZE: (u32, u32) = (880, 420);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("decays")?;
        let names = problems(table)?;
        let (problem, coupling) = (table.words("problem")?, table.words("coupling")?);
        let (rows, moments) = (table.numbers("rows")?, table.numbers("second_moment")?);
        let (left, rest) = canvas.split(350);
        let (right, side) = rest.split(340);
        let empty = || FigureError::Empty { table: "decays".to_owned() };
        let across = decades(rows.iter().copied()).ok_or_else(empty)?;
        // From the first moment of its own: slopes are compared, not units.
        let start = |name: &str| -> f64 {
            let first = (0..rows.len()).find(|&r| problem[r] == name && coupling[r] == "nested");
            first.map_or(1.0, |row| moments[row])
        };
        let relative: Vec<f64> =
            (0..rows.len()).map(|row| moments[row] / start(&problem[row])).collect();
        let range = decades(relative.iter().copied()).ok_or_else(empty)?;
        let mut entries = Vec::new();
        for (canvas, kind, slope) in [(&left, "nested", -1), (&right, "antithetic", -2)] {
            let mut lines = Vec::new();
            for (name, color) in names.iter().zip(PALETTE) {
                let points: Vec<(f64, f64)> = (0..rows.len())
                    .filter(|&row| problem[row] == *name && coupling[row] == kind)
                    .map(|row| (rows[row], relative[row]))
                    .collect();
                if slope == -1 {
                    entries.push((Mark::Line(color), name.replace(", ", ",\n")));
                }
                lines.push(Curve::new(points, color, Stroke::Dotted));
            }
            let guide = |x: f64| (x, (x / across.start).powi(slope));
            let end = across.end.min(across.start / range.start.powf(1.0 / f64::from(-slope)));
            let guide = vec![guide(across.start), guide(end)];
            lines.push(Curve::new(guide, INK, Stroke::Dashed));
            let mut chart = ChartBuilder::on(&canvas.area)
                .caption(kind, canvas.text(13))
                .margin(canvas.points(8))
                .x_label_area_size(canvas.points(40))
                .y_label_area_size(canvas.points(54))
                .build_cartesian_2d(across.clone().log_scale(), range.clone().log_scale())
                .map_err(failed)?;
            let y = "E Δ² over the first nested one";
            axes(canvas, &mut chart, ("rows n", &power_of_ten), (y, &power_of_ten))?;
            curves(canvas, &mut chart, &range, &lines)?;
        }
        entries.push((Mark::Dashed(INK), "1/n (left),\n1/n² (right)".to_owned()));
        legend(&side, &entries)
    }
}

/// Work × variance of the recommended default by the inference inside.
pub(crate) struct ChainNoise;

impl Drawing for ChainNoise {
    const SIZE: (u32, u32) = (880, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("chains")?;
        let names = problems(table)?;
        let (left, rest) = canvas.split(350);
        let (right, side) = rest.split(340);
        for (canvas, name) in [&left, &right].into_iter().zip(&names) {
            noise(table, name, canvas)?;
        }
        let entries = [
            (Mark::Line(PALETTE[0]), "chain".to_owned()),
            (Mark::Line(PALETTE[2]), "chain and control\nvariates".to_owned()),
            (Mark::Ring(PALETTE[3]), "coupled chains".to_owned()),
            (Mark::Ring(PALETTE[1]), "weighted points".to_owned()),
            (Mark::Dashed(INK), "a tenth of the paper's".to_owned()),
        ];
        legend(&side, &entries)
    }
}

fn noise<B: DrawingBackend>(
    table: &Table,
    name: &str,
    canvas: &Canvas<B>,
) -> Result<(), FigureError> {
    let (problem, inference) = (table.words("problem")?, table.words("inference")?);
    let (draws, ratio) = (table.numbers("draws")?, table.numbers("ratio")?);
    let (low, high) = (table.numbers("ratio_low")?, table.numbers("ratio_high")?);
    let at = |kind: &str| -> Vec<usize> {
        (0..problem.len()).filter(|&row| problem[row] == name && inference[row] == kind).collect()
    };
    let mut lines = Vec::new();
    for (kind, color) in [("chain", PALETTE[0]), ("chain and control variates", PALETTE[2])] {
        let rows = at(kind);
        lines.push(Curve {
            points: rows.iter().map(|&row| (draws[row], ratio[row])).collect(),
            band: rows.iter().map(|&row| (draws[row], low[row], high[row])).collect(),
            color,
            stroke: Stroke::Dotted,
        });
    }
    let mut marks = Vec::new();
    for (kind, color) in [("coupled chains", PALETTE[3]), ("weighted points", PALETTE[1])] {
        marks.extend(at(kind).into_iter().map(|row| (row, color)));
    }
    let heights = lines.iter().flat_map(|line| line.band.iter().flat_map(|p| [p.1, p.2]));
    let heights = heights.chain(marks.iter().flat_map(|mark| [low[mark.0], high[mark.0]]));
    let heights = heights.chain([0.1]);
    let empty = || FigureError::Empty { table: "chains".to_owned() };
    let range = decades(heights).ok_or_else(empty)?;
    let across = 50.0..5000.0;
    lines.push(Curve::new(vec![(50.0, 0.1), (5000.0, 0.1)], INK, Stroke::Dashed));
    let mut chart = ChartBuilder::on(&canvas.area)
        .caption(name, canvas.text(13))
        .margin(canvas.points(8))
        .x_label_area_size(canvas.points(40))
        .y_label_area_size(canvas.points(54))
        .build_cartesian_2d(across.log_scale(), range.clone().log_scale())
        .map_err(failed)?;
    let y = "work × variance over the paper's";
    axes(canvas, &mut chart, ("draws or points", &power_of_ten), (y, &power_of_ten))?;
    curves(canvas, &mut chart, &range, &lines)?;
    let bar = |(row, color): &(usize, RGBColor)| {
        let ends = vec![(draws[*row], low[*row]), (draws[*row], high[*row])];
        PathElement::new(ends, canvas.line(color, 1))
    };
    chart.draw_series(marks.iter().map(bar)).map_err(failed)?;
    let ring = |(row, color): &(usize, RGBColor)| {
        Circle::new((draws[*row], ratio[*row]), canvas.points(4), canvas.line(color, 2))
    };
    chart.draw_series(marks.iter().map(ring)).map_err(failed)?;
    Ok(())
}
