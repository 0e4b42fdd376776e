//! One column of a row group, a batch of cells at a time, as the text that a CSV of it would hold.

use super::kind::ParquetKind;
use crate::readers::calendar::calendar;
use crate::readers::decimal::put_number;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray};
use parquet::errors::ParquetError;
use std::io::Write;

const DAY: i64 = 86_400;

/// A batch of cells in one buffer: cell i ends at `ends[i]`; gaps are empty.
#[derive(Default)]
pub(super) struct Batch {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Batch {
    /// A cell.
    pub fn cell(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.text[start..self.ends[row]]
    }

    /// Overwrites the batch with the next `count` cells; gives how many there were.
    pub fn fill(
        &mut self,
        reader: &mut ColumnReader,
        kind: &ParquetKind,
        count: usize,
    ) -> Result<usize, ParquetError> {
        self.text.clear();
        self.ends.clear();
        let whole = |value: i64, text: &mut Vec<u8>| match kind {
            ParquetKind::Date => put_day(value, text),
            ParquetKind::Timestamp { parts } => put_time(value, *parts, text),
            ParquetKind::Decimal { scale } => put_decimal(i128::from(value), *scale, text),
            ParquetKind::Whole { signed: false } => put(value as u64, text),
            _ => put(value, text),
        };
        let bytes = |value: &[u8], text: &mut Vec<u8>| match kind {
            ParquetKind::Decimal { scale } => match wide(value) {
                Some(value) => put_decimal(value, *scale, text),
                // Beyond 38 digits: no finite number, which is then said.
                None => text.extend_from_slice(b"inf"),
            },
            _ => text.extend_from_slice(value.trim_ascii()),
        };
        match reader {
            ColumnReader::BoolColumnReader(it) => {
                self.read(it, count, |&value, text| put(u8::from(value), text))
            }
            ColumnReader::Int32ColumnReader(it) => {
                self.read(it, count, |&value, text| match kind {
                    ParquetKind::Whole { signed: false } => put(value as u32, text),
                    _ => whole(i64::from(value), text),
                })
            }
            ColumnReader::Int64ColumnReader(it) => {
                self.read(it, count, |&value, text| whole(value, text))
            }
            ColumnReader::Int96ColumnReader(it) => {
                self.read(it, count, |value, text| whole(value.to_micros(), text))
            }
            ColumnReader::FloatColumnReader(it) => self.read(it, count, |&value, text| {
                // The shortest decimal of 32 bits, which is what a CSV would say.
                if !value.is_nan() {
                    put(value, text);
                }
            }),
            ColumnReader::DoubleColumnReader(it) => {
                self.read(it, count, |&value, text| put_number(value, text))
            }
            ColumnReader::ByteArrayColumnReader(it) => {
                self.read(it, count, |value: &ByteArray, text| bytes(value.data(), text))
            }
            ColumnReader::FixedLenByteArrayColumnReader(it) => {
                self.read(it, count, |value: &FixedLenByteArray, text| bytes(value.data(), text))
            }
        }
    }

    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        count: usize,
        mut write: impl FnMut(&T::T, &mut Vec<u8>),
    ) -> Result<usize, ParquetError> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut read = 0;
        while read < count {
            let (records, _, _) =
                reader.read_records(count - read, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                break;
            }
            read += records;
        }
        // A column that has no gaps has no levels either.
        let mut values = values.iter();
        for row in 0..read {
            if levels.get(row).is_none_or(|&level| level > 0)
                && let Some(value) = values.next()
            {
                write(value, &mut self.text);
            }
            self.ends.push(self.text.len());
        }
        Ok(read)
    }
}

fn put(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    write!(text, "{value}").expect("memory takes all");
}

/// Whole numbers of up to 128 bits, most significant byte first.
fn wide(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|&first| first >= 0x80);
    let mut all = [if negative { 0xff } else { 0 }; 16];
    let start = 16_usize.checked_sub(bytes.len())?;
    all[start..].copy_from_slice(bytes);
    Some(i128::from_be_bytes(all))
}

fn put_decimal(value: i128, scale: i32, text: &mut Vec<u8>) {
    let Ok(scale @ 1..) = usize::try_from(scale) else { return put(value, text) };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    put(format_args!("{sign}{whole}.{part}"), text);
}

fn put_day(days: i64, text: &mut Vec<u8>) {
    let (year, month, day) = calendar(days);
    match u64::try_from(year) {
        Ok(year @ 0..10_000) => {
            put_two(year / 100, text);
            put_two(year % 100, text);
        }
        _ => put(year, text),
    }
    text.push(b'-');
    put_two(month as u64, text);
    text.push(b'-');
    put_two(day as u64, text);
}

/// Two digits: times are many, and formats are slow.
fn put_two(value: u64, text: &mut Vec<u8>) {
    text.extend([b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]);
}

fn put_time(value: i64, parts: i64, text: &mut Vec<u8>) {
    let (seconds, rest) = (value.div_euclid(parts), value.rem_euclid(parts));
    put_day(seconds.div_euclid(DAY), text);
    let second = seconds.rem_euclid(DAY) as u64;
    for (sign, two) in [(b'T', second / 3600), (b':', second / 60 % 60), (b':', second % 60)] {
        text.push(sign);
        put_two(two, text);
    }
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
        assert_eq!(
            [wide(&[0xff, 0xfe]), wide(&[1, 0]), wide(&[0; 17])],
            [Some(-2), Some(256), None]
        );
    }
}
