//! Columns that are computed from others: functions, powers, parts of dates, comparisons, products.

use super::orthogonal::Orthogonal;
use serde::{Deserialize, Serialize};

/// A column that no file has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// How its cells are computed. A gap in anything that is needed makes a gap.
    pub expression: Expression,
}

/// What is computed from the columns `K`, by their names or by their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expression<K = String> {
    /// The column itself.
    Column(K),
    /// A function of a number.
    Apply(Function, Box<Expression<K>>),
    /// A power of a number.
    Power(Box<Expression<K>>, f64),
    /// A number that is written out.
    Constant(f64),
    /// A sum, difference, product or quotient of two numbers.
    Arithmetic(Operation, Box<Expression<K>>, Box<Expression<K>>),
    /// A polynomial whose numbers depend on the whole column.
    Orthogonal(Box<Expression<K>>, Orthogonal),
    /// A part of a point in time.
    Part(Part, K),
    /// One if the comparison with this number holds, else zero.
    Compare(Box<Expression<K>>, Comparison, f64),
    /// One if the cell is this word, else zero; the other way round if the last is true.
    Says(K, String, bool),
    /// The product of numbers.
    Product(Vec<Expression<K>>),
    /// The levels of several categories, with [`Derived::BETWEEN`] between them.
    Joint(Vec<Expression<K>>),
}

/// A function of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Function {
    /// The natural logarithm.
    Log,
    /// The square root.
    Sqrt,
    /// The exponential function.
    Exp,
    /// The logarithm to the base 2.
    Log2,
    /// The logarithm to the base 10.
    Log10,
    /// The logarithm of 1 + x.
    Log1p,
    /// The absolute value.
    Abs,
}

/// What two numbers are joined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// +
    Add,
    /// −
    Subtract,
    /// ·
    Multiply,
    /// /
    Divide,
}

/// A part of a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// 0 to 23.
    Hour,
    /// 1 for Monday to 7 for Sunday.
    Weekday,
    /// 1 to 12.
    Month,
    /// The year.
    Year,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// >
    Above,
    /// ≥
    AtLeast,
    /// <
    Below,
    /// ≤
    AtMost,
    /// =
    Equal,
    /// ≠
    Unequal,
}

impl Derived {
    /// Stands between the levels of a joint category; no text that people write has it.
    pub const BETWEEN: char = '\u{1f}';

    /// Of all computed columns those that are needed, and the columns that the file must have.
    pub fn sources(all: &[Derived], needed: &[&str]) -> (Vec<Derived>, Vec<String>) {
        let (mut derived, mut columns): (Vec<Derived>, Vec<String>) = (Vec::new(), Vec::new());
        for name in needed {
            let mut add = |column: &String| {
                if !columns.contains(column) {
                    columns.push(column.clone());
                }
            };
            match all.iter().find(|one| one.name == *name) {
                None => add(&(*name).to_owned()),
                Some(one) => {
                    one.expression.visit(&mut add);
                    if !derived.contains(one) {
                        derived.push(one.clone());
                    }
                }
            }
        }
        (derived, columns)
    }
}

impl<K> Expression<K> {
    /// Every column that is used.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a K)) {
        match self {
            Expression::Column(column)
            | Expression::Part(_, column)
            | Expression::Says(column, _, _) => visit(column),
            Expression::Constant(_) => {}
            Expression::Apply(_, one)
            | Expression::Power(one, _)
            | Expression::Orthogonal(one, _)
            | Expression::Compare(one, _, _) => one.visit(visit),
            Expression::Arithmetic(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Expression::Product(all) | Expression::Joint(all) => {
                all.iter().for_each(|one| one.visit(visit));
            }
        }
    }

    /// Every polynomial whose numbers depend on a whole column, with what it is a polynomial of.
    pub fn orthogonals<'a>(
        &'a mut self,
        visit: &mut impl FnMut(&'a Expression<K>, &'a mut Orthogonal),
    ) {
        match self {
            Expression::Orthogonal(one, orthogonal) => visit(one, orthogonal),
            Expression::Apply(_, one)
            | Expression::Power(one, _)
            | Expression::Compare(one, _, _) => {
                one.orthogonals(visit);
            }
            Expression::Arithmetic(_, left, right) => {
                left.orthogonals(visit);
                right.orthogonals(visit);
            }
            Expression::Product(all) | Expression::Joint(all) => {
                all.iter_mut().for_each(|one| one.orthogonals(visit));
            }
            Expression::Column(_)
            | Expression::Part(..)
            | Expression::Says(..)
            | Expression::Constant(_) => {}
        }
    }

    /// The same of other columns.
    pub fn bind<L, E>(&self, column: &impl Fn(&K) -> Result<L, E>) -> Result<Expression<L>, E> {
        let boxed = |one: &Expression<K>| one.bind(column).map(Box::new);
        let all = |all: &[Expression<K>]| -> Result<Vec<Expression<L>>, E> {
            all.iter().map(|one| one.bind(column)).collect()
        };
        Ok(match self {
            Expression::Column(name) => Expression::Column(column(name)?),
            Expression::Part(part, name) => Expression::Part(*part, column(name)?),
            Expression::Apply(function, one) => Expression::Apply(*function, boxed(one)?),
            Expression::Power(one, power) => Expression::Power(boxed(one)?, *power),
            Expression::Compare(one, comparison, number) => {
                Expression::Compare(boxed(one)?, *comparison, *number)
            }
            Expression::Constant(number) => Expression::Constant(*number),
            Expression::Arithmetic(operation, left, right) => {
                Expression::Arithmetic(*operation, boxed(left)?, boxed(right)?)
            }
            Expression::Orthogonal(one, orthogonal) => {
                Expression::Orthogonal(boxed(one)?, orthogonal.clone())
            }
            Expression::Says(name, word, other) => {
                Expression::Says(column(name)?, word.clone(), *other)
            }
            Expression::Product(factors) => Expression::Product(all(factors)?),
            Expression::Joint(parts) => Expression::Joint(all(parts)?),
        })
    }
}

impl Function {
    /// Its value.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Function::Log => x.ln(),
            Function::Sqrt => x.sqrt(),
            Function::Exp => x.exp(),
            Function::Log2 => x.log2(),
            Function::Log10 => x.log10(),
            Function::Log1p => x.ln_1p(),
            Function::Abs => x.abs(),
        }
    }
}

impl Operation {
    /// Its value.
    pub fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Operation::Add => left + right,
            Operation::Subtract => left - right,
            Operation::Multiply => left * right,
            Operation::Divide => left / right,
        }
    }
}

impl Comparison {
    /// Whether it holds.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Comparison::Above => left > right,
            Comparison::AtLeast => left >= right,
            Comparison::Below => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
        }
    }
}
