//! Numbers and categories side by side: columns of numbers, and one code per row for each category.
//!
//! ```text
//! η_i = bias + Σ_s w(column of s) x_is + Σ_k w(code_ik) f_ik
//! ```
//!
//! A code is the covariate of the level that the row has, or none for a reference level; f is one, or a
//! column of numbers that the levels are multiplied with. So a category costs one index per row, however
//! many levels it has, and the numbers stay in the layout that vector registers want.

use crate::{Block, Column, DenseBlock, Indices, SparseBlock};
use std::ops::Range;
use std::sync::Arc;

/// Which covariates the numbers and the categories of a row are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedShape {
    // Invariant: every column of numbers below the width, every factor below the numbers.
    width: usize,
    numbers: Vec<Option<usize>>,
    factors: Vec<Option<usize>>,
}

/// Why a shape was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixedShapeError {
    /// Codes have 32 bits, and one of them means no level.
    #[error("codes are kept in 32 bits, and {width} covariates need more")]
    Width {
        /// d.
        width: usize,
    },
    /// A column of numbers belongs to no covariate of these.
    #[error("a column of numbers is covariate {covariate} of {width}")]
    Covariate {
        /// Counted from zero.
        covariate: usize,
        /// d.
        width: usize,
    },
    /// A category is multiplied with a column of numbers that is not there.
    #[error("a category is multiplied with column {factor} of {numbers} columns of numbers")]
    Factor {
        /// Counted from zero.
        factor: usize,
        /// Columns of numbers.
        numbers: usize,
    },
}

impl MixedShape {
    /// Covariates that two bytes tell apart, beside the code for none.
    pub const NARROW: usize = u16::MAX as usize;

    /// `width` covariates, of which some may belong to no column at all; for each column of numbers its
    /// covariate, or nothing where it only multiplies; for each category the column of numbers that
    /// its levels are multiplied with, or nothing for ones.
    pub fn new(
        width: usize,
        numbers: Vec<Option<usize>>,
        factors: Vec<Option<usize>>,
    ) -> Result<MixedShape, MixedShapeError> {
        if u32::try_from(width).is_err() {
            return Err(MixedShapeError::Width { width });
        }
        if let Some(&covariate) = numbers.iter().flatten().find(|&&covariate| covariate >= width) {
            return Err(MixedShapeError::Covariate { covariate, width });
        }
        if let Some(&factor) = factors.iter().flatten().find(|&&factor| factor >= numbers.len()) {
            return Err(MixedShapeError::Factor { factor, numbers: numbers.len() });
        }
        Ok(MixedShape { width, numbers, factors })
    }

    /// d.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The covariate of each column of numbers.
    pub fn numbers(&self) -> &[Option<usize>] {
        &self.numbers
    }

    /// The column of numbers that the levels of each category are multiplied with.
    pub fn factors(&self) -> &[Option<usize>] {
        &self.factors
    }

    /// Whether codes take four bytes.
    pub fn is_wide(&self) -> bool {
        self.width > MixedShape::NARROW
    }
}

/// n rows of numbers and categories, and one target each.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedBlock {
    shape: Arc<MixedShape>,
    // Invariant: as many columns as the shape has numbers; the targets are here too.
    numbers: DenseBlock,
    // Invariant: n codes of one category after the other, each a covariate or the largest number.
    codes: Codes,
}

#[derive(Clone, Debug, PartialEq)]
enum Codes {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// A code as it is kept.
pub trait LevelCode: Column {
    /// The code of a level without a covariate.
    const NONE: Self;

    /// The code of a covariate.
    fn of(covariate: usize) -> Self;
}

impl LevelCode for u16 {
    const NONE: u16 = u16::MAX;

    fn of(covariate: usize) -> u16 {
        covariate as u16
    }
}

impl LevelCode for u32 {
    const NONE: u32 = u32::MAX;

    fn of(covariate: usize) -> u32 {
        covariate as u32
    }
}

impl MixedBlock {
    /// Rows whose numbers are zero and whose categories have no level, to be filled.
    pub fn zeros(shape: Arc<MixedShape>, rows: usize) -> MixedBlock {
        let codes = rows * shape.factors.len();
        let codes = match shape.is_wide() {
            false => Codes::Narrow(vec![u16::NONE; codes]),
            true => Codes::Wide(vec![u32::NONE; codes]),
        };
        MixedBlock { numbers: DenseBlock::zeros(rows, shape.numbers.len()), shape, codes }
    }

