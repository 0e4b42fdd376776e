//! Errors of the front door and its rivals on data as people have it, against passes.

use crate::prelude::*;
use crate::sheet::{Part, Place};

/// Problems, and what they are.
type Problems = [(&'static str, &'static str)];
const PROBLEMS: [(&str, &str); 7] = [
    ("rare", "rare: a dummy set in 15 rows"),
    ("heavy", "heavy: heavy-tailed covariates"),
    ("tab", "tab: many crossed categories"),
    ("zipf", "zipf: rows repeat"),
    ("poisson", "poisson: counts"),
    ("flights", "flights: by airport, rows repeat"),
    ("hours", "hours: flights by airport and hour"),
];

/// Those with groups.
const GROUPED: [(&str, &str); 4] = [
    ("few groups", "few groups of one size"),
    ("many groups", "many groups of one size"),
    ("uneven groups", "uneven groups, most of them small"),
    ("crossed flights", "flights by origin and destination"),
];

/// Methods, and the names at their marks.
const METHODS: [(MethodId, &str); 8] = [
    (MethodId::Anchored, "anchored"),
    (MethodId::NutsControlVariates, "NUTS"),
    (MethodId::NutsCubic, "NUTS, cubic"),
    (MethodId::Mode, "mode"),
    (MethodId::NextOrderLaplace, "next order"),
    (MethodId::GaussianVi, "Gaussian VI"),
    (MethodId::BaseAlone, "base alone"),
    (MethodId::AnchoredUniform, "uniform"),
];

/// Chains that sample rows about a centre, which count passes and share seconds.
const SAMPLERS: [(MethodId, &str); 4] = [
    (MethodId::ScalableMh, "SMH-2"),
    (MethodId::BlockPoisson, "block-Poisson"),
    (MethodId::HmcEcs, "HMC-ECS"),
    (MethodId::Ububu, "UBUBU"),
];

/// The standard error asked for.
const TARGET: f64 = 0.05;

const PANEL: (u32, u32) = (380, 300);
const COLUMNS: u32 = 4;
/// In a row of those with groups.
const FEWER: u32 = 3;
/// The plot inside a panel, and a letter, about.
const PLOT: (f64, f64) = (300.0, 225.0);
const LETTER: (f64, f64) = (5.4, 12.0);
/// Half the side of a mark, with air around it.
const MARK: f64 = 6.0;

/// Worst weights against passes.
pub(crate) fn errors(record: &Record) -> Result<Sheet, FigureError> {
    let methods = [&METHODS[..], &SAMPLERS].concat();
    sheet(record.table("answers")?, &PROBLEMS, &methods, "passes", "passes over the rows")
}

