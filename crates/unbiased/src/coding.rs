//! From a survey of a table to its coding: what is a number, what is a category, which level is the
//! reference, what becomes of gaps, which class is positive. What cannot be decided is refused.

use crate::arguments::{DataArguments, MissingArgument};
use crate::exit;
use crate::response::target;
use crate::source::Wants;
use crate::table::Chosen;
use data::{Code, CodedColumn, Coding, ColumnSurvey, Levels, MOST_LEVELS, Sighting, TableSurvey};
use std::collections::HashSet;

/// Names that a sentence lists.
const LISTED: usize = 12;
/// Remarks on columns that an answer shows.
const REMARKS: usize = 30;
/// A category of more levels than this should not have nearly as many levels as rows.
const FEW_LEVELS: usize = 20;
/// A coding, and what people should know of it.
pub struct Coded {
    pub coding: Coding,
    pub remarks: Vec<String>,
}

/// Some names, as many as a sentence takes.
pub fn listed(names: &[String]) -> String {
    let short = |name: &String| match name.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let shown: Vec<String> = names.iter().take(LISTED).map(short).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Decides what every column becomes.
pub fn code(
    arguments: &DataArguments,
    wants: Wants,
    chosen: &Chosen,
    file: &str,
    survey: &TableSurvey,
) -> anyhow::Result<Coded> {
    let (covariates, label) = survey.columns.split_at(chosen.covariates.len());
    let label = label.first();
    gaps(arguments, file, survey)?;
    let mut remarks = Vec::new();
    let indicator = arguments.missing == MissingArgument::Indicator;
    if survey.left_out > 0 {
        let why = match indicator {
            true if chosen.apart.names.is_empty() => "no label",
            true => "no label, or no weight, offset or number of trials,",
            false => "a missing cell",
        };
        let all = survey.rows + survey.left_out;
        remarks.push(format!("{} of {all} rows have {why} and are left out", survey.left_out));
    }
    if survey.rows == 0 {
        return Err(exit::data(format!(
            "{file}: no row is left when those with a missing cell are left out; leave the columns \
             that have most out with --drop, or take --missing indicator"
        )));
    }
    let references = references(arguments, chosen)?;
    let mut columns = Vec::new();
    for column in covariates {
        let name = &column.name;
        let left_out = |remarks: &mut Vec<String>, value: &str| {
            remarks.push(format!(
                "column \"{name}\" is {value} in all rows, cannot be told from the bias and is left out"
            ));
        };
        if !is_category(arguments, file, column, survey.rows)? {
            if wants != Wants::Nothing && column.low == column.high {
                left_out(&mut remarks, &column.low.to_string());
                continue;
            }
            let mean = (indicator && column.gaps > 0).then(|| column.sum / column.numbers as f64);
            if let Some(mean) = mean {
                if !mean.is_finite() || wants == Wants::Nothing {
                    return Err(exit::data(format!(
                        "{file}: the {} missing cells of column \"{name}\" cannot be replaced by its \
                         mean here; take --missing drop",
                        column.gaps
                    )));
                }
                remarks.push(format!(
                    "column \"{name}\": {} missing cells take the mean, {mean}, and a one in \
                     \"{name} missing\"",
                    column.gaps
                ));
            }
            columns.push(CodedColumn { name: name.clone(), code: Code::Number { mean } });
            continue;
        }
        let Levels::Counted(levels) = &column.levels else {
            unreachable!("categories whose levels were not counted are refused")
        };
        if wants == Wants::Nothing {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" holds words{}, and this model takes numbers; leave it \
                 out with --drop {name}",
                column.word.as_ref().map_or(String::new(), |word| format!(" (\"{}\")", word.value))
            )));
        }
        if let [(level, _)] = &levels[..] {
            left_out(&mut remarks, &format!("\"{level}\""));
            continue;
        }
        let reference = reference(name, levels, &references)?;
        let (level, count) = &levels[reference];
        remarks.push(format!(
            "column \"{name}\": {} levels, compared with \"{level}\" ({count} rows)",
            levels.len()
        ));
        let gaps = indicator && column.gaps > 0;
        let levels = levels.iter().map(|(level, _)| level.clone()).collect();
        let code = Code::Category { levels, reference, gaps };
        columns.push(CodedColumn { name: name.clone(), code });
    }
    if let Some((column, _)) = references.iter().find(|(column, _)| {
        !columns.iter().any(|one| one.name == *column && matches!(one.code, Code::Category { .. }))
            && !chosen.crossed.contains(column)
    }) {
        return Err(exit::usage(format!(
            "--reference names column \"{column}\", which is not a category here; --categorical \
             {column} makes it one"
        )));
    }
    if columns.is_empty() && chosen.extra.is_empty() {
        return Err(exit::data(format!(
            "{file}: no column varies, so there is nothing to estimate"
        )));
    }
    let more = remarks.len().saturating_sub(REMARKS);
    if more > 0 {
        remarks.truncate(REMARKS);
        remarks.push(format!("{more} more remarks on columns; --json has the whole coding"));
    }
    let target = match label {
        None => None,
        Some(label) => Some(target(arguments, wants, file, label, &mut remarks)?),
    };
    let watched = match arguments.missing {
        MissingArgument::Drop => {
            let coded: HashSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let constant = chosen.covariates.iter().filter(|name| !coded.contains(name.as_str()));
            constant.cloned().collect()
        }
        MissingArgument::Refuse | MissingArgument::Indicator => Vec::new(),
    };
    let leave_out = arguments.missing != MissingArgument::Refuse;
    let derived = chosen.derived.clone();
    let coding = Coding { columns, target, leave_out, watched, derived };
    few_enough(file, &coding)?;
    Ok(Coded { coding, remarks })
}

