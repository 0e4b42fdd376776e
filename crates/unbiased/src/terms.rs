//! A table by the terms of a formula: every atom is surveyed by itself, and products once more when it is
//! known which atoms are categories.

use crate::arguments::{DataArguments, MissingArgument};
use crate::coding::{Coded, code, gaps, is_category, references};
use crate::extras::ExtraColumns;
use crate::files::Files;
use crate::formula::{Design, Formula, Kind};
use crate::source::{Imported, Wants};
use crate::table::{Chosen, Prepared, plain, survey, types};
use crate::{exit, products};
use data::Derived;
use std::collections::HashMap;
use std::path::Path;

/// The terms of a formula; the imported rows themselves if one pass was enough.
pub fn by_formula(
    arguments: &DataArguments,
    wants: Wants,
    files: &Files,
    formula: &Formula,
    rows: &Path,
) -> anyhow::Result<Result<Prepared, Imported>> {
    let file = &files.shown;
    if wants == Wants::Nothing {
        return Err(exit::usage("this model explains nothing: leave --formula out"));
    }
    let mut arguments = arguments.clone();
    let atoms = formula.atoms();
    let forced = atoms.iter().filter(|atom| atom.category).map(|atom| atom.name.clone());
    arguments.categorical.extend(forced);
    let arguments = &arguments;
    let all_numbers = formula.design(&|_| Kind::Number);
    let chosen = Chosen::of(arguments, formula, &all_numbers)?;
    let single = Design {
        plain: formula.atoms().iter().map(|atom| atom.name.clone()).collect(),
        derived: formula.alone(),
        ..Design::default()
    };
    let single = Chosen::of(arguments, formula, &single)?;
    types(arguments, files, &single)?;
    if arguments.categorical.is_empty()
        && chosen.apart.names.is_empty()
        && let Some(imported) = plain(arguments, wants, &chosen, files, rows)?
    {
        return Ok(Err(imported));
    }
    let (alone, surveyed) = survey(arguments, &single, files)?;
    if formula.terms.iter().all(|term| term.len() == 1) {
        let coded = code(arguments, wants, &single, file, &alone)?;
        return Ok(Ok(Prepared { chosen: single, survey: alone, surveyed, coded }));
    }
    gaps(arguments, file, &alone)?;
    let mut kinds = HashMap::new();
    for (atom, column) in atoms.iter().zip(&alone.columns) {
        let category = is_category(arguments, file, column, alone.rows)?;
        kinds.insert(&atom.name, if category { Kind::Category } else { Kind::Number });
    }
    let design = formula.design(&|atom| kinds[&atom.name]);
    if arguments.missing == MissingArgument::Indicator
        && let Some(column) = alone.columns.iter().find(|column| {
            let crossed = formula.terms.iter().filter(|term| term.len() > 1).flatten();
            column.gaps > 0 && crossed.into_iter().any(|atom| atom.name == column.name)
        })
    {
        return Err(exit::data(format!(
            "{file}: \"{}\" has {} missing cells and stands in a product, which has no indicator; take \
             --missing drop",
            column.name, column.gaps
        )));
    }
    let chosen = Chosen::of(arguments, formula, &design)?;
    let (survey, surveyed) = survey(arguments, &chosen, files)?;
    let mut coded = code(arguments, wants, &chosen, file, &survey)?;
    let Coded { coding, remarks } = &mut coded;
    let references = references(arguments, &chosen)?;
    products::add(&design.products, &references, file, (&alone, &survey), coding, remarks)?;
    Ok(Ok(Prepared { chosen, survey, surveyed, coded }))
}

impl Chosen {
    /// The columns of a formula.
    fn of(arguments: &DataArguments, formula: &Formula, design: &Design) -> anyhow::Result<Chosen> {
        let apart = ExtraColumns::of(arguments, Some(formula))?;
        let mut derived = design.derived.clone();
        derived.extend(apart.derived.iter().filter(|one| !design.derived.contains(one)).cloned());
        let label = formula.label(&mut derived);
        let covariates = design.plain.clone();
        let (mut extra, mut crossed) = (Vec::new(), Vec::new());
        for product in &design.products {
            for name in [&product.levels].into_iter().chain(&product.number) {
                if !covariates.contains(name) && !extra.contains(name) {
                    extra.push(name.clone());
                }
            }
            let categories = product.atoms.iter().filter(|(_, kind)| *kind == Kind::Category);
            crossed.extend(categories.map(|(name, _)| name.clone()));
        }
        let needed = covariates.iter().chain(&extra).chain([&label]).chain(&apart.names);
        let needed: Vec<&str> = needed.map(String::as_str).collect();
        let (derived, used) = Derived::sources(&derived, &needed);
        let joint: Vec<String> = design.products.iter().map(|one| one.levels.clone()).collect();
        let label = Some(label);
        Ok(Chosen { label, covariates, derived, used, extra, crossed, joint, apart })
    }
}
