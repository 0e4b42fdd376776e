//! Rows in libsvm's format.
//!
//! ```text
//! <label> <index>:<value> <index>:<value> …  # comment
//! ```
//!
//! Indices count from one and grow within a line; what is not listed is zero. Blanks at the end,
//! `\r\n`, empty lines and comments are taken as they come.

use super::labels::{LabelCounts, Labels};
use super::libsvm_error::LibsvmError;
use super::lines::{LONGEST, Line, Lines};
use super::place::{Place, excerpt};
use crate::SparseRows;
use posterior::SparseBlock;
use std::io::{BufRead, BufReader, Read};

/// One line: its label as written and its entries, columns counted from zero.
pub(crate) struct LibsvmRow<'a> {
    pub line: u64,
    pub label: i8,
    pub columns: &'a [u16],
    /// One for each column, none of them zero.
    pub values: &'a [f64],
}

/// Reads all rows into memory; `width` is the declared number of covariates, since a file need
/// not use the last ones. Rows of ones become a bare pattern.
pub fn read_libsvm(
    source: impl Read,
    file: &str,
    width: usize,
    labels: Labels,
) -> Result<SparseRows, LibsvmError> {
    let mut counts = LabelCounts::default();
    let mut raw = Raw::default();
    visit_libsvm(BufReader::new(source), file, width, labels, |row| {
        counts.add(row.label);
        raw.push(&row).ok_or_else(|| LibsvmError::TooMany {
            place: Place { file: file.to_owned(), line: row.line, column: 1 },
            limit: u32::MAX,
        })
    })?;
    let positive = counts
        .positive(labels)
        .ok_or_else(|| LibsvmError::Ambiguous { file: file.to_owned(), found: counts.clone() })?;
    Ok(SparseRows::new(raw.into_block(width, positive)))
}

/// All rows, labels as written.
#[derive(Default)]
struct Raw {
    labels: Vec<i8>,
    ends: Vec<u32>,
    columns: Vec<u16>,
    // Empty as long as every value is one.
    values: Vec<f64>,
}

impl Raw {
    /// Appends a row, if there is room for it.
    fn push(&mut self, row: &LibsvmRow<'_>) -> Option<()> {
        let end = u32::try_from(self.columns.len() + row.columns.len()).ok()?;
        if self.values.is_empty() && row.values.iter().any(|&value| value != 1.0) {
            self.values = vec![1.0; self.columns.len()];
            self.values.extend_from_slice(row.values);
        } else if !self.values.is_empty() {
            self.values.extend_from_slice(row.values);
        }
        self.columns.extend_from_slice(row.columns);
        self.labels.push(row.label);
        self.ends.push(end);
        Some(())
    }

    fn into_block(self, width: usize, positive: i8) -> SparseBlock {
        let mut block = SparseBlock::new(width);
        let mut start = 0;
        for (label, end) in self.labels.iter().zip(&self.ends) {
            let entries = start..*end as usize;
            start = *end as usize;
            let values = if self.values.is_empty() { &[] } else { &self.values[entries.clone()] };
            let target = if *label == positive { 1.0 } else { -1.0 };
            block.push(&self.columns[entries], values, target);
        }
        block
    }
}

/// Calls `visit` with every row, in one pass that keeps one line at a time.
pub(crate) fn visit_libsvm<E: From<LibsvmError>>(
    source: impl BufRead,
    file: &str,
    width: usize,
    labels: Labels,
    mut visit: impl FnMut(LibsvmRow<'_>) -> Result<(), E>,
) -> Result<u64, E> {
    if width == 0 || width > 1 << 16 {
        return Err(LibsvmError::Width { width }.into());
    }
    let mut lines = Lines::new(source);
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    let mut rows = 0;
    loop {
        let last = lines.number();
        let (number, text) = match lines.next() {
            Ok(Line::End) => break,
            Ok(Line::Text(number, text)) => (number, text),
            Ok(Line::TooLong(line, text)) => {
                return Err(LibsvmError::LongLine {
                    place: Place { file: file.to_owned(), line, column: 1 },
                    limit: LONGEST,
                    beginning: excerpt(text),
                }
                .into());
            }
            Err(source) => {
                return Err(LibsvmError::Io { file: file.to_owned(), line: last, source }.into());
            }
        };
        let place = |column| Place { file: file.to_owned(), line: number, column };
        let text = match text.iter().position(|&byte| byte == b'#') {
            Some(comment) => &text[..comment],
            None => text,
        };
        let mut words = words(text);
        let Some((column, word)) = words.next() else { continue };
        let label = labels.parse(word).ok_or_else(|| LibsvmError::Label {
            place: place(column),
            value: excerpt(word),
            expected: labels,
        })?;
        columns.clear();
        values.clear();
        let mut before = 0;
        for (column, word) in words {
            let (index, value) = entry(word, column, width, &place)?;
            if index <= before {
                return Err(LibsvmError::Order { place: place(column), index, before }.into());
            }
            before = index;
            // A zero that is spelt out is still a zero.
            if value != 0.0 {
                columns.push((index - 1) as u16);
                values.push(value);
            }
        }
        rows += 1;
        visit(LibsvmRow { line: number, label, columns: &columns, values: &values })?;
    }
    if rows == 0 {
        return Err(LibsvmError::Empty { file: file.to_owned(), lines: lines.number() - 1 }.into());
    }
    Ok(rows)
}

/// An index between one and `width`, and a finite value.
fn entry(
    word: &[u8],
    column: usize,
    width: usize,
    place: &impl Fn(usize) -> Place,
) -> Result<(usize, f64), LibsvmError> {
    let Some(colon) = word.iter().position(|&byte| byte == b':') else {
        return Err(LibsvmError::Entry { place: place(column), value: excerpt(word) });
    };
    let (index, value) = (&word[..colon], &word[colon + 1..]);
    let in_range = parse::<usize>(index).filter(|index| (1..=width).contains(index));
    let index = in_range.ok_or_else(|| LibsvmError::Index {
        place: place(column),
        value: excerpt(index),
        width,
    })?;
    let finite =
        if value == b"1" { Some(1.0) } else { parse(value).filter(|v: &f64| v.is_finite()) };
    let value = finite.ok_or_else(|| LibsvmError::Value {
        place: place(column + colon + 1),
        value: excerpt(value),
    })?;
    Ok((index, value))
}

pub(crate) fn parse<T: std::str::FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// The words of a line and the bytes they start at, counted from one.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().position(|byte| !is_blank(byte))?;
        let start = at;
        at += text[at..].iter().position(is_blank).unwrap_or(text.len() - at);
        Some((start + 1, &text[start..at]))
    })
}
