//! A table with computed columns beside its own.

use super::cells::{Cells, bad_value};
use super::codes::{CellCode, FLOATS};
use super::decimal::put_number;
use super::derived::{Derived, Expression, Operation, Part};
use super::kind::is_gap;
use super::numbers::number;
use super::place::{Place, excerpt};
use super::table_error::TableError;
use std::cell::OnceCell;

/// A table with computed columns behind its own; a computed one hides one of the same name.
pub struct View<C> {
    table: C,
    own: usize,
    header: Vec<String>,
    expressions: Vec<Expression<usize>>,
    cells: Vec<Computed>,
}

/// A computed cell.
enum Computed {
    /// That of a column of the table.
    Own(usize),
    Number(f64, OnceCell<Vec<u8>>),
    /// Nothing for a gap.
    Text(Vec<u8>),
}

impl<C: Cells> View<C> {
    /// Finds the columns that are needed.
    pub fn new(table: C, derived: &[Derived]) -> Result<View<C>, TableError> {
        let column = |name: &String| table.column(name);
        let expressions = derived.iter().map(|one| one.expression.bind(&column));
        let expressions = expressions.collect::<Result<Vec<_>, _>>()?;
        let own = table.header().len();
        let mut header = table.header().to_vec();
        header.extend(derived.iter().map(|one| one.name.clone()));
        let cells = Vec::with_capacity(derived.len());
        Ok(View { table, own, header, expressions, cells })
    }

    /// The value of a number; nothing for a gap.
    fn value(
        &self,
        expression: &Expression<usize>,
        term: usize,
    ) -> Result<Option<f64>, TableError> {
        let finite = |value: f64, of: &Expression<usize>| {
            if value.is_finite() { Ok(Some(value)) } else { Err(self.undefined(of, term)) }
        };
        match expression {
            Expression::Column(column) => match self.table.finite(*column) {
                Some(value) => Ok(Some(value)),
                None if self.table.is_gap(*column) => Ok(None),
                None => Err(self.table.bad_value(*column)),
            },
            Expression::Apply(function, one) => match self.value(one, term)? {
                Some(value) => finite(function.of(value), one),
                None => Ok(None),
            },
            Expression::Power(one, power) => match self.value(one, term)? {
                Some(value) if power.fract() == 0.0 && power.abs() < 64.0 => {
                    finite(value.powi(*power as i32), one)
                }
                Some(value) => finite(value.powf(*power), one),
                None => Ok(None),
            },
            Expression::Compare(one, comparison, right) => Ok(self
                .value(one, term)?
                .map(|left| f64::from(u8::from(comparison.holds(left, *right))))),
            Expression::Constant(number) => Ok(Some(*number)),
            Expression::Arithmetic(operation, left, right) => {
                match (self.value(left, term)?, self.value(right, term)?) {
                    (Some(a), Some(b)) => {
                        let divides = *operation == Operation::Divide && b == 0.0;
                        finite(operation.of(a, b), if divides { right } else { expression })
                    }
                    _ => Ok(None),
                }
            }
            Expression::Orthogonal(one, orthogonal) => match self.value(one, term)? {
                Some(value) => finite(orthogonal.of(value), one),
                None => Ok(None),
            },
            Expression::Says(column, word, other) => {
                let cell = self.table.field(*column);
                let says = (cell == word.as_bytes()) != *other;
                Ok((!is_gap(cell)).then_some(f64::from(u8::from(says))))
            }
            Expression::Product(factors) => {
                let mut product = 1.0;
                for factor in factors {
                    match self.value(factor, term)? {
                        Some(value) => product *= value,
                        None => return Ok(None),
                    }
                }
                finite(product, expression)
            }
            Expression::Part(part, column) => {
                if self.table.is_gap(*column) {
                    return Ok(None);
                }
                let value = self.table.moment(*column).and_then(|moment| match part {
                    Part::Hour => moment.hour,
                    Part::Weekday => Some(moment.weekday()),
                    Part::Month => Some(moment.month),
                    Part::Year => Some(moment.year),
                });
                value.map(|value| Some(value as f64)).ok_or_else(|| TableError::Time {
                    place: self.table.place(*column),
                    term: excerpt(self.header[self.own + term].as_bytes()),
                    column: excerpt(self.table.header()[*column].as_bytes()),
                    value: excerpt(self.table.field(*column)),
                })
            }
            Expression::Joint(_) => unreachable!("a joint category is no number"),
        }
    }

