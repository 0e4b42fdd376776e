//! Tables of FlatBuffers, as far as Arrow's metadata needs them: a table starts with the distance back to
//! its list of fields, which says where each field is, zero if it is not there. Nothing means damage.

/// A table within a buffer.
#[derive(Clone, Copy)]
pub(super) struct Flat<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// `size` bytes from `at` on.
pub(super) fn bytes<const SIZE: usize>(buffer: &[u8], at: usize) -> Option<[u8; SIZE]> {
    buffer.get(at..at.checked_add(SIZE)?)?.try_into().ok()
}

fn word(buffer: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes(buffer, at)?)).ok()
}

impl<'a> Flat<'a> {
    /// The outermost table.
    pub fn root(bytes: &'a [u8]) -> Option<Flat<'a>> {
        Some(Flat { bytes, at: word(bytes, 0)? })
    }

    /// Where a field is; nothing within if it is not there.
    fn field(&self, index: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(bytes(self.bytes, self.at)?);
        let list = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let size = usize::from(u16::from_le_bytes(bytes(self.bytes, list)?));
        let slot = 4 + 2 * index;
        if slot + 2 > size {
            return Some(None);
        }
        let distance = usize::from(u16::from_le_bytes(bytes(self.bytes, list + slot)?));
        Some((distance > 0).then_some(self.at + distance))
    }

    /// What a field points to.
    fn target(&self, index: usize) -> Option<Option<usize>> {
        match self.field(index)? {
            Some(at) => Some(Some(at.checked_add(word(self.bytes, at)?)?)),
            None => Some(None),
        }
    }

    /// A number of so many bytes.
    pub fn number<const SIZE: usize>(&self, index: usize, default: i64) -> Option<i64> {
        let Some(at) = self.field(index)? else { return Some(default) };
        let found: [u8; SIZE] = bytes(self.bytes, at)?;
        let negative = found[SIZE - 1] >= 0x80 && SIZE > 1;
        let mut all = [if negative { 0xff } else { 0 }; 8];
        all[..SIZE].copy_from_slice(&found);
        Some(i64::from_le_bytes(all))
    }

    /// A table, if it is there.
    pub fn table(&self, index: usize) -> Option<Option<Flat<'a>>> {
        Some(self.target(index)?.map(|at| Flat { bytes: self.bytes, at }))
    }

    /// A string; empty if it is not there.
    pub fn text(&self, index: usize) -> Option<&'a [u8]> {
        match self.target(index)? {
            Some(at) => self.bytes.get(at + 4..(at + 4).checked_add(word(self.bytes, at)?)?),
            None => Some(b""),
        }
    }

    /// A list of structs of so many bytes; empty if it is not there.
    pub fn structs(&self, index: usize, size: usize) -> Option<Vec<&'a [u8]>> {
        let Some(at) = self.target(index)? else { return Some(Vec::new()) };
        let length = word(self.bytes, at)?.checked_mul(size)?;
        let all = self.bytes.get(at + 4..(at + 4).checked_add(length)?)?;
        Some(all.chunks_exact(size).collect())
    }

    /// A list of tables; empty if it is not there.
    pub fn tables(&self, index: usize) -> Option<Vec<Flat<'a>>> {
        let Some(start) = self.target(index)? else { return Some(Vec::new()) };
        let offsets = self.structs(index, 4)?;
        let table = |(which, offset): (usize, &&[u8])| {
            let at = (start + 4 + 4 * which).checked_add(word(offset, 0)?)?;
            Some(Flat { bytes: self.bytes, at })
        };
        offsets.iter().enumerate().map(table).collect()
    }
}
