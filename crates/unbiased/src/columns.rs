//! What the columns hold, in one pass: the least and the largest value, and the classes.

use posterior::{DenseBlock, Rows, SparseBlock, pass};

/// The most classes that are told apart.
const CLASSES: usize = 3;

/// One pass over all rows.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Columns {
    /// The least value of every column, zeros that are not written included.
    pub lows: Vec<f64>,
    /// The largest.
    pub highs: Vec<f64>,
    /// Different targets, growing; three stand for three or more.
    pub classes: Vec<f64>,
    /// Whether all values are zeros and ones.
    pub binary: bool,
}

impl Columns {
    fn none(width: usize) -> Columns {
        let (lows, highs) = (vec![f64::INFINITY; width], vec![f64::NEG_INFINITY; width]);
        Columns { lows, highs, classes: Vec::new(), binary: true }
    }

    fn add(&mut self, column: usize, value: f64) {
        self.lows[column] = self.lows[column].min(value);
        self.highs[column] = self.highs[column].max(value);
    }

    fn add_target(&mut self, target: f64) {
        if self.classes.len() < CLASSES && !self.classes.contains(&target) {
            self.classes.push(target);
            self.classes.sort_by(f64::total_cmp);
        }
    }

    fn join(&mut self, other: &Columns) {
        for column in 0..self.lows.len() {
            self.add(column, other.lows[column]);
            self.add(column, other.highs[column]);
        }
        other.classes.iter().for_each(|&target| self.add_target(target));
        self.binary &= other.binary;
    }

    /// Of dense rows.
    pub fn of_dense(rows: &impl Rows<Block = DenseBlock>, width: usize) -> Columns {
        let visit = |block: DenseBlock| {
            let mut found = Columns::none(width);
            for column in 0..width {
                block.column(column).iter().for_each(|&value| found.add(column, value));
            }
            block.targets().iter().for_each(|&target| found.add_target(target));
            Columns { binary: false, ..found }
        };
        let none = Columns { binary: false, ..Columns::none(width) };
        pass(rows, visit, none, |all, part| all.join(&part))
    }

    /// Of sparse rows.
    pub fn of_sparse(rows: &impl Rows<Block = SparseBlock>, width: usize) -> Columns {
        let visit = |block: SparseBlock| {
            let mut found = Columns::none(width);
            let mut used = vec![0; width];
            for (entry, &column) in block.indices().iter().enumerate() {
                let value = if block.is_binary() { 1.0 } else { block.values()[entry] };
                used[usize::from(column)] += 1;
                found.add(usize::from(column), value);
            }
            let count = block.targets().len();
            (0..width).filter(|&j| used[j] < count).for_each(|j| found.add(j, 0.0));
            block.targets().iter().for_each(|&target| found.add_target(target));
            Columns { binary: block.is_binary(), ..found }
        };
        pass(rows, visit, Columns::none(width), |all, part| all.join(&part))
    }

    /// The columns that hold one value only.
    pub fn constant(&self) -> impl Iterator<Item = usize> {
        (0..self.lows.len()).filter(|&column| self.lows[column] == self.highs[column])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, SparseRows};

    #[test]
    fn unwritten_zeros_count() {
        let mut block = SparseBlock::new(3);
        block.push(&[0, 2], &[2.0, 1.0], 1.0);
        block.push(&[0], &[2.0], -1.0);
        let found = Columns::of_sparse(&SparseRows::new(block), 3);
        assert_eq!(
            (found.lows[..].to_vec(), found.highs),
            (vec![2.0, 0.0, 0.0], vec![2.0, 0.0, 1.0])
        );
        assert_eq!(found.classes, [-1.0, 1.0]);
    }

    #[test]
    fn constant_columns_are_found() {
        let mut block = DenseBlock::zeros(20_000, 2);
        block.column_mut(0).fill(7.0);
        block.column_mut(1)[19_999] = 1.0;
        block.targets_mut()[3] = 4.0;
        let found = Columns::of_dense(&DenseRows::new(block), 2);
        assert_eq!(found.constant().collect::<Vec<_>>(), [0]);
        assert_eq!(found.classes, [0.0, 4.0]);
    }
}
