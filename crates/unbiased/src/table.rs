//! A CSV file into rows: plain numbers in one pass; anything else is surveyed first, coded, and then
//! imported.

use crate::arguments::DataArguments;
use crate::choice::{check_header, choose, unmeant};
use crate::coding::{Coded, code};
use crate::columns::Columns;
use crate::exit;
use crate::extras::ExtraColumns;
use crate::files::{self, Files, Opened};
use crate::formula::Formula;
use crate::source::{Imported, Wants, changed_meanwhile};
use crate::stored::Stored;
use crate::terms::by_formula;
use crate::types::types;
use data::{
    Code, CodedColumn, CodedTarget, Coding, Derived, ImportError, Levels, TableError, TableSurvey,
    Wanted, Written, import_cells, import_numbers, survey_cells,
};
use std::collections::HashSet;
use std::path::Path;

/// Standard deviations that the mean of a column may be from zero: half of all digits.
const FARTHEST: f64 = 1e7;
/// The columns that are used.
#[derive(Default)]
pub struct Chosen {
    pub label: Option<String>,
    /// Sorted, so that results do not depend on the order of columns in the file.
    pub covariates: Vec<String>,
    /// Columns that are computed.
    pub derived: Vec<Derived>,
    /// The columns of the file that all this needs.
    pub used: Vec<String>,
    /// Levels and numbers of products, beside the covariates.
    pub extra: Vec<String>,
    /// Categories that are in products.
    pub crossed: Vec<String>,
    /// Levels of products, which are categories whatever they look like.
    pub joint: Vec<String>,
    /// Weights, offset and trials.
    pub apart: ExtraColumns,
}

/// Imports the file.
pub fn import(
    arguments: &DataArguments,
    wants: Wants,
    files: &Files,
    rows: &Path,
) -> anyhow::Result<Imported> {
    let file = &files.shown;
    let header = files.header()?;
    let arguments = &arguments.with_names(&header);
    let mut remarks = Vec::new();
    let unmeant = unmeant(arguments, &header, &mut remarks);
    let prepared = match &arguments.formula {
        None => by_columns(arguments, wants, files, &header, &unmeant, rows)?,
        Some(text) => {
            check_header(arguments, file, &header)?;
            let formula = Formula::read(text, &header, &unmeant)
                .map_err(|fault| exit::usage(fault.show(text)))?;
            by_formula(arguments, wants, files, &formula, rows)?
        }
    };
    let Prepared { chosen, survey, surveyed, coded } = match prepared {
        Ok(prepared) => prepared,
        Err(mut imported) => {
            remarks.append(&mut imported.remarks);
            if wants != Wants::Nothing {
                tellable(file, &imported.names, &imported.columns)?;
            }
            return Ok(Imported { remarks, ..imported });
        }
    };
    let coding = coded.coding;
    remarks.extend(coded.remarks);
    chosen.apart.check(&survey)?;
    let with_extras = chosen.apart.behind(&coding);
    let (table, sum) = files.open(&chosen.used, &chosen.derived, files::refused)?;
    let imported = match table {
        Opened::Text(mut table) => import_cells(&mut table, rows, &with_extras),
        Opened::Other(mut table) => import_cells(&mut table, rows, &with_extras),
    }
    .map_err(refused)?;
    let sha256 = sum.finish().map_err(|error| files.cannot(error))?;
    if sha256 != surveyed || imported != survey.rows {
        return Err(changed_meanwhile(&arguments.data));
    }
    let stored = Stored::open(rows, Written::Now)?;
    let columns = Columns::of(&stored);
    let names = coding.names();
    if wants != Wants::Nothing {
        tellable(file, &names, &columns)?;
    }
    let extras = chosen.apart.roles;
    let offset = extras.offset.map(|at| chosen.apart.names[at].clone());
    let coding = Some(coding);
    Ok(Imported { stored, sha256, names, columns, positive: 1.0, coding, extras, offset, remarks })
}

/// Refuses columns whose digits are lost in sums of squares.
pub fn tellable(file: &str, names: &[String], columns: &Columns) -> anyhow::Result<()> {
    for (j, name) in names.iter().enumerate() {
        let moments = &columns.moments[j];
        let (mean, deviation) = (moments.mean, moments.deviation());
        let (lowest, highest) = (columns.lows[j], columns.highs[j]);
        if !(mean * mean).is_finite() || !(deviation * deviation).is_finite() {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" holds numbers so large that their squares are infinite; \
                 divide them, as I({name} / 1e200) does in a formula"
            )));
        }
        if lowest == highest {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" is {lowest} in all rows, so that nothing can be said of its \
                 weight; leave the term out of the formula, or put levels together"
            )));
        }
        if deviation == 0.0 {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" holds numbers so small that their squares are zero; multiply \
                 them, as I({name} * 1e200) does in a formula"
            )));
        }
        if mean.abs() > FARTHEST * deviation {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" has the mean {mean} and the standard deviation \
                 {deviation:.3e}, and cannot be told from the bias with the digits that are left; \
                 subtract the mean, as center({name}) does in a formula"
            )));
        }
    }
    Ok(())
}

/// What is known before rows are written.
pub struct Prepared {
    pub chosen: Chosen,
    pub survey: TableSurvey,
    /// The sum of the file.
    pub surveyed: String,
    pub coded: Coded,
}

