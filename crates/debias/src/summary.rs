//! Means and honest error bars of replicates.

use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

/// The chance with which intervals cover, everywhere in the suite.
pub const CONFIDENCE: f64 = 0.95;

/// An interval and what it is around.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// estimate ± t · error, with Student's t at [`CONFIDENCE`].
    pub fn student(estimate: f64, error: f64, freedom: f64) -> Interval {
        let half = student_quantile(freedom) * error;
        Interval { low: estimate - half, high: estimate + half }
    }

    /// Whether a number lies inside.
    pub fn covers(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the width.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// What R replicates say about their mean.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// R, or the number of groups.
    pub count: usize,
    /// Z̄.
    pub mean: f64,
    /// Sample variance of one.
    pub variance: f64,
    /// s / √R.
    pub standard_error: f64,
    /// Student's interval at [`CONFIDENCE`].
    pub interval: Interval,
}

/// Why there is no summary.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SummaryError {
    /// A spread needs two values.
    #[error("{count} values have no spread; at least two are needed")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// Groups must be of one size.
    #[error("{count} values cannot be cut into {groups} groups of one size")]
    Groups {
        /// How many there are.
        count: usize,
        /// The groups asked for.
        groups: usize,
    },
}

impl Summary {
    /// Of independent values.
    pub fn of(values: &[f64]) -> Result<Summary, SummaryError> {
        let count = values.len();
        if count < 2 {
            return Err(SummaryError::TooFew { count });
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance = squares / (count - 1) as f64;
        let standard_error = (variance / count as f64).sqrt();
        let interval = Interval::student(mean, standard_error, (count - 1) as f64);
        Ok(Summary { count, mean, variance, standard_error, interval })
    }

    /// Of a series whose neighbours may resemble each other: the variance of the mean is that of
    /// independent values times τ = 1 + 2 Σ ρ_k, summed while pairs of autocorrelations stay positive
    /// (Geyer 1992), and never less than one.
    pub fn of_series(values: &[f64]) -> Result<Summary, SummaryError> {
        let plain = Summary::of(values)?;
        let count = values.len();
        let correlation = |lag: usize| {
            let pairs = values.iter().zip(&values[lag..]);
            let sum: f64 = pairs.map(|(a, b)| (a - plain.mean) * (b - plain.mean)).sum();
            sum / (plain.variance * (count - 1) as f64)
        };
        let mut sum = 0.0;
        for lag in (1..count.saturating_sub(1)).step_by(2) {
            let pair = correlation(lag) + correlation(lag + 1);
            if pair.is_nan() || pair <= 0.0 {
                break;
            }
            sum += pair;
        }
        let time = (1.0 + 2.0 * sum).max(1.0);
        let standard_error = plain.standard_error * time.sqrt();
        let freedom = (count as f64 / time - 1.0).max(1.0);
        let interval = Interval::student(plain.mean, standard_error, freedom);
        Ok(Summary { standard_error, interval, ..plain })
    }

    /// Of values that are independent from group to group only (stratified and systematic
    /// depths), where the spread within groups overstates the error.
    pub fn of_groups(values: &[f64], groups: usize) -> Result<Summary, SummaryError> {
        let count = values.len();
        if groups == 0 || !count.is_multiple_of(groups) {
            return Err(SummaryError::Groups { count, groups });
        }
        let size = count / groups;
        let means: Vec<f64> = values
            .chunks(size.max(1))
            .map(|group| group.iter().sum::<f64>() / size as f64)
            .collect();
        Summary::of(&means)
    }
}

/// Mean and interval after the first r values, for every r; the interval is empty-handed (±∞) at
/// r = 1.
pub fn running(values: &[f64]) -> Vec<(f64, Interval)> {
    let (mut mean, mut squares) = (0.0, 0.0);
    values
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            // Welford's recursion: stable however long the run.
            let count = (index + 1) as f64;
            let step = value - mean;
            mean += step / count;
            squares += step * (value - mean);
            let interval = if index == 0 {
                Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }
            } else {
                let error = (squares / (count - 1.0) / count).sqrt();
                Interval::student(mean, error, count - 1.0)
            };
            (mean, interval)
        })
        .collect()
}

/// The p-quantile: the smallest value that at least a share p does not exceed.
///
/// # Panics
/// If there are no values.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

/// The two-sided t-quantile at [`CONFIDENCE`].
fn student_quantile(freedom: f64) -> f64 {
    // The incomplete beta function is slow; with many degrees of freedom two terms of the
    // Cornish–Fisher expansion around the normal quantile are exact to nine digits.
    if freedom > 1000.0 {
        let z = 1.959_963_984_540_054_f64;
        let first = (z.powi(3) + z) / 4.0;
        let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
        return z + first / freedom + second / (freedom * freedom);
    }
    StudentsT::new(0.0, 1.0, freedom)
        .expect("there is at least one degree of freedom")
        .inverse_cdf(0.5 + 0.5 * CONFIDENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let summary = Summary::of(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        assert_eq!(summary.mean, 3.0);
        assert!((summary.variance - 14.0 / 3.0).abs() < 1e-12);
        // t_{3, 0.975} = 3.182446.
        assert!((summary.interval.half_width() / summary.standard_error - 3.182_446).abs() < 1e-5);
        let grouped = Summary::of_groups(&[1.0, 3.0, 2.0, 6.0], 2).unwrap();
        assert_eq!((grouped.mean, grouped.variance), (3.0, 2.0));
    }

    #[test]
    fn the_running_mean_ends_at_the_mean() {
        let values: Vec<f64> = (0..50).map(|x| f64::from(x * x % 17)).collect();
        let (mean, interval) = *running(&values).last().unwrap();
        let summary = Summary::of(&values).unwrap();
        assert!((mean - summary.mean).abs() < 1e-12);
        assert!((interval.low - summary.interval.low).abs() < 1e-9);
    }

    #[test]
    fn the_two_branches_of_the_quantile_meet() {
        assert!((student_quantile(1000.0) - student_quantile(1000.000001)).abs() < 1e-7);
    }

    #[test]
    fn quantiles_are_values() {
        let values = [5.0, 1.0, 3.0, 4.0, 2.0];
        assert_eq!(
            [0.0, 0.2, 0.5, 0.9, 1.0].map(|p| quantile(&values, p)),
            [1.0, 1.0, 3.0, 5.0, 5.0]
        );
    }

    #[test]
    fn too_few_values_are_refused() {
        assert_eq!(Summary::of(&[1.0]), Err(SummaryError::TooFew { count: 1 }));
        assert_eq!(
            Summary::of_groups(&[1.0; 5], 2),
            Err(SummaryError::Groups { count: 5, groups: 2 })
        );
    }
}
