//! Factors of a term: columns, categories, polynomials, sums in parentheses, and all other columns.

use super::Fault;
use super::parse::{Atom, BIAS, POWERS, Reader, Terms, cross, same};
use super::token::Token;
use data::{Expression, Orthogonal, Recurrence, Unit};

const POLY: &str = "poly takes a column and a degree: poly(x, 2)";
const CATEGORY: &str = "C takes one column, and perhaps the level that the others are compared with: \
                        C(origin), C(origin, reference=\"JFK\")";

impl Reader<'_> {
    pub(super) fn factor(&mut self) -> Result<Terms, Fault> {
        let (at, token) = self.look();
        match token {
            Token::Sign("(") if self.begins_effects() => {
                self.effects()?;
                Ok(Terms::new())
            }
            Token::Sign("(") => {
                self.next += 1;
                let terms = self.sum()?;
                self.sign(")", "a ) is missing here")?;
                if !(self.takes("^") || self.takes("**")) {
                    return Ok(terms);
                }
                // (a + b)^2 = a + b + a:b.
                let (mut all, at) = (terms.clone(), self.look().0);
                for _ in 1..self.power("such a power is a whole number from 2 to 9", 2.0)? {
                    for term in cross(&all.clone(), &terms, at)? {
                        if !all.iter().any(|other| same(other, &term)) {
                            all.push(term);
                        }
                    }
                }
                Ok(all)
            }
            Token::Sign(".") => {
                self.next += 1;
                // What stands in C() is meant to be nothing else.
                let mut inside = Vec::new();
                for window in self.tokens.windows(3) {
                    if let [(_, Token::Name(c)), (_, Token::Sign("(")), (_, Token::Name(name))] =
                        window
                        && c == "C"
                    {
                        inside.push(name);
                    }
                }
                let others = self.others.iter().filter(|name| !inside.contains(name));
                let atom =
                    |name: &String| Atom::new(name.clone(), Expression::Column(name.clone()));
                Ok(others.map(|name| vec![atom(name)]).collect())
            }
            Token::Number(1.0) => {
                self.next += 1;
                Ok(Terms::new())
            }
            Token::Number(0.0) => Fault::new(at, BIAS),
            Token::Name(name) if self.calls(&name, "C") => self.category(),
            Token::Name(name) if self.calls(&name, "poly") => self.poly(),
            Token::Name(name) if self.calls(&name, "offset") => {
                self.next += 2;
                let (name, expression) = self.arithmetic()?;
                self.sign(")", "offset takes one column, or a function of one: offset(log(x))")?;
                match self.offset.replace(Atom::new(name, expression)) {
                    None => Ok(Terms::new()),
                    Some(_) => Fault::new(at, "a formula has one offset only; add them up first"),
                }
            }
            _ => {
                let (name, expression) = self.number()?;
                match self.look() {
                    (at, Token::Sign("^" | "**")) => Fault::new(at, POWERS),
                    _ => Ok(vec![vec![Atom::new(name, expression)]]),
                }
            }
        }
    }

    /// `C(x)`, `C(x, reference="b")` and, as formulaic has it, `C(x, contr.treatment(base="b"))`.
    fn category(&mut self) -> Result<Terms, Fault> {
        self.next += 2;
        let (name, expression) = self.arithmetic()?;
        let mut reference = None;
        if self.takes(",") {
            let contrast = ["contr.treatment", "Treatment"];
            let nested = matches!(self.look().1, Token::Name(name) if contrast.contains(&&*name));
            self.next += usize::from(nested);
            if nested {
                self.sign("(", CATEGORY)?;
            }
            match self.look() {
                (_, Token::Name(key)) if key == "reference" || key == "base" && nested => {
                    self.next += 1;
                    self.sign("=", CATEGORY)?;
                }
                (at, Token::Name(_)) => return Fault::new(at, CATEGORY),
                _ => {}
            }
            reference = Some(match self.take() {
                (_, Token::Word(level)) => level,
                (_, Token::Number(level)) => level.to_string(),
                (at, _) => {
                    return Fault::new(
                        at,
                        "a level is written in quotes: C(origin, reference=\"JFK\")",
                    );
                }
            });
            if nested {
                self.sign(")", CATEGORY)?;
            }
        }
        self.sign(")", CATEGORY)?;
        Ok(vec![vec![Atom { name, expression, category: true, reference }]])
    }

    /// `poly(x, 2)`, and plain powers for `poly(x, 2, raw=True)`.
    fn poly(&mut self) -> Result<Terms, Fault> {
        self.next += 2;
        let at = self.look().0;
        let (inside, expression) = self.arithmetic()?;
        self.whole(at, "poly", &expression)?;
        self.sign(",", POLY)?;
        let degree = self.power("poly takes a degree from 1 to 9: poly(x, 2)", 1.0)?;
        let mut raw = false;
        if self.takes(",") {
            let sentence = "poly takes a column, a degree and perhaps raw=True";
            match (self.take(), self.takes("="), self.take()) {
                ((_, Token::Name(key)), true, (_, Token::Name(value)))
                    if key == "raw" && ["true", "false"].contains(&&*value.to_lowercase()) =>
                {
                    raw = value.eq_ignore_ascii_case("true");
                }
                ((at, _), _, _) => return Fault::new(at, sentence),
            }
        }
        self.sign(")", POLY)?;
        let term = |degree_of_it: usize| {
            let (of, raw_name) =
                (Box::new(expression.clone()), if raw { ", raw=True" } else { "" });
            let expression = match (raw, degree_of_it) {
                (true, 1) => expression.clone(),
                (true, power) => Expression::Power(of, power as f64),
                (false, degree) => {
                    let (unit, column) = (Unit::Norm, Recurrence::default());
                    Expression::Orthogonal(of, Orthogonal { degree, unit, column })
                }
            };
            let name = format!("poly({inside}, {degree}{raw_name}){degree_of_it}");
            vec![Atom::new(name, expression)]
        };
        Ok((1..=degree).map(term).collect())
    }

    /// Whether this name is that of the function and a parenthesis follows.
    fn calls(&self, name: &str, function: &str) -> bool {
        name == function && matches!(self.tokens.get(self.next + 1), Some((_, Token::Sign("("))))
    }
}