    /// Writes a level; false for a gap.
    fn write(
        &self,
        expression: &Expression<usize>,
        term: usize,
        text: &mut Vec<u8>,
    ) -> Result<bool, TableError> {
        match expression {
            Expression::Column(column) => {
                text.extend_from_slice(self.table.field(*column));
                Ok(!self.table.is_gap(*column))
            }
            Expression::Joint(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        text.push(Derived::BETWEEN as u8);
                    }
                    if !self.write(part, term, text)? {
                        text.clear();
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => {
                let value = self.value(expression, term)?;
                put_number(value.unwrap_or(f64::NAN), text);
                Ok(value.is_some())
            }
        }
    }

    /// What is computed of the row at hand.
    fn compute(&self, expression: &Expression<usize>, term: usize) -> Result<Computed, TableError> {
        Ok(match expression {
            Expression::Column(column) => Computed::Own(*column),
            Expression::Joint(_) => {
                let mut text = Vec::new();
                self.write(expression, term, &mut text)?;
                Computed::Text(text)
            }
            _ => match self.value(expression, term)? {
                Some(value) => Computed::Number(value, OnceCell::new()),
                None => Computed::Text(Vec::new()),
            },
        })
    }

    /// A term that is no finite number, blamed on the first column of `expression`.
    fn undefined(&self, expression: &Expression<usize>, term: usize) -> TableError {
        let mut first = None;
        expression.visit(&mut |&column| {
            first.get_or_insert(column);
        });
        let column = first.unwrap_or(0);
        TableError::Function {
            place: self.table.place(column),
            term: excerpt(self.header[self.own + term].as_bytes()),
            column: excerpt(self.table.header()[column].as_bytes()),
            value: excerpt(self.table.field(column)),
        }
    }
}

impl<C: Cells> Cells for View<C> {
    fn file(&self) -> &str {
        self.table.file()
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn column(&self, name: &str) -> Result<usize, TableError> {
        match self.header[self.own..].iter().position(|known| known == name) {
            Some(term) => Ok(self.own + term),
            None => self.table.column(name),
        }
    }

    fn advance(&mut self) -> Result<bool, TableError> {
        if !self.table.advance()? {
            return Ok(false);
        }
        self.table.check_length()?;
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        for (term, expression) in self.expressions.iter().enumerate() {
            cells.push(self.compute(expression, term)?);
        }
        self.cells = cells;
        Ok(true)
    }

    fn field(&self, column: usize) -> &[u8] {
        match column.checked_sub(self.own).map(|term| &self.cells[term]) {
            None => self.table.field(column),
            Some(Computed::Own(column)) => self.table.field(*column),
            Some(Computed::Text(text)) => text,
            Some(Computed::Number(value, text)) => text.get_or_init(|| {
                let mut text = Vec::new();
                put_number(*value, &mut text);
                text
            }),
        }
    }

    fn finite(&self, column: usize) -> Option<f64> {
        match column.checked_sub(self.own).map(|term| &self.cells[term]) {
            None => self.table.finite(column),
            Some(Computed::Own(column)) => self.table.finite(*column),
            Some(Computed::Number(value, _)) => Some(*value),
            Some(Computed::Text(text)) => number(text),
        }
    }

    fn is_gap(&self, column: usize) -> bool {
        match column.checked_sub(self.own).map(|term| &self.cells[term]) {
            None => self.table.is_gap(column),
            Some(Computed::Own(column)) => self.table.is_gap(*column),
            Some(Computed::Number(..)) => false,
            Some(Computed::Text(text)) => is_gap(text),
        }
    }

    fn code(&self, column: usize) -> Option<CellCode> {
        match column.checked_sub(self.own).map(|term| &self.cells[term]) {
            None => self.table.code(column),
            Some(Computed::Own(column)) => self.table.code(*column),
            Some(Computed::Number(value, _)) => Some((FLOATS, value.to_bits())),
            Some(Computed::Text(_)) => None,
        }
    }

    /// Numbers are computed row by row.
    fn held(&self) -> usize {
        let copies = |it: &Expression<usize>| matches!(it, Expression::Column(_));
        if self.expressions.iter().all(copies) { self.table.held() } else { 1 }
    }

    fn append_finite(&self, column: usize, count: usize, numbers: &mut Vec<f64>) -> bool {
        match column.checked_sub(self.own).map(|term| &self.cells[term]) {
            None => self.table.append_finite(column, count, numbers),
            Some(Computed::Own(column)) => self.table.append_finite(*column, count, numbers),
            Some(_) => {
                numbers.extend(self.finite(column));
                self.finite(column).is_some()
            }
        }
    }

    fn skip(&mut self, count: usize) {
        self.table.skip(count);
    }

    /// A computed cell is where the first cell is that it was computed from.
    fn place(&self, column: usize) -> Place {
        let Some(term) = column.checked_sub(self.own) else { return self.table.place(column) };
        let mut first = None;
        self.expressions[term].visit(&mut |&column| {
            first.get_or_insert(column);
        });
        self.table.place(first.unwrap_or(0))
    }

    fn empty(&self) -> TableError {
        self.table.empty()
    }

    /// A cell that was computed by copying is the file's.
    fn bad_value(&self, column: usize) -> TableError {
        match column.checked_sub(self.own).map(|term| &self.expressions[term]) {
            Some(Expression::Column(own)) => self.table.bad_value(*own),
            _ => bad_value(self, column),
        }
    }
}
