//! Dense rows read from a mapped file.

use super::file::{MappedFile, Written};
use super::format::{CHUNK, DENSE, MappedError, rows_in_chunk, stride};
use posterior::{DenseBlock, Rows};
use std::ops::Range;
use std::path::Path;

/// Dense rows that stay on disk; the system keeps in memory what is in use.
#[derive(Debug)]
pub struct MappedDense {
    // Invariant: every chunk holds width + 1 columns.
    file: MappedFile,
}

impl MappedDense {
    /// Opens a file made by [`crate::import_table`] and checks it from end to end.
    pub fn open(path: &Path) -> Result<MappedDense, MappedError> {
        MappedDense::open_written(path, Written::Before)
    }

    /// The same; the sum of a file that this process has just written is not computed again.
    pub fn open_written(path: &Path, written: Written) -> Result<MappedDense, MappedError> {
        let file = MappedFile::open(path, DENSE, written)?;
        for chunk in 0..file.chunks() {
            let stride = stride(rows_in_chunk(file.rows, chunk));
            let size = file.width.checked_add(1).and_then(|width| width.checked_mul(8 * stride));
            if size.is_none_or(|size| size > file.chunk(chunk).len()) {
                return Err(file.malformed(chunk));
            }
        }
        Ok(MappedDense { file })
    }

    /// The sum of the bytes, checked when the file was opened.
    pub fn sha256(&self) -> &str {
        &self.file.sha256
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.file.width
    }

    /// The columns of a chunk, the targets last, and the distance between them.
    fn columns(&self, chunk: usize) -> (&[f64], usize) {
        let stride = stride(rows_in_chunk(self.file.rows, chunk));
        let bytes = &self.file.chunk(chunk)[..8 * stride * (self.file.width + 1)];
        (bytemuck::cast_slice(bytes), stride)
    }
}

/// Column j of a block, the target after the last covariate.
fn column_mut(block: &mut DenseBlock, j: usize) -> &mut [f64] {
    if j == block.width() { block.targets_mut() } else { block.column_mut(j) }
}

impl Rows for MappedDense {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.file.rows
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), self.file.width);
        for (to, &row) in indices.iter().enumerate() {
            assert!(row < self.file.rows, "row {row} of {} was asked for", self.file.rows);
            let (values, stride) = self.columns(row / CHUNK);
            for j in 0..=self.file.width {
                column_mut(&mut block, j)[to] = values[j * stride + row % CHUNK];
            }
        }
        block
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        assert!(range.end <= self.file.rows, "rows {range:?} of {} were asked for", self.file.rows);
        let mut block = DenseBlock::zeros(range.len(), self.file.width);
        let mut row = range.start;
        while row < range.end {
            let (values, stride) = self.columns(row / CHUNK);
            let size = (CHUNK - row % CHUNK).min(range.end - row);
            for j in 0..=self.file.width {
                column_mut(&mut block, j)[row - range.start..][..size]
                    .copy_from_slice(&values[j * stride + row % CHUNK..][..size]);
            }
            row += size;
        }
        block
    }
}