    /// Which covariates numbers and categories are.
    pub fn shape(&self) -> &Arc<MixedShape> {
        &self.shape
    }

    /// The numbers and the targets.
    pub fn numbers(&self) -> &DenseBlock {
        &self.numbers
    }

    /// The numbers and the targets, to be written.
    pub fn numbers_mut(&mut self) -> &mut DenseBlock {
        &mut self.numbers
    }

    /// The codes of all rows, category after category.
    pub fn codes(&self) -> Indices<'_> {
        match &self.codes {
            Codes::Narrow(codes) => Indices::Narrow(codes),
            Codes::Wide(codes) => Indices::Wide(codes),
        }
    }

    /// The covariate of the level that a row has in a category.
    pub fn level(&self, category: usize, row: usize) -> Option<usize> {
        let code = self.codes().get(category * self.rows() + row);
        (code < self.shape.width).then_some(code)
    }

    /// Gives rows their levels in a category: the codes of `from` at these places, in this order.
    ///
    /// # Panics
    /// If a code is neither a covariate nor none, or codes have another number of bytes.
    pub fn set_codes(
        &mut self,
        category: usize,
        to: Range<usize>,
        from: Indices<'_>,
        places: impl Iterator<Item = usize>,
    ) {
        fn copy<C: LevelCode + PartialEq>(
            to: &mut [C],
            from: &[C],
            places: impl Iterator<Item = usize>,
            width: usize,
        ) {
            for (to, place) in to.iter_mut().zip(places) {
                let code = from[place];
                assert!(code == C::NONE || code.index() < width, "no level of {width} covariates");
                *to = code;
            }
        }
        let (rows, width) = (self.rows(), self.shape.width);
        assert!(to.end <= rows, "rows {to:?} of {rows}");
        let to = category * rows + to.start..category * rows + to.end;
        match (&mut self.codes, from) {
            (Codes::Narrow(codes), Indices::Narrow(from)) => {
                copy(&mut codes[to], from, places, width);
            }
            (Codes::Wide(codes), Indices::Wide(from)) => copy(&mut codes[to], from, places, width),
            _ => panic!("codes of another number of bytes"),
        }
    }

    /// Gives one row its level in a category.
    ///
    /// # Panics
    /// If the level is not below the width.
    pub fn set_level(&mut self, category: usize, row: usize, level: Option<usize>) {
        let at = category * self.rows() + row;
        assert!(
            level.is_none_or(|level| level < self.shape.width),
            "a level beyond the covariates"
        );
        match &mut self.codes {
            Codes::Narrow(codes) => codes[at] = level.map_or(u16::NONE, u16::of),
            Codes::Wide(codes) => codes[at] = level.map_or(u32::NONE, u32::of),
        }
    }

    /// The first so many covariates, and each of the others, which must be numbers, by itself.
    ///
    /// # Panics
    /// If there are fewer covariates than that, or a level is among the others.
    pub fn split_columns(self, width: usize) -> (MixedBlock, Vec<Vec<f64>>) {
        assert!(width <= self.shape.width, "{width} columns of {}", self.shape.width);
        if width == self.shape.width {
            return (self, Vec::new());
        }
        let mut others = vec![None; self.shape.width - width];
        let mut numbers = self.shape.numbers.clone();
        for (at, number) in numbers.iter_mut().enumerate() {
            if let Some(covariate) = number.filter(|&covariate| covariate >= width) {
                others[covariate - width] = Some(self.numbers.column(at).to_vec());
                *number = None;
            }
        }
        let others = others.into_iter().map(|column| column.expect("the others are numbers"));
        let others = others.collect();
        // Numbers at the end that are no covariate any more and multiply nothing are not kept.
        let factors = self.shape.factors.clone();
        let used = |at: usize| numbers[at].is_some() || factors.contains(&Some(at));
        let kept = (0..numbers.len()).rev().find(|&at| used(at)).map_or(0, |at| at + 1);
        numbers.truncate(kept);
        let (columns, _) = self.numbers.split_columns(kept);
        let shape = Arc::new(MixedShape { width, numbers, factors });
        (MixedBlock { shape, numbers: columns, codes: self.codes }, others)
    }
}

/// Rows without numbers as sparse rows of ones; nothing where there are numbers.
impl TryFrom<MixedBlock> for SparseBlock {
    type Error = MixedBlock;

