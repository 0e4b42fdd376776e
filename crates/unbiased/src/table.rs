//! A CSV file into rows: plain numbers in one pass; anything else is surveyed first, coded, and then
//! imported.

use crate::arguments::DataArguments;
use crate::coding::{Coded, code, listed};
use crate::columns::Columns;
use crate::exit;
use crate::extras::ExtraColumns;
use crate::files::{self, Files, Opened};
use crate::formula::Formula;
use crate::nearest::nearest;
use crate::source::{Imported, Stored, Wants, changed_meanwhile, open_rows};
use crate::terms::by_formula;
use crate::types::types;
use data::{
    Code, CodedColumn, CodedTarget, Coding, Derived, ImportError, Levels, TableError, TableSurvey,
    Wanted, import_cells, import_numbers, survey_cells,
};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What pandas calls the first column of a file when it has no name.
const NUMBERS_OF_ROWS: [&str; 2] = ["Unnamed: 0", "Unnamed: 0.1"];

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
    let stored = open_rows(rows)?;
    let columns = match &stored {
        Stored::Dense(rows) => Columns::of_dense(rows, rows.width()),
        Stored::Sparse(rows) => Columns::of_sparse(rows, rows.width()),
    };
    let names = coding.names();
    let extras = chosen.apart.roles;
    let offset = extras.offset.map(|at| chosen.apart.names[at].clone());
    let coding = Some(coding);
    Ok(Imported { stored, sha256, names, columns, positive: 1.0, coding, extras, offset, remarks })
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
    let stored = open_rows(rows)?;
    let Stored::Dense(dense) = &stored else { unreachable!("numbers are imported as dense rows") };
    let columns = Columns::of_dense(dense, dense.width());
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

/// Columns that "all columns" does not mean: those of --drop, those without a name, and the row numbers
/// that pandas and R write, unless they are asked for by name.
fn unmeant(arguments: &DataArguments, header: &[String], remarks: &mut Vec<String>) -> Vec<String> {
    let mut unmeant = arguments.drop.clone();
    if arguments.columns.is_empty() {
        unmeant.extend(arguments.extras().cloned());
    }
    for (field, name) in header.iter().enumerate() {
        let is_index =
            NUMBERS_OF_ROWS.contains(&name.as_str()) && field == 0 || name == "__index_level_0__";
        let asked = arguments.columns.contains(name) || arguments.label.as_ref() == Some(name);
        if !(name.is_empty() || is_index) || asked || unmeant.contains(name) {
            continue;
        }
        if arguments.columns.is_empty() {
            remarks.push(match (name.is_empty(), field) {
                (true, 0) => {
                    "column 1 has no name, as numbers of rows have, and is left out".to_owned()
                }
                (true, _) => format!("column {} has no name and is left out", field + 1),
                (false, _) => format!("column \"{name}\" holds numbers of rows and is left out"),
            });
        }
        unmeant.push(name.clone());
    }
    unmeant
}

/// Refuses a header without names, and names that it does not have.
fn check_header(arguments: &DataArguments, file: &str, header: &[String]) -> anyhow::Result<()> {
    if header.is_empty() {
        return Err(exit::data(format!(
            "{file} is empty: a CSV has a line of column names and then rows"
        )));
    }
    if header.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err(exit::data(format!(
            "{file}:1: the first line holds numbers ({}), not column names; put a line of names \
             above it",
            listed(header)
        )));
    }
    let known = |name: &str| {
        if header.iter().any(|known| known == name) {
            return Ok(());
        }
        let meant =
            nearest(name, header).map_or(String::new(), |name| format!(", perhaps \"{name}\""));
        Err(exit::usage(format!(
            "{file} has no column \"{name}\"{meant}; it has {}",
            listed(header)
        )))
    };
    let named = arguments.columns.iter().chain(&arguments.drop).chain(&arguments.label);
    let named = named.chain(arguments.extras());
    named
        .chain(&arguments.categorical)
        .chain(&arguments.numeric)
        .try_for_each(|name| known(name))?;
    if let Some(both) = arguments.categorical.iter().find(|name| arguments.numeric.contains(name)) {
        return Err(exit::usage(format!("--categorical and --numeric both name {both}")));
    }
    Ok(())
}

/// The columns that are used, or what is wrong with the names.
fn choose(
    arguments: &DataArguments,
    wants: Wants,
    file: &str,
    header: &[String],
    unmeant: &[String],
) -> anyhow::Result<Chosen> {
    check_header(arguments, file, header)?;
    let mut fields: HashMap<&str, Vec<usize>> = HashMap::new();
    for (field, name) in header.iter().enumerate() {
        fields.entry(name).or_default().push(field + 1);
    }
    let label = match (&arguments.label, wants) {
        (None, Wants::Nothing) => None,
        (Some(label), Wants::Nothing) => {
            return Err(exit::usage(format!("this model has no label: leave --label {label} out")));
        }
        (Some(label), _) => Some(label.clone()),
        (None, _) => {
            return Err(exit::usage(format!(
                "a CSV needs --label COLUMN, the column to be explained; {file} has {}",
                listed(header)
            )));
        }
    };
    let dropped: HashSet<&str> = unmeant.iter().map(String::as_str).collect();
    let chosen = if arguments.columns.is_empty() { header } else { &arguments.columns };
    let chosen = chosen
        .iter()
        .filter(|name| Some(*name) != label.as_ref() && !dropped.contains(name.as_str()));
    let mut covariates: Vec<String> = chosen.cloned().collect();
    covariates.sort_unstable();
    for name in covariates.iter().chain(&label).chain(arguments.extras()) {
        match &fields[name.as_str()][..] {
            [_] => {}
            [first, second, ..] => {
                return Err(exit::data(format!(
                    "{file}:1:{second}: columns {first} and {second} are both called \"{name}\"; \
                     rename one, or leave both out with --drop"
                )));
            }
            [] => unreachable!("every name stands in a field"),
        }
    }
    covariates.dedup();
    if covariates.is_empty() {
        return Err(exit::usage(format!(
            "no column of {file} is left to work with; it has {}",
            listed(header)
        )));
    }
    let used = covariates.iter().chain(&label).chain(arguments.extras()).cloned().collect();
    let apart = ExtraColumns::of(arguments, None)?;
    Ok(Chosen { label, covariates, used, apart, ..Chosen::default() })
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
