//! A coding put to a table: row by row, the covariates that are not zero, and the target.

use super::cells::Cells;
use super::codes::{CellCode, CodeMap};
use super::coding::{Code, CodedColumn, CodedTarget, Coding};
use super::place::excerpt;
use super::survey::MISSING;
use super::table::number;
use super::table_error::TableError;
use std::collections::HashMap;

/// Levels that an error names.
const NAMED: usize = 8;

/// A coding put to a table.
pub(crate) struct Encoder<'a> {
    columns: Vec<Encoded<'a>>,
    target: Option<(usize, &'a CodedTarget)>,
    classes: Known<f64>,
    leave_out: bool,
    watched: Vec<usize>,
}

struct Encoded<'a> {
    field: usize,
    // The first of its covariates.
    first: usize,
    code: &'a Code,
    // The covariate of each level, nothing for the reference.
    levels: HashMap<&'a [u8], Option<usize>>,
    // The covariate of a level that was never seen.
    new: Option<usize>,
    // The number that a level is multiplied with.
    number: Option<usize>,
    known: Known<Option<usize>>,
}

/// What became of cells, by their codes in one dictionary.
struct Known<T> {
    dictionary: u64,
    cells: CodeMap<T>,
}

impl<T: Copy> Known<T> {
    fn new() -> Known<T> {
        Known { dictionary: 0, cells: CodeMap::default() }
    }

    /// What became of this cell, or nothing if that has to be found out.
    fn get(&self, code: Option<CellCode>) -> Option<T> {
        let (dictionary, code) = code?;
        if dictionary != self.dictionary {
            return None;
        }
        self.cells.get(&code).copied()
    }

    fn insert(&mut self, code: Option<CellCode>, value: T) {
        let Some((dictionary, code)) = code else { return };
        if dictionary != self.dictionary {
            self.cells.clear();
            self.dictionary = dictionary;
        }
        self.cells.insert(code, value);
    }
}

