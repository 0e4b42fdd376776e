//! What is explained: a number, or one of two classes; and what numbers it can be.

use crate::arguments::DataArguments;
use crate::coding::listed;
use crate::exit;
use crate::extras::ExtraColumns;
use crate::files::{self, Files, Opened};
use crate::source::{Source, Wants};
use crate::stored::Stored;
use crate::table::classes_remark;
use data::{Cells, CodedTarget, ColumnSurvey, Derived, Levels, Sighting, TableError};
use models::design::{Design, Extras, SplitColumns};
use posterior::{Rows, pass};

/// Words that mean that something happened.
const POSITIVE: [&str; 10] =
    ["1", "yes", "y", "true", "t", "positive", "pos", "success", "on", "+"];

/// The label: a number, or one of two classes.
pub fn target(
    arguments: &DataArguments,
    wants: Wants,
    file: &str,
    label: &ColumnSurvey,
    remarks: &mut Vec<String>,
) -> anyhow::Result<CodedTarget> {
    let name = label.name.clone();
    if wants != Wants::Class {
        return match &label.word {
            None => Ok(CodedTarget { name, classes: None }),
            Some(Sighting { place, value }) => Err(exit::data(format!(
                "{place}: column \"{name}\" holds \"{value}\", not a finite number, and this model \
                 explains a number; two classes are explained by logistic"
            ))),
        };
    }
    let Levels::Counted(levels) = &label.levels else {
        return Err(exit::data(format!(
            "{file}: column \"{name}\" holds hundreds of different values; a logistic regression \
             takes two classes"
        )));
    };
    // Numbers are the same however they are written.
    let mut classes: Vec<(String, u64)> = Vec::new();
    for (level, count) in levels {
        let same = |(known, _): &&mut (String, u64)| {
            let pair = (known.parse::<f64>(), level.parse::<f64>());
            label.words == 0 && matches!(pair, (Ok(a), Ok(b)) if a == b)
        };
        match classes.iter_mut().find(same) {
            Some((_, total)) => *total += count,
            None => classes.push((level.clone(), *count)),
        }
    }
    if label.words == 0 {
        let value = |class: &(String, u64)| class.0.parse::<f64>().unwrap_or(0.0);
        classes.sort_by(|a, b| value(a).total_cmp(&value(b)));
    }
    let [low, high] = &classes[..] else {
        if let [(only, count)] = &classes[..] {
            return Err(exit::data(format!(
                "{file}: all {count} rows have one label, {name}={only}: there is nothing to tell apart"
            )));
        }
        let seen: Vec<String> =
            classes.iter().map(|(class, count)| format!("{class} ({count} rows)")).collect();
        return Err(exit::data(format!(
            "{file}: column \"{name}\" holds {} classes: {}; a logistic regression takes two classes",
            classes.len(),
            listed(&seen)
        )));
    };
    let (low, high) = (&low.0, &high.0);
    let is_positive = |word: &String| POSITIVE.contains(&word.to_lowercase().as_str());
    let low_is_positive = match &arguments.positive {
        Some(word) if word == low || word == high => word == low,
        Some(word) => match word.parse::<f64>() {
            Ok(value) if low.parse() == Ok(value) => true,
            Ok(value) if high.parse() == Ok(value) => false,
            _ => {
                return Err(exit::usage(format!(
                    "--positive {word}: column \"{name}\" holds {low} and {high}"
                )));
            }
        },
        None => label.words > 0 && is_positive(low) && !is_positive(high),
    };
    let classes = if low_is_positive { [high, low] } else { [low, high] }.map(Clone::clone);
    remarks.push(classes_remark(&name, &classes));
    Ok(CodedTarget { name, classes: Some(classes) })
}

/// What is wrong with a row: with its label, or with a column behind the covariates, and why.
pub fn fault(
    wants: Wants,
    extras: Extras,
    target: f64,
    behind: &[f64],
) -> Option<(Option<usize>, String)> {
    let whole = |x: f64| x >= 0.0 && x.fract() == 0.0;
    if let Some(at) = extras.weight.filter(|&at| behind[at] < 0.0) {
        return Some((Some(at), "and weights are zero or more".to_owned()));
    }
    if let Some(at) = extras.trials {
        let trials = behind[at];
        if !whole(trials) {
            return Some((Some(at), "and trials are whole numbers: 0, 1, 2, …".to_owned()));
        }
        if !whole(target) || target > trials {
            let sentence =
                format!("and successes are a whole number from 0 to the {trials} trials");
            return Some((None, sentence));
        }
    }
    match wants {
        Wants::Count if !whole(target) => {
            Some((None, "and this model explains counts: 0, 1, 2, …".to_owned()))
        }
        Wants::Positive if target <= 0.0 => {
            Some((None, "and this model explains numbers above zero".to_owned()))
        }
        _ => None,
    }
}