/// The number of the level without a covariate: the one that is named, or the most frequent one.
pub fn reference(
    name: &str,
    levels: &[(String, u64)],
    references: &[(String, String)],
) -> anyhow::Result<usize> {
    let wanted = references.iter().find(|(column, _)| column == name).map(|(_, level)| level);
    match wanted {
        Some(level) => levels.iter().position(|(known, _)| known == level).ok_or_else(|| {
            let known: Vec<String> = levels.iter().map(|(level, _)| level.clone()).collect();
            exit::usage(format!(
                "column \"{name}\" has no level \"{level}\" to compare with; it has {}",
                listed(&known)
            ))
        }),
        None => {
            // The first of the most frequent.
            let most = levels.iter().map(|(_, count)| *count).max();
            Ok(levels.iter().position(|(_, count)| Some(*count) == most).unwrap_or(0))
        }
    }
}

/// Refuses gaps unless it was said what becomes of them.
pub fn gaps(arguments: &DataArguments, file: &str, survey: &TableSurvey) -> anyhow::Result<()> {
    let is_empty = |column: &&ColumnSurvey| column.numbers + column.words == 0;
    if survey.rows > 0
        && let Some(empty) = survey.columns.iter().find(is_empty)
    {
        let name = &empty.name;
        return Err(exit::data(format!(
            "{file}: column \"{name}\" is missing in all rows; {}",
            match arguments.formula {
                Some(_) =>
                    format!("leave it out of the formula, where . - {name} leaves it out of ."),
                None => format!("leave it out with --drop {name}"),
            }
        )));
    }
    if arguments.missing != MissingArgument::Refuse || survey.incomplete == 0 {
        return Ok(());
    }
    let mut columns: Vec<&ColumnSurvey> =
        survey.columns.iter().filter(|column| column.gaps > 0).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.gaps));
    let counts: Vec<String> =
        columns.iter().map(|column| format!("\"{}\" {}", column.name, column.gaps)).collect();
    let first = columns.iter().filter_map(|column| column.gap.as_ref().map(|gap| (gap, column)));
    let (place, column) = first
        .min_by_key(|(gap, _)| (gap.line, gap.column))
        .expect("an incomplete row has a gap somewhere");
    Err(exit::data(format!(
        "{place}: column \"{}\" is missing; {} of {} rows have missing cells ({}); --missing drop \
         leaves these rows out, --missing indicator keeps them with a covariate for what is missing",
        column.name,
        survey.incomplete,
        survey.rows,
        listed(&counts)
    )))
}

