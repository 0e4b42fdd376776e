//! Means and honest error bars of replicates.

use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

/// The chance with which intervals cover, everywhere in the suite.
pub const CONFIDENCE: f64 = 0.95;

/// The ratio of variances beyond which series have not mixed: the 99.9 % quantile of an F law with 3 and
/// some forty degrees of freedom is 6.6.
const UNMIXED: f64 = 6.6;

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

    /// Of several series dealt out in turn, value r to series r mod m, where neighbours within a series
    /// may resemble each other and the series are independent: chains, whose draws replicates share.
    ///
    /// The variance of the mean is that of independent values times τ = 1 + 2 Σ ρ_k, with
    /// autocorrelations averaged over the series and summed while pairs of them stay positive (Geyer
    /// 1992), and never less than one. Where the means of the series differ by far more than that
    /// allows, they have not mixed, and the spread of their means is the error.
    pub fn of_series(values: &[f64], series: usize) -> Result<Summary, SummaryError> {
        let count = values.len();
        if series == 0 || !count.is_multiple_of(series) {
            return Err(SummaryError::Groups { count, groups: series });
        }
        let plain = Summary::of(values)?;
        let size = count / series;
        let each: Vec<Vec<f64>> = (0..series)
            .map(|first| values.iter().skip(first).step_by(series).copied().collect())
            .collect();
        let means: Vec<f64> =
            each.iter().map(|own| own.iter().sum::<f64>() / size as f64).collect();
        // About the mean of all: about its own mean a short series would look less correlated than it is.
        let covariance = |lag: usize| -> f64 {
            let off = |value: &f64| value - plain.mean;
            let of = |own: &Vec<f64>| -> f64 {
                own.iter().zip(&own[lag..]).map(|(a, b)| off(a) * off(b)).sum()
            };
            each.iter().map(of).sum::<f64>() / (count - series * lag) as f64
        };
        let within = covariance(0);
        let mut sum = 0.0;
        for lag in (1..size.saturating_sub(1)).step_by(2) {
            let pair = (covariance(lag) + covariance(lag + 1)) / within;
            if pair.is_nan() || pair <= 0.0 {
                break;
            }
            sum += pair;
        }
        let time = (1.0 + 2.0 * sum).max(1.0);
        let of_means = Summary::of(&means).map_or(0.0, |means| means.standard_error);
        let mut standard_error = plain.standard_error * time.sqrt();
        let mut freedom = (count as f64 / time - 1.0).max(1.0);
        if of_means * of_means > UNMIXED * standard_error * standard_error {
            (standard_error, freedom) = (of_means, (series - 1) as f64);
        }
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
    fn series_that_resemble_themselves_or_do_not_mix_have_larger_errors() {
        // Four series of ten; neighbours within a series are equal in pairs.
        let noise = |r: usize| ((r * 7919 + 13) as f64 * 0.618).fract() - 0.5;
        let paired: Vec<f64> = (0..40).map(|r| noise(r % 4 + 4 * (r / 8))).collect();
        let free: Vec<f64> = (0..40).map(noise).collect();
        let error = |values: &[f64]| Summary::of_series(values, 4).unwrap().standard_error;
        let naive = |values: &[f64]| Summary::of(values).unwrap().standard_error;
        assert!(error(&paired) > 1.2 * naive(&paired), "{} {}", error(&paired), naive(&paired));
        assert!(error(&free) < 1.5 * naive(&free));
        let apart: Vec<f64> = (0..40).map(|r| 0.01 * noise(r) + (r % 4) as f64).collect();
        // Chain means 0, 1, 2, 3, whose own standard error is 0.65.
        assert!((0.6..0.8).contains(&error(&apart)), "{}", error(&apart));
        // Steps to and fro hide that chain means differ: 0, 1, 0, 1, whose own standard error is 0.29.
        let hidden = |r: usize| [2.0, -1.0, -1.0][r / 4 % 3] + (r % 2) as f64;
        let hidden: Vec<f64> = (0..240).map(hidden).collect();
        assert!(naive(&hidden) < 0.15 && (error(&hidden) - 0.288_675).abs() < 1e-6);
        assert!(Summary::of_series(&free, 3).is_err());
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
