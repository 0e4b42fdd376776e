//! What an answer costs on data as people have it, and how far off approximations are: one row per problem.

use crate::prelude::*;

/// Problems from the top, and what they are.
const PROBLEMS: [(&str, &str); 7] = [
    ("rare", "a rare dummy"),
    ("heavy", "heavy-tailed covariates"),
    ("tab", "crossed categories"),
    ("poisson", "counts, Zipf levels"),
    ("zipf", "Zipf levels"),
    ("hours", "flights by airport and hour"),
    ("flights", "flights by airport"),
];

/// Methods that go on until the error is small enough, and their names.
const EXACT: [(MethodId, &str); 5] = [
    (MethodId::FullNuts, "NUTS"),
    (MethodId::NutsAllRowsLinear, "NUTS + control variates"),
    (MethodId::NutsAllRowsCubic, "NUTS + cubic control variates"),
    (MethodId::NutsCubic, "NUTS + cubic, equal rows together"),
    (MethodId::Anchored, "anchored path (ours)"),
];

/// Methods that state no error, and ours.
const FIXED: [(MethodId, &str); 5] = [
    (MethodId::Mode, "mode (Laplace)"),
    (MethodId::GaussianVi, "Gaussian VI"),
    (MethodId::NextOrderLaplace, "next-order Laplace"),
    (MethodId::BaseAlone, "our base, not debiased"),
    (MethodId::Anchored, "anchored path (ours)"),
];

/// The standard error asked for.
const TARGET: f64 = 0.05;

const SIZE: (u32, u32) = (1080, 470);
const LEFT: u32 = 640;
/// Space for the names of the problems.
const BESIDE: u32 = 178;
/// Points per letter, and per line of text.
const LETTER: f64 = 5.7;
const LINE: f64 = 14.0;
/// Rows above the problems, for the names of methods, each this high.
const NAMES: f64 = 0.46;
const MARGIN: (u32, u32) = (10, 16);
const BELOW: u32 = 42;
const PALE: RGBColor = RGBColor(120, 120, 120);

/// Costs on the left, errors on the right.
pub(crate) fn costs(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("answers")?;
    let values = |methods: &[(MethodId, &str)], column: &str| -> Result<Vec<f64>, FigureError> {
        let mut all = Vec::new();
        for (method, _) in methods {
            all.extend(Rows::of(table, &[("method", method.name())])?.column(column)?);
        }
        Ok(all)
    };
    let ends = |values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, values.into_iter().fold(0.0, f64::max))
    };
    let range_of = |method: MethodId, column: &str| -> Result<(f64, f64), FigureError> {
        Ok(ends(values(&[(method, "")], column)?))
    };
    let (low, high) = range_of(MethodId::Anchored, "passes to the target")?;
    let (nuts_low, nuts_high) = range_of(MethodId::NutsAllRowsLinear, "passes to the target")?;
    let cost = format!(
        "The anchored path takes {low:.0} to {high:.0} passes, NUTS with control variates {} to {}",
        rounded(nuts_low),
        rounded(nuts_high)
    );
    let (_, mode) = range_of(MethodId::Mode, "worst error")?;
    let (_, ours) = range_of(MethodId::Anchored, "worst error")?;
    let off = format!("The mode is up to {mode:.1} posterior sds off, ours {ours:.2}");
    let left = panel(
        record,
        (table, "passes to the target"),
        &EXACT,
        Axis::log(
            "passes over the rows to a standard error of 0.05 posterior sds in the worst weight",
            decades("answers", values(&EXACT, "passes to the target")?)?,
        ),
        (LEFT, BESIDE),
    )?;
    let mut errors = values(&FIXED, "worst error")?;
    errors.push(TARGET);
    let right = panel(
        record,
        (table, "worst error"),
        &FIXED,
        Axis::log("error of the worst weight, posterior sds", decades("answers", errors)?),
        (SIZE.0 - LEFT, 14),
    )?;
    let target = vec![(TARGET, 0.4), (TARGET, PROBLEMS.len() as f64 + 0.4)];
    let asked = Item::Text("asked for".to_owned(), (TARGET, 0.4), (4, -15), INK);
    let right = right.with([Curve::new(target, INK, DASHED)]).with([asked]);
    let panels = vec![left.titled(&cost), right.titled(&off)];
    Ok(Sheet::row(SIZE, &[LEFT, SIZE.0 - LEFT], panels, Vec::new()))
}

