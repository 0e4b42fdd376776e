//! One column of a row group, a batch of cells at a time.

use crate::readers::batch::{Batch, Text, Whole, Words, put_decimal, short};
use crate::readers::codes::Spreads;
use crate::readers::stored::StoredKind;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use std::collections::HashMap;
use std::sync::Arc;

/// The next `count` cells, or fewer at the end of the column; `dictionary` is a number that no batch of
/// this column had before.
pub(super) fn next_batch(
    reader: &mut ColumnReader,
    kind: &StoredKind,
    count: usize,
    dictionary: u64,
) -> Result<(Batch, usize), ParquetError> {
    let meaning = match kind {
        StoredKind::Date => Whole::Days,
        StoredKind::Timestamp { parts } => Whole::Times(*parts),
        StoredKind::Whole { signed: false } => Whole::Unsigned,
        _ => Whole::Signed,
    };
    let scale = match kind {
        StoredKind::Decimal { scale } => Some(*scale),
        _ => None,
    };
    match reader {
        ColumnReader::BoolColumnReader(it) => whole(it, count, meaning, i64::from),
        ColumnReader::Int32ColumnReader(it) => match scale {
            Some(scale) => {
                written(it, count, |&value, text| put_decimal(i128::from(value), scale, text))
            }
            None if meaning == Whole::Unsigned => {
                whole(it, count, meaning, |value| i64::from(value as u32))
            }
            None => whole(it, count, meaning, i64::from),
        },
        ColumnReader::Int64ColumnReader(it) => match scale {
            Some(scale) => {
                written(it, count, |&value, text| put_decimal(i128::from(value), scale, text))
            }
            None => whole(it, count, meaning, |value| value),
        },
        ColumnReader::Int96ColumnReader(it) => whole(it, count, meaning, |it| it.to_micros()),
        ColumnReader::FloatColumnReader(it) => floats(it, count, short),
        ColumnReader::DoubleColumnReader(it) => floats(it, count, |value| value),
        ColumnReader::ByteArrayColumnReader(it) => match scale {
            Some(scale) => written(it, count, |value, text| put_wide(value.data(), scale, text)),
            None => words(it, count, dictionary),
        },
        ColumnReader::FixedLenByteArrayColumnReader(it) => {
            written(it, count, |value, text| match scale {
                Some(scale) => put_wide(value.data(), scale, text),
                None => text.extend_from_slice(value.data().trim_ascii()),
            })
        }
    }
}

/// Cells of a column: whether each is there, empty if all are, and those that are.
struct Cells<T> {
    present: Vec<bool>,
    values: Vec<T>,
    rows: usize,
}

fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
) -> Result<Cells<T::T>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(count));
    let mut rows = 0;
    while rows < count {
        let (records, _, _) =
            reader.read_records(count - rows, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            break;
        }
        rows += records;
    }
    // A column that has no gaps has no levels either.
    let all = values.len() == rows;
    let present = if all { Vec::new() } else { levels.iter().map(|&level| level > 0).collect() };
    Ok(Cells { present, values, rows })
}

impl<T> Cells<T> {
    /// One value per row; `gap` where there is none. Numbers that are what they were are not copied.
    fn spread<U: Copy>(&mut self, gap: U, of: impl FnMut(T) -> U) -> Vec<U> {
        let mut values = std::mem::take(&mut self.values).into_iter().map(of);
        if self.present.is_empty() {
            return values.collect();
        }
        let cell = |&present: &bool| if present { values.next().unwrap_or(gap) } else { gap };
        self.present.iter().map(cell).collect()
    }
}

fn whole<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    meaning: Whole,
    of: impl FnMut(T::T) -> i64,
) -> Result<(Batch, usize), ParquetError> {
    let mut cells = read(reader, count)?;
    Ok((Batch::whole(cells.spread(0, of), meaning, cells.present), cells.rows))
}

fn floats<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    of: impl FnMut(T::T) -> f64,
) -> Result<(Batch, usize), ParquetError> {
    let mut cells = read(reader, count)?;
    Ok((Batch::floats(cells.spread(f64::NAN, of)), cells.rows))
}

/// Cells whose text matters.
fn written<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    mut write: impl FnMut(&T::T, &mut Vec<u8>),
) -> Result<(Batch, usize), ParquetError> {
    let mut cells = read(reader, count)?;
    let mut words = Text::default();
    cells.values.iter().for_each(|value| words.push(|text| write(value, text)));
    let mut next = 0..;
    let codes = cells.spread(0, |_| next.next().unwrap_or(0));
    Ok((Batch::words(codes, Arc::new(Words::new(words)), cells.present, None), cells.rows))
}

/// Words. Those of a dictionary page all lie in one place, by which they are told apart.
fn words<T: DataType<T = ByteArray>>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    dictionary: u64,
) -> Result<(Batch, usize), ParquetError> {
    let mut cells = read(reader, count)?;
    let all = cells.values.len();
    let (mut words, mut known) = (Text::default(), HashMap::with_hasher(Spreads::default()));
    let codes = cells.spread(0, |value| {
        let word = value.data();
        *known.entry((word.as_ptr() as usize, word.len())).or_insert_with(|| {
            words.push(|text| text.extend_from_slice(word.trim_ascii()));
            words.len() as u32 - 1
        })
    });
    let often = 2 * words.len() <= all;
    Ok((
        Batch::words(
            codes,
            Arc::new(Words::new(words)),
            cells.present,
            often.then_some(dictionary),
        ),
        cells.rows,
    ))
}

fn put_wide(bytes: &[u8], scale: i32, text: &mut Vec<u8>) {
    match wide(bytes) {
        Some(value) => put_decimal(value, scale, text),
        // Beyond 38 digits: no finite number, which is then said.
        None => text.extend_from_slice(b"inf"),
    }
}

/// Whole numbers of up to 128 bits, most significant byte first.
fn wide(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|&first| first >= 0x80);
    let mut all = [if negative { 0xff } else { 0 }; 16];
    let start = 16_usize.checked_sub(bytes.len())?;
    all[start..].copy_from_slice(bytes);
    Some(i128::from_be_bytes(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_and_short_floats() {
        assert_eq!(
            [wide(&[0xff, 0xfe]), wide(&[1, 0]), wide(&[0; 17])],
            [Some(-2), Some(256), None]
        );
        assert_eq!([short(0.1), short(-3.0), short(1e30)], [0.1, -3.0, 1e30]);
        assert!(short(f32::NAN).is_nan() && short(f32::INFINITY) == f64::INFINITY);
    }
}
