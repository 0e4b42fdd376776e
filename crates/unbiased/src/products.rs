//! Products of a formula with a category in them: which levels have a covariate, and its name.

use crate::coding::{few_enough, reference};
use crate::exit;
use crate::formula::{Kind, Product};
use data::{Code, CodedColumn, Coding, ColumnSurvey, Derived, Levels, MOST_LEVELS, TableSurvey};

/// Puts the columns of the products behind those that the coding has.
pub fn add(
    products: &[Product],
    references: &[(String, String)],
    file: &str,
    (atoms, survey): (&TableSurvey, &TableSurvey),
    coding: &mut Coding,
    remarks: &mut Vec<String>,
) -> anyhow::Result<()> {
    for product in products {
        let levels = counted(file, column(survey, &product.levels))?;
        let most = levels.iter().map(|(_, count)| *count).max();
        let most = levels.iter().position(|(_, count)| Some(*count) == most);
        let categories = product.atoms.iter().filter(|(_, kind)| *kind == Kind::Category);
        let mut left_out = Vec::new();
        for ((name, _), contrast) in categories.zip(&product.contrasts) {
            let known = counted(file, column(atoms, name))?;
            let level = known[reference(name, known, references)?].0.as_str();
            left_out.push(contrast.then_some(level));
        }
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (index, (cell, _)) in levels.iter().enumerate() {
            let parts: Vec<&str> = match left_out.len() {
                1 => vec![cell],
                _ => cell.split(Derived::BETWEEN).collect(),
            };
            let is_reference = parts.iter().zip(&left_out).any(|(part, left)| Some(*part) == *left);
            if is_reference || product.leaves_most && Some(index) == most {
                others.push(cell.clone());
            } else {
                own.push((cell.clone(), covariate(product, &parts)));
            }
        }
        let number = product.number.as_ref().map(|number| column(survey, number));
        let constant = levels.len() == 1 && number.is_none_or(|number| number.low == number.high);
        if own.is_empty() || constant {
            let why =
                if constant { "is the same in all rows" } else { "adds nothing to other terms" };
            remarks.push(format!("term \"{}\" {why} and is left out", product.name));
            if coding.leave_out {
                coding
                    .watched
                    .extend([product.levels.clone()].into_iter().chain(product.number.clone()));
            }
            continue;
        }
        let single = levels.iter().filter(|(_, count)| *count == 1).count();
        remarks.push(match &product.effects {
            Some(sd) if 2 * single > levels.len() => format!(
                "{sd} is the standard deviation of {} effects, {single} of them of a level with one row: what it is \
                 can hardly be told from such rows, and chains take long to find out",
                own.len()
            ),
            Some(sd) => format!("{sd} is the standard deviation of {} effects", own.len()),
            None => format!("term \"{}\": {} covariates", product.name, own.len()),
        });
        let (number, effects) = (product.number.clone(), product.effects.clone());
        let code = Code::Product { levels: own, others, number, effects };
        coding.columns.push(CodedColumn { name: product.levels.clone(), code });
    }
    if coding.columns.is_empty() {
        return Err(exit::data(format!("{file}: no term varies, so there is nothing to estimate")));
    }
    few_enough(file, coding)
}

/// Atoms in the order in which they are written, categories with their levels: x:city=Bonn, and for effects
/// x:city[Bonn].
fn covariate(product: &Product, parts: &[&str]) -> String {
    if product.effects.is_some() {
        let names = product.atoms.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        return format!("{}[{}]", names.join(":"), parts.join(":"));
    }
    let mut parts = parts.iter();
    let atom = |(name, kind): &(String, Kind)| match kind {
        Kind::Number => name.clone(),
        Kind::Category => format!("{name}={}", parts.next().copied().unwrap_or_default()),
    };
    product.atoms.iter().map(atom).collect::<Vec<_>>().join(":")
}

fn column<'a>(survey: &'a TableSurvey, name: &str) -> &'a ColumnSurvey {
    survey.columns.iter().find(|column| column.name == name).expect("all columns were surveyed")
}

fn counted<'a>(file: &str, column: &'a ColumnSurvey) -> anyhow::Result<&'a [(String, u64)]> {
    match &column.levels {
        Levels::Counted(levels) if column.long.is_none() => Ok(levels),
        Levels::Counted(_) => Err(exit::data(format!(
            "{file}: \"{}\" has levels that are too long for a category; shorten them",
            column.name
        ))),
        Levels::TooMany | Levels::Uncounted => Err(exit::data(format!(
            "{file}: \"{}\" has more than {MOST_LEVELS} combinations of levels; put rare levels together, \
             or take the term out of the formula",
            column.name
        ))),
    }
}