/// Worst parameters against passes where rows are in groups.
pub(crate) fn hierarchies(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("answers")?;
    let known = table.words("method")?;
    let methods: Vec<(MethodId, &'static str)> = METHODS
        .into_iter()
        .filter(|(method, _)| known.contains(&method.name().to_owned()))
        .collect();
    sheet(table, &GROUPED, &methods, "passes", "passes over the rows")
}

/// Worst weights against seconds.
pub(crate) fn seconds(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("answers")?.clone().with("seconds", answer_seconds(record)?);
    sheet(&table, &PROBLEMS, &METHODS, "seconds", "seconds")
}

/// For each answer the seconds of its step; steps that give several answers are shared out by evaluations.
fn answer_seconds(record: &Record) -> Result<Vec<f64>, FigureError> {
    let clock = record.table("seconds")?;
    let (steps, wall) = (clock.words("step")?, clock.numbers("seconds")?);
    let answers = record.table("answers")?;
    let (problems, methods) = (answers.words("problem")?, answers.words("method")?);
    let spent = answers.numbers("evaluations")?;
    let step = |method: &str| match method {
        "anchored" => "anchored",
        "anchored-uniform" => "uniform",
        "auto" => "auto",
        "base-alone" => "base",
        "mode" | "next-order-laplace" | "gaussian-vi" => "gaussian",
        _ => "nuts",
    };
    let one = |row: usize| {
        let name = format!("{}-{}", problems[row], step(&methods[row]));
        let seconds = steps.iter().position(|step| *step == name).map_or(f64::NAN, |at| wall[at]);
        let same = |other: &usize| {
            problems[*other] == problems[row] && step(&methods[*other]) == "gaussian"
        };
        if step(&methods[row]) != "gaussian" {
            return seconds;
        }
        let all = (0..spent.len()).filter(same).map(|other| spent[other]).fold(0.0, f64::max);
        seconds * spent[row] / all
    };
    Ok((0..spent.len()).map(one).collect())
}

/// A panel per problem, against a column.
fn sheet(
    table: &Table,
    problems: &Problems,
    methods: &[(MethodId, &'static str)],
    x: &str,
    words: &'static str,
) -> Result<Sheet, FigureError> {
    let shown = |column: &str| -> Result<Vec<f64>, FigureError> {
        let mut all = Vec::new();
        for (method, _) in methods {
            all.extend(Rows::of(table, &[("method", method.name())])?.column(column)?);
        }
        Ok(all)
    };
    let across = decades("answers", shown(x)?)?;
    let range = decades("answers", shown("worst error")?)?;
    let columns = if problems.len() < COLUMNS as usize + 1 { FEWER } else { COLUMNS };
    let mut parts = Vec::new();
    for (index, &(problem, title)) in problems.iter().enumerate() {
        let mut items = vec![Item::from(Curve::level(&across, TARGET, INK))];
        let mut marks = Vec::new();
        for &(method, name) in methods {
            let rows = Rows::of(table, &[("problem", problem), ("method", method.name())])?;
            let (color, stroke) = style(method);
            for point in rows.points(x, "worst error")? {
                items.push(Curve::new(vec![point], color, stroke).into());
                marks.push((name, point, color));
            }
        }
        let pixel = |(x, y): Point| {
            let share = |value: f64, range: &Range<f64>| {
                (value / range.start).ln() / (range.end / range.start).ln()
            };
            (PLOT.0 * share(x, &across), PLOT.1 * (1.0 - share(y, &range)))
        };
        let line = pixel((across.start, TARGET)).1;
        let mut taken = vec![Area { left: 0.0, right: PLOT.0, top: line, bottom: line }];
        let around = |(x, y): (f64, f64)| Area {
            left: x - MARK,
            right: x + MARK,
            top: y - MARK,
            bottom: y + MARK,
        };
        taken.extend(marks.iter().map(|&(_, point, _)| around(pixel(point))));
        for (name, point, color) in marks {
            let offset = beside(name, pixel(point), &mut taken);
            items.push(Item::Text(name.to_owned(), point, offset, color));
        }
        let x = Axis::log(words, across.clone());
        let y = Axis::log("worst error, posterior sds", range.clone());
        let panel = Panel::new(Frame::ROW, x, y).titled(title).with(items);
        parts.push((place(index, columns), Part::Panel(panel)));
    }
    // The names of samplers at their marks are whole.
    let shortened = methods.iter().filter(|method| !SAMPLERS.contains(method));
    let mut legend: Vec<Entry> = shortened.map(|&(method, _)| shaped(method)).collect();
    legend.push(entry(Mark::Dashed(INK), "0.05 posterior sds, the\nstandard error asked for"));
    let side = place(problems.len(), columns);
    parts.push((Place { left: side.left + 60, ..side }, Part::Legend(legend)));
    Ok(Sheet { size: (columns * PANEL.0, 2 * PANEL.1), parts })
}

/// So many in a row.
fn place(index: usize, columns: u32) -> Place {
    let (row, column) = (index as u32 / columns, index as u32 % columns);
    let (width, height) = PANEL;
    Place { left: column * width, top: row * height, width, height }
}

/// What something covers of a plot.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }
}

/// Where a name stands from its mark: the first place that is free, and if none is, on the side with room.
fn beside(name: &str, (x, y): (f64, f64), taken: &mut Vec<Area>) -> (i32, i32) {
    let (width, height) = (LETTER.0 * name.len() as f64, LETTER.1);
    let (left, right) = (-width - MARK - 1.0, MARK + 2.0);
    let (above, below) = (-MARK - height, MARK + 1.0);
    let (centre, level) = (-width / 2.0, -height / 2.0);
    let places = [
        (right, level),
        (left, level),
        (centre, above),
        (centre, below),
        (right, above),
        (right, below),
        (left, above),
        (left, below),
        (centre, above - height),
        (centre, below + height),
        (right, above - height),
        (right, below + height),
        (left, above - height),
        (left, below + height),
    ];
    let area = |(across, down): (f64, f64)| Area {
        left: x + across,
        right: x + across + width,
        top: y + down,
        bottom: y + down + height,
    };
    let free = |place: &(f64, f64)| {
        let area = area(*place);
        let inside =
            area.left >= 0.0 && area.right <= PLOT.0 && area.top >= 0.0 && area.bottom <= PLOT.1;
        inside && !taken.iter().any(|other| other.meets(&area))
    };
    let side = places[usize::from(x + right + width > PLOT.0)];
    let place = places.into_iter().find(free).unwrap_or(side);
    taken.push(area(place));
    (place.0.round() as i32, place.1.round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_avoid_marks_and_each_other() {
        let mark = Area { left: 110.0, right: 122.0, top: 94.0, bottom: 106.0 };
        let mut taken = vec![mark];
        // To the right is a mark, to the left there is room.
        let (across, _) = beside("mode", (100.0, 100.0), &mut taken);
        assert!(across < 0);
        assert!(!taken[1].meets(&mark));
        // The same name again finds another place.
        beside("mode", (100.0, 100.0), &mut taken);
        assert!(!taken[2].meets(&taken[1]) && !taken[2].meets(&mark));
    }
}