/// Columns by name; the imported rows themselves if one pass was enough.
fn by_columns(
    arguments: &DataArguments,
    wants: Wants,
    files: &Files,
    header: &[String],
    unmeant: &[String],
    rows: &Path,
) -> anyhow::Result<Result<Prepared, Imported>> {
    let chosen = choose(arguments, wants, &files.shown, header, unmeant)?;
    types(arguments, files, &chosen)?;
    if arguments.categorical.is_empty()
        && chosen.apart.names.is_empty()
        && let Some(imported) = plain(arguments, wants, &chosen, files, rows)?
    {
        return Ok(Err(imported));
    }
    let (survey, surveyed) = survey(arguments, &chosen, files)?;
    let coded = code(arguments, wants, &chosen, &files.shown, &survey)?;
    Ok(Ok(Prepared { chosen, survey, surveyed, coded }))
}

/// What the columns hold, and the sum of the file.
pub fn survey(
    arguments: &DataArguments,
    chosen: &Chosen,
    files: &Files,
) -> anyhow::Result<(TableSurvey, String)> {
    let categories = arguments.categorical.iter().chain(&chosen.joint);
    let mut categories: HashSet<&str> = categories.map(String::as_str).collect();
    loop {
        let wanted = wanted(arguments, chosen, &categories);
        let (table, sum) = files.open(&chosen.used, &chosen.derived, files::refused)?;
        let survey = match table {
            Opened::Text(mut table) => survey_cells(&mut table, &wanted),
            Opened::Other(mut table) => survey_cells(&mut table, &wanted),
        }
        .map_err(files::refused)?;
        // Words that came after many numbers, but outweigh them: levels are counted anew.
        let uncounted = survey
            .columns
            .iter()
            .find(|column| column.levels == Levels::Uncounted && column.words > column.numbers);
        let name = uncounted
            .and_then(|column| wanted.iter().map(|one| one.name).find(|name| *name == column.name));
        match name {
            Some(name) => categories.insert(name),
            None => return Ok((survey, sum.finish().map_err(|error| files.cannot(error))?)),
        };
    }
}

/// A table in which all cells are numbers, no column is constant and classes are two, in one pass.
pub fn plain(
    arguments: &DataArguments,
    wants: Wants,
    chosen: &Chosen,
    files: &Files,
    rows: &Path,
) -> anyhow::Result<Option<Imported>> {
    let covariates: Vec<&str> = chosen.covariates.iter().map(String::as_str).collect();
    let target = chosen.label.as_deref().unwrap_or(covariates[0]);
    let cannot = |error| files.cannot(error);
    let (table, sum) = files.open(&chosen.used, &chosen.derived, files::refused)?;
    let result = match table {
        Opened::Text(mut table) => import_numbers(&mut table, rows, &covariates, target),
        Opened::Other(mut table) => import_numbers(&mut table, rows, &covariates, target),
    };
    match result {
        Ok(_) => {}
        Err(ImportError::Table(TableError::Value { .. } | TableError::Missing { .. })) => {
            return Ok(None);
        }
        Err(error) => return Err(refused(error)),
    }
    let sha256 = sum.finish().map_err(cannot)?;
    let stored = Stored::open(rows, Written::Now)?;
    let columns = Columns::of(&stored);
    if wants != Wants::Nothing && columns.constant().next().is_some() {
        return Ok(None);
    }
    let (mut positive, mut classes, mut remarks) = (1.0, None, Vec::new());
    if wants == Wants::Class {
        let [low, high] = columns.classes[..] else { return Ok(None) };
        let asked = arguments.positive.as_ref().map(|word| word.trim().parse::<f64>());
        positive = match asked {
            None => high,
            Some(Ok(value)) if value == low || value == high => value,
            // The survey knows how the classes are written.
            Some(_) => return Ok(None),
        };
        let negative = if positive == low { high } else { low };
        let both = [negative.to_string(), positive.to_string()];
        remarks.push(classes_remark(target, &both));
        classes = Some(both);
    }
    let column =
        |name: &String| CodedColumn { name: name.clone(), code: Code::Number { mean: None } };
    let coding = Coding {
        columns: chosen.covariates.iter().map(column).collect(),
        target: chosen.label.clone().map(|name| CodedTarget { name, classes }),
        leave_out: false,
        watched: Vec::new(),
        derived: chosen.derived.clone(),
    };
    let (names, coding) = (coding.names(), Some(coding));
    let (extras, offset) = Default::default();
    Ok(Some(Imported { stored, sha256, names, columns, positive, coding, extras, offset, remarks }))
}

/// Which class is which.
pub fn classes_remark(label: &str, [negative, positive]: &[String; 2]) -> String {
    format!("{label}={positive} is the positive class, {label}={negative} the negative one")
}

/// What is surveyed: the covariates, and the label last.
fn wanted<'a>(
    arguments: &'a DataArguments,
    chosen: &'a Chosen,
    categories: &HashSet<&str>,
) -> Vec<Wanted<'a>> {
    use crate::arguments::MissingArgument::{Drop, Indicator};
    let covariate = |name: &'a String| Wanted {
        name,
        category: categories.contains(name.as_str()),
        needed: arguments.missing == Drop,
    };
    let never_missing = |name: &'a String| Wanted {
        name,
        category: false,
        needed: matches!(arguments.missing, Drop | Indicator),
    };
    let label = chosen.label.as_ref().map(never_missing);
    let extra = chosen.extra.iter().map(covariate);
    let apart = chosen.apart.names.iter().map(never_missing);
    chosen.covariates.iter().map(covariate).chain(label).chain(extra).chain(apart).collect()
}

/// A faulty file, with what can be done about it.
pub fn refused(error: ImportError) -> anyhow::Error {
    match error {
        ImportError::Table(error) => files::refused(error),
        ImportError::Write { .. } => {
            exit::usage(format!("{error}; --work FOLDER names another place"))
        }
        _ => exit::data(error.to_string()),
    }
}
