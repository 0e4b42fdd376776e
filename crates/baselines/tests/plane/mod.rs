//! Logistic posteriors with a weight and a bias, integrated on a grid.

use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, Model};
use samplers::Functional;

/// One covariate and a bias.
pub fn model(prior: Prior) -> DenseLogistic {
    DenseLogistic::new(1, prior).unwrap()
}

/// Midpoints of cells with the log density there. The kink of the prior at 0 and the edge of an
/// event at −1/2 lie on borders of cells; where the posterior is at least six cells wide and ends
/// before the grid does, the error is of the order of 10⁻⁵ standard deviations.
fn grid(block: &DenseBlock, prior: Prior) -> Vec<([f64; 2], f64)> {
    let model = model(prior);
    let at = |cell: usize| (cell as f64 + 0.5 - CELLS as f64 / 2.0) * CELL;
    let points = (0..CELLS * CELLS).map(|cell| [at(cell / CELLS), at(cell % CELLS)]);
    let density = |theta: [f64; 2]| model.log_prior(&theta) + model.log_likelihood(&theta, block);
    points.map(|theta| (theta, density(theta))).collect()
}

const CELLS: usize = 512;
const CELL: f64 = 0.0125;

/// The functionals, and ln ∫ p(θ) Π p(x_i ∣ θ) dθ with the prior as the model has it.
pub fn quadrature(block: &DenseBlock, prior: Prior, functionals: &[Functional]) -> (Vec<f64>, f64) {
    let grid = grid(block, prior);
    let highest = grid.iter().fold(f64::NEG_INFINITY, |a, &(_, log)| a.max(log));
    let total: f64 = grid.iter().map(|(_, log)| (log - highest).exp()).sum();
    let weights: Vec<f64> = grid.iter().map(|(_, log)| (log - highest).exp() / total).collect();
    let points = || grid.iter().map(|(theta, _)| &theta[..]);
    let value = |functional: &Functional| functional.of_weighted(points(), &weights);
    (functionals.iter().map(value).collect(), highest + (total * CELL * CELL).ln())
}
