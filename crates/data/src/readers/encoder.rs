//! A coding put to a table: row by row, the covariates that are not zero, and the target.
//!
//! Covariates are handed to whoever collects them, as numbers and as levels: a list of entries takes them
//! as they come, a [`MixedRow`] keeps numbers in their columns and levels as codes.

use super::cells::Cells;
use super::codes::{CellCode, CodeMap};
use super::coding::{Code, CodedColumn, CodedTarget, Coding};
use super::numbers::number;
use super::place::excerpt;
use super::survey::MISSING;
use super::table_error::TableError;
use posterior::{LevelCode, MixedShape, MixedShapeError};
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
    // The covariate of each column of numbers, and the column that each category is multiplied with.
    numbers: Vec<Option<usize>>,
    factors: Vec<Option<usize>>,
    width: usize,
}

/// What takes the covariates of a row.
pub(crate) trait Covariates {
    /// A new row: all zeros.
    fn clear(&mut self);

    /// A covariate that is a number, in this column of numbers.
    fn number(&mut self, column: usize, covariate: usize, value: f64);

    /// A number in this column that multiplies levels and may be no covariate.
    fn factor(&mut self, column: usize, value: f64);

    /// The level of this category, times its factor.
    fn level(&mut self, category: usize, covariate: usize, factor: f64);
}

/// Covariates that are not zero, in their order.
impl Covariates for Vec<(usize, f64)> {
    fn clear(&mut self) {
        self.clear();
    }

    fn number(&mut self, _column: usize, covariate: usize, value: f64) {
        // A zero that is spelt out is still a zero.
        if value != 0.0 {
            self.push((covariate, value));
        }
    }

    fn factor(&mut self, _column: usize, _value: f64) {}

    fn level(&mut self, _category: usize, covariate: usize, factor: f64) {
        if factor != 0.0 {
            self.push((covariate, factor));
        }
    }
}

/// A row as mixed files keep it.
pub(crate) struct MixedRow {
    pub numbers: Vec<f64>,
    pub codes: Vec<u32>,
}

impl MixedRow {
    pub fn new(shape: &MixedShape) -> MixedRow {
        let (numbers, codes) = (shape.numbers().len(), shape.factors().len());
        MixedRow { numbers: vec![0.0; numbers], codes: vec![u32::NONE; codes] }
    }
}

impl Covariates for MixedRow {
    fn clear(&mut self) {
        self.numbers.fill(0.0);
        self.codes.fill(u32::NONE);
    }

    fn number(&mut self, column: usize, _covariate: usize, value: f64) {
        self.numbers[column] = value;
    }

    fn factor(&mut self, column: usize, value: f64) {
        self.numbers[column] = value;
    }

    fn level(&mut self, category: usize, covariate: usize, _factor: f64) {
        self.codes[category] = u32::of(covariate);
    }
}

struct Encoded<'a> {
    field: usize,
    // The first of its covariates.
    first: usize,
    // Its column of numbers, or that of its factor, and its category.
    column: usize,
    category: usize,
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
        let (mut numbers, mut factors) = (Vec::new(), Vec::new());
        // Columns of numbers by name: what is multiplied may be there already.
        let mut known: HashMap<&str, usize> = HashMap::new();
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
            let (mut column, category) = (numbers.len(), factors.len());
            match code {
                Code::Number { mean } => {
                    numbers.push(Some(first));
                    if mean.is_none() {
                        known.insert(name, column);
                    }
                    // Whether the number was missing.
                    factors.extend(mean.map(|_| None));
                }
                Code::Category { .. } => factors.push(None),
                Code::Product { number: None, .. } => factors.push(None),
                Code::Product { number: Some(number), .. } => {
                    column = *known.entry(number).or_insert_with(|| {
                        numbers.push(None);
                        column
                    });
                    factors.push(Some(column));
                }
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
                column,
                category,
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
        let classes = Known::new();
        let width = first;
        Ok(Encoder { columns, target, classes, leave_out, watched, numbers, factors, width })
    }

    /// The shape of a [`MixedRow`].
    pub fn shape(&self) -> Result<MixedShape, MixedShapeError> {
        MixedShape::new(self.width, self.numbers.clone(), self.factors.clone())
    }

    /// Overwrites `covariates` with those of the row at hand, and gives its target; nothing if the row is
    /// left out.
    pub fn row(
        &mut self,
        table: &impl Cells,
        covariates: &mut impl Covariates,
    ) -> Result<Option<f64>, TableError> {
        covariates.clear();
        if self.watched.iter().any(|&field| table.is_gap(field)) {
            return Ok(None);
        }
        for column in &mut self.columns {
            let field = column.field;
            if let Code::Number { mean } = column.code {
                match (table.finite(field), mean) {
                    (Some(value), _) => covariates.number(column.column, column.first, value),
                    (None, _) if !table.is_gap(field) => return Err(table.bad_value(field)),
                    (None, Some(mean)) => {
                        covariates.number(column.column, column.first, *mean);
                        covariates.level(column.category, column.first + 1, 1.0);
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
                Some(field) => {
                    let value = table.finite(field).ok_or_else(|| table.bad_value(field))?;
                    covariates.factor(column.column, value);
                    value
                }
            };
            if let Some(covariate) = column.covariate(table)? {
                covariates.level(column.category, covariate, value);
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