/// Two digits at most.
fn rounded(value: f64) -> String {
    let unit = 10_f64.powf((value.log10() - 1.0).floor()).max(1.0);
    format!("{:.0}", (value / unit).round() * unit)
}

/// The upper end of the vertical axis.
fn top(methods: &[(MethodId, &str)]) -> f64 {
    PROBLEMS.len() as f64 + 0.55 + NAMES * methods.len() as f64
}

fn panel(
    record: &Record,
    (table, column): (&Table, &str),
    methods: &[(MethodId, &str)],
    x: Axis,
    (width, beside): (u32, u32),
) -> Result<Panel, FigureError> {
    let across = x.range.clone();
    let plot = f64::from(width - beside - MARGIN.0 - MARGIN.1);
    let pixel = |value: f64| plot * (value / across.start).ln() / (across.end / across.start).ln();
    let mut items = Vec::new();
    for (place, (problem, words)) in PROBLEMS.into_iter().enumerate() {
        let height = (PROBLEMS.len() - place) as f64;
        items.push(Item::Path(
            vec![(across.start, height), (across.end, height)],
            RGBColor(225, 225, 225),
            1,
        ));
        if beside == BESIDE {
            let (start, shift) = ((across.start, height), 4 - BESIDE as i32);
            let size = record.data.iter().find(|data| data.name.starts_with(problem));
            let weights = record.value(&format!("{problem}/weights"))?;
            let size = size.map_or(0, |data| data.rows);
            let size = format!("{} rows, {weights:.0} weights", counted(size));
            items.push(Item::Text(words.to_owned(), start, (shift, -13), INK));
            items.push(Item::Text(size, start, (shift, 1), PALE));
        }
    }
    let mut lines = Vec::new();
    for &(method, name) in methods {
        let mut points = Vec::new();
        for (place, (problem, _)) in PROBLEMS.into_iter().enumerate() {
            let rows = Rows::of(table, &[("problem", problem), ("method", method.name())])?;
            let height = (PROBLEMS.len() - place) as f64;
            points.extend(rows.column(column)?.into_iter().map(|value| (value, height)));
        }
        if !points.is_empty() {
            lines.push((method, name, points));
        }
    }
    // The rightmost line has the lowest name: names stand right of their own leader, and no other leader
    // crosses them.
    lines.sort_by(|one, other| other.2[0].0.total_cmp(&one.2[0].0));
    for (rank, (method, name, points)) in lines.into_iter().enumerate() {
        let (color, stroke) = style(method);
        let (first, begin) = points[0];
        let height = PROBLEMS.len() as f64 + 0.5 + NAMES * (rank as f64 + 0.5);
        items.push(Item::Path(vec![(first, begin), (first, height + 0.15)], color, 1));
        items.push(Curve::new(points, color, stroke).into());
        let room = plot - pixel(first) - LETTER * name.chars().count() as f64 - 3.0;
        let shift = (room.min(4.0), -LINE / 2.0);
        let shift = (shift.0.round() as i32, shift.1.round() as i32);
        items.push(Item::Text(name.to_owned(), (first, height), shift, color));
    }
    let y = Axis::linear("", 0.4..top(methods)).labelled(Labels::Blank);
    let frame = Frame { margin: MARGIN.0, right: MARGIN.1, below: BELOW, beside };
    Ok(Panel::new(frame, x, y).with(items))
}

/// 3·10⁶, 20 000.
fn counted(rows: u64) -> String {
    let mut power = 0;
    let mut lead = rows;
    while lead >= 10 && lead.is_multiple_of(10) {
        lead /= 10;
        power += 1;
    }
    match (lead, power) {
        (1, 6) => "10⁶".to_owned(),
        (_, 6) => format!("{lead}·10⁶"),
        _ => rows.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([1_000_000, 3_000_000, 20_000].map(counted), ["10⁶", "3·10⁶", "20000"]);
        assert_eq!([8.4, 89.5, 742.6, 2246.9].map(rounded), ["8", "90", "740", "2200"]);
    }
}
