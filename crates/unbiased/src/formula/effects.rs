//! Effects of groups, `(1 | g)`: a weight per level, whose standard deviation is estimated.
//!
//! ```text
//! effects = "(" ["0" "+"] sum "|" group ")"        "||" means the same: effects are independent
//! group   = factor (":" factor)* | factor "/" factor
//! ```
//!
//! `(x | g)` has an effect of every level and one of x in every level, as in lme4, with a standard deviation
//! each and without a correlation; `(0 + x | g)` has the latter alone, and `(1 | a/b)` is `(1 | a) + (1 | a:b)`.

use super::Fault;
use super::parse::{Atom, Reader, same};
use super::token::Token;

const GROUP: &str = "after the | comes the group, a column whose levels have effects: (1 | city)";

/// The effects of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct Effects {
    /// What is multiplied with the effect of a level; nothing for the effect itself.
    pub slope: Vec<Atom>,
    /// The columns whose levels, or combinations of levels, have effects.
    pub group: Vec<Atom>,
}

impl Effects {
    /// The name of their standard deviation.
    pub fn name(&self) -> String {
        let names = |atoms: &[Atom]| {
            atoms.iter().map(|atom| atom.name.as_str()).collect::<Vec<_>>().join(":")
        };
        match &self.slope[..] {
            [] => format!("sd({})", names(&self.group)),
            slope => format!("sd({} | {})", names(slope), names(&self.group)),
        }
    }
}

impl Reader<'_> {
    /// Whether the parenthesis at hand holds a | that is not inside another one.
    pub(super) fn begins_effects(&self) -> bool {
        let mut depth = 0;
        for (_, token) in &self.tokens[self.next..] {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                Token::Sign("|" | "||") if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }

    /// Reads `(… | g)`.
    pub(super) fn effects(&mut self) -> Result<(), Fault> {
        self.next += 1;
        let mut intercept = true;
        if let (at, Token::Number(0.0)) = self.look() {
            self.next += 1;
            intercept = false;
            if !self.takes("+") {
                return Fault::new(
                    at,
                    "without the effect itself there must be a slope: (0 + x | g)",
                );
            }
        }
        let terms = self.sum()?;
        if !(self.takes("|") || self.takes("||")) {
            return Fault::new(self.look().0, "here comes a | and the group: (1 | city)");
        }
        let mut groups = vec![self.group()?];
        let at = self.look().0;
        if self.takes("/") {
            let mut inner = groups[0].clone();
            inner.extend(self.group()?);
            groups.push(inner);
        }
        self.sign(")", GROUP)?;
        let slopes = intercept.then(Vec::new).into_iter().chain(terms);
        for slope in slopes.collect::<Vec<_>>() {
            for group in &groups {
                let known = |one: &Effects| same(&one.slope, &slope) && same(&one.group, group);
                if self.effects.iter().any(known) {
                    return Fault::new(at, "these effects are there twice");
                }
                self.effects.push(Effects { slope: slope.clone(), group: group.clone() });
            }
        }
        Ok(())
    }

    fn group(&mut self) -> Result<Vec<Atom>, Fault> {
        let mut atoms: Vec<Atom> = Vec::new();
        loop {
            let (at, token) = self.look();
            if !matches!(token, Token::Name(_)) {
                return Fault::new(at, GROUP);
            }
            let terms = self.factor()?;
            let [term] = &terms[..] else { return Fault::new(at, GROUP) };
            let [atom] = &term[..] else { return Fault::new(at, GROUP) };
            atoms.push(Atom { category: true, ..atom.clone() });
            if !self.takes(":") {
                return Ok(atoms);
            }
        }
    }
}
