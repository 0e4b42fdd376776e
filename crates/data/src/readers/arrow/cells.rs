//! From the buffers of a column to a batch of cells.

use super::body::Buffers;
use super::flat::bytes;
use super::schema::Layout;
use crate::readers::batch::{Batch, Text, Whole, Words, put_decimal, short};
use crate::readers::stored::StoredKind;
use std::ops::Range;
use std::sync::Arc;

/// Some rows of a column; nothing if the buffers are damaged.
pub(super) fn cells(
    buffers: &Buffers<'_>,
    layout: Layout,
    kind: &StoredKind,
    dictionary: Option<&(Arc<Words>, u64)>,
    rows: Range<usize>,
) -> Option<Batch> {
    let present = buffers.present(rows.clone())?;
    let is_there = |row: usize| present.is_empty() || present[row - rows.start];
    let count = rows.len();
    if layout == Layout::Nothing {
        return Some(Batch::floats(vec![f64::NAN; count]));
    }
    if let Layout::Text { .. } | Layout::Views = layout {
        let (mut words, mut codes) = (Text::default(), Vec::with_capacity(count));
        for row in rows.clone() {
            codes.push(words.len() as u32);
            let word = if is_there(row) { buffers.text(layout, row)? } else { b"" };
            words.push(|text| text.extend_from_slice(word.trim_ascii()));
        }
        return Some(Batch::words(codes, Arc::new(Words::new(words)), present, None));
    }
    let data = buffers.parts.first()?;
    if let Layout::Float { bytes: size } = layout {
        let value = |row: usize| match size {
            _ if !is_there(row) => Some(f64::NAN),
            4 => Some(short(f32::from_le_bytes(bytes(data, 4 * row)?))),
            _ => Some(f64::from_le_bytes(bytes(data, 8 * row)?)),
        };
        return Some(Batch::floats(rows.clone().map(value).collect::<Option<_>>()?));
    }
    let whole = |row: usize| -> Option<i128> {
        match layout {
            Layout::Bits => Some(i128::from(data.get(row / 8)? >> (row % 8) & 1)),
            Layout::Whole { bytes: size, signed } => whole(data, row, size, signed),
            _ => None,
        }
    };
    if let StoredKind::Decimal { scale } = kind {
        let (mut words, mut codes) = (Text::default(), Vec::with_capacity(count));
        for row in rows.clone() {
            codes.push(words.len() as u32);
            let value = whole(row)?;
            words.push(|text| put_decimal(value, *scale, text));
        }
        return Some(Batch::words(codes, Arc::new(Words::new(words)), present, None));
    }
    if let Some((words, number)) = dictionary {
        let code = |row: usize| match is_there(row) {
            true => u32::try_from(whole(row)?).ok().filter(|&code| (code as usize) < words.len()),
            // A gap may have any code, and there may be no word at all.
            false => Some(0),
        };
        let codes = rows.clone().map(code).collect::<Option<_>>()?;
        return Some(Batch::words(codes, Arc::clone(words), present, Some(*number)));
    }
    let meaning = match kind {
        StoredKind::Date => Whole::Days,
        StoredKind::Timestamp { parts } => Whole::Times(*parts),
        StoredKind::Whole { signed: false } => Whole::Unsigned,
        _ => Whole::Signed,
    };
    let values = rows.clone().map(|row| Some(whole(row)? as i64)).collect::<Option<_>>()?;
    Some(Batch::whole(values, meaning, present))
}

/// The words of a dictionary behind those that are known.
pub(super) fn add_words(
    buffers: &Buffers<'_>,
    layout: Layout,
    rows: usize,
    words: &mut Text,
) -> Option<()> {
    let present = buffers.present(0..rows)?;
    for row in 0..rows {
        let there = present.is_empty() || present[row];
        let word = if there { buffers.text(layout, row)? } else { b"" };
        words.push(|text| text.extend_from_slice(word.trim_ascii()));
    }
    Some(())
}

fn whole(data: &[u8], row: usize, size: usize, signed: bool) -> Option<i128> {
    let all = data.get(row.checked_mul(size)?..)?.get(..size)?;
    let negative = signed && all.last().is_some_and(|&last| last >= 0x80);
    let mut wide = [if negative { 0xff } else { 0 }; 16];
    wide[..size].copy_from_slice(all);
    Some(i128::from_le_bytes(wide))
}

impl Buffers<'_> {
    /// Whether each cell is there; empty if all are.
    fn present(&self, rows: Range<usize>) -> Option<Vec<bool>> {
        let Some(bits) = &self.validity else { return Some(Vec::new()) };
        rows.map(|row| Some(bits.get(row / 8)? >> (row % 8) & 1 == 1)).collect()
    }

    fn text(&self, layout: Layout, row: usize) -> Option<&[u8]> {
        let first = self.parts.first()?;
        match layout {
            Layout::Text { bytes: size } => {
                let offset = |row| usize::try_from(whole(first, row, size, true)?).ok();
                self.parts.get(1)?.get(offset(row)?..offset(row + 1)?)
            }
            // Length and twelve bytes; or length, four bytes, buffer and offset.
            Layout::Views => {
                let view: [u8; 16] = bytes(first, row.checked_mul(16)?)?;
                let number =
                    |at: usize| usize::try_from(i32::from_le_bytes(bytes(&view, at)?)).ok();
                let size = number(0)?;
                if size <= 12 {
                    let at = row * 16 + 4;
                    return first.get(at..at + size);
                }
                let (buffer, offset) = (number(8)?, number(12)?);
                self.parts.get(buffer + 1)?.get(offset..offset.checked_add(size)?)
            }
            _ => None,
        }
    }
}
