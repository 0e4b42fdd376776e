//! Rows that a program has in memory, as a source: what the import checks of files is checked here, in
//! one pass that also sums them.

use crate::columns::Columns;
use crate::exit;
use crate::response::fault;
use crate::source::{Source, Wants};
use crate::stored::{Held, Stored};
use crate::table::tellable;
use data::{ArrayRows, CsrRows};
use models::design::{Design, Extras, SplitColumns};
use posterior::{Block, DenseBlock, Rows, SparseBlock, pass};
use records::{DataSource, digest};
use std::path::PathBuf;

/// Arrays of either layout.
pub enum Arrays {
    /// A matrix.
    Dense(ArrayRows),
    /// A CSR matrix; the targets of two classes are −1 and +1.
    Sparse(CsrRows),
}

/// What the columns behind the covariates are called, in their order.
pub struct Behind {
    /// Which of them is what.
    pub roles: Extras,
    /// Their names.
    pub names: Vec<String>,
}

/// What a block holds, for the check.
trait Cells: SplitColumns + Block {
    /// The first number that is not finite: row, column, value; the target comes after the last column.
    fn infinite(&self) -> Option<(usize, usize, f64)>;

    fn sum(&self) -> String;
}

fn bytes(numbers: &[f64]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

fn first_infinite(numbers: &[f64]) -> Option<(usize, f64)> {
    let row = numbers.iter().position(|number| !number.is_finite())?;
    Some((row, numbers[row]))
}

impl Cells for DenseBlock {
    fn infinite(&self) -> Option<(usize, usize, f64)> {
        let columns = (0..self.width()).map(|j| self.column(j)).chain([self.targets()]);
        let found = columns
            .enumerate()
            .filter_map(|(j, column)| first_infinite(column).map(|(row, value)| (row, j, value)));
        found.min_by_key(|&(row, column, _)| (row, column))
    }

    fn sum(&self) -> String {
        digest(bytes(self.padded_values())) + &digest(bytes(self.padded_targets()))
    }
}

impl Cells for SparseBlock {
    fn infinite(&self) -> Option<(usize, usize, f64)> {
        let target = first_infinite(self.targets()).map(|(row, value)| (row, self.width(), value));
        let entry = first_infinite(self.values()).map(|(entry, value)| {
            let row = self.offsets().partition_point(|&start| start as usize <= entry) - 1;
            (row, self.indices().get(entry), value)
        });
        entry.into_iter().chain(target).min_by_key(|&(row, column, _)| (row, column))
    }

    fn sum(&self) -> String {
        let columns: Vec<u64> = self.indices().iter().map(|column| column as u64).collect();
        digest(bytemuck::cast_slice(self.offsets()))
            + &digest(bytemuck::cast_slice(&columns))
            + &digest(bytes(self.values()))
            + &digest(bytes(self.targets()))
    }
}

/// One pass: how many rows, their sum, and what is wrong with the first of them.
struct Checked {
    rows: usize,
    sums: String,
    wrong: Option<String>,
}

/// An array behind the covariates, or y; its number, and why it cannot be.
type Fault = (Option<usize>, f64, String);

fn check<R>(rows: &R, width: usize, wants: Wants, behind: &Behind) -> Checked
where
    R: Rows,
    R::Block: Cells,
{
    let visit = |block: R::Block| {
        let (count, sums, infinite) = (block.rows(), block.sum(), block.infinite());
        if let Some((row, column, value)) = infinite {
            return (count, sums, Some((row, Err((column, value)))));
        }
        let (block, columns) = block.split(width);
        let bad = block.targets().iter().enumerate().find_map(|(row, &target)| {
            let own: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            let (at, why) = fault(wants, behind.roles, target, &own)?;
            let value = at.map_or(target, |at| own[at]);
            Some((row, Ok((at, value, why))))
        });
        (count, sums, bad)
    };
    let none = Checked { rows: 0, sums: String::new(), wrong: None };
    let behind = &behind.names;
    let array = |at: Option<usize>| at.and_then(|at| behind.get(at)).map_or("y", String::as_str);
    let visit = |block| vec![visit(block)];
    // Parts come in the order of the rows.
    let parts = pass(rows, visit, Vec::new(), |all, mut part| all.append(&mut part));
    parts.into_iter().fold(none, |mut all, (count, sums, bad)| {
        let start = all.rows;
        let sentence = |(row, what): (usize, Result<Fault, (usize, f64)>)| match what {
            Err((column, value)) => {
                let place = match column.checked_sub(width) {
                    None => format!("X[{}, {column}]", start + row),
                    Some(at) => format!("{}[{}]", array(Some(at)), start + row),
                };
                format!("{place} is {value}: leave such rows out, or put a number in its place")
            }
            Ok((at, value, why)) => format!("{}[{}] is {value}, {why}", array(at), start + row),
        };
        all.wrong = all.wrong.take().or_else(|| bad.map(sentence));
        all.sums.push_str(&sums);
        all.rows += count;
        all
    })
}

impl Source {
    /// Rows of arrays; `called` is what records call them.
    pub fn of_arrays(
        arrays: Arrays,
        called: &str,
        names: Vec<String>,
        behind: Behind,
        wants: Wants,
        remarks: Vec<String>,
    ) -> anyhow::Result<Source> {
        let width = names.len();
        let checked = match &arrays {
            Arrays::Dense(rows) => check(rows, width, wants, &behind),
            Arrays::Sparse(rows) => check(rows, width, wants, &behind),
        };
        if let Some(sentence) = checked.wrong {
            return Err(exit::data(sentence));
        }
        let sum = digest(checked.sums.as_bytes());
        let rows = match arrays {
            Arrays::Dense(rows) => {
                Stored::Dense(Held { width: rows.width(), sum, rows: Box::new(rows) })
            }
            Arrays::Sparse(rows) => {
                Stored::Sparse(Held { width: rows.width(), sum, rows: Box::new(rows) })
            }
        };
        let columns = Columns::of(&rows);
        let sparse = matches!(rows, Stored::Sparse(_));
        // A column of a sparse matrix that is never used tells nothing and does no harm.
        let told = |&j: &usize| j < width && (!sparse || columns.highs[j] != 0.0);
        if let Some(j) = columns.constant().find(told) {
            return Err(exit::data(format!(
                "column {j} of X is {} in all rows and cannot be told from the bias, which every model \
                 here has: leave it out",
                columns.highs[j]
            )));
        }
        let used: Vec<usize> =
            (0..width).filter(|&j| columns.lows[j] != columns.highs[j]).collect();
        let some: Vec<String> = used.iter().map(|&j| names[j].clone()).collect();
        let of = |values: &[f64]| used.iter().map(|&j| values[j]).collect();
        let moments = used.iter().map(|&j| columns.moments[j]).collect();
        let (lows, highs) = (of(&columns.lows), of(&columns.highs));
        tellable("X", &some, &Columns { moments, lows, highs, ..columns.clone() })?;
        let mut positive = 1.0;
        if wants == Wants::Class {
            positive = match columns.classes[..] {
                [_, high] => high,
                [only] => {
                    return Err(exit::data(format!(
                        "all of y is {only}: there is nothing to tell apart"
                    )));
                }
                _ => {
                    return Err(exit::data(format!(
                        "y holds more than two values, {} among them; a logistic regression takes two \
                         classes, such as 0 and 1 or y > 0",
                        columns.classes.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
                    )));
                }
            };
        }
        let data = DataSource {
            name: called.to_owned(),
            rows: rows.count() as u64,
            identity: format!("sha256 {} of the arrays", rows.sum()),
        };
        let offset = behind.roles.offset.map(|at| behind.names[at].clone());
        Ok(Source {
            rows,
            names,
            columns,
            positive,
            coding: None,
            extras: behind.roles,
            offset,
            remarks,
            data,
            file: PathBuf::new(),
            predictions: Vec::new(),
            folder: PathBuf::new(),
            imported: None,
            _lock: None,
        })
    }
}
