//! The buffers of a batch: where they are in the body of a message, and what is in them.

use super::flat::{Flat, bytes};
use super::schema::{Field, Size};
use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

/// The most bytes that one compressed buffer may become.
const LARGEST: u64 = 1 << 33;

/// A batch of rows, or the words of a dictionary.
pub(super) struct Body<'a> {
    pub rows: usize,
    bytes: &'a [u8],
    // Rows and gaps of every node; offset and length of every buffer.
    nodes: Vec<&'a [u8]>,
    buffers: Vec<&'a [u8]>,
    views: Vec<&'a [u8]>,
    // 0 for LZ4, 1 for Zstandard.
    codec: Option<i64>,
}

/// The buffers of one column.
pub(super) struct Buffers<'a> {
    /// One bit per row; nothing if no cell is a gap.
    pub validity: Option<Cow<'a, [u8]>>,
    /// What is in it.
    pub parts: Vec<Cow<'a, [u8]>>,
}

impl<'a> Body<'a> {
    pub fn new(batch: Flat<'a>, bytes: &'a [u8]) -> Option<Body<'a>> {
        let codec = match batch.table(3)? {
            Some(compression) => Some(compression.number::<1>(0, 0)?),
            None => None,
        };
        Some(Body {
            rows: usize::try_from(batch.number::<8>(0, 0)?).ok()?,
            bytes,
            nodes: batch.structs(1, 16)?,
            buffers: batch.structs(2, 16)?,
            views: batch.structs(4, 8)?,
            codec,
        })
    }

    /// The buffers of a column, which stands behind all that `before` takes.
    pub fn column(&self, field: &Field, before: Size, own: Size) -> Option<Buffers<'a>> {
        let node = self.nodes.get(before.nodes)?;
        let gaps = i64::from_le_bytes(bytes(node, 8)?);
        let rows = usize::try_from(i64::from_le_bytes(bytes(node, 0)?)).ok()?;
        if rows != self.rows {
            return None;
        }
        let first = before.buffers + self.in_views(0, before.views)?;
        let count = own.buffers + self.in_views(before.views, own.views)?;
        if field.size.nodes > 1 || count == 0 {
            return Some(Buffers { validity: None, parts: Vec::new() });
        }
        let validity = match gaps {
            0 => None,
            _ => Some(self.buffer(first)?).filter(|bits| !bits.is_empty()),
        };
        let parts = (first + 1..first + count).map(|index| self.buffer(index));
        Some(Buffers { validity, parts: parts.collect::<Option<_>>()? })
    }

    /// Buffers of some columns of views, beside those that all columns have.
    fn in_views(&self, first: usize, count: usize) -> Option<usize> {
        let mut buffers = 0_usize;
        for view in self.views.get(first..first + count)? {
            buffers =
                buffers.checked_add(usize::try_from(i64::from_le_bytes(bytes(view, 0)?)).ok()?)?;
        }
        Some(buffers)
    }

    fn buffer(&self, index: usize) -> Option<Cow<'a, [u8]>> {
        let place = self.buffers.get(index)?;
        let offset = usize::try_from(i64::from_le_bytes(bytes(place, 0)?)).ok()?;
        let length = usize::try_from(i64::from_le_bytes(bytes(place, 8)?)).ok()?;
        let all = self.bytes.get(offset..offset.checked_add(length)?)?;
        let (Some(codec), false) = (self.codec, all.is_empty()) else {
            return Some(Cow::Borrowed(all));
        };
        let size = i64::from_le_bytes(bytes(all, 0)?);
        if size == -1 {
            return Some(Cow::Borrowed(&all[8..]));
        }
        let size = u64::try_from(size).ok().filter(|&size| size <= LARGEST)?;
        let mut unpacked = Vec::new();
        let packed = &all[8..];
        match codec {
            0 => lz4_flex::frame::FrameDecoder::new(packed)
                .take(size + 1)
                .read_to_end(&mut unpacked)
                .ok()?,
            1 => zstd::stream::read::Decoder::new(packed)
                .ok()?
                .take(size + 1)
                .read_to_end(&mut unpacked)
                .ok()?,
            _ => return None,
        };
        (unpacked.len() as u64 == size).then_some(Cow::Owned(unpacked))
    }
}

/// Buffers between two uses: where they are in the map, or what they were unpacked to.
pub(super) struct Kept {
    validity: Option<Part>,
    parts: Vec<Part>,
}

enum Part {
    Mapped(Range<usize>),
    Unpacked(Vec<u8>),
}

impl Kept {
    pub fn new(buffers: Buffers<'_>, map: &[u8]) -> Kept {
        let part = |part: Cow<'_, [u8]>| match part {
            Cow::Borrowed(bytes) => {
                let start = bytes.as_ptr() as usize - map.as_ptr() as usize;
                Part::Mapped(start..start + bytes.len())
            }
            Cow::Owned(bytes) => Part::Unpacked(bytes),
        };
        let validity = buffers.validity.map(part);
        Kept { validity, parts: buffers.parts.into_iter().map(part).collect() }
    }

    pub fn get<'a>(&'a self, map: &'a [u8]) -> Buffers<'a> {
        let part = |part: &'a Part| match part {
            Part::Mapped(range) => Cow::Borrowed(&map[range.clone()]),
            Part::Unpacked(bytes) => Cow::Borrowed(&bytes[..]),
        };
        let validity = self.validity.as_ref().map(part);
        Buffers { validity, parts: self.parts.iter().map(part).collect() }
    }
}
