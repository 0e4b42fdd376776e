//! A batch of cells of one column, as they are stored: numbers and points in time as such, words as
//! codes. The text that a CSV would have is written when somebody asks for it.

use super::calendar::{Moment, calendar};
use super::codes::{CellCode, FLOATS};
use super::decimal::put_number;
use super::kind::is_gap;
use std::cell::OnceCell;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

const DAY: i64 = 86_400;

/// Dictionaries of all whole numbers, and of those without a sign.
const SIGNED: u64 = 0;
const UNSIGNED: u64 = 1;
/// Dictionaries of words count from here.
pub(super) const WORDS: u64 = FLOATS + 1;

/// Some cells of a column.
#[derive(Default)]
pub struct Batch {
    content: Content,
    // Whether each cell is there; empty if all are.
    present: Vec<bool>,
    written: OnceCell<Text>,
}

enum Content {
    Whole(Vec<i64>, Whole),
    /// NaN is a gap.
    Floats(Vec<f64>),
    /// Codes are numbers of words. With a dictionary there are many cells per word.
    Words {
        codes: Vec<u32>,
        words: Arc<Words>,
        dictionary: Option<u64>,
    },
}

impl Default for Content {
    fn default() -> Content {
        Content::Floats(Vec::new())
    }
}

/// What whole numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    Signed,
    Unsigned,
    /// Days since 1970.
    Days,
    /// Parts of a second since 1970, so many per second.
    Times(i64),
}

