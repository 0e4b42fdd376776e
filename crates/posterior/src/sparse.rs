//! Sparse rows: which columns are set, and to what where it is not one.

use crate::Block;

/// n rows of d covariates, most of them zero, and one target each.
///
/// Row i holds the columns `indices[offsets[i]..offsets[i + 1]]`, counted from zero and strictly
/// growing. Binary data has no `values`: a pattern says it all, in two bytes an entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseBlock {
    width: usize,
    // Invariant: rows + 1 entries, starts at zero, never falls, ends at indices.len().
    offsets: Vec<u32>,
    // Invariant: below width, strictly growing within a row.
    indices: Vec<u16>,
    // Invariant: empty for binary rows, else one for each index.
    values: Vec<f64>,
    targets: Vec<f64>,
}

impl SparseBlock {
    /// An empty block for rows of this many covariates.
    ///
    /// # Panics
    /// If the width does not fit into 16 bits.
    pub fn new(width: usize) -> SparseBlock {
        assert!(
            width <= 1 << 16,
            "column indices are kept in 16 bits, and {width} columns need more"
        );
        SparseBlock { width, offsets: vec![0], ..SparseBlock::default() }
    }

    /// Appends a row; `values` is empty for a binary row, in a block of binary rows.
    ///
    /// # Panics
    /// If the columns do not grow strictly below the width, or values are given for some rows only.
    pub fn push(&mut self, indices: &[u16], values: &[f64], target: f64) {
        assert!(indices.windows(2).all(|pair| pair[0] < pair[1]), "columns must grow within a row");
        assert!(
            indices.last().is_none_or(|&last| usize::from(last) < self.width),
            "column too large"
        );
        self.indices.extend_from_slice(indices);
        self.values.extend_from_slice(values);
        assert!(
            self.values.is_empty() || self.values.len() == self.indices.len(),
            "a block is binary in all rows or in none"
        );
        self.offsets
            .push(u32::try_from(self.indices.len()).expect("a block has fewer than 2³² entries"));
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
    pub fn indices(&self) -> &[u16] {
        &self.indices
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
            let indices = &self.indices[start..end];
            let kept = indices.partition_point(|&index| usize::from(index) < width);
            let value = |entry: usize| self.values.get(start + entry).copied().unwrap_or(1.0);
            for (entry, &index) in indices.iter().enumerate().skip(kept) {
                others[usize::from(index) - width][row] = value(entry);
            }
            let values = self.values.get(start..start + kept).unwrap_or(&[]);
            first.push(&indices[..kept], values, target);
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
        assert_eq!((first.indices(), first.is_binary()), (&[0, 1][..], true));
        assert_eq!(others, [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    }
}
