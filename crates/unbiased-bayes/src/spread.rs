//! How wide the posterior is, and what a chain on all rows would cost.
//!
//! A chain on something that resembles the full posterior, on an anchor's base density or on a batch
//! of rows, tells the standard deviation s_j of a functional's integrand, the effective draws e_j a
//! draw and the gradients g an iteration. A chain on all N rows that is to have standard errors ε_j
//! then takes about
//!
//! ```text
//! N g (W + max_j s_j² / (e_j ε_j²))      likelihood evaluations, W the warm-up
//! ```

use samplers::diagnostics::{Chains, ess_mean};
use samplers::{Draws, Functional};

/// What a chain on something like the full posterior tells.
///
/// ```
/// let spread = unbiased_bayes::Spread { sds: vec![2.0], efficiencies: vec![0.5], gradients: 8.0 };
/// // 4 / (0.5 · 0.01) = 800 draws after 100 of warm-up, eight gradients over a thousand rows each.
/// assert_eq!(spread.full_chain(1000, 100, &[0.1]).round(), 7_200_000.0);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Spread {
    /// s_j: the posterior standard deviation of every functional's integrand.
    pub sds: Vec<f64>,
    /// e_j: effective draws a draw.
    pub efficiencies: Vec<f64>,
    /// g: gradients an iteration.
    pub gradients: f64,
}

impl Spread {
    /// From draws and the gradients they took; `shrink` is n/N where they saw n of N rows, else one.
    pub(crate) fn of(
        draws: &Draws,
        functionals: &[Functional],
        gradients: f64,
        shrink: f64,
    ) -> Spread {
        let (mut sds, mut efficiencies) = (Vec::new(), Vec::new());
        let count = draws.count() as f64;
        for functional in functionals {
            let mut values: Vec<f64> =
                draws.iter().map(|theta| functional.integrand(theta)).collect();
            let mut mean = values.iter().sum::<f64>() / count;
            // What is averaged for a variance are squares, and they shrink like n/N themselves.
            let mut factor = shrink.sqrt();
            if !functional.is_expectation() {
                values.iter_mut().for_each(|value| *value = (*value - mean).powi(2));
                mean = values.iter().sum::<f64>() / count;
                factor = shrink;
            }
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
            sds.push(factor * variance.sqrt());
            let chains = Chains::new(vec![values]);
            // Without enough draws for a diagnosis all of them count.
            let effective = chains.map_or(count, |chains| ess_mean(&chains));
            efficiencies.push((effective / count).min(1.0));
        }
        Spread { sds, efficiencies, gradients }
    }

    /// Likelihood evaluations of a chain on all rows with this warm-up and these standard errors.
    pub fn full_chain(&self, rows: usize, warm_up: usize, errors: &[f64]) -> f64 {
        let draws = self.sds.iter().zip(&self.efficiencies).zip(errors);
        let draws = draws.map(|((sd, efficiency), error)| (sd / error).powi(2) / efficiency);
        let draws = draws.fold(0.0, f64::max);
        rows as f64 * self.gradients * (warm_up as f64 + draws)
    }
}
