//! A formula read by recursive descent:
//!
//! ```text
//! formula  = response "~" sum
//! response = number [(">" | ">=" | "<" | "<=" | "==" | "!=") NUMBER] | COLUMN ("==" | "!=") WORD
//! sum      = product (("+" | "-") product)*
//! product  = crossing ("*" crossing)*          a*b = a + b + a:b
//! crossing = factor (":" factor)*
//! factor   = "(" sum ")" ["^" POWER] | effects | "." | "1" | number | "offset(" arithmetic ")"
//!          | "C(" arithmetic ["," reference] ")" | "poly(" arithmetic "," DEGREE ["," raw] ")"
//! ```
//!
//! `number.rs` has numbers and arithmetic, `factor.rs` has factors, `effects.rs` has effects of groups.

use super::Fault;
use super::effects::Effects;
use super::token::{Token, tokens};
use data::Expression;

/// Terms of one formula.
const MOST_TERMS: usize = 20_000;
/// Parentheses within each other.
pub(super) const DEEPEST: usize = 64;

/// A column, or what is made of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// What its covariates are called.
    pub name: String,
    pub expression: Expression,
    /// Whether it is a category whatever it holds.
    pub category: bool,
    /// The level of it that the others are compared with.
    pub reference: Option<String>,
}

impl Atom {
    /// A number, or whatever its column holds.
    pub fn new(name: String, expression: Expression) -> Atom {
        Atom { name, expression, category: false, reference: None }
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub response: Atom,
    /// Every term is a product of atoms; those with fewer atoms come first.
    pub terms: Vec<Vec<Atom>>,
    /// Effects of groups.
    pub effects: Vec<Effects>,
    /// What is added to the predictor as it is.
    pub offset: Option<Atom>,
}

pub(super) type Terms = Vec<Vec<Atom>>;

impl Formula {
    /// Reads a formula over these columns; `dropped` are not meant by ".".
    pub fn read(text: &str, header: &[String], dropped: &[String]) -> Result<Formula, Fault> {
        let tokens = tokens(text)?;
        let (response, mut others) = (Vec::new(), Vec::new());
        let mut reader = Reader {
            tokens,
            next: 0,
            header,
            others: response,
            effects: Vec::new(),
            offset: None,
            depth: 0,
        };
        if let (at, Token::Sign("~")) = reader.look() {
            return Fault::new(
                at,
                "the left side is missing; write what is explained before the ~",
            );
        }
        let response = reader.response()?;
        reader.sign("~", "after what is explained comes ~ and then the terms that explain it")?;
        // Everything but the response, sorted, so that the order of columns in the file is all one.
        let mut used = Vec::new();
        response.expression.visit(&mut |column| used.push(column.clone()));
        others.extend(
            header.iter().filter(|name| !used.contains(name) && !dropped.contains(name)).cloned(),
        );
        others.sort_unstable();
        others.dedup();
        reader.others = others;
        let start = reader.look().0;
        let mut terms = reader.sum()?;
        match reader.look() {
            (_, Token::End) => {}
            (at, Token::Sign("~")) => return Fault::new(at, "a formula has one ~ only"),
            (at, Token::Sign(")")) => return Fault::new(at, "this ) closes nothing"),
            (at, Token::Sign("^" | "**")) => return Fault::new(at, POWERS),
            (at, Token::Sign("|" | "||")) => {
                return Fault::new(at, "effects of groups stand in parentheses: (1 | city)");
            }
            (at, Token::Sign("/")) => {
                return Fault::new(at, "a quotient of columns is written as I(x / z)");
            }
            (at, Token::Sign(">" | ">=" | "<" | "<=" | "==" | "!=" | "=")) => {
                return Fault::new(
                    at,
                    "comparisons belong to the left side of the ~, or into I(x > 3)",
                );
            }
            (at, _) => return Fault::new(at, "between two terms comes +, *, : or -"),
        }
        if terms.is_empty() && reader.effects.is_empty() {
            return Fault::new(start, "there is no term to estimate a weight for; name a column");
        }
        // R's order: main effects, then products of two, then of three.
        terms.sort_by_key(Vec::len);
        let Reader { effects, offset, .. } = reader;
        let mut formula = Formula { response, terms, effects, offset };
        formula.tell_apart();
        Ok(formula)
    }

