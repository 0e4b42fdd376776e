//! From terms to columns, when it is known which atoms are numbers and which are categories.
//!
//! A term with categories A and numbers B is one covariate per combination of levels of A that was
//! seen, holding the product of B in the rows of that combination. A category a of A leaves out its
//! reference level if the term without a is in the model, too, since the covariates of all its levels
//! would add up to those of that term; the bias stands for the term without anything. If no category
//! does, but B is in the model, the most frequent combination is left out for the same reason. Effects of
//! groups leave nothing out: their standard deviation holds them.

use super::parse::{Atom, Formula};
use data::{Derived, Expression};

/// What an atom turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    Category,
}

/// The columns of a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// Terms that are one number or one category, by the names of their columns, in order.
    pub plain: Vec<String>,
    /// Products with a category in them.
    pub products: Vec<Product>,
    /// All columns that are computed.
    pub derived: Vec<Derived>,
}

/// A product of categories, and of numbers perhaps.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// As it is written.
    pub name: String,
    /// Names of all atoms, and which of them are categories.
    pub atoms: Vec<(String, Kind)>,
    /// The column that holds the levels.
    pub levels: String,
    /// The column that holds the number.
    pub number: Option<String>,
    /// For every category, whether its reference level is left out.
    pub contrasts: Vec<bool>,
    /// Whether the most frequent combination is left out.
    pub leaves_most: bool,
    /// The name of the standard deviation, if the weights are the effects of a group.
    pub effects: Option<String>,
}

impl Formula {
    /// The columns, given what every atom is.
    pub fn design(&self, kind: &impl Fn(&Atom) -> Kind) -> Design {
        let mut design = Design::default();
        for term in &self.terms {
            let of = |wanted| -> Vec<&Atom> {
                term.iter().filter(|&atom| kind(atom) == wanted).collect()
            };
            let (categories, numbers) = (of(Kind::Category), of(Kind::Number));
            if categories.is_empty() {
                design.plain.push(column(&numbers, Expression::Product, &mut design.derived));
                continue;
            }
            let levels = column(&categories, Expression::Joint, &mut design.derived);
            if let [_] = &term[..] {
                design.plain.push(levels);
                continue;
            }
            let number = (!numbers.is_empty())
                .then(|| column(&numbers, Expression::Product, &mut design.derived));
            let without = |left_out: &Atom| -> Vec<&Atom> {
                term.iter().filter(|&atom| atom != left_out).collect()
            };
            let contrasts: Vec<bool> =
                categories.iter().map(|atom| self.has(&without(atom))).collect();
            let leaves_most = !contrasts.contains(&true) && self.has(&numbers);
            design.products.push(Product {
                name: name(&term.iter().collect::<Vec<_>>()),
                atoms: term.iter().map(|atom| (atom.name.clone(), kind(atom))).collect(),
                levels,
                number,
                contrasts,
                leaves_most,
                effects: None,
            });
        }
        for effects in &self.effects {
            let atoms: Vec<&Atom> = effects.slope.iter().chain(&effects.group).collect();
            let of = |wanted| -> Vec<&Atom> {
                atoms.iter().copied().filter(|&atom| kind(atom) == wanted).collect()
            };
            let (categories, numbers) = (of(Kind::Category), of(Kind::Number));
            let levels = column(&categories, Expression::Joint, &mut design.derived);
            let number = (!numbers.is_empty())
                .then(|| column(&numbers, Expression::Product, &mut design.derived));
            design.products.push(Product {
                name: name(&atoms),
                atoms: atoms.iter().map(|atom| (atom.name.clone(), kind(atom))).collect(),
                levels,
                number,
                contrasts: vec![false; categories.len()],
                leaves_most: false,
                effects: Some(effects.name()),
            });
        }
        design
    }

    /// Whether a term is in the model; the empty one, the bias, always is.
    fn has(&self, atoms: &[&Atom]) -> bool {
        let is = |term: &Vec<Atom>| {
            term.len() == atoms.len() && atoms.iter().all(|atom| term.contains(atom))
        };
        atoms.is_empty() || self.terms.iter().any(is)
    }

    /// The columns of all atoms, each by itself.
    pub fn alone(&self) -> Vec<Derived> {
        let mut derived = Vec::new();
        for atom in self.atoms() {
            column(&[atom], Expression::Product, &mut derived);
        }
        derived
    }

    /// The offset as a column.
    pub fn offset(&self, derived: &mut Vec<Derived>) -> Option<String> {
        self.offset.as_ref().map(|offset| column(&[offset], Expression::Product, derived))
    }

    /// The response as a column.
    pub fn label(&self, derived: &mut Vec<Derived>) -> String {
        column(&[&self.response], Expression::Product, derived)
    }
}

fn name(atoms: &[&Atom]) -> String {
    atoms.iter().map(|atom| atom.name.as_str()).collect::<Vec<_>>().join(":")
}

/// The column that holds some atoms, computed unless the file has it.
fn column(
    atoms: &[&Atom],
    join: fn(Vec<Expression>) -> Expression,
    derived: &mut Vec<Derived>,
) -> String {
    let name = name(atoms);
    let expression = match atoms {
        [Atom { expression: Expression::Column(column), name, .. }] if column == name => {
            return name.clone();
        }
        [atom] => atom.expression.clone(),
        _ => join(atoms.iter().map(|atom| atom.expression.clone()).collect()),
    };
    let one = Derived { name: name.clone(), expression };
    if !derived.contains(&one) {
        derived.push(one);
    }
    name
}