/// Refuses rows with impossible numbers, with their place; counts rows of no weight in a remark.
pub fn check(arguments: &DataArguments, wants: Wants, source: &mut Source) -> anyhow::Result<()> {
    let extras = source.extras;
    if extras == Extras::default() && !matches!(wants, Wants::Count | Wants::Positive) {
        return Ok(());
    }
    let width = source.names.len();
    let (bad, zeros) = match &source.rows {
        Stored::Dense(held) => look(&&*held.rows, width, wants, extras),
        Stored::Sparse(held) => look(&&*held.rows, width, wants, extras),
        Stored::Mixed(held) => look(&&*held.rows, width, wants, extras),
    };
    if bad {
        return Err(place_of_fault(arguments, wants, source)?);
    }
    let count = source.count();
    if zeros == count {
        return Err(exit::data("all rows have weight zero, or no trials: nothing is left"));
    }
    if zeros > 0 {
        let remark = format!("{zeros} of {count} rows have weight zero and count for nothing");
        if !source.remarks.contains(&remark) {
            source.remarks.push(remark);
        }
    }
    Ok(())
}

/// Whether any row is at fault, and how many have no weight.
fn look<R>(rows: &R, width: usize, wants: Wants, extras: Extras) -> (bool, usize)
where
    R: Rows,
    R::Block: SplitColumns,
{
    let visit = |block: R::Block| {
        let (block, columns) = block.split(width);
        let (mut bad, mut zeros) = (false, 0);
        for (row, &target) in block.targets().iter().enumerate() {
            let behind: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            bad |= fault(wants, extras, target, &behind).is_some();
            let empty = |at: Option<usize>| at.is_some_and(|at| behind[at] == 0.0);
            zeros += usize::from(empty(extras.weight) || empty(extras.trials));
        }
        (bad, zeros)
    };
    pass(rows, visit, (false, 0), |all, part| {
        all.0 |= part.0;
        all.1 += part.1;
    })
}

/// The first row at fault, read from the file again.
fn place_of_fault(
    arguments: &DataArguments,
    wants: Wants,
    source: &Source,
) -> anyhow::Result<anyhow::Error> {
    let files = Files::find(&source.file)?;
    let coding = source.coding.as_ref();
    let label = coding.and_then(|coding| coding.target.as_ref()).map(|target| target.name.clone());
    let mut names = ExtraColumns::of(arguments, None)?.names;
    if let Some(offset) = source.offset.as_ref().filter(|_| arguments.offset.is_none()) {
        names.insert(0, offset.clone());
    }
    let derived = coding.map_or(&[][..], |coding| &coding.derived);
    let needed: Vec<&str> = names.iter().chain(&label).map(String::as_str).collect();
    let (derived, used) = Derived::sources(derived, &needed);
    let (table, _) = files.open(&used, &derived, files::refused)?;
    let found = match table {
        Opened::Text(mut table) => search(&mut table, wants, source.extras, &names, label),
        Opened::Other(mut table) => search(&mut table, wants, source.extras, &names, label),
    };
    Ok(match found.map_err(files::refused)? {
        Some(sentence) => exit::data(sentence),
        None => exit::data("some rows hold impossible numbers, but were not found again"),
    })
}

fn search(
    table: &mut impl Cells,
    wants: Wants,
    extras: Extras,
    names: &[String],
    label: Option<String>,
) -> Result<Option<String>, TableError> {
    let columns =
        names.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, TableError>>()?;
    let target = label.map(|name| table.column(&name)).transpose()?;
    while table.advance()? {
        let cell = |column: usize| table.number(column).ok().flatten();
        let behind: Option<Vec<f64>> = columns.iter().map(|&column| cell(column)).collect();
        // Rows with gaps are left out; classes are no numbers and never at fault.
        let (Some(behind), y) = (behind, target.map_or(Some(0.0), cell)) else { continue };
        let Some((at, why)) = fault(wants, extras, y.unwrap_or(0.0), &behind) else { continue };
        let Some(column) = at.map(|at| columns[at]).or(target) else { continue };
        return Ok(Some(format!(
            "{}: column \"{}\" holds {}, {why}",
            table.place(column),
            table.header()[column],
            String::from_utf8_lossy(table.field(column))
        )));
    }
    Ok(None)
}
