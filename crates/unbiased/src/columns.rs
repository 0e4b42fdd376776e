//! What the columns hold, in one pass: range, mean, standard deviation, and the classes.

use crate::stored::Stored;
use posterior::{Block, DenseBlock, MixedBlock, Rows, SparseBlock, pass};
use std::ops::Range;

/// The most classes that are told apart.
const CLASSES: usize = 3;

/// One pass over all rows.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Columns {
    /// The least value of every column, zeros that are not written included.
    pub lows: Vec<f64>,
    /// The largest.
    pub highs: Vec<f64>,
    /// Mean and standard deviation of every column, and last those of the target.
    pub moments: Vec<Moments>,
    /// Whether a column holds no third value beside the least and the largest.
    pub two_valued: Vec<bool>,
    /// Different targets, growing; three stand for three or more.
    pub classes: Vec<f64>,
    /// Whether all values are zeros and ones.
    pub binary: bool,
}

/// Count, mean and sum of squared deviations, which can be joined without cancellation.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Moments {
    count: f64,
    /// The mean.
    pub mean: f64,
    squares: f64,
}

impl Moments {
    fn of(values: &[f64], zeros: usize) -> Moments {
        let count = (values.len() + zeros) as f64;
        let mean = in_lanes(values, 0.0, |sum, value| sum + value, |a, b| a + b) / count.max(1.0);
        let square = |sum, value: f64| sum + (value - mean) * (value - mean);
        let squares = in_lanes(values, 0.0, square, |a, b| a + b);
        Moments { count, mean, squares: squares + zeros as f64 * mean * mean }
    }

    /// Of one value, so many times.
    fn repeated(value: f64, times: usize) -> Moments {
        Moments { count: times as f64, mean: value, squares: 0.0 }
    }

    fn join(&mut self, other: &Moments) {
        let count = self.count + other.count;
        if count == 0.0 {
            return;
        }
        let apart = other.mean - self.mean;
        self.squares += other.squares + apart * apart * self.count * other.count / count;
        self.mean += apart * other.count / count;
        self.count = count;
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}

/// Goes through many numbers with eight running totals, so that none waits for the one before it.
fn in_lanes(
    values: &[f64],
    zero: f64,
    add: impl Fn(f64, f64) -> f64,
    join: impl Fn(f64, f64) -> f64,
) -> f64 {
    let mut totals = [zero; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for (total, &value) in totals.iter_mut().zip(chunk) {
            *total = add(*total, value);
        }
    }
    for (total, &value) in totals.iter_mut().zip(rest) {
        *total = add(*total, value);
    }
    totals.into_iter().fold(zero, join)
}

impl Columns {
    fn none(width: usize) -> Columns {
        let (lows, highs) = (vec![f64::INFINITY; width], vec![f64::NEG_INFINITY; width]);
        let moments = vec![Moments::default(); width + 1];
        let two_valued = vec![true; width];
        Columns { lows, highs, moments, two_valued, classes: Vec::new(), binary: true }
    }

    fn add(&mut self, column: usize, value: f64) {
        let (low, high) = (self.lows[column], self.highs[column]);
        // A third value, or one that makes an old end an inner value.
        if low < high && value != low && value != high {
            self.two_valued[column] = false;
        }
        self.lows[column] = low.min(value);
        self.highs[column] = high.max(value);
    }

    /// Takes in all values of a column at once.
    fn add_all(&mut self, column: usize, values: &[f64]) {
        let low = in_lanes(values, f64::INFINITY, f64::min, f64::min);
        let high = in_lanes(values, f64::NEG_INFINITY, f64::max, f64::max);
        if low <= high {
            self.add(column, low);
            self.add(column, high);
            self.two_valued[column] &= values.iter().all(|&value| value == low || value == high);
        }
    }

    /// The unit of a column: its range where it has two values only, else its standard deviation.
    pub fn scale(&self, column: usize) -> f64 {
        let scale = match self.two_valued[column] {
            true => self.highs[column] - self.lows[column],
            false => self.moments[column].deviation(),
        };
        if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
    }

    /// The unit of the sum of columns of which each row has one at most, such as those of a number that
    /// stands in the column of its row's level: its standard deviation, or one where it is constant.
    pub fn scale_of_sum(&self, columns: Range<usize>) -> f64 {
        let all = &self.moments[columns];
        let mean: f64 = all.iter().map(|one| one.mean).sum();
        let square: f64 = all.iter().map(|one| one.deviation().powi(2) + one.mean.powi(2)).sum();
        let variance = square - mean * mean;
        if variance > 1e-9 * square && variance.is_finite() { variance.sqrt() } else { 1.0 }
    }

