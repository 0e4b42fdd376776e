//! Sparse rows read from a mapped file.

use super::file::{MappedFile, Written, take};
use super::format::{CHUNK, MappedError, SPARSE, rows_in_chunk};
use posterior::{Column, Indices, Rows, SparseBlock};
use std::path::Path;

/// Sparse rows that stay on disk; the system keeps in memory what is in use.
#[derive(Debug)]
pub struct MappedSparse {
    // Invariant: every chunk can be parsed, and its columns grow strictly below the width.
    file: MappedFile,
    binary: bool,
}

/// The parts of a chunk.
struct Chunk<'a> {
    offsets: &'a [u32],
    targets: &'a [f64],
    // Empty where every value is one.
    values: &'a [f64],
    columns: Indices<'a>,
}

impl MappedSparse {
    /// Opens a file made by [`crate::import_libsvm`] and checks it from end to end.
    pub fn open(path: &Path) -> Result<MappedSparse, MappedError> {
        MappedSparse::open_written(path, Written::Before)
    }

    /// The same; the sum of a file that this process has just written is not computed again.
    pub fn open_written(path: &Path, written: Written) -> Result<MappedSparse, MappedError> {
        let mut rows =
            MappedSparse { file: MappedFile::open(path, SPARSE, written)?, binary: true };
        for index in 0..rows.file.chunks() {
            match rows.chunk(index).filter(|chunk| chunk.is_sound(rows.file.width)) {
                Some(chunk) => rows.binary &= chunk.values.is_empty(),
                None => return Err(rows.file.malformed(index)),
            }
        }
        Ok(rows)
    }

    /// The sum of the bytes, checked when the file was opened.
    pub fn sha256(&self) -> &str {
        &self.file.sha256
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.file.width
    }

    /// Whether every entry is a one.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    fn chunk(&self, index: usize) -> Option<Chunk<'_>> {
        let rows = rows_in_chunk(self.file.rows, index);
        let mut rest = self.file.chunk(index);
        let sizes: [u64; 2] = *bytemuck::try_from_bytes(take(&mut rest, 16)?).ok()?;
        let entries = usize::try_from(sizes[0]).ok()?;
        let values = if sizes[1] == 0 { 0 } else { entries };
        let offsets = bytemuck::try_cast_slice(take(&mut rest, 4 * (rows + 1))?).ok()?;
        take(&mut rest, (rows + 1) % 2 * 4)?;
        let targets = bytemuck::try_cast_slice(take(&mut rest, 8 * rows)?).ok()?;
        let values = bytemuck::try_cast_slice(take(&mut rest, values.checked_mul(8)?)?).ok()?;
        let wide = self.file.width > SparseBlock::NARROW;
        let columns = take(&mut rest, entries.checked_mul(if wide { 4 } else { 2 })?)?;
        let columns = match wide {
            false => Indices::Narrow(bytemuck::try_cast_slice(columns).ok()?),
            true => Indices::Wide(bytemuck::try_cast_slice(columns).ok()?),
        };
        Some(Chunk { offsets, targets, values, columns })
    }
}

impl Chunk<'_> {
    fn is_sound(&self, width: usize) -> bool {
        match self.columns {
            Indices::Narrow(columns) => sound(self.offsets, columns, width),
            Indices::Wide(columns) => sound(self.offsets, columns, width),
        }
    }
}

fn sound<C: Column + PartialOrd>(offsets: &[u32], columns: &[C], width: usize) -> bool {
    let starts = offsets[0] == 0;
    let ends = *offsets.last().expect("there is one more than rows") as usize;
    let grows = |columns: &[C]| {
        columns.windows(2).all(|pair| pair[0] < pair[1])
            && columns.last().is_none_or(|last| last.index() < width)
    };
    u32::try_from(width).is_ok()
        && starts
        && ends == columns.len()
        && offsets
            .windows(2)
            .all(|pair| columns.get(pair[0] as usize..pair[1] as usize).is_some_and(grows))
}

impl Rows for MappedSparse {
    type Block = SparseBlock;

    fn count(&self) -> usize {
        self.file.rows
    }

    fn gather(&self, indices: &[usize]) -> SparseBlock {
        let mut block = SparseBlock::new(self.file.width);
        let mut ones = Vec::new();
        for &row in indices {
            assert!(row < self.file.rows, "row {row} of {} was asked for", self.file.rows);
            let chunk = self.chunk(row / CHUNK).expect("chunks were parsed when opening");
            let at = row % CHUNK;
            let entries = chunk.offsets[at] as usize..chunk.offsets[at + 1] as usize;
            let values = if self.binary {
                &[]
            } else if chunk.values.is_empty() {
                ones.resize(entries.len(), 1.0);
                &ones[..]
            } else {
                &chunk.values[entries.clone()]
            };
            block.append(chunk.columns.range(entries), values, chunk.targets[at]);
        }
        block
    }
}
