//! Numbers of a formula: columns, functions of them, powers, parts of times.

use super::Fault;
use super::parse::{DEEPEST, Reader};
use super::token::Token;
use crate::coding::listed;
use crate::nearest::nearest;
use data::{Comparison, Expression, Function, Operation, Orthogonal, Part, Recurrence, Unit};

/// Powers and degrees beyond this lose all digits.
const MOST_POWER: f64 = 9.0;
const FUNCTIONS: &str = "C, log, log2, log10, log1p, sqrt, exp, abs, I, center, scale, standardize, poly, offset, \
                         hour, weekday, month and year";

impl Reader<'_> {
    pub(super) fn power(&mut self, sentence: &str, least: f64) -> Result<usize, Fault> {
        match self.take() {
            (_, Token::Number(power))
                if power.fract() == 0.0 && (least..=MOST_POWER).contains(&power) =>
            {
                Ok(power as usize)
            }
            (at, _) => Fault::new(at, sentence),
        }
    }

    /// A number, with its name.
    pub(super) fn number(&mut self) -> Result<(String, Expression), Fault> {
        self.depth += 1;
        let (at, token) = self.take();
        if self.depth > DEEPEST {
            return Fault::new(at, "parentheses are too deep");
        }
        let found = match token {
            Token::Name(name) if matches!(self.look().1, Token::Sign("(")) => {
                self.call(at, &name)?
            }
            Token::Name(name) => (name.clone(), Expression::Column(self.column(at, name)?)),
            Token::End => {
                return Fault::new(
                    at,
                    "a term is missing at the end: a column, or a function of one",
                );
            }
            Token::Number(_) | Token::Word(_) => {
                return Fault::new(
                    at,
                    "numbers and words are no terms; a term is a column, or a function of one",
                );
            }
            Token::Sign(sign) => {
                return Fault::new(
                    at,
                    format!("a term is missing before this {sign}: a column, or a function of one"),
                );
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn call(&mut self, at: usize, name: &str) -> Result<(String, Expression), Fault> {
        let function = match name {
            "log" => Some(Function::Log),
            "sqrt" => Some(Function::Sqrt),
            "exp" => Some(Function::Exp),
            "log2" => Some(Function::Log2),
            "log10" => Some(Function::Log10),
            "log1p" => Some(Function::Log1p),
            "abs" => Some(Function::Abs),
            _ => None,
        };
        let part = match name {
            "hour" => Some(Part::Hour),
            "weekday" => Some(Part::Weekday),
            "month" => Some(Part::Month),
            "year" => Some(Part::Year),
            _ => None,
        };
        let unit = match name {
            "center" => Some(Unit::One),
            "scale" => Some(Unit::Sample),
            "standardize" => Some(Unit::Population),
            _ => None,
        };
        if function.is_none() && part.is_none() && unit.is_none() && name != "I" {
            let sentence = match name {
                "C" | "poly" => format!("{name}(…) makes several covariates and stands by itself"),
                "offset" => "offset(…) is a term by itself: y ~ x + offset(log(z))".to_owned(),
                "factor" | "as.factor" => "a category is written as C(x)".to_owned(),
                "ln" => "the natural logarithm is written as log(x)".to_owned(),
                "centre" => "this is written as center(x)".to_owned(),
                _ => format!("there is no function \"{name}\"; there are {FUNCTIONS}"),
            };
            return Fault::new(at, sentence);
        }
        self.next += 1;
        let inner = self.look().0;
        let (inside, expression) = self.arithmetic()?;
        let mut shown = format!("{name}({inside})");
        let boxed = |expression| Box::new(expression);
        let expression = match (function, part, unit) {
            (Some(function), _, _) => Expression::Apply(function, boxed(expression)),
            (_, Some(part), _) => {
                let Expression::Column(column) = expression else {
                    return Fault::new(
                        inner,
                        format!("{name} takes a column of dates: {name}(date)"),
                    );
                };
                Expression::Part(part, column)
            }
            (_, _, Some(unit)) => {
                self.whole(inner, name, &expression)?;
                let column = Recurrence::default();
                Expression::Orthogonal(boxed(expression), Orthogonal { degree: 1, unit, column })
            }
            (None, None, None) => {
                let (inside, compared) = self.compared(inside, expression)?;
                shown = format!("I({inside})");
                compared
            }
        };
        self.sign(")", &format!("a ) is missing here: {name} takes one argument"))?;
        Ok((shown, expression))
    }

    /// Refuses what depends on a whole column within what does.
    pub(super) fn whole(&self, at: usize, name: &str, inside: &Expression) -> Result<(), Fault> {
        let mut nested = false;
        inside.clone().orthogonals(&mut |_, _| nested = true);
        if nested {
            let sentence = format!("{name} cannot take a center, scale or poly of another column");
            return Fault::new(at, sentence);
        }
        Ok(())
    }

    /// A number that may be compared with another, or a column with a word.
    pub(super) fn compared(
        &mut self,
        name: String,
        expression: Expression,
    ) -> Result<(String, Expression), Fault> {
        let comparison = match self.look().1 {
            Token::Sign(">") => Comparison::Above,
            Token::Sign(">=") => Comparison::AtLeast,
            Token::Sign("<") => Comparison::Below,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::Unequal,
            Token::Sign("=") => {
                return Fault::new(self.look().0, "two values are compared with ==");
            }
            _ => return Ok((name, expression)),
        };
        let (_, Token::Sign(sign)) = self.take() else { unreachable!("it was a sign") };
        let equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if let (Token::Word(word), Expression::Column(column), true) =
            (self.look().1, &expression, equality)
        {
            self.next += 1;
            let other = comparison == Comparison::Unequal;
            let says = Expression::Says(column.clone(), word.clone(), other);
            return Ok((format!("{name} {sign} {word}"), says));
        }
        let negative = self.takes("-");
        let (at, token) = self.take();
        let Token::Number(number) = token else {
            let words = if equality { ", or a word in quotes" } else { "" };
            let sentence = format!("after {sign} comes a number{words}, as in delay {sign} 120");
            return Fault::new(at, sentence);
        };
        let number = if negative { -number } else { number };
        let compared = Expression::Compare(Box::new(expression), comparison, number);
        Ok((format!("{name} {sign} {number}"), compared))
    }

    /// Sums of products of powers, within the parentheses of a function.
    pub(super) fn arithmetic(&mut self) -> Result<(String, Expression), Fault> {
        let mut left = self.multiplied()?;
        loop {
            let (sign, operation) = match self.look().1 {
                Token::Sign("+") => ("+", Operation::Add),
                Token::Sign("-") => ("-", Operation::Subtract),
                _ => return Ok(left),
            };
            self.next += 1;
            left = joined(left, sign, operation, self.multiplied()?);
        }
    }

    fn multiplied(&mut self) -> Result<(String, Expression), Fault> {
        let mut left = self.signed()?;
        loop {
            let (sign, operation) = match self.look().1 {
                Token::Sign("*") => ("*", Operation::Multiply),
                Token::Sign("/") => ("/", Operation::Divide),
                _ => return Ok(left),
            };
            self.next += 1;
            left = joined(left, sign, operation, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<(String, Expression), Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Fault::new(self.look().0, "parentheses are too deep");
        }
        let found = if self.takes("-") {
            let (name, expression) = self.signed()?;
            let minus = Box::new(Expression::Constant(-1.0));
            let product = Expression::Arithmetic(Operation::Multiply, minus, Box::new(expression));
            (format!("-{name}"), product)
        } else {
            self.raised()?
        };
        self.depth -= 1;
        Ok(found)
    }

    /// A column, a function, a number or parentheses, and perhaps a power of that.
    fn raised(&mut self) -> Result<(String, Expression), Fault> {
        let (name, base) = match self.look().1 {
            Token::Number(number) => {
                self.next += 1;
                (number.to_string(), Expression::Constant(number))
            }
            Token::Sign("(") => {
                self.next += 1;
                let (name, inside) = self.arithmetic()?;
                self.sign(")", "a ) is missing here")?;
                (format!("({name})"), inside)
            }
            _ => self.number()?,
        };
        if !(self.takes("^") || self.takes("**")) {
            return Ok((name, base));
        }
        let negative = self.takes("-");
        match self.take() {
            (_, Token::Number(power)) => {
                let power = if negative { -power } else { power };
                Ok((format!("{name}^{power}"), Expression::Power(Box::new(base), power)))
            }
            (at, _) => Fault::new(at, "a power is a number: I(x^2)"),
        }
    }

    fn column(&self, at: usize, name: String) -> Result<String, Fault> {
        match self.header.iter().filter(|known| **known == name).count() {
            1 => Ok(name),
            0 => {
                // A name that is more than one word stands in backticks.
                let quote =
                    |name: &str| match name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
                        true => format!(", perhaps `{name}`, in backticks"),
                        false => format!(", perhaps \"{name}\""),
                    };
                let meant = nearest(&name, self.header).map_or(String::new(), quote);
                Fault::new(
                    at,
                    format!(
                        "there is no column \"{name}\"{meant}; there are {}",
                        listed(self.header)
                    ),
                )
            }
            times => {
                Fault::new(at, format!("{times} columns are called \"{name}\"; rename all but one"))
            }
        }
    }
}

fn joined(
    (left, a): (String, Expression),
    sign: &str,
    operation: Operation,
    (right, b): (String, Expression),
) -> (String, Expression) {
    let expression = Expression::Arithmetic(operation, Box::new(a), Box::new(b));
    (format!("{left} {sign} {right}"), expression)
}
