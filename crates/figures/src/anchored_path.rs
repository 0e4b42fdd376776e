//! Anchored paths: what a level is worth, what the debiased estimate costs, and where it ends.

use crate::prelude::*;

/// The problems, and their names for the reader.
const PROBLEMS: [(&str, &str); 4] = [
    ("log-gaussian", "log-Gaussian σ"),
    ("logistic", "logistic, ten weights"),
    ("heavy", "heavy tails, 21 weights"),
    ("a9a", "a9a, 124 weights"),
];

/// Methods that are single runs.
const RUNS: [(MethodId, RGBColor, &str); 5] = [
    (MethodId::FullNuts, INK, MethodId::FullNuts.label()),
    (MethodId::LeapfrogNuts, PALETTE[4], "the same by leapfrogs"),
    (MethodId::Firefly, PALETTE[5], MethodId::Firefly.label()),
    (MethodId::Mode, PALETTE[7], MethodId::Mode.label()),
    (MethodId::Laplace, PALETTE[0], MethodId::Laplace.label()),
];

const FRAME: Frame = Frame { right: 16, ..Frame::SMALL };

/// A panel for each problem, and a legend.
fn four(panels: Vec<Panel>, legend: Vec<Entry>) -> Sheet {
    Sheet::grid((880, 620), &[340, 340], &[310, 310], panels, legend)
}

/// The rows of one problem as points of two columns, as far as they have a logarithm.
fn points(table: &Table, problem: &str, x: &str, y: &str) -> Result<Vec<Point>, FigureError> {
    let points = Rows::of(table, &[("problem", problem)])?.points(x, y)?;
    Ok(points.into_iter().filter(|point| point.1 > 0.0).collect())
}

/// A column of one problem with its band.
fn banded(
    table: &Table,
    problem: &str,
    (x, y): (&str, &str),
    color: RGBColor,
) -> Result<Curve, FigureError> {
    let low = points(table, problem, x, &format!("{y}_low"))?;
    let high = points(table, problem, x, &format!("{y}_high"))?;
    let band = low.iter().zip(&high).map(|(low, high)| (low.0, low.1, high.1)).collect();
    Ok(Curve::banded(points(table, problem, x, y)?, band, color, Stroke::Dotted))
}

/// Errors of levels against the rows they sample.
pub(crate) fn levels(record: &Record) -> Result<Sheet, FigureError> {
    let (levels, flat) = (record.table("levels")?, record.table("plain")?);
    let mut panels = Vec::new();
    for (problem, title) in PROBLEMS {
        let rows = record.value(&format!("{problem}/rows"))?;
        let error = banded(levels, problem, ("rows", "error"), PALETTE[3])?;
        let increment = banded(levels, problem, ("rows", "increment"), PALETTE[2])?;
        let measured = points(flat, problem, "rows", "error")?;
        let sizes = error.points.iter().chain(&measured).map(|point| point.0);
        let mut sizes: Vec<f64> = sizes.collect();
        sizes.sort_by(f64::total_cmp);
        let flat_prior = sizes.iter().map(|&size| (size, (rows / size - 1.0).max(0.0).sqrt()));
        let flat_prior: Vec<Point> = flat_prior.filter(|point| point.1 > 0.0).collect();
        let lines = vec![
            Curve::new(flat_prior, INK, DASHED),
            Curve::new(measured, PALETTE[1], Stroke::Dotted),
            error,
            increment,
        ];
        let x =
            Axis::log("sampled rows n", decades(title, points_of(&lines).map(|point| point.0))?);
        let y = Axis::log("posterior sds", decades("levels", points_of(&lines).map(|p| p.1))?);
        panels.push(Panel::new(FRAME, x, y).titled(title).with(lines));
    }
    let legend = vec![
        entry(Mark::Dashed(INK), "√(N/n − 1): plain\npartial posterior\nwithout a prior"),
        entry(Mark::Line(PALETTE[1]), "plain partial\nposterior, measured"),
        entry(Mark::Line(PALETTE[3]), "anchored level"),
        entry(Mark::Line(PALETTE[2]), "antithetic increment\nfrom n to 2n rows"),
    ];
    Ok(four(panels, legend))
}

