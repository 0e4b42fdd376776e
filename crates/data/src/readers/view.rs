//! A table with computed columns beside its own.

use super::calendar::Moment;
use super::cells::{Cells, bad_value};
use super::decimal::put_number;
use super::derived::{Derived, Expression, Operation, Part};
use super::kind::is_gap;
use super::place::{Place, excerpt};
use super::table::number;
use super::table_error::TableError;

/// A table with computed columns behind its own; a computed one hides one of the same name.
pub struct View<C> {
    table: C,
    own: usize,
    header: Vec<String>,
    expressions: Vec<Expression<usize>>,
    cells: Vec<Vec<u8>>,
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
        let cells = vec![Vec::new(); derived.len()];
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
            Expression::Column(column) => {
                let cell = self.table.field(*column);
                match number(cell) {
                    Some(value) => Ok(Some(value)),
                    None if is_gap(cell) => Ok(None),
                    None => Err(self.table.bad_value(*column)),
                }
            }
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
                let cell = self.table.field(*column);
                if is_gap(cell) {
                    return Ok(None);
                }
                let value = Moment::read(cell).and_then(|moment| match part {
                    Part::Hour => moment.hour,
                    Part::Weekday => Some(moment.weekday()),
                    Part::Month => Some(moment.month),
                    Part::Year => Some(moment.year),
                });
                value.map(|value| Some(value as f64)).ok_or_else(|| TableError::Time {
                    place: self.table.place(*column),
                    term: excerpt(self.header[self.own + term].as_bytes()),
                    column: excerpt(self.table.header()[*column].as_bytes()),
                    value: excerpt(cell),
                })
            }
            Expression::Joint(_) => unreachable!("a joint category is no number"),
        }
    }

    /// Writes a cell; false for a gap.
    fn write(
        &self,
        expression: &Expression<usize>,
        term: usize,
        cell: &mut Vec<u8>,
    ) -> Result<bool, TableError> {
        match expression {
            Expression::Column(column) => {
                let own = self.table.field(*column);
                cell.extend_from_slice(own);
                Ok(!is_gap(own))
            }
            Expression::Joint(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        cell.push(Derived::BETWEEN as u8);
                    }
                    if !self.write(part, term, cell)? {
                        cell.clear();
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => match self.value(expression, term)? {
                Some(value) => {
                    put_number(value, cell);
                    Ok(true)
                }
                None => Ok(false),
            },
        }
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
        for (term, (cell, expression)) in cells.iter_mut().zip(&self.expressions).enumerate() {
            cell.clear();
            self.write(expression, term, cell)?;
        }
        self.cells = cells;
        Ok(true)
    }

    fn field(&self, column: usize) -> &[u8] {
        match column.checked_sub(self.own) {
            None => self.table.field(column),
            Some(term) => &self.cells[term],
        }
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
