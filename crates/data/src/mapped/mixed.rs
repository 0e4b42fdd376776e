//! Rows of numbers and categories read from a mapped file.

use super::file::{MappedFile, Written, take};
use super::format::{CHUNK, MIXED, MappedError, NOTHING, rows_in_chunk, stride};
use posterior::{DenseBlock, Indices, LevelCode, MixedBlock, MixedShape, Rows};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows of numbers and categories that stay on disk; the system keeps in memory what is in use.
#[derive(Debug)]
pub struct MappedMixed {
    // Invariant: every chunk can be parsed, and its codes are covariates or none.
    file: MappedFile,
    shape: Arc<MixedShape>,
}

/// The parts of a chunk.
struct Chunk<'a> {
    rows: usize,
    // The columns of numbers, the targets last, at this distance.
    numbers: &'a [f64],
    stride: usize,
    // The bytes of the codes, so many for each category and so many with their padding.
    codes: &'a [u8],
    size: usize,
    padded: usize,
    wide: bool,
}

impl MappedMixed {
    /// Opens a file made by [`crate::import_cells`] and checks it from end to end.
    pub fn open(path: &Path) -> Result<MappedMixed, MappedError> {
        MappedMixed::open_written(path, Written::Before)
    }

    /// The same; the sum of a file that this process has just written is not computed again.
    pub fn open_written(path: &Path, written: Written) -> Result<MappedMixed, MappedError> {
        let file = MappedFile::open(path, MIXED, written)?;
        let words = file.words.iter();
        let words: Option<Vec<Option<usize>>> = words
            .map(|&word| match word {
                NOTHING => Some(None),
                word => usize::try_from(word).ok().map(Some),
            })
            .collect();
        let shape = words.and_then(|mut numbers| {
            let factors = numbers.split_off(file.parts[0]);
            MixedShape::new(file.width, numbers, factors).ok()
        });
        let Some(shape) = shape else { return Err(file.malformed(file.chunks())) };
        let rows = MappedMixed { shape: Arc::new(shape), file };
        for index in 0..rows.file.chunks() {
            let (categories, width) = (rows.shape.factors().len(), rows.file.width);
            if !rows.chunk(index).is_some_and(|chunk| chunk.is_sound(categories, width)) {
                return Err(rows.file.malformed(index));
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

    /// Which covariates numbers and categories are.
    pub fn shape(&self) -> &MixedShape {
        &self.shape
    }

    fn chunk(&self, index: usize) -> Option<Chunk<'_>> {
        let rows = rows_in_chunk(self.file.rows, index);
        let stride = stride(rows);
        let mut rest = self.file.chunk(index);
        let numbers = stride.checked_mul(8)?.checked_mul(self.shape.numbers().len() + 1)?;
        let numbers = bytemuck::try_cast_slice(take(&mut rest, numbers)?).ok()?;
        let wide = self.shape.is_wide();
        let size = rows * if wide { 4 } else { 2 };
        let padded = size.next_multiple_of(8);
        let codes = take(&mut rest, padded.checked_mul(self.shape.factors().len())?)?;
        Some(Chunk { rows, numbers, stride, codes, size, padded, wide })
    }

    fn parsed(&self, index: usize) -> Chunk<'_> {
        self.chunk(index).expect("chunks were parsed when opening")
    }

    /// Writes some rows of a chunk to consecutive places of a block.
    fn copy(&self, chunk: &Chunk<'_>, block: &mut MixedBlock, to: usize, rows: &[usize]) {
        for j in 0..=self.shape.numbers().len() {
            let from = &chunk.numbers[j * chunk.stride..][..chunk.rows];
            let to = &mut column_mut(block.numbers_mut(), j)[to..];
            to.iter_mut().zip(rows).for_each(|(to, &row)| *to = from[row]);
        }
        for category in 0..self.shape.factors().len() {
            let codes = chunk.codes(category);
            block.set_codes(category, to..to + rows.len(), codes, rows.iter().copied());
        }
    }
}

impl<'a> Chunk<'a> {
    /// The codes of a category. Chunks start at multiples of 64 bytes, and their parts at multiples of 8.
    fn codes(&self, category: usize) -> Indices<'a> {
        let bytes = &self.codes[category * self.padded..][..self.size];
        match self.wide {
            false => Indices::Narrow(bytemuck::cast_slice(bytes)),
            true => Indices::Wide(bytemuck::cast_slice(bytes)),
        }
    }

    fn is_sound(&self, categories: usize, width: usize) -> bool {
        fn sound<C: LevelCode + PartialEq>(codes: &[C], width: usize) -> bool {
            codes.iter().all(|&code| code == C::NONE || code.index() < width)
        }
        (0..categories).all(|category| match self.codes(category) {
            Indices::Narrow(codes) => sound(codes, width),
            Indices::Wide(codes) => sound(codes, width),
        })
    }
}

/// Column j of a block, the target after the last number.
fn column_mut(block: &mut DenseBlock, j: usize) -> &mut [f64] {
    if j == block.width() { block.targets_mut() } else { block.column_mut(j) }
}

impl Rows for MappedMixed {
    type Block = MixedBlock;

    fn count(&self) -> usize {
        self.file.rows
    }

    fn gather(&self, indices: &[usize]) -> MixedBlock {
        let mut block = MixedBlock::zeros(Arc::clone(&self.shape), indices.len());
        let mut at = 0;
        let mut places = Vec::new();
        while at < indices.len() {
            let index = indices[at] / CHUNK;
            places.clear();
            for &row in indices[at..].iter().take_while(|&&row| row / CHUNK == index) {
                assert!(row < self.file.rows, "row {row} of {} was asked for", self.file.rows);
                places.push(row % CHUNK);
            }
            self.copy(&self.parsed(index), &mut block, at, &places);
            at += places.len();
        }
        block
    }

    fn range(&self, range: Range<usize>) -> MixedBlock {
        assert!(range.end <= self.file.rows, "rows {range:?} of {} were asked for", self.file.rows);
        let mut block = MixedBlock::zeros(Arc::clone(&self.shape), range.len());
        let mut row = range.start;
        while row < range.end {
            let size = (CHUNK - row % CHUNK).min(range.end - row);
            let places: Vec<usize> = (row % CHUNK..row % CHUNK + size).collect();
            self.copy(&self.parsed(row / CHUNK), &mut block, row - range.start, &places);
            row += size;
        }
        block
    }
}
