//! Numbers of a formula: columns, functions of them, powers, parts of times.

use super::Fault;
use super::parse::{DEEPEST, Reader};
use super::token::Token;
use crate::coding::listed;
use crate::nearest::nearest;
use data::{Expression, Function, Part};

/// Powers and degrees beyond this lose all digits.
const MOST_POWER: f64 = 9.0;
const FUNCTIONS: &str = "C, log, sqrt, exp, I, poly, offset, hour, weekday, month and year";

impl Reader<'_> {
    pub(super) fn power(&mut self, sentence: &str, least: f64) -> Result<u32, Fault> {
        match self.take() {
            (_, Token::Number(power))
                if power.fract() == 0.0 && (least..=MOST_POWER).contains(&power) =>
            {
                Ok(power as u32)
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
            Token::Number(_) => {
                return Fault::new(
                    at,
                    "a number is no term; a term is a column, or a function of one",
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
            _ => None,
        };
        let part = match name {
            "hour" => Some(Part::Hour),
            "weekday" => Some(Part::Weekday),
            "month" => Some(Part::Month),
            "year" => Some(Part::Year),
            _ => None,
        };
        if function.is_none() && part.is_none() && name != "I" {
            let sentence = match name {
                "C" | "poly" => format!("{name}(…) makes several covariates and stands by itself"),
                "offset" => "offset(…) is a term by itself: y ~ x + offset(log(z))".to_owned(),
                "factor" | "as.factor" => "a category is written as C(x)".to_owned(),
                "log10" | "log2" | "ln" => {
                    "the natural logarithm is written as log(x); others differ by a factor"
                        .to_owned()
                }
                _ => format!("there is no function \"{name}\"; there are {FUNCTIONS}"),
            };
            return Fault::new(at, sentence);
        }
        self.next += 1;
        let inner = self.look().0;
        let (inside, expression) = self.number()?;
        let found = match (function, part) {
            (Some(function), _) => {
                (format!("{name}({inside})"), Expression::Apply(function, Box::new(expression)))
            }
            (None, Some(part)) => {
                let Expression::Column(column) = expression else {
                    return Fault::new(
                        inner,
                        format!("{name} takes a column of dates: {name}(date)"),
                    );
                };
                (format!("{name}({inside})"), Expression::Part(part, column))
            }
            (None, None) => {
                self.sign("^", "I takes a power of a column: I(x^2)")?;
                let power = self.power("a power is a whole number from 2 to 9: I(x^2)", 2.0)?;
                (format!("I({inside}^{power})"), Expression::Power(Box::new(expression), power))
            }
        };
        self.sign(")", &format!("a ) is missing here: {name} takes one argument"))?;
        Ok(found)
    }

    fn column(&self, at: usize, name: String) -> Result<String, Fault> {
        match self.header.iter().filter(|known| **known == name).count() {
            1 => Ok(name),
            0 => {
                let meant = nearest(&name, self.header)
                    .map_or(String::new(), |name| format!(", perhaps \"{name}\""));
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
