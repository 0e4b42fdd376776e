//! Sizes of the batches: n_1 < n_2 < … < n_L = N.
//!
//! The last batch **is** the whole data set. A schedule that stops short of N makes every
//! estimator unbiased for the wrong thing, so it cannot be built; where N itself is a choice
//! (streams), the caller says so by passing N_max as the number of rows.

use thiserror::Error;

/// A strictly growing list of batch sizes that ends at the number of rows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Schedule {
    // Invariant: not empty, starts at one or more, grows strictly.
    sizes: Vec<usize>,
}

/// Why a schedule cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScheduleError {
    /// The first batch must hold between one row and all of them.
    #[error("first batch of {first} rows does not fit in {rows} rows")]
    FirstBatch {
        /// The size asked for.
        first: usize,
        /// N.
        rows: usize,
    },
    /// Batches must grow by a finite ratio above one.
    #[error("ratio {ratio} is not a finite number above one")]
    Ratio {
        /// The ratio asked for.
        ratio: f64,
    },
    /// A listed size is not above the one before it.
    #[error("size {size} at level {level} does not exceed {before} before it")]
    NotGrowing {
        /// The level at fault, counted from one.
        level: usize,
        /// Its size.
        size: usize,
        /// The size before it.
        before: usize,
    },
    /// The list ends before or after the last row.
    #[error("the last batch holds {last} rows and the data {rows}: the estimate would be biased")]
    LastBatch {
        /// The last listed size.
        last: usize,
        /// N.
        rows: usize,
    },
    /// The list is empty.
    #[error("a schedule needs at least one batch")]
    Empty,
}

impl Schedule {
    /// Halving down from N: n_{t−1} = ⌊n_t / 2⌋ while that is at least `first`. The default: it
    /// has no short last step, and so a lower work × variance than [`Schedule::geometric`].
    pub fn halving(rows: usize, first: usize) -> Result<Schedule, ScheduleError> {
        check_first(first, rows)?;
        let mut sizes = vec![rows];
        let mut size = rows / 2;
        while size >= first {
            sizes.push(size);
            size /= 2;
        }
        sizes.reverse();
        Ok(Schedule { sizes })
    }

    /// ⌊first · ratio^{t−1}⌋ while below N, then N: the paper's schedule with its end mended.
    pub fn geometric(first: usize, ratio: f64, rows: usize) -> Result<Schedule, ScheduleError> {
        check_first(first, rows)?;
        if !(ratio.is_finite() && ratio > 1.0) {
            return Err(ScheduleError::Ratio { ratio });
        }
        let mut sizes = Vec::new();
        let mut exact = first as f64;
        while exact < rows as f64 {
            let size = exact as usize;
            // A ratio close to one repeats small sizes; each is kept once.
            if sizes.last() != Some(&size) {
                sizes.push(size);
            }
            exact *= ratio;
        }
        sizes.push(rows);
        Ok(Schedule { sizes })
    }

    /// The sizes as listed.
    pub fn explicit(sizes: Vec<usize>, rows: usize) -> Result<Schedule, ScheduleError> {
        let (&first, &last) = match (sizes.first(), sizes.last()) {
            (Some(first), Some(last)) => (first, last),
            _ => return Err(ScheduleError::Empty),
        };
        check_first(first, rows)?;
        for (level, pair) in sizes.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                return Err(ScheduleError::NotGrowing {
                    level: level + 2,
                    size: pair[1],
                    before: pair[0],
                });
            }
        }
        if last != rows {
            return Err(ScheduleError::LastBatch { last, rows });
        }
        Ok(Schedule { sizes })
    }

    /// L.
    pub fn levels(&self) -> usize {
        self.sizes.len()
    }

    /// n_t, for t from 1 to L.
    pub fn size(&self, level: usize) -> usize {
        self.sizes[level - 1]
    }

    /// n_1, …, n_L.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// ⌊n_t / n_{t−1}⌋: how many disjoint batches of the level below fit into one of this level.
    pub fn groups(&self, level: usize) -> usize {
        self.size(level) / self.size(level - 1)
    }
}

fn check_first(first: usize, rows: usize) -> Result<(), ScheduleError> {
    if first == 0 || first > rows {
        return Err(ScheduleError::FirstBatch { first, rows });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_ends_at_all_rows() {
        let schedule = Schedule::halving(10_000, 78).unwrap();
        assert_eq!(schedule.sizes(), [78, 156, 312, 625, 1250, 2500, 5000, 10_000]);
        assert_eq!(schedule.groups(4), 2);
        assert_eq!(Schedule::halving(7, 7).unwrap().sizes(), [7]);
    }

    #[test]
    fn geometric_appends_all_rows() {
        let schedule = Schedule::geometric(8, 2.0, 100).unwrap();
        assert_eq!(schedule.sizes(), [8, 16, 32, 64, 100]);
        assert_eq!(Schedule::geometric(8, 2.0, 64).unwrap().sizes(), [8, 16, 32, 64]);
        assert_eq!(Schedule::geometric(1, 1.3, 6).unwrap().sizes(), [1, 2, 3, 4, 6]);
    }

    #[test]
    fn bad_schedules_are_refused_with_their_numbers() {
        use ScheduleError::*;
        assert_eq!(Schedule::halving(4, 0), Err(FirstBatch { first: 0, rows: 4 }));
        assert_eq!(Schedule::halving(4, 5), Err(FirstBatch { first: 5, rows: 4 }));
        assert_eq!(Schedule::geometric(1, 1.0, 4), Err(Ratio { ratio: 1.0 }));
        assert!(matches!(Schedule::geometric(1, f64::NAN, 4), Err(Ratio { .. })));
        assert_eq!(Schedule::explicit(vec![], 4), Err(Empty));
        assert_eq!(
            Schedule::explicit(vec![2, 2, 4], 4),
            Err(NotGrowing { level: 2, size: 2, before: 2 })
        );
        assert_eq!(Schedule::explicit(vec![1, 2], 4), Err(LastBatch { last: 2, rows: 4 }));
    }
}
