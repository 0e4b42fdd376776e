//! A two-dimensional kernel density estimate on a grid.

use records::quantile;

/// Gaussian kernels with Silverman's bandwidth h = s · R^{−1/6} a coordinate; s is taken from the
/// middle half of the points, so that a few far ones do not blur the rest.
pub(crate) fn density(x: &[f64], y: &[f64], grid_x: &[f64], grid_y: &[f64]) -> Vec<Vec<f64>> {
    let (width_x, width_y) = (bandwidth(x), bandwidth(y));
    let kernel = |distance: f64| (-0.5 * distance * distance).exp();
    grid_y
        .iter()
        .map(|&at_y| {
            let weights: Vec<f64> = y.iter().map(|y| kernel((y - at_y) / width_y)).collect();
            grid_x
                .iter()
                .map(|&at_x| {
                    x.iter()
                        .zip(&weights)
                        .map(|(x, weight)| weight * kernel((x - at_x) / width_x))
                        .sum()
                })
                .collect()
        })
        .collect()
}

fn bandwidth(values: &[f64]) -> f64 {
    // The quartiles of a normal law are 1.349 standard deviations apart.
    let spread = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349;
    spread.max(f64::MIN_POSITIVE) * (values.len() as f64).powf(-1.0 / 6.0)
}