    fn try_from(block: MixedBlock) -> Result<SparseBlock, MixedBlock> {
        if block.numbers.width() > 0 {
            return Err(block);
        }
        let mut sparse = SparseBlock::new(block.shape.width);
        let mut columns: Vec<u32> = Vec::new();
        for (row, &target) in block.numbers.targets().iter().enumerate() {
            let levels = (0..block.shape.factors.len()).filter_map(|at| block.level(at, row));
            columns.clear();
            columns.extend(levels.map(|level| level as u32));
            columns.sort_unstable();
            sparse.append(Indices::Wide(&columns), &[], target);
        }
        Ok(sparse)
    }
}

impl Block for MixedBlock {
    fn rows(&self) -> usize {
        self.numbers.rows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers, the second only multiplied; a category, and one that is multiplied.
    fn block(width: usize) -> MixedBlock {
        let numbers = vec![Some(0), None, Some(width - 1)];
        let shape = MixedShape::new(width, numbers, vec![None, Some(1)]).unwrap();
        let mut block = MixedBlock::zeros(Arc::new(shape), 3);
        for column in 0..3 {
            let values = [1.0, 2.0, 3.0].map(|x| x + 10.0 * column as f64);
            block.numbers_mut().column_mut(column).copy_from_slice(&values);
        }
        block.set_level(0, 1, Some(1));
        block.set_level(1, 2, Some(width - 2));
        block
    }

    #[test]
    fn columns_are_split_off_in_either_width() {
        for width in [5, MixedShape::NARROW, MixedShape::NARROW + 1, 1 << 20] {
            let whole = block(width);
            let wide = matches!(whole.codes(), Indices::Wide(_));
            assert_eq!(wide, width > 65_535);
            let (first, others) = whole.clone().split_columns(width - 1);
            assert_eq!(others, [[21.0, 22.0, 23.0]]);
            assert_eq!(first.shape().numbers(), [Some(0), None]);
            for block in [&whole, &first] {
                let levels = |category| (0..3).map(|row| block.level(category, row)).collect();
                assert_eq!(
                    (levels(0), levels(1)),
                    (vec![None, Some(1), None], vec![None, None, Some(width - 2)])
                );
                assert_eq!(block.numbers().column(1), [11.0, 12.0, 13.0]);
            }
            let (same, none) = whole.clone().split_columns(width);
            assert_eq!((same, none.len()), (whole, 0));
        }
    }

    #[test]
    fn levels_alone_are_sparse_rows_of_ones() {
        let shape = MixedShape::new(4, vec![], vec![None, None]).unwrap();
        let mut mixed = MixedBlock::zeros(Arc::new(shape), 3);
        mixed.set_level(0, 0, Some(2));
        mixed.set_level(1, 0, Some(0));
        mixed.set_level(1, 2, Some(3));
        let sparse = SparseBlock::try_from(mixed).unwrap();
        assert_eq!((sparse.offsets(), sparse.is_binary()), (&[0, 2, 2, 3][..], true));
        assert_eq!(sparse.indices().iter().collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(SparseBlock::try_from(block(5)), Err(block(5)));
    }

    #[test]
    fn codes_are_copied_in_any_order() {
        let from = block(5);
        let mut to = MixedBlock::zeros(Arc::clone(from.shape()), 4);
        to.set_codes(0, 1..3, from.codes(), [1, 0].into_iter());
        assert_eq!(
            (0..4).map(|row| to.level(0, row)).collect::<Vec<_>>(),
            [None, Some(1), None, None]
        );
    }

    #[test]
    fn wrong_shapes_are_refused() {
        let refused =
            |width, numbers, factors| MixedShape::new(width, numbers, factors).unwrap_err();
        assert_eq!(
            refused(2, vec![Some(2)], vec![]),
            MixedShapeError::Covariate { covariate: 2, width: 2 }
        );
        assert_eq!(
            refused(2, vec![Some(1)], vec![Some(1)]),
            MixedShapeError::Factor { factor: 1, numbers: 1 }
        );
        assert_eq!(refused(1 << 32, vec![], vec![]), MixedShapeError::Width { width: 1 << 32 });
    }

    #[test]
    #[should_panic(expected = "beyond the covariates")]
    fn levels_are_covariates() {
        block(5).set_level(0, 0, Some(5));
    }
}
