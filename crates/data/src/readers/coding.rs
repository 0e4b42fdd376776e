//! From the cells of a table to covariates.
//!
//! A number is one covariate. A category with levels l_1, …, l_k is k − 1 covariates "column=l_j", one
//! where the cell is l_j and else zero; the reference level has none. A gap in a column of numbers is
//! its mean and a one in the covariate "column missing"; in a category it is a level of its own.

use super::batch::CellCode;
use super::cells::Cells;
use super::codes::CodeMap;
use super::derived::Derived;
use super::place::excerpt;
use super::survey::MISSING;
use super::table::{Table, number};
use super::table_error::TableError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Read;

/// Levels that an error names.
const NAMED: usize = 8;

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

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.code.width()).sum()
    }

    /// Whether any column is a category: its rows are then sparse.
    pub fn is_sparse(&self) -> bool {
        let is_sparse = |code: &Code| matches!(code, Code::Category { .. } | Code::Product { .. });
        self.columns.iter().any(|column| is_sparse(&column.code))
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
    fn width(&self) -> usize {
        match self {
            Code::Number { mean } => 1 + usize::from(mean.is_some()),
            Code::Category { levels, .. } => levels.len() - 1,
            Code::Product { levels, .. } => levels.len(),
        }
    }
}

/// A coding put to a table.
pub(crate) struct Encoder<'a> {
    columns: Vec<Encoded<'a>>,
    target: Option<(usize, &'a CodedTarget)>,
    classes: Known<f64>,
    leave_out: bool,
    watched: Vec<usize>,
}

struct Encoded<'a> {
    field: usize,
    // The first of its covariates.
    first: usize,
    code: &'a Code,
    // The covariate of each level, nothing for the reference.
    levels: HashMap<&'a [u8], Option<usize>>,
    // The number that a level is multiplied with.
    number: Option<usize>,
    known: Known<Option<usize>>,
}

/// What became of cells, by their codes in one dictionary.
struct Known<T> {
    dictionary: u64,
    cells: CodeMap<T>,
}

impl<T: Copy> Known<T> {
    fn new() -> Known<T> {
        Known { dictionary: 0, cells: CodeMap::default() }
    }

    /// What became of this cell, or nothing if that has to be found out.
    fn get(&self, code: Option<CellCode>) -> Option<T> {
        let (dictionary, code) = code?;
        if dictionary != self.dictionary {
            return None;
        }
        self.cells.get(&code).copied()
    }

    fn insert(&mut self, code: Option<CellCode>, value: T) {
        let Some((dictionary, code)) = code else { return };
        if dictionary != self.dictionary {
            self.cells.clear();
            self.dictionary = dictionary;
        }
        self.cells.insert(code, value);
    }
}

