//! A table by the terms of a formula: every atom is surveyed by itself, and products once more when it is
//! known which atoms are categories.

use crate::arguments::{DataArguments, MissingArgument};
use crate::coding::{Coded, code, gaps, is_category, references};
use crate::extras::ExtraColumns;
use crate::files::{self, Files, Opened};
use crate::formula::{Design, Formula, Kind};
use crate::source::{Imported, Wants};
use crate::table::{Chosen, Prepared, plain, survey};
use crate::types::types;
use crate::{exit, products};
use data::{Derived, Expression, Recurrence, orthogonal_pass};
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
    let formula = &fitted(formula, files)?;
    let atoms = formula.atoms();
    let named = atoms.iter().filter_map(|atom| Some((&atom.name, atom.reference.as_ref()?)));
    let named = named.map(|(name, level)| format!("{name}={level}")).collect();
    arguments.reference = [named, arguments.reference].concat();
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
    if formula.effects.is_empty() && formula.terms.iter().all(|term| term.len() == 1) {
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
            let mut crossed = formula.terms.iter().filter(|term| term.len() > 1).flatten();
            let mut effects =
                formula.effects.iter().flat_map(|it| it.slope.iter().chain(&it.group));
            column.gaps > 0
                && (crossed.any(|atom| atom.name == column.name)
                    || effects.any(|atom| atom.name == column.name))
        })
    {
        return Err(exit::data(format!(
            "{file}: \"{}\" has {} missing cells and stands in a product or in effects of groups, which \
             have no indicator; take --missing drop",
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

/// poly(x, 2)1 is a covariate of poly(x, 2).
fn shown(name: &str) -> String {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// The formula with the numbers of its polynomials, for which each degree takes a pass.
fn fitted(formula: &Formula, files: &Files) -> anyhow::Result<Formula> {
    let mut formula = formula.clone();
    let mut wanted: Vec<(Expression, usize, String)> = Vec::new();
    for atom in formula.all_atoms() {
        let name = atom.name.clone();
        atom.expression.orthogonals(&mut |of, orthogonal| match wanted
            .iter_mut()
            .find(|(known, _, _)| known == of)
        {
            Some((_, degree, _)) => *degree = orthogonal.degree.max(*degree),
            None => wanted.push((of.clone(), orthogonal.degree, shown(&name))),
        });
    }
    let names: Vec<String> = (0..wanted.len()).map(|at| format!("{at}")).collect();
    let mut columns = vec![Recurrence::default(); wanted.len()];
    // Those of the highest degree come first, so that each pass takes the first of them.
    wanted.sort_by_key(|(_, degree, _)| std::cmp::Reverse(*degree));
    for pass in 0..wanted.first().map_or(0, |(_, degree, _)| degree + 1) {
        let some = wanted.iter().take_while(|(_, degree, _)| *degree >= pass).count();
        let derived = wanted[..some].iter().zip(&names);
        let derived: Vec<Derived> = derived
            .map(|((of, _, _), name)| Derived { name: name.clone(), expression: of.clone() })
            .collect();
        let needed: Vec<&str> = names[..some].iter().map(String::as_str).collect();
        let (derived, used) = Derived::sources(&derived, &needed);
        let (table, _) = files.open(&used, &derived, files::refused)?;
        let columns = &mut columns[..some];
        match table {
            Opened::Text(mut table) => orthogonal_pass(&mut table, &names[..some], columns),
            Opened::Other(mut table) => orthogonal_pass(&mut table, &names[..some], columns),
        }
        .map_err(files::refused)?;
    }
    for ((_, degree, name), column) in wanted.iter().zip(&columns) {
        let why = match column.different() {
            Some(different) if different > *degree => continue,
            Some(different) => {
                format!("needs {} different values or more, and there are {different}", degree + 1)
            }
            None => "has cells that are too large".to_owned(),
        };
        let file = &files.shown;
        return Err(exit::data(format!(
            "{file}: the term {name} {why}; take it out of the formula"
        )));
    }
    for atom in formula.all_atoms() {
        atom.expression.orthogonals(&mut |of, orthogonal| {
            let at = wanted.iter().position(|(known, _, _)| known == of);
            orthogonal.column = columns[at.expect("all of them were read")].clone();
        });
    }
    Ok(formula)
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