/// Cells in one buffer.
#[derive(Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Text {
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    pub fn push(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        put(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Words, and which of them are gaps.
pub(super) struct Words {
    text: Text,
    gaps: Vec<bool>,
}

impl Words {
    pub fn new(text: Text) -> Words {
        let gaps = (0..text.len()).map(|word| is_gap(text.get(word))).collect();
        Words { text, gaps }
    }

    pub fn get(&self, word: usize) -> &[u8] {
        self.text.get(word)
    }

    pub fn len(&self) -> usize {
        self.gaps.len()
    }
}

impl Batch {
    /// Whole numbers; those that are not there may be anything.
    pub(super) fn whole(values: Vec<i64>, meaning: Whole, present: Vec<bool>) -> Batch {
        Batch { content: Content::Whole(values, meaning), present, written: OnceCell::new() }
    }

    /// Floats, NaN for a gap.
    pub(super) fn floats(values: Vec<f64>) -> Batch {
        let (content, present) = (Content::Floats(values), Vec::new());
        Batch { content, present, written: OnceCell::new() }
    }

    /// Words by their codes, under the number of a dictionary if each of them is there many times.
    pub(super) fn words(
        codes: Vec<u32>,
        words: Arc<Words>,
        present: Vec<bool>,
        dictionary: Option<u64>,
    ) -> Batch {
        let content = Content::Words { codes, words, dictionary };
        Batch { content, present, written: OnceCell::new() }
    }

    /// The text of a cell; empty for a gap.
    pub(super) fn cell(&self, row: usize) -> &[u8] {
        if !self.is_there(row) {
            return b"";
        }
        match &self.content {
            Content::Words { codes, words, .. } => words.get(codes[row] as usize),
            Content::Floats(values) => self.written(values.len()).get(row),
            Content::Whole(values, _) => self.written(values.len()).get(row),
        }
    }

    /// A finite number.
    pub(super) fn finite(&self, row: usize) -> Option<f64> {
        if !self.is_there(row) {
            return None;
        }
        match &self.content {
            Content::Whole(values, Whole::Signed) => Some(values[row] as f64),
            Content::Whole(values, Whole::Unsigned) => Some(values[row] as u64 as f64),
            Content::Whole(_, Whole::Days | Whole::Times(_)) => None,
            Content::Floats(values) => Some(values[row]).filter(|value| value.is_finite()),
            Content::Words { .. } => super::numbers::number(self.cell(row)),
        }
    }

    /// Appends finite numbers; false if a cell is none, and then some may have been appended.
    pub(super) fn append_finite(&self, rows: Range<usize>, numbers: &mut Vec<f64>) -> bool {
        if !self.present.is_empty() && !self.present[rows.clone()].iter().all(|&there| there) {
            return false;
        }
        match &self.content {
            Content::Whole(values, Whole::Signed) => {
                numbers.extend(values[rows].iter().map(|&value| value as f64));
            }
            Content::Whole(values, Whole::Unsigned) => {
                numbers.extend(values[rows].iter().map(|&value| value as u64 as f64));
            }
            Content::Floats(values) => {
                let values = &values[rows];
                numbers.extend_from_slice(values);
                return values.iter().fold(true, |all, value| all & value.is_finite());
            }
            _ => {
                for row in rows {
                    let Some(value) = self.finite(row) else { return false };
                    numbers.push(value);
                }
            }
        }
        true
    }

    pub(super) fn is_gap(&self, row: usize) -> bool {
        !self.is_there(row)
            || match &self.content {
                Content::Whole(..) => false,
                Content::Floats(values) => values[row].is_nan(),
                Content::Words { codes, words, .. } => words.gaps[codes[row] as usize],
            }
    }

    pub(super) fn code(&self, row: usize) -> Option<CellCode> {
        match &self.content {
            Content::Whole(values, Whole::Signed) => Some((SIGNED, values[row] as u64)),
            Content::Whole(values, Whole::Unsigned) => Some((UNSIGNED, values[row] as u64)),
            Content::Whole(_, Whole::Days | Whole::Times(_)) => None,
            Content::Floats(values) => Some((FLOATS, values[row].to_bits())),
            Content::Words { codes, dictionary, .. } => {
                dictionary.map(|dictionary| (dictionary, u64::from(codes[row])))
            }
        }
    }

    pub(super) fn moment(&self, row: usize) -> Option<Moment> {
        let of_days = |days, hour| {
            let (year, month, day) = calendar(days);
            Some(Moment { year, month, day, hour })
        };
        match &self.content {
            Content::Whole(values, Whole::Days) => of_days(values[row], None),
            Content::Whole(values, Whole::Times(parts)) => {
                let seconds = values[row].div_euclid(*parts);
                let hour = seconds.rem_euclid(DAY) / 3600;
                of_days(seconds.div_euclid(DAY), Some(hour))
            }
            _ => Moment::read(self.cell(row)),
        }
    }

    fn is_there(&self, row: usize) -> bool {
        self.present.is_empty() || self.present[row]
    }

    fn written(&self, rows: usize) -> &Text {
        self.written.get_or_init(|| {
            let mut text = Text::default();
            for row in 0..rows {
                let there = self.is_there(row);
                text.push(|text| match &self.content {
                    _ if !there => {}
                    Content::Floats(values) => put_number(values[row], text),
                    Content::Whole(values, meaning) => match meaning {
                        Whole::Signed => put(values[row], text),
                        Whole::Unsigned => put(values[row] as u64, text),
                        Whole::Days => put_day(values[row], text),
                        Whole::Times(parts) => put_time(values[row], *parts, text),
                    },
                    Content::Words { .. } => {}
                });
            }
            text
        })
    }
}

fn put(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    write!(text, "{value}").expect("memory takes all");
}

/// The shortest decimal of 32 bits, which is what a CSV would say.
pub(super) fn short(value: f32) -> f64 {
    if value.fract() == 0.0 && value.abs() < 16_777_216.0 {
        return f64::from(value);
    }
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// A whole number with so many decimals.
pub(super) fn put_decimal(value: i128, scale: i32, text: &mut Vec<u8>) {
    let Ok(scale @ 1..) = usize::try_from(scale) else { return put(value, text) };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    put(format_args!("{sign}{whole}.{part}"), text);
}

fn put_day(days: i64, text: &mut Vec<u8>) {
    let (year, month, day) = calendar(days);
    match year {
        0..10_000 => put(format_args!("{year:04}-{month:02}-{day:02}"), text),
        _ => put(format_args!("{year}-{month:02}-{day:02}"), text),
    }
}

fn put_time(value: i64, parts: i64, text: &mut Vec<u8>) {
    let (seconds, rest) = (value.div_euclid(parts), value.rem_euclid(parts));
    put_day(seconds.div_euclid(DAY), text);
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    put(format_args!("T{hour:02}:{minute:02}:{second:02}"), text);
    if rest > 0 {
        let digits = parts.ilog10() as usize;
        put(format_args!(".{rest:0>digits$}"), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(put: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        put(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn times_and_decimals_are_written_as_in_a_csv() {
        let time = |value, parts| text(|text| put_time(value, parts, text));
        assert_eq!(time(0, 1000), "1970-01-01T00:00:00");
        assert_eq!(time(-1, 1000), "1969-12-31T23:59:59.999");
        assert_eq!(time(951_782_399_000_000, 1_000_000), "2000-02-28T23:59:59");
        assert_eq!(time(951_782_400_000_000, 1_000_000), "2000-02-29T00:00:00");
        assert_eq!(text(|text| put_day(11_017, text)), "2000-03-01");
        assert_eq!(text(|text| put_day(-719_162, text)), "0001-01-01");
        let decimal = |value, scale| text(|text| put_decimal(value, scale, text));
        assert_eq!([decimal(-5, 2), decimal(12345, 2), decimal(7, 0)], ["-0.05", "123.45", "7"]);
    }

    /// What is told of a cell is what its text says.
    #[test]
    fn cells_are_what_their_text_says() {
        let mut words = Text::default();
        ["7", "NA", "ORD"].iter().for_each(|word| words.push(|it| it.extend(word.bytes())));
        let present = vec![true, false, true];
        let batches = [
            Batch::whole(vec![-3, 0, i64::MAX], Whole::Signed, present.clone()),
            Batch::whole(vec![-1, 0, 5], Whole::Unsigned, present.clone()),
            Batch::whole(vec![-1, 3, 20_000], Whole::Days, Vec::new()),
            Batch::whole(vec![-1, 3, 1_700_000_000_123], Whole::Times(1000), present.clone()),
            Batch::floats(vec![0.1, f64::NAN, f64::INFINITY]),
            Batch::words(vec![2, 0, 1], Arc::new(Words::new(words)), present, Some(WORDS)),
        ];
        for (index, batch) in batches.iter().enumerate() {
            for row in 0..3 {
                let cell = batch.cell(row).to_vec();
                assert_eq!(
                    batch.finite(row),
                    super::super::numbers::number(&cell),
                    "{index} {row}"
                );
                assert_eq!(batch.is_gap(row), is_gap(&cell), "{index} {row}");
                let mut numbers = Vec::new();
                let finite = batch.append_finite(row..row + 1, &mut numbers);
                assert_eq!(
                    finite.then(|| numbers[0]),
                    batch.finite(row),
                    "a column of one row: {index} {row}"
                );
                if !is_gap(&cell) {
                    assert_eq!(batch.moment(row), Moment::read(&cell), "{index} {row}");
                }
            }
        }
        assert_eq!(batches[5].code(0), Some((WORDS, 2)));
    }
}
