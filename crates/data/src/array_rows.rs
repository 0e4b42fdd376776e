//! Dense rows in arrays that somebody else owns: nothing is copied but what is asked for.

use posterior::{DenseBlock, Rows};
use std::ops::Range;
use std::sync::Arc;

/// Numbers that somebody else owns.
pub type SharedNumbers = Arc<dyn AsRef<[f64]> + Send + Sync>;

/// What stands beside what in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The values of a row, as in C and by default in numpy.
    Rows,
    /// The values of a column, as in Fortran, R and Julia.
    Columns,
}

/// A matrix of covariates, columns behind them, and one target per row.
#[derive(Clone)]
pub struct ArrayRows {
    // Invariant: x has rows · width numbers, all others have one per row.
    x: SharedNumbers,
    order: Order,
    rows: usize,
    width: usize,
    behind: Vec<SharedNumbers>,
    targets: SharedNumbers,
}

/// An array of the wrong length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an array of {found} numbers where {expected} belong")]
pub struct ArrayLength {
    /// What is there.
    pub found: usize,
    /// What should be.
    pub expected: usize,
}

pub(crate) fn check(numbers: &SharedNumbers, expected: usize) -> Result<(), ArrayLength> {
    let found = (**numbers).as_ref().len();
    if found == expected { Ok(()) } else { Err(ArrayLength { found, expected }) }
}

impl ArrayRows {
    /// Rows of a matrix of so many columns; as many rows as there are targets.
    pub fn new(
        x: SharedNumbers,
        order: Order,
        width: usize,
        behind: Vec<SharedNumbers>,
        targets: SharedNumbers,
    ) -> Result<ArrayRows, ArrayLength> {
        let rows = (*targets).as_ref().len();
        check(&x, rows.saturating_mul(width))?;
        behind.iter().try_for_each(|column| check(column, rows))?;
        Ok(ArrayRows { x, order, rows, width, behind, targets })
    }

    /// The number of columns, those behind the covariates included.
    pub fn width(&self) -> usize {
        self.width + self.behind.len()
    }

    /// A block whose rows are at these places.
    fn block(&self, places: impl ExactSizeIterator<Item = usize> + Clone) -> DenseBlock {
        let mut block = DenseBlock::zeros(places.len(), self.width());
        let (x, width) = ((*self.x).as_ref(), self.width);
        for j in 0..width {
            let column = block.column_mut(j).iter_mut().zip(places.clone());
            match self.order {
                Order::Rows => column.for_each(|(to, row)| *to = x[row * width + j]),
                Order::Columns => column.for_each(|(to, row)| *to = x[j * self.rows + row]),
            }
        }
        for (j, behind) in self.behind.iter().enumerate() {
            let column = block.column_mut(width + j).iter_mut().zip(places.clone());
            column.for_each(|(to, row)| *to = (**behind).as_ref()[row]);
        }
        let targets = (*self.targets).as_ref();
        block.targets_mut().iter_mut().zip(places).for_each(|(to, row)| *to = targets[row]);
        block
    }
}

impl Rows for ArrayRows {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.rows
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        self.block(indices.iter().copied())
    }

    fn range(&self, range: Range<usize>) -> DenseBlock {
        self.block(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_give_the_same_rows() {
        let shared = |numbers: &[f64]| -> SharedNumbers { Arc::new(numbers.to_vec()) };
        let (y, z) = ([1.0, 2.0, 3.0], [7.0, 8.0, 9.0]);
        let of = |x: &[f64], order| {
            ArrayRows::new(shared(x), order, 2, vec![shared(&z)], shared(&y)).unwrap()
        };
        let by_rows = of(&[0.0, 10.0, 1.0, 11.0, 2.0, 12.0], Order::Rows);
        let by_columns = of(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0], Order::Columns);
        assert_eq!(by_rows.range(0..3), by_columns.range(0..3));
        let some = by_rows.gather(&[2, 0]);
        assert_eq!(some, by_columns.gather(&[2, 0]));
        assert_eq!((some.column(1), some.column(2)), (&[12.0, 10.0][..], &[9.0, 7.0][..]));
        assert_eq!((some.targets(), by_rows.width()), (&[3.0, 1.0][..], 3));
        let wrong = ArrayRows::new(shared(&z), Order::Rows, 2, Vec::new(), shared(&y));
        assert_eq!(wrong.err(), Some(ArrayLength { found: 3, expected: 6 }));
    }
}