/// Whether a column is a category, or why it is nothing at all.
pub fn is_category(
    arguments: &DataArguments,
    file: &str,
    column: &ColumnSurvey,
    rows: u64,
) -> anyhow::Result<bool> {
    let name = &column.name;
    let at = |seen: &Option<Sighting>, what: &str, advice: &str| match seen {
        Some(Sighting { place, value }) => {
            exit::data(format!("{place}: column \"{name}\" holds \"{value}\", {what}; {advice}"))
        }
        None => exit::data(format!("{file}: column \"{name}\": {what}; {advice}")),
    };
    let forced = arguments.categorical.contains(name);
    if column.words == 0 && !forced {
        return Ok(false);
    }
    let (mend, category, leave_it_out) = if arguments.formula.is_some() {
        (
            "mend the cell, or take the column out of the formula".to_owned(),
            format!("C({name}) takes every value as a category"),
            format!("leave it out of the formula, where . - {name} leaves it out of ."),
        )
    } else {
        (
            format!("mend the cell, or leave the column out with --drop {name}"),
            format!(
                "--categorical {name} takes every value as a category, --drop {name} leaves it out"
            ),
            format!("leave it out with --drop {name}"),
        )
    };
    if arguments.numeric.contains(name) {
        return Err(at(&column.word, "not a finite number", &mend));
    }
    if !forced {
        if column.infinities == column.words {
            return Err(at(&column.infinite, "not a finite number", &mend));
        }
        if column.dressings > 0 && 2 * column.dressings >= column.words {
            let what = "a number with signs that have no meaning here";
            let advice = "write plain decimals: a point, and no percent sign, currency or separator \
                          of thousands";
            return Err(at(&column.dressed, what, &format!("{advice}; {category}")));
        }
        if column.dates > 0 && 2 * column.dates >= column.words {
            let advice = match arguments.formula {
                Some(_) => {
                    format!("take a part of it: hour({name}), weekday({name}), month({name})")
                }
                None => "turn it into numbers, such as a year, a month or an hour, in columns of \
                         their own"
                    .to_owned(),
            };
            return Err(at(&column.date, "a date or a time", &format!("{advice}; {category}")));
        }
        if column.numbers >= column.words {
            let what =
                format!("not a finite number, and {} other cells hold numbers", column.numbers);
            return Err(at(
                &column.word,
                &what,
                &match arguments.formula {
                    Some(_) => format!("{mend}; {category}"),
                    None => format!("{mend}; --categorical {name} takes all values as categories"),
                },
            ));
        }
    }
    if column.long.is_some() {
        let advice = leave_it_out.replacen(" it ", " the column ", 1);
        return Err(at(&column.long, "a text that is too long for a category", &advice));
    }
    match &column.levels {
        Levels::Counted(levels) => {
            let many = levels.len() > FEW_LEVELS && 2 * levels.len() as u64 > rows;
            if many && !forced {
                return Err(exit::data(format!(
                    "{file}: column \"{name}\" holds {} different words in {rows} rows, as names and \
                     identifiers do; {leave_it_out}, or say {}",
                    levels.len(),
                    match arguments.formula {
                        Some(_) => format!("C({name})"),
                        None => format!("--categorical {name}"),
                    }
                )));
            }
            Ok(true)
        }
        Levels::TooMany | Levels::Uncounted => Err(exit::data(format!(
            "{file}: column \"{name}\" has more than {MOST_LEVELS} levels; put rare levels together, \
             or {leave_it_out}"
        ))),
    }
}

/// The pairs of `--reference`.
pub fn references(
    arguments: &DataArguments,
    chosen: &Chosen,
) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |text: &String| {
        // Names of columns may hold the sign, too.
        let mut splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
        splits
            .find(|(column, _)| {
                let mut names = chosen.covariates.iter().chain(&chosen.crossed);
                names.any(|name| name == column)
            })
            .map(|(column, level)| (column.to_owned(), level.to_owned()))
            .ok_or_else(|| {
                exit::usage(format!(
                    "--reference {text} names no column that is used: write COLUMN=LEVEL; the \
                     columns are {}",
                    listed(&chosen.covariates)
                ))
            })
    };
    arguments.reference.iter().map(pair).collect()
}

/// Refuses more covariates than rows can have, and names that are there twice.
pub fn few_enough(file: &str, coding: &Coding) -> anyhow::Result<()> {
    let width = coding.width();
    if coding.has_categories() && width > MOST_LEVELS {
        let levels = |column: &&CodedColumn| match &column.code {
            Code::Category { levels, .. } => levels.len(),
            Code::Product { levels, .. } => levels.len(),
            Code::Number { .. } => 0,
        };
        let most = coding.columns.iter().max_by_key(levels).expect("there is a category");
        return Err(exit::data(format!(
            "{file}: the columns make {width} covariates, and {MOST_LEVELS} are possible; \"{}\" has \
             the most levels, {}: put rare levels together, or leave it out with --drop {}",
            most.name,
            levels(&most),
            most.name
        )));
    }
    let names = coding.names();
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(exit::data(format!(
            "{file}: two covariates would be called \"{name}\"; rename a column"
        ))),
    }
}
