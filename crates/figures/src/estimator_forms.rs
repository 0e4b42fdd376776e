//! Forms, laws and depth schemes; how increments shrink; what chains leave of it.

use crate::prelude::*;

const FORMS: [MethodId; 4] = [
    MethodId::CoupledSum,
    MethodId::SingleTerm,
    MethodId::AntitheticSum,
    MethodId::AntitheticSingleTerm,
];
const LAWS: [&str; 2] = ["geometric", "optimal"];
const SCHEMES: [&str; 3] = ["independent", "stratified", "systematic"];
/// Lines of a problem: one for each form, law and scheme, and one for the default.
const LINES: usize = FORMS.len() * LAWS.len() * SCHEMES.len() + 1;

/// Work × variance of every form, law and scheme over the paper's.
pub(crate) fn forms(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("forms")?;
    let problems = names(table, "problem")?;
    let (problem, form) = (table.words("problem")?, table.words("form")?);
    let (law, scheme) = (table.words("law")?, table.words("scheme")?);
    let [ratio, low, high] =
        [table.numbers("ratio")?, table.numbers("ratio_low")?, table.numbers("ratio_high")?];
    let range = decades("forms", low.iter().chain(&high).copied())?;
    let count = problems.len() as f64;
    let paper = Curve::new(vec![(1.0, 0.0), (1.0, count)], INK, Stroke::Dashes(4));
    let mut items = vec![Item::Curve(paper)];
    for (place, name) in problems.iter().enumerate() {
        let base = count - place as f64;
        let at = (range.start, base - 0.5);
        items.push(Item::Text(name.clone(), at, (-172, -6), INK));
        for row in (0..problem.len()).filter(|&row| problem[row] == *name) {
            let known = |known: &[&str], word: &str| known.iter().position(|other| *other == word);
            let Some(slot) = FORMS.iter().position(|known| known.name() == form[row]) else {
                continue;
            };
            // The default is the form and the law that the pilot chose, on a line of its own.
            let (line, color, filled) =
                match (known(&LAWS, &law[row]), known(&SCHEMES, &scheme[row])) {
                    (Some(law), Some(scheme)) => {
                        let line = (slot * LAWS.len() + law) * SCHEMES.len() + scheme;
                        (line, color(FORMS[slot]), law == 1)
                    }
                    _ if law[row] == "default" => (LINES - 1, INK, true),
                    _ => continue,
                };
            let y = base - 0.07 - 0.86 * (line as f64 + 0.5) / LINES as f64;
            items.push(Item::Path(vec![(low[row], y), (high[row], y)], color, 1));
            items.push(match filled {
                true => Item::Dot((ratio[row], y), color, 3),
                false => Item::Ring((ratio[row], y), color, 3, 1),
            });
        }
    }
    let name = |method: MethodId| wrapped(&method.name().replace('-', " "), 21);
    let mut legend = Vec::from(FORMS.map(|form| (Mark::Line(color(form)), name(form))));
    legend.extend([
        entry(Mark::Line(INK), "default: one of the last\ntwo, as the pilot chooses"),
        entry(Mark::Dot(INK), "optimal law"),
        entry(Mark::Ring(INK), "geometric law at its\nbest exponent"),
        entry(
            Mark::Dotted(INK),
            "three marks each, from\nabove: independent,\nstratified, systematic",
        ),
        entry(Mark::Dashed(INK), "the paper's estimator"),
    ]);
    let x = Axis::log("work × variance over the paper's", range);
    let y = Axis::linear("", 0.0..count).labelled(Labels::Blank);
    let panel =
        Panel::new(Frame { margin: 10, right: 20, below: 44, beside: 170 }, x, y).with(items);
    Ok(Sheet::row((880, 720), &[680], vec![panel], legend))
}