/// Errors of debiased estimates against evaluations.
pub(crate) fn errors(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("errors")?;
    let of = |problem: &str, method: MethodId| -> Result<Vec<Point>, FigureError> {
        let rows = Rows::of(table, &[("problem", problem), ("method", method.name())])?;
        let mut points = rows.points("evaluations", "error")?;
        points.retain(|point| point.1 > 0.0);
        Ok(thinned(&points))
    };
    let mut panels = Vec::new();
    for (problem, title) in PROBLEMS {
        let mut lines = Vec::new();
        for method in DEBIASED {
            let points = of(problem, method)?;
            if !points.is_empty() {
                lines.push(Curve::new(points, color(method), Stroke::Line));
            }
        }
        let mut marks: Vec<(Point, RGBColor)> = Vec::new();
        for (method, color, _) in RUNS {
            marks.extend(of(problem, method)?.into_iter().map(|point| (point, color)));
        }
        let rows = record.value(&format!("{problem}/rows"))?;
        let heights = points_of(&lines).map(|point| point.1);
        // A little wider both ways, so that no mark stands on the frame.
        let heights = heights.chain(marks.iter().flat_map(|mark| [0.5 * mark.0.1, 2.0 * mark.0.1]));
        let range = decades("errors", heights)?;
        let pass = vec![(rows, range.start), (rows, range.end)];
        lines.insert(0, Curve::new(pass, INK, DASHED));
        let widths = points_of(&lines).map(|point| point.0);
        let widths = widths.chain(marks.iter().map(|mark| mark.0.0));
        let across = decades(title, widths.flat_map(|width| [0.8 * width, 1.2 * width]))?;
        let ring = |((x, y), color)| Item::Ring((x, y), color, 5, 2);
        let x = Axis::log("likelihood evaluations", across);
        let y = Axis::log("error, posterior sds", range);
        panels.push(
            Panel::new(FRAME, x, y).titled(title).with(lines).with(marks.into_iter().map(ring)),
        );
    }
    let mut legend = lines(&DEBIASED);
    legend.extend(RUNS.map(|(_, color, text)| entry(Mark::Ring(color), text)));
    legend.push(entry(Mark::Dashed(INK), "one pass over\nthe data"));
    Ok(four(panels, legend))
}

/// Bad anchors, and cores of a9a.
pub(crate) fn limits(record: &Record) -> Result<Sheet, FigureError> {
    Ok(anchors(record)?.beside(cores(record)?))
}

/// A panel and its legend, half a figure wide.
fn half(title: &str, x: Axis, y: Axis, lines: Vec<Curve>, legend: Vec<Entry>) -> Sheet {
    let panel = Panel::new(Frame::SMALL, x, y).titled(title).with(lines);
    Sheet::row((440, 380), &[310], vec![panel], legend)
}

fn anchors(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("anchors")?;
    let (mut lines, mut legend) = (Vec::new(), Vec::new());
    for ((problem, title), color) in PROBLEMS.into_iter().zip(PALETTE) {
        let curve = banded(table, problem, ("sds_off", "error"), color)?;
        if !curve.points.is_empty() {
            lines.push(curve);
            legend.push((Mark::Line(color), title.replace(", ", ",\n")));
        }
    }
    let x = Axis::linear("posterior sds off", 0.0..10.0);
    let range = decades("anchors", points_of(&lines).map(|point| point.1))?;
    let y = Axis::log("error of a level of 1024 rows, posterior sds", range);
    Ok(half("an anchor off the mode", x, y, lines, legend))
}

fn cores(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("cores")?;
    let (mut lines, mut legend) = (Vec::new(), Vec::new());
    let sizes = distinct(&table.numbers("rows")?);
    for (size, color) in sizes.into_iter().zip([PALETTE[0], PALETTE[2], PALETTE[3]]) {
        let points = Rows::at(table, "rows", size)?.points("core", "error")?;
        lines.push(Curve::new(points, color, Stroke::Dotted));
        legend.push((Mark::Line(color), format!("{size:.0} rows\nsampled")));
    }
    let most = table.numbers("core")?.into_iter().fold(1.0, f64::max);
    let x = Axis::linear("rows kept exact", 0.0..most);
    let range = decades("cores", table.numbers("error")?)?;
    let y = Axis::log("error of a level, posterior sds", range);
    Ok(half("the core of a9a", x, y, lines, legend))
}
