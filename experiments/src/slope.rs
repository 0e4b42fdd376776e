//! A power law fitted to mean squares over trials, with the jackknife's error.

use debias::{Decay, DecayError};

/// Groups of the jackknife.
const GROUPS: usize = 10;

/// m_n ≈ c n^{−β}.
pub struct Slope {
    /// c and β.
    pub decay: Decay,
    /// The standard error of β.
    pub error: f64,
    /// Groups that were left out in turn.
    pub groups: usize,
}

impl Slope {
    /// Fits ln of the mean of each size's squares to ln n; groups of trials are left out in turn.
    pub fn fit(sizes: &[f64], squares: &[Vec<f64>]) -> Result<Slope, DecayError> {
        let groups = squares.iter().map(Vec::len).min().unwrap_or(0).min(GROUPS);
        let decay = Decay::fit(sizes, &means(squares, None))?;
        let left_out = (0..groups)
            .map(|group| Ok(Decay::fit(sizes, &means(squares, Some((group, groups))))?.beta))
            .collect::<Result<Vec<f64>, DecayError>>()?;
        Ok(Slope { decay, error: jackknife(&left_out), groups })
    }
}

/// The mean over trials at every size, without every trial of one group of so many.
pub fn means(squares: &[Vec<f64>], without: Option<(usize, usize)>) -> Vec<f64> {
    let mean = |squares: &Vec<f64>| {
        let kept: Vec<f64> = (0..squares.len())
            .filter(|trial| without.is_none_or(|(group, groups)| trial % groups != group))
            .map(|trial| squares[trial])
            .collect();
        kept.iter().sum::<f64>() / kept.len() as f64
    };
    squares.iter().map(mean).collect()
}

/// The standard error from estimates with one group left out each.
pub fn jackknife(left_out: &[f64]) -> f64 {
    let count = left_out.len() as f64;
    let mean = left_out.iter().sum::<f64>() / count;
    let squares: f64 = left_out.iter().map(|value| (value - mean).powi(2)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_power_has_no_error() {
        let sizes = [8.0, 16.0, 32.0];
        let squares: Vec<Vec<f64>> =
            sizes.iter().map(|n: &f64| vec![3.0 * n.powf(-1.5); 12]).collect();
        let slope = Slope::fit(&sizes, &squares).expect("three points make a line");
        assert!((slope.decay.beta - 1.5).abs() < 1e-12 && slope.error < 1e-12);
    }
}