impl<'a> Encoder<'a> {
    /// Finds the columns; the target only if it is asked for.
    pub fn new(
        coding: &'a Coding,
        table: &impl Cells,
        with_target: bool,
    ) -> Result<Encoder<'a>, TableError> {
        let (mut first, mut groups) = (0, 0);
        let mut columns = Vec::new();
        for CodedColumn { name, code } in &coding.columns {
            let mut levels = HashMap::new();
            if let Code::Category { levels: all, reference, .. } = code {
                let mut next = first;
                for (index, level) in all.iter().enumerate() {
                    let covariate = (index != *reference).then_some(next);
                    next += usize::from(covariate.is_some());
                    levels.insert(level.as_bytes(), covariate);
                }
            }
            let mut times = None;
            if let Code::Product { levels: own, others, number, .. } = code {
                let own = own.iter().zip(first..);
                levels.extend(own.map(|((cell, _), covariate)| (cell.as_bytes(), Some(covariate))));
                levels.extend(others.iter().map(|cell| (cell.as_bytes(), None)));
                times = number.as_ref().map(|number| table.column(number)).transpose()?;
            }
            // Predictions know what to do with a level that was never seen, and imports have seen all.
            let mut new = None;
            if let Code::Product { effects: Some(_), .. } = code
                && !with_target
            {
                new = Some(coding.width() + groups);
                groups += 1;
            }
            columns.push(Encoded {
                new,
                field: table.column(name)?,
                first,
                code,
                levels,
                number: times,
                known: Known::new(),
            });
            first += code.width();
        }
        let target = match coding.target.as_ref().filter(|_| with_target) {
            Some(target) => Some((table.column(&target.name)?, target)),
            None => None,
        };
        let leave_out = coding.leave_out && with_target;
        let watched = coding.watched.iter().filter(|_| leave_out);
        let watched = watched.map(|name| table.column(name)).collect::<Result<_, _>>()?;
        Ok(Encoder { columns, target, classes: Known::new(), leave_out, watched })
    }

    /// Overwrites `entries` with the covariates of the row at hand that are not zero, and gives its
    /// target; nothing if the row is left out.
    pub fn row(
        &mut self,
        table: &impl Cells,
        entries: &mut Vec<(usize, f64)>,
    ) -> Result<Option<f64>, TableError> {
        entries.clear();
        if self.watched.iter().any(|&field| table.is_gap(field)) {
            return Ok(None);
        }
        for column in &mut self.columns {
            let field = column.field;
            if let Code::Number { mean } = column.code {
                match (table.finite(field), mean) {
                    // A zero that is spelt out is still a zero.
                    (Some(0.0), _) => {}
                    (Some(value), _) => entries.push((column.first, value)),
                    (None, _) if !table.is_gap(field) => return Err(table.bad_value(field)),
                    (None, Some(mean)) => {
                        entries.extend([(column.first, *mean), (column.first + 1, 1.0)]);
                    }
                    (None, None) if self.leave_out => return Ok(None),
                    (None, None) => return Err(table.missing(field)),
                }
                continue;
            }
            let gaps = matches!(column.code, Code::Category { gaps: true, .. });
            let gap = (!gaps && table.is_gap(field)).then_some(field);
            let number = column.number;
            if let Some(field) = gap.or(number.filter(|&field| table.is_gap(field))) {
                return if self.leave_out { Ok(None) } else { Err(table.missing(field)) };
            }
            let value = match number {
                None => 1.0,
                Some(field) => table.finite(field).ok_or_else(|| table.bad_value(field))?,
            };
            if let Some(covariate) = column.covariate(table)?
                && value != 0.0
            {
                entries.push((covariate, value));
            }
        }
        let Some((field, target)) = self.target else {
            return Ok(Some(0.0));
        };
        if table.is_gap(field) {
            return if self.leave_out { Ok(None) } else { Err(table.missing(field)) };
        }
        let Some(classes) = &target.classes else {
            return table.finite(field).map(Some).ok_or_else(|| table.bad_value(field));
        };
        let code = table.code(field);
        if let Some(class) = self.classes.get(code) {
            return Ok(Some(class));
        }
        let cell = table.field(field);
        match classes.iter().position(|class| is_class(class, cell)) {
            Some(class) => {
                self.classes.insert(code, [-1.0, 1.0][class]);
                Ok(Some([-1.0, 1.0][class]))
            }
            None => Err(table.unseen(field, &named(classes))),
        }
    }
}

impl Encoded<'_> {
    /// The covariate of the level at hand; nothing for the reference.
    fn covariate(&mut self, table: &impl Cells) -> Result<Option<usize>, TableError> {
        let is_gap = table.is_gap(self.field);
        let code = if is_gap { None } else { table.code(self.field) };
        if let Some(covariate) = self.known.get(code) {
            return Ok(covariate);
        }
        let level = if is_gap { MISSING.as_bytes() } else { table.field(self.field) };
        let found = self.levels.get(level).copied().or(self.new.map(Some));
        let Some(covariate) = found else {
            let known = match self.code {
                Code::Product { levels, .. } => {
                    levels.iter().map(|(_, name)| name.clone()).collect()
                }
                Code::Category { levels, .. } => levels.clone(),
                Code::Number { .. } => Vec::new(),
            };
            return Err(table.unseen(self.field, &named(&known)));
        };
        self.known.insert(code, covariate);
        Ok(covariate)
    }
}

/// Whether a cell says this class: the same word, or the same number.
fn is_class(class: &str, cell: &[u8]) -> bool {
    class.as_bytes() == cell
        || number(cell).is_some_and(|value| number(class.as_bytes()) == Some(value))
}

/// The first levels, as many as a sentence takes.
fn named(levels: &[String]) -> String {
    let shown: Vec<String> =
        levels.iter().take(NAMED).map(|level| excerpt(level.as_bytes())).collect();
    let more = levels.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}