impl<'a> Encoder<'a> {
    /// Finds the columns; the target only if it is asked for.
    pub fn new(
        coding: &'a Coding,
        table: &impl Cells,
        with_target: bool,
    ) -> Result<Encoder<'a>, TableError> {
        let mut first = 0;
        let mut columns = Vec::new();
        for CodedColumn { name, code } in &coding.columns {
            let mut levels = HashMap::new();
            if let Code::Category { levels: all, reference, .. } = code {
                let mut next = first;
                for (index, level) in all.iter().enumerate() {
                    let covariate = (index != *reference).then_some(next);
                    next += usize::from(covariate.is_some());
                    levels.insert(level.as_bytes(), covariate);
                }
            }
            let mut times = None;
            if let Code::Product { levels: own, others, number } = code {
                let own = own.iter().zip(first..);
                levels.extend(own.map(|((cell, _), covariate)| (cell.as_bytes(), Some(covariate))));
                levels.extend(others.iter().map(|cell| (cell.as_bytes(), None)));
                times = number.as_ref().map(|number| table.column(number)).transpose()?;
            }
            columns.push(Encoded {
                field: table.column(name)?,
                first,
                code,
                levels,
                number: times,
                known: Known::new(),
            });
            first += code.width();
        }
        let target = match coding.target.as_ref().filter(|_| with_target) {
            Some(target) => Some((table.column(&target.name)?, target)),
            None => None,
        };
        let leave_out = coding.leave_out && with_target;
        let watched = coding.watched.iter().filter(|_| leave_out);
        let watched = watched.map(|name| table.column(name)).collect::<Result<_, _>>()?;
        Ok(Encoder { columns, target, classes: Known::new(), leave_out, watched })
    }

    /// Overwrites `entries` with the covariates of the row at hand that are not zero, and gives its
    /// target; nothing if the row is left out.
    pub fn row(
        &mut self,
        table: &impl Cells,
        entries: &mut Vec<(usize, f64)>,
    ) -> Result<Option<f64>, TableError> {
        entries.clear();
        if self.watched.iter().any(|&field| table.is_gap(field)) {
            return Ok(None);
        }
        for column in &mut self.columns {
            let field = column.field;
            if let Code::Number { mean } = column.code {
                match (table.finite(field), mean) {
                    // A zero that is spelt out is still a zero.
                    (Some(0.0), _) => {}
                    (Some(value), _) => entries.push((column.first, value)),
                    (None, _) if !table.is_gap(field) => return Err(table.bad_value(field)),
                    (None, Some(mean)) => {
                        entries.extend([(column.first, *mean), (column.first + 1, 1.0)]);
                    }
                    (None, None) if self.leave_out => return Ok(None),
                    (None, None) => return Err(table.missing(field)),
                }
                continue;
            }
            let gaps = matches!(column.code, Code::Category { gaps: true, .. });
            let gap = (!gaps && table.is_gap(field)).then_some(field);
            let number = column.number;
            if let Some(field) = gap.or(number.filter(|&field| table.is_gap(field))) {
                return if self.leave_out { Ok(None) } else { Err(table.missing(field)) };
            }
            let value = match number {
                None => 1.0,
                Some(field) => table.finite(field).ok_or_else(|| table.bad_value(field))?,
            };
            if let Some(covariate) = column.covariate(table)?
                && value != 0.0
            {
                entries.push((covariate, value));
            }
        }
        let Some((field, target)) = self.target else {
            return Ok(Some(0.0));
        };
        if table.is_gap(field) {
            return if self.leave_out { Ok(None) } else { Err(table.missing(field)) };
        }
        let Some(classes) = &target.classes else {
            return table.finite(field).map(Some).ok_or_else(|| table.bad_value(field));
        };
        let code = table.code(field);
        if let Some(class) = self.classes.get(code) {
            return Ok(Some(class));
        }
        let cell = table.field(field);
        match classes.iter().position(|class| is_class(class, cell)) {
            Some(class) => {
                self.classes.insert(code, [-1.0, 1.0][class]);
                Ok(Some([-1.0, 1.0][class]))
            }
            None => Err(table.unseen(field, &named(classes))),
        }
    }
}

impl Encoded<'_> {
    /// The covariate of the level at hand; nothing for the reference.
    fn covariate(&mut self, table: &impl Cells) -> Result<Option<usize>, TableError> {
        let is_gap = table.is_gap(self.field);
        let code = if is_gap { None } else { table.code(self.field) };
        if let Some(covariate) = self.known.get(code) {
            return Ok(covariate);
        }
        let level = if is_gap { MISSING.as_bytes() } else { table.field(self.field) };
        let Some(&covariate) = self.levels.get(level) else {
            let known = match self.code {
                Code::Product { levels, .. } => {
                    levels.iter().map(|(_, name)| name.clone()).collect()
                }
                Code::Category { levels, .. } => levels.clone(),
                Code::Number { .. } => Vec::new(),
            };
            return Err(table.unseen(self.field, &named(&known)));
        };
        self.known.insert(code, covariate);
        Ok(covariate)
    }
}

/// Whether a cell says this class: the same word, or the same number.
fn is_class(class: &str, cell: &[u8]) -> bool {
    class.as_bytes() == cell
        || number(cell).is_some_and(|value| number(class.as_bytes()) == Some(value))
}

/// The first levels, as many as a sentence takes.
fn named(levels: &[String]) -> String {
    let shown: Vec<String> =
        levels.iter().take(NAMED).map(|level| excerpt(level.as_bytes())).collect();
    let more = levels.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

/// Reads the rows of a table that were not seen when the coding was made, at most `most` of them and
/// one more.
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
            ("z,c\n", "t: column \"x\" is there 0 times in the header \"z,c\""),
            ("z,x,c\n", "t: no rows in 1 lines"),
        ] {
            let error = read_coded(text.as_bytes(), "t", &coding(), 10).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
