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
}

impl Slope {
    /// Fits ln of the mean of each size's squares to ln n; groups of trials are left out in turn.
    pub fn fit(sizes: &[f64], squares: &[Vec<f64>]) -> Result<Slope, DecayError> {
        let trials = squares.iter().map(Vec::len).min().unwrap_or(0);
        let groups = trials.min(GROUPS);
        let means = |without: Option<usize>| -> Vec<f64> {
            let mean = |squares: &Vec<f64>| {
                let kept: Vec<f64> = (0..squares.len())
                    .filter(|trial| without.is_none_or(|group| trial % groups != group))
                    .map(|trial| squares[trial])
                    .collect();
                kept.iter().sum::<f64>() / kept.len() as f64
            };
            squares.iter().map(mean).collect()
        };
        let decay = Decay::fit(sizes, &means(None))?;
        let left_out = (0..groups)
            .map(|group| Ok(Decay::fit(sizes, &means(Some(group)))?.beta))
            .collect::<Result<Vec<f64>, DecayError>>()?;
        let count = groups as f64;
        let middle = left_out.iter().sum::<f64>() / count;
        let spread: f64 = left_out.iter().map(|beta| (beta - middle).powi(2)).sum();
        let error = ((count - 1.0) / count * spread).sqrt();
        Ok(Slope { decay, error })
    }
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
