//! `--formula`: what is explained, and by which terms, in R's notation. docs/models.md has the grammar.

mod design;
mod effects;
mod factor;
mod number;
mod parse;
mod token;

pub use design::{Design, Kind, Product};
pub use parse::Formula;

/// What is wrong with a formula, and at which character, counted from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: usize,
    pub sentence: String,
}

impl Fault {
    fn new<T>(at: usize, sentence: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { at, sentence: sentence.into() })
    }

    /// The sentence, the formula, and a caret under the character.
    pub fn show(&self, text: &str) -> String {
        // One line, in which every character is one column.
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("--formula: {}\n  {line}\n  {:>width$}", self.sentence, '^', width = self.at + 1)
    }
}
