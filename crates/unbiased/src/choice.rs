//! Which columns of a table are meant.

use crate::arguments::DataArguments;
use crate::coding::listed;
use crate::exit;
use crate::extras::ExtraColumns;
use crate::nearest::nearest;
use crate::source::Wants;
use crate::table::Chosen;
use std::collections::{HashMap, HashSet};

/// What pandas calls the first column of a file when it has no name.
const NUMBERS_OF_ROWS: [&str; 2] = ["Unnamed: 0", "Unnamed: 0.1"];

/// Columns that "all columns" does not mean: those of --drop, those without a name, and the row numbers
/// that pandas and R write, unless they are asked for by name.
pub fn unmeant(
    arguments: &DataArguments,
    header: &[String],
    remarks: &mut Vec<String>,
) -> Vec<String> {
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
pub fn check_header(
    arguments: &DataArguments,
    file: &str,
    header: &[String],
) -> anyhow::Result<()> {
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
pub fn choose(
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
                "a table needs --label COLUMN, the column to be explained, or --formula; {file} has {}",
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
