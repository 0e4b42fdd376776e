//! Sparse rows: which columns are set, and to what where it is not one.

use crate::Block;
use std::ops::Range;

/// n rows of d covariates, most of them zero, and one target each.
///
/// Row i holds the columns `indices[offsets[i]..offsets[i + 1]]`, counted from zero and strictly
/// growing. Binary data has no `values`: a pattern says it all, in two bytes an entry, or in four if
/// there are more than 65 536 columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseBlock {
    width: usize,
    // Invariant: rows + 1 entries, starts at zero, never falls, ends at indices.len().
    offsets: Vec<u32>,
    // Invariant: below width, strictly growing within a row.
    indices: Store,
    // Invariant: empty for binary rows, else one for each index.
    values: Vec<f64>,
    targets: Vec<f64>,
}

/// Columns in as few bytes as their number allows.
#[derive(Clone, Debug, PartialEq)]
enum Store {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Default for Store {
    fn default() -> Store {
        Store::Narrow(Vec::new())
    }
}

/// The columns of some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices<'a> {
    /// Of at most [`SparseBlock::NARROW`].
    Narrow(&'a [u16]),
    /// Of more.
    Wide(&'a [u32]),
}

/// A column as it is kept.
pub trait Column: Copy {
    /// Its number, counted from zero.
    fn index(self) -> usize;
}

impl Column for u16 {
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Column for u32 {
    fn index(self) -> usize {
        self as usize
    }
}

impl<'a> Indices<'a> {
    /// The column of an entry.
    pub fn get(self, entry: usize) -> usize {
        match self {
            Indices::Narrow(columns) => columns[entry].index(),
            Indices::Wide(columns) => columns[entry].index(),
        }
    }

    /// The number of entries.
    pub fn len(self) -> usize {
        match self {
            Indices::Narrow(columns) => columns.len(),
            Indices::Wide(columns) => columns.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = usize> + 'a {
        (0..self.len()).map(move |entry| self.get(entry))
    }

    /// Those of some entries.
    pub fn range(self, entries: Range<usize>) -> Indices<'a> {
        match self {
            Indices::Narrow(columns) => Indices::Narrow(&columns[entries]),
            Indices::Wide(columns) => Indices::Wide(&columns[entries]),
        }
    }
}

impl SparseBlock {
    /// Columns that two bytes tell apart.
    pub const NARROW: usize = 1 << 16;

    /// An empty block for rows of this many covariates.
    ///
    /// # Panics
    /// If the width does not fit into 32 bits.
    pub fn new(width: usize) -> SparseBlock {
        assert!(
            u32::try_from(width).is_ok(),
            "column indices are kept in 32 bits, and {width} columns need more"
        );
        let indices = if width > Self::NARROW { Store::Wide(Vec::new()) } else { Store::default() };
        SparseBlock { width, offsets: vec![0], indices, ..SparseBlock::default() }
    }

    /// Appends a row; `values` is empty for a binary row, in a block of binary rows.
    ///
    /// # Panics
    /// If the columns do not grow strictly below the width, or values are given for some rows only.
    pub fn push(&mut self, indices: &[u16], values: &[f64], target: f64) {
        self.append(Indices::Narrow(indices), values, target);
    }

    /// The same for columns of either kind.
    ///
    /// # Panics
    /// As [`SparseBlock::push`].
    pub fn append(&mut self, indices: Indices<'_>, values: &[f64], target: f64) {
        fn grow<C: Column + PartialOrd>(columns: &[C], width: usize) {
            assert!(
                columns.windows(2).all(|pair| pair[0] < pair[1]),
                "columns must grow within a row"
            );
            assert!(columns.last().is_none_or(|last| last.index() < width), "column too large");
        }
        match indices {
            Indices::Narrow(columns) => grow(columns, self.width),
            Indices::Wide(columns) => grow(columns, self.width),
        }
        match (&mut self.indices, indices) {
            (Store::Narrow(all), Indices::Narrow(columns)) => all.extend_from_slice(columns),
            (Store::Wide(all), Indices::Wide(columns)) => all.extend_from_slice(columns),
            (Store::Wide(all), Indices::Narrow(columns)) => {
                all.extend(columns.iter().map(|&column| u32::from(column)));
            }
            // All of them are below the width, which fits.
            (Store::Narrow(all), Indices::Wide(columns)) => {
                all.extend(columns.iter().map(|&column| column as u16));
            }
        }
        self.values.extend_from_slice(values);
        let entries = self.indices().len();
        assert!(
            self.values.is_empty() || self.values.len() == entries,
            "a block is binary in all rows or in none"
        );
        self.offsets.push(u32::try_from(entries).expect("a block has fewer than 2³² entries"));
        self.targets.push(target);
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether every entry is a one.
    pub fn is_binary(&self) -> bool {
        self.values.is_empty()
    }

    /// Where each row starts in [`SparseBlock::indices`], and the end.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The columns of all rows, one row after the other.
    pub fn indices(&self) -> Indices<'_> {
        match &self.indices {
            Store::Narrow(columns) => Indices::Narrow(columns),
            Store::Wide(columns) => Indices::Wide(columns),
        }
    }

    /// The values of all rows, one row after the other; empty for binary rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The target of each row.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The target of each row, to be written.
    pub fn targets_mut(&mut self) -> &mut [f64] {
        &mut self.targets
    }

    /// The first so many columns, and each of the others by itself.
    ///
    /// # Panics
    /// If there are fewer columns than that.
    pub fn split_columns(self, width: usize) -> (SparseBlock, Vec<Vec<f64>>) {
        assert!(width <= self.width, "{width} columns of {}", self.width);
        if width == self.width {
            return (self, Vec::new());
        }
        let mut first = SparseBlock::new(width);
        let mut others = vec![vec![0.0; self.targets.len()]; self.width - width];
        for (row, &target) in self.targets.iter().enumerate() {
            let (start, end) = (self.offsets[row] as usize, self.offsets[row + 1] as usize);
            let indices = self.indices().range(start..end);
            let kept = indices.iter().take_while(|&index| index < width).count();
            let value = |entry: usize| self.values.get(start + entry).copied().unwrap_or(1.0);
            for (entry, index) in indices.iter().enumerate().skip(kept) {
                others[index - width][row] = value(entry);
            }
            let values = self.values.get(start..start + kept).unwrap_or(&[]);
            first.append(indices.range(0..kept), values, target);
        }
        (first, others)
    }
}

impl Block for SparseBlock {
    fn rows(&self) -> usize {
        self.targets.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_split_off() {
        let (mut valued, mut binary) = (SparseBlock::new(4), SparseBlock::new(4));
        for indices in [&[0u16, 2][..], &[], &[1, 2, 3]] {
            let values: Vec<f64> = indices.iter().map(|&j| 2.0 + f64::from(j)).collect();
            valued.push(indices, &values, 7.0);
            binary.push(indices, &[], 7.0);
        }
        let (first, others) = valued.split_columns(2);
        assert_eq!((first.offsets(), first.values()), (&[0, 1, 1, 2][..], &[2.0, 3.0][..]));
        assert_eq!(others, [[4.0, 0.0, 4.0], [0.0, 0.0, 5.0]]);
        let (first, others) = binary.split_columns(2);
        assert_eq!((first.indices().iter().collect(), first.is_binary()), (vec![0, 1], true));
        assert_eq!(others, [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    }

    #[test]
    fn wide_blocks_hold_what_narrow_ones_do() {
        for width in [9, SparseBlock::NARROW, SparseBlock::NARROW + 1, 1 << 20] {
            let mut block = SparseBlock::new(width);
            let last = width - 1;
            block.push(&[1, 8], &[2.0, 3.0], 1.0);
            block.append(Indices::Wide(&[0, last as u32]), &[1.0, -1.0], 0.0);
            assert_eq!(block.indices().iter().collect::<Vec<_>>(), [1, 8, 0, last]);
            assert_eq!(block.indices().range(2..4).get(1), last);
            let wide = matches!(block.indices(), Indices::Wide(_));
            assert_eq!(wide, width > 1 << 16);
        }
    }

    #[test]
    #[should_panic(expected = "column too large")]
    fn columns_stay_below_the_width() {
        SparseBlock::new(70_000).append(Indices::Wide(&[70_000]), &[], 1.0);
    }
}
