//! Columns that are neither explained nor covariates: case weights, an offset, a number of trials. They
//! are imported behind the covariates.

use crate::arguments::DataArguments;
use crate::exit;
use crate::formula::Formula;
use data::{Code, CodedColumn, Coding, Derived, TableSurvey};
use models::design::Extras;

/// The columns, in the order in which they are stored.
#[derive(Clone, Default)]
pub struct ExtraColumns {
    pub names: Vec<String>,
    pub roles: Extras,
    /// Those that are computed.
    pub derived: Vec<Derived>,
}

impl ExtraColumns {
    /// What the arguments and the formula name.
    pub fn of(
        arguments: &DataArguments,
        formula: Option<&Formula>,
    ) -> anyhow::Result<ExtraColumns> {
        let mut found = ExtraColumns::default();
        let add = |names: &mut Vec<String>, name: Option<String>| {
            name.map(|name| {
                names.push(name);
                names.len() - 1
            })
        };
        let mut offset = arguments.offset.clone();
        if let Some(term) = formula.and_then(|formula| formula.offset(&mut found.derived)) {
            if offset.is_some() {
                return Err(exit::usage(
                    "--offset and offset(…) in the formula both name an offset: leave one out",
                ));
            }
            offset = Some(term);
        }
        found.roles = Extras {
            offset: add(&mut found.names, offset),
            weight: add(&mut found.names, arguments.weights.clone()),
            trials: add(&mut found.names, arguments.trials.clone()),
        };
        Ok(found)
    }

    /// The coding of the file, with these columns behind the covariates.
    pub fn behind(&self, coding: &Coding) -> Coding {
        let mut coding = coding.clone();
        let column =
            |name: &String| CodedColumn { name: name.clone(), code: Code::Number { mean: None } };
        coding.columns.extend(self.names.iter().map(column));
        coding
    }

    /// Refuses words where numbers belong; these columns were surveyed last.
    pub fn check(&self, survey: &TableSurvey) -> anyhow::Result<()> {
        let first = survey.columns.len() - self.names.len();
        for column in &survey.columns[first..] {
            if let Some(seen) = &column.word {
                return Err(exit::data(format!(
                    "{}: column \"{}\" holds \"{}\", not a finite number, and is to be a weight, an \
                     offset or a number of trials",
                    seen.place, column.name, seen.value
                )));
            }
        }
        Ok(())
    }
}