    /// Mean and standard deviation of the target.
    pub fn target(&self) -> Moments {
        *self.moments.last().expect("the target comes last")
    }

    fn add_target(&mut self, target: f64) {
        if self.classes.len() < CLASSES && !self.classes.contains(&target) {
            self.classes.push(target);
            self.classes.sort_by(f64::total_cmp);
        }
    }

    fn join(&mut self, other: &Columns) {
        for column in 0..self.lows.len() {
            // An empty part has no values yet.
            if other.lows[column] <= other.highs[column] {
                self.add(column, other.lows[column]);
                self.add(column, other.highs[column]);
            }
            self.two_valued[column] &= other.two_valued[column];
        }
        self.moments.iter_mut().zip(&other.moments).for_each(|(own, other)| own.join(other));
        other.classes.iter().for_each(|&target| self.add_target(target));
        self.binary &= other.binary;
    }

    /// Of dense rows.
    pub fn of_dense(rows: &impl Rows<Block = DenseBlock>, width: usize) -> Columns {
        let visit = |block: DenseBlock| {
            let mut found = Columns::none(width);
            for column in 0..width {
                found.add_all(column, block.column(column));
                found.moments[column] = Moments::of(block.column(column), 0);
            }
            found.moments[width] = Moments::of(block.targets(), 0);
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
            let mut written = vec![Vec::new(); width];
            for (entry, column) in block.indices().iter().enumerate() {
                let value = if block.is_binary() { 1.0 } else { block.values()[entry] };
                written[column].push(value);
                found.add(column, value);
            }
            let count = block.targets().len();
            for (column, values) in written.iter().enumerate() {
                if values.len() < count {
                    found.add(column, 0.0);
                }
                found.moments[column] = Moments::of(values, count - values.len());
            }
            found.moments[width] = Moments::of(block.targets(), 0);
            block.targets().iter().for_each(|&target| found.add_target(target));
            Columns { binary: block.is_binary(), ..found }
        };
        pass(rows, visit, Columns::none(width), |all, part| all.join(&part))
    }

    /// Of rows with categories.
    pub fn of_mixed(rows: &impl Rows<Block = MixedBlock>, width: usize) -> Columns {
        let visit = |block: MixedBlock| {
            let (mut found, numbers, count) = (Columns::none(width), block.numbers(), block.rows());
            // The values of each column; the ones of levels are only counted.
            let mut written: Vec<Option<Vec<f64>>> = vec![None; width];
            let mut ones = vec![0; width];
            for (category, factor) in block.shape().factors().iter().enumerate() {
                for row in 0..count {
                    let Some(level) = block.level(category, row) else { continue };
                    match factor {
                        None => ones[level] += 1,
                        Some(factor) => written[level]
                            .get_or_insert_default()
                            .push(numbers.column(*factor)[row]),
                    }
                }
            }
            for (at, covariate) in block.shape().numbers().iter().enumerate() {
                if let Some(covariate) = *covariate {
                    written[covariate] = Some(numbers.column(at).to_vec());
                }
            }
            for (column, values) in written.iter().enumerate() {
                let values = values.as_deref().unwrap_or(&[]);
                let written = values.len() + ones[column];
                found.add_all(column, values);
                if written < count {
                    found.add(column, 0.0);
                }
                if ones[column] > 0 {
                    found.add(column, 1.0);
                }
                let ones = Moments::repeated(1.0, ones[column]);
                found.moments[column] = Moments::of(values, count - written);
                found.moments[column].join(&ones);
            }
            found.moments[width] = Moments::of(numbers.targets(), 0);
            numbers.targets().iter().for_each(|&target| found.add_target(target));
            Columns { binary: numbers.width() == 0, ..found }
        };
        pass(rows, visit, Columns::none(width), |all, part| all.join(&part))
    }

    /// Of rows of any layout.
    pub fn of(rows: &Stored) -> Columns {
        match rows {
            Stored::Dense(held) => Columns::of_dense(&&*held.rows, held.width),
            Stored::Sparse(held) => Columns::of_sparse(&&*held.rows, held.width),
            Stored::Mixed(held) => Columns::of_mixed(&&*held.rows, held.width),
        }
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
        assert_eq!(found.two_valued, [true, true]);
        assert_eq!(found.scale(1), 1.0);
        assert!((found.moments[1].deviation() - (1.0 / 20_000.0_f64).sqrt()).abs() < 1e-6);
        assert_eq!(found.constant().collect::<Vec<_>>(), [0]);
        assert_eq!(found.classes, [0.0, 4.0]);
    }
}
