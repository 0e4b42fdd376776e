//! Columns that are computed from others: functions, powers, parts of dates, comparisons, products.

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
    Power(Box<Expression<K>>, u32),
    /// A part of a point in time.
    Part(Part, K),
    /// One if the comparison with this number holds, else zero.
    Compare(Box<Expression<K>>, Comparison, f64),
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
            Expression::Column(column) | Expression::Part(_, column) => visit(column),
            Expression::Apply(_, one) | Expression::Power(one, _) => one.visit(visit),
            Expression::Compare(one, _, _) => one.visit(visit),
            Expression::Product(all) | Expression::Joint(all) => {
                all.iter().for_each(|one| one.visit(visit));
            }
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
        }
    }
}