    /// All atoms, each once.
    pub fn atoms(&self) -> Vec<&Atom> {
        let mut atoms: Vec<&Atom> = Vec::new();
        let of_effects = self.effects.iter().flat_map(|one| one.slope.iter().chain(&one.group));
        for atom in self.terms.iter().flatten().chain(of_effects) {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        atoms
    }

    /// All atoms wherever they stand, to be changed.
    pub fn all_atoms(&mut self) -> impl Iterator<Item = &mut Atom> {
        let Formula { response, terms, effects, offset } = self;
        let of_effects =
            effects.iter_mut().flat_map(|one| one.slope.iter_mut().chain(&mut one.group));
        terms.iter_mut().flatten().chain([response]).chain(offset).chain(of_effects)
    }

    /// A column that is a number and, in C(), a category has two names.
    fn tell_apart(&mut self) {
        let atoms = self.atoms().into_iter();
        let numbers: Vec<String> =
            atoms.filter(|atom| !atom.category).map(|atom| atom.name.clone()).collect();
        for atom in self.all_atoms() {
            if atom.category && numbers.contains(&atom.name) {
                atom.name = format!("C({})", atom.name);
            }
        }
    }
}

/// A formula being read.
pub(super) struct Reader<'a> {
    pub(super) tokens: Vec<(usize, Token)>,
    pub(super) next: usize,
    pub(super) header: &'a [String],
    // What "." stands for.
    pub(super) others: Vec<String>,
    pub(super) effects: Vec<Effects>,
    pub(super) offset: Option<Atom>,
    pub(super) depth: usize,
}

impl Reader<'_> {
    pub(super) fn look(&self) -> (usize, Token) {
        self.tokens[self.next.min(self.tokens.len() - 1)].clone()
    }

    pub(super) fn take(&mut self) -> (usize, Token) {
        let token = self.look();
        self.next += 1;
        token
    }

    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let taken = matches!(self.look().1, Token::Sign(found) if found == sign);
        self.next += usize::from(taken);
        taken
    }

    pub(super) fn sign(&mut self, sign: &str, sentence: &str) -> Result<(), Fault> {
        if self.takes(sign) { Ok(()) } else { Fault::new(self.look().0, sentence) }
    }

    fn response(&mut self) -> Result<Atom, Fault> {
        let (at, token) = self.look();
        if let Token::Name(name) = &token
            && matches!(name.as_str(), "C" | "poly")
            && !self.header.contains(name)
        {
            return Fault::new(at, "the left side is a column, a function of one, or a comparison");
        }
        let (name, expression) = self.number()?;
        let (name, expression) = self.compared(name, expression)?;
        Ok(Atom::new(name, expression))
    }

    pub(super) fn sum(&mut self) -> Result<Terms, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Fault::new(self.look().0, "parentheses are too deep");
        }
        let mut terms = Terms::new();
        let mut minus = match self.look() {
            (at, Token::Sign("-")) => Some(at),
            _ => None,
        };
        self.next += usize::from(minus.is_some());
        loop {
            let (at, token) = self.look();
            if let (Some(_), Token::Number(1.0)) = (minus, &token) {
                return Fault::new(at, BIAS);
            }
            for term in self.product()? {
                let same = |other: &Vec<Atom>| same(other, &term);
                if minus.is_some() {
                    if !terms.iter().any(same) {
                        return Fault::new(at, "this term is not there, so it cannot be taken out");
                    }
                    terms.retain(|other| !same(other));
                } else if !terms.iter().any(same) {
                    terms.push(term);
                }
            }
            if terms.len() > MOST_TERMS {
                return Fault::new(at, format!("these are more than {MOST_TERMS} terms"));
            }
            minus = match self.look() {
                (_, Token::Sign("+")) => None,
                (at, Token::Sign("-")) => Some(at),
                _ => break,
            };
            self.next += 1;
        }
        self.depth -= 1;
        Ok(terms)
    }

    fn product(&mut self) -> Result<Terms, Fault> {
        let mut all = self.crossing()?;
        loop {
            let (at, _) = self.look();
            if !self.takes("*") {
                return Ok(all);
            }
            let right = self.crossing()?;
            let crossed = cross(&all, &right, at)?;
            for term in right.into_iter().chain(crossed) {
                if !all.iter().any(|other| same(other, &term)) {
                    all.push(term);
                }
            }
        }
    }

    fn crossing(&mut self) -> Result<Terms, Fault> {
        let mut all = self.factor()?;
        loop {
            let (at, _) = self.look();
            if !self.takes(":") {
                return Ok(all);
            }
            let right = self.factor()?;
            all = cross(&all, &right, at)?;
        }
    }
}

pub(super) const BIAS: &str = "the bias is always part of the model and cannot be taken out: priors and \
                               reference levels are set for models with one";
pub(super) const POWERS: &str = "powers of a column are written as I(x^2) or poly(x, 2)";

/// Whether two terms have the same atoms, in any order.
pub(super) fn same(a: &[Atom], b: &[Atom]) -> bool {
    a.len() == b.len() && a.iter().all(|atom| b.contains(atom))
}

/// Every term of one sum times every term of another.
pub(super) fn cross(left: &[Vec<Atom>], right: &[Vec<Atom>], at: usize) -> Result<Terms, Fault> {
    if left.len().saturating_mul(right.len()) > MOST_TERMS {
        return Fault::new(at, format!("these are more than {MOST_TERMS} terms"));
    }
    let mut terms = Terms::new();
    for a in left {
        for b in right {
            let mut term = a.clone();
            // A category times itself is itself, as in R; so is a number.
            term.extend(b.iter().filter(|atom| !a.contains(atom)).cloned());
            if !terms.iter().any(|other| same(other, &term)) {
                terms.push(term);
            }
        }
    }
    Ok(terms)
}
