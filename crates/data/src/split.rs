//! Train and test rows, drawn by seed.

use debias::Seed;
use posterior::subset;
use thiserror::Error;

/// Two disjoint random sets of rows, in random order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<usize>,
    /// Rows to be predicted.
    pub test: Vec<usize>,
}

/// Why rows cannot be split.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SplitError {
    /// No rows are left to learn from.
    #[error("{test} test rows leave nothing to learn from in {rows} rows")]
    TooFew {
        /// Rows there are.
        rows: usize,
        /// Test rows asked for.
        test: usize,
    },
}

impl Split {
    /// `test` rows to be predicted and up to `train` others, as many as there are.
    pub fn draw(rows: usize, train: usize, test: usize, seed: Seed) -> Result<Split, SplitError> {
        if rows <= test || train == 0 {
            return Err(SplitError::TooFew { rows, test });
        }
        let size = rows.min(train.saturating_add(test));
        let mut order = subset(rows, size, &mut seed.child("split").stream(0));
        let train = order.split_off(test);
        Ok(Split { train, test: order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_disjoint_and_takes_what_there_is() {
        for (rows, expected) in [(100, 70), (50, 40), (80, 70)] {
            let split = Split::draw(rows, 70, 10, Seed(1)).unwrap();
            assert_eq!((split.train.len(), split.test.len()), (expected, 10));
            let mut all = [split.train, split.test].concat();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), expected + 10);
        }
        let again = Split::draw(100, 70, 10, Seed(1));
        assert_eq!(again, Split::draw(100, 70, 10, Seed(1)));
        assert_ne!(again, Split::draw(100, 70, 10, Seed(2)));
        assert_eq!(Split::draw(10, 5, 10, Seed(1)), Err(SplitError::TooFew { rows: 10, test: 10 }));
    }
}