/// E Δ² against rows, nested and antithetic.
pub(crate) fn decays(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("decays")?;
    let problems = names(table, "problem")?;
    let across = decades("decays", table.numbers("rows")?)?;
    // From the first nested moment of its own: slopes are compared, not units.
    let curve = |problem: &str, coupling: &str, color| -> Result<Curve, FigureError> {
        let of = |coupling: &str| {
            Rows::of(table, &[("problem", problem), ("coupling", coupling)])?
                .points("rows", "second_moment")
        };
        let first = of("nested")?.first().map_or(1.0, |point| point.1);
        let points = of(coupling)?.into_iter().map(|(rows, moment)| (rows, moment / first));
        Ok(Curve::new(points.collect(), color, Stroke::Dotted))
    };
    let curves = |coupling: &str| -> Result<Vec<Curve>, FigureError> {
        let each = problems.iter().zip(PALETTE);
        each.map(|(problem, color)| curve(problem, coupling, color)).collect()
    };
    let sides = [("nested", -1, curves("nested")?), ("antithetic", -2, curves("antithetic")?)];
    let all = sides.iter().flat_map(|side| side.2.iter().flat_map(|curve| &curve.points));
    let range = decades("decays", all.map(|point| point.1))?;
    let mut panels = Vec::new();
    for (coupling, slope, mut lines) in sides {
        let guide = |x: f64| (x, (x / across.start).powi(slope));
        let end = across.end.min(across.start / range.start.powf(1.0 / f64::from(-slope)));
        lines.push(Curve::new(vec![guide(across.start), guide(end)], INK, DASHED));
        let x = Axis::log("rows n", across.clone());
        let y = Axis::log("E Δ² over the first nested one", range.clone());
        panels.push(Panel::new(Frame::SMALL, x, y).titled(coupling).with(lines));
    }
    let entries = problems.iter().zip(PALETTE);
    let mut legend: Vec<_> =
        entries.map(|(name, color)| (Mark::Line(color), name.replace(", ", ",\n"))).collect();
    legend.push(entry(Mark::Dashed(INK), "1/n (left),\n1/n² (right)"));
    Ok(Sheet::row((880, 420), &[350, 340], panels, legend))
}

/// Ways to infer inside a level, by a sweep over draws and at one number of them.
const SWEPT: [(&str, RGBColor); 2] =
    [("chain", PALETTE[0]), ("chain and control variates", PALETTE[2])];
const SINGLE: [(&str, RGBColor); 2] =
    [("coupled chains", PALETTE[3]), ("weighted points", PALETTE[1])];

/// Work × variance of the recommended default by the inference inside.
pub(crate) fn chains(record: &Record) -> Result<Sheet, FigureError> {
    let table = record.table("chains")?;
    let problems = names(table, "problem")?;
    let panels = problems.iter().take(2).map(|problem| noise(table, problem));
    let legend = vec![
        entry(Mark::Line(PALETTE[0]), "chain"),
        entry(Mark::Line(PALETTE[2]), "chain and control\nvariates"),
        entry(Mark::Ring(PALETTE[3]), "coupled chains"),
        entry(Mark::Ring(PALETTE[1]), "weighted points"),
        entry(Mark::Dashed(INK), "a tenth of the paper's"),
    ];
    Ok(Sheet::row((880, 400), &[350, 340], panels.collect::<Result<_, _>>()?, legend))
}

fn noise(table: &Table, problem: &str) -> Result<Panel, FigureError> {
    let curve = |(kind, color): (&str, RGBColor)| {
        let rows = Rows::of(table, &[("problem", problem), ("inference", kind)])?;
        rows.curve("draws", ["ratio", "ratio_low", "ratio_high"], color, Stroke::Dotted)
    };
    let mut lines = SWEPT.into_iter().map(curve).collect::<Result<Vec<_>, _>>()?;
    let marks = SINGLE.into_iter().map(curve).collect::<Result<Vec<_>, _>>()?;
    let range = decades("chains", band_ends(&lines).chain(band_ends(&marks)).chain([0.1]))?;
    let across = 50.0..5000.0;
    lines.push(Curve::level(&across, 0.1, INK));
    let mut items: Vec<Item> = lines.into_iter().map(Item::from).collect();
    for mark in &marks {
        let bar = |&(x, low, high): &(f64, f64, f64)| vec![(x, low), (x, high)];
        items.extend(mark.band.iter().map(|ends| Item::Path(bar(ends), mark.color, 1)));
    }
    for mark in &marks {
        items.extend(mark.points.iter().map(|&point| Item::Ring(point, mark.color, 4, 2)));
    }
    let x = Axis::log("draws or points", across);
    let y = Axis::log("work × variance over the paper's", range);
    Ok(Panel::new(Frame::SMALL, x, y).titled(problem).with(items))
}
