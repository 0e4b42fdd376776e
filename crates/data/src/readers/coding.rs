//! From the cells of a table to covariates.
//!
//! A number is one covariate. A category with levels l_1, …, l_k is k − 1 covariates "column=l_j", one
//! where the cell is l_j and else zero; the reference level has none. A gap in a column of numbers is
//! its mean and a one in the covariate "column missing"; in a category it is a level of its own.

use super::cells::Cells;
use super::derived::Derived;
use super::encoder::Encoder;
use super::survey::MISSING;
use super::table::Table;
use super::table_error::TableError;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::ops::Range;

/// What covariates and targets are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coding {
    /// The columns, in the order of their covariates.
    pub columns: Vec<CodedColumn>,
    /// The column to be explained, if there is one.
    pub target: Option<CodedTarget>,
    /// Whether rows with a gap that has no code are left out; else they are an error.
    pub leave_out: bool,
    /// Columns that make no covariate, but whose gaps leave a row out like those of the others.
    pub watched: Vec<String>,
    /// Columns that are computed from those of the file.
    #[serde(default)]
    pub derived: Vec<Derived>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodedColumn {
    /// Its name.
    pub name: String,
    /// What its cells become.
    pub code: Code,
}

/// What cells become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Code {
    /// A number; `mean` stands in for gaps, if they are allowed.
    Number {
        /// The mean of the numbers.
        mean: Option<f64>,
    },
    /// One of some levels.
    Category {
        /// All levels.
        levels: Vec<String>,
        /// The number of the one without a covariate.
        reference: usize,
        /// Whether gaps are the level "missing".
        gaps: bool,
    },
    /// One of some levels, times a number.
    Product {
        /// The levels that have a covariate: cell, and name of the covariate.
        levels: Vec<(String, String)>,
        /// Other levels that were seen; their rows have zeros.
        others: Vec<String>,
        /// The column of the number; without one it is 1.
        number: Option<String>,
        /// The name of the standard deviation that the weights share, if they are the effects of a group.
        /// Rows with a level that was never seen have a new effect of it.
        #[serde(default)]
        effects: Option<String>,
    },
}

/// What is to be explained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CodedTarget {
    /// The column's name.
    pub name: String,
    /// The two classes, the negative and the positive one, as they are written; else the target is a
    /// number.
    pub classes: Option<[String; 2]>,
}

impl Coding {
    /// The names of all covariates.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for CodedColumn { name, code } in &self.columns {
            match code {
                Code::Number { mean } => {
                    names.push(name.clone());
                    names.extend(mean.map(|_| format!("{name} {MISSING}")));
                }
                Code::Category { levels, reference, .. } => names.extend(
                    levels
                        .iter()
                        .enumerate()
                        .filter(|(index, _)| index != reference)
                        .map(|(_, level)| format!("{name}={level}")),
                ),
                Code::Product { levels, .. } => {
                    names.extend(levels.iter().map(|(_, name)| name.clone()));
                }
            }
        }
        names
    }

    /// The covariates whose weights are the effects of a group, and the name of their standard deviation,
    /// group by group.
    pub fn effects(&self) -> Vec<(Range<usize>, String)> {
        let (mut all, mut first) = (Vec::new(), 0);
        for CodedColumn { code, .. } in &self.columns {
            let own = first..first + code.width();
            first = own.end;
            if let Code::Product { effects: Some(name), .. } = code {
                all.push((own, name.clone()));
            }
        }
        all
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.code.width()).sum()
    }

    /// Whether any column is a category: its rows then have codes beside numbers.
    pub fn has_categories(&self) -> bool {
        let category = |code: &Code| matches!(code, Code::Category { .. } | Code::Product { .. });
        self.columns.iter().any(|column| category(&column.code))
    }

    /// The computed columns that are needed, and the columns that the file must have.
    pub fn sources(&self, with_target: bool) -> (Vec<Derived>, Vec<String>) {
        let mut needed: Vec<&str> = Vec::new();
        for CodedColumn { name, code } in &self.columns {
            needed.push(name);
            if let Code::Product { number: Some(number), .. } = code {
                needed.push(number);
            }
        }
        if with_target {
            needed.extend(self.target.iter().map(|target| target.name.as_str()));
            needed.extend(self.watched.iter().map(String::as_str));
        }
        Derived::sources(&self.derived, &needed)
    }
}

impl Code {
    pub(super) fn width(&self) -> usize {
        match self {
            Code::Number { mean } => 1 + usize::from(mean.is_some()),
            Code::Category { levels, .. } => levels.len() - 1,
            Code::Product { levels, .. } => levels.len(),
        }
    }
}

/// Reads the rows of a table that were not seen when the coding was made, at most `most` of them and
/// one more. A level of group k that was never seen is an entry at the width of the coding and k more.
pub fn read_coded(
    source: impl Read,
    file: &str,
    coding: &Coding,
    most: usize,
) -> Result<Vec<Vec<(usize, f64)>>, TableError> {
    read_coded_cells(&mut Table::new(source, file)?, coding, most)
}

/// The same from any table.
pub fn read_coded_cells(
    table: &mut impl Cells,
    coding: &Coding,
    most: usize,
) -> Result<Vec<Vec<(usize, f64)>>, TableError> {
    let mut encoder = Encoder::new(coding, table, false)?;
    let mut rows = Vec::new();
    while rows.len() <= most && table.advance()? {
        table.check_length()?;
        let mut entries = Vec::new();
        encoder.row(table, &mut entries)?;
        rows.push(entries);
    }
    if rows.is_empty() { Err(table.empty()) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coding() -> Coding {
        let levels = ["blue", "missing", "red"].map(str::to_owned).to_vec();
        let column = |name: &str, code| CodedColumn { name: name.to_owned(), code };
        Coding {
            columns: vec![
                column("c", Code::Category { levels, reference: 2, gaps: true }),
                column("x", Code::Number { mean: Some(2.5) }),
                column("z", Code::Number { mean: None }),
            ],
            target: None,
            leave_out: false,
            watched: Vec::new(),
            derived: Vec::new(),
        }
    }

    #[test]
    fn cells_become_covariates() {
        let coding = coding();
        let names = ["c=blue", "c=missing", "x", "x missing", "z"];
        assert_eq!((coding.names(), coding.width()), (names.map(str::to_owned).to_vec(), 5));
        let text = "z,x,c\n7,1,red\n0,,blue\n1,0,NA\n";
        let rows = read_coded(text.as_bytes(), "t", &coding, 10).unwrap();
        assert_eq!(rows[0], [(2, 1.0), (4, 7.0)]);
        assert_eq!(rows[1], [(0, 1.0), (2, 2.5), (3, 1.0)]);
        assert_eq!(rows[2], [(1, 1.0), (4, 1.0)]);
    }

    #[test]
    fn what_has_no_code_is_named() {
        for (text, expected) in [
            (
                "z,x,c\n7,1,green\n",
                "t:2:3: column \"c\" holds \"green\", which is not one of its levels: blue, missing, red",
            ),
            ("z,x,c\n,1,red\n", "t:2:1: column \"z\" is missing"),
            ("z,x,c\nz,1,red\n", "t:2:1: column \"z\" holds \"z\", not a finite number"),
            ("z,c\n", "t: there is no column \"x\" in the header \"z,c\""),
            ("z,x,c\n", "t: no rows in 1 lines"),
        ] {
            let error = read_coded(text.as_bytes(), "t", &coding(), 10).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
