//! Dense rows, stored by column for kernels that work on many rows at once.

use crate::Block;

/// Rows a vector register may hold; columns are padded to a multiple of it.
pub const LANES: usize = 8;

/// n rows of d covariates and one target each: a label ±1, a response, or nothing of interest.
///
/// Column j is the contiguous slice [`DenseBlock::column`]; columns and targets are followed by
/// zeros up to [`DenseBlock::stride`], a multiple of [`LANES`], so that a kernel may read whole
/// registers.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseBlock {
    rows: usize,
    width: usize,
    // Invariant: width · stride values, stride targets, zeros beyond `rows`.
    values: Vec<f64>,
    targets: Vec<f64>,
}

impl DenseBlock {
    /// A block of zeros, to be filled through [`DenseBlock::column_mut`] and
    /// [`DenseBlock::targets_mut`].
    pub fn zeros(rows: usize, width: usize) -> DenseBlock {
        let stride = rows.next_multiple_of(LANES);
        DenseBlock { rows, width, values: vec![0.0; stride * width], targets: vec![0.0; stride] }
    }

    /// The number of covariates.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The padded number of rows: the distance between columns.
    pub fn stride(&self) -> usize {
        self.targets.len()
    }

    /// Covariate j of all rows.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.values[j * self.stride()..][..self.rows]
    }

    /// Covariate j of all rows, to be written.
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        let stride = self.stride();
        &mut self.values[j * stride..][..self.rows]
    }

    /// The target of each row.
    pub fn targets(&self) -> &[f64] {
        &self.targets[..self.rows]
    }

    /// The target of each row, to be written.
    pub fn targets_mut(&mut self) -> &mut [f64] {
        &mut self.targets[..self.rows]
    }

    /// The first so many columns, and each of the others by itself.
    ///
    /// # Panics
    /// If there are fewer columns than that.
    pub fn split_columns(mut self, width: usize) -> (DenseBlock, Vec<Vec<f64>>) {
        assert!(width <= self.width, "{width} columns of {}", self.width);
        let others = (width..self.width).map(|j| self.column(j).to_vec()).collect();
        self.values.truncate(width * self.stride());
        self.width = width;
        (self, others)
    }

    /// All columns with their padding, column after column.
    pub fn padded_values(&self) -> &[f64] {
        &self.values
    }

    /// All targets with their padding.
    pub fn padded_targets(&self) -> &[f64] {
        &self.targets
    }
}

impl Block for DenseBlock {
    fn rows(&self) -> usize {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded_and_apart() {
        let mut block = DenseBlock::zeros(3, 2);
        block.column_mut(1).copy_from_slice(&[1.0, 2.0, 3.0]);
        block.targets_mut().fill(-1.0);
        assert_eq!(block.stride(), 8);
        assert_eq!(block.column(0), [0.0; 3]);
        assert_eq!(block.column(1), [1.0, 2.0, 3.0]);
        assert_eq!(block.padded_values()[8..], [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(block.padded_targets()[3..], [0.0; 5]);
        let (first, others) = block.split_columns(1);
        assert_eq!((first.width(), first.padded_values().len()), (1, 8));
        assert_eq!(others, [[1.0, 2.0, 3.0]]);
    }
}
