//! The answer of a method that ends with points: Z = Σ_k W_k φ(θ_k).

use debias::{Estimate, Ledger};
use samplers::Functional;

/// φ of points in d dimensions, one after the other, by weights that sum to one.
pub(crate) fn weighted(
    functionals: &[Functional],
    positions: &[f64],
    dimension: usize,
    weights: &[f64],
    cost: Ledger,
) -> Estimate {
    let points = || positions.chunks_exact(dimension);
    let value = functionals.iter().map(|phi| phi.of_weighted(points(), weights)).collect();
    Estimate { value, depth: 1, cost }
}

/// The same, by even weights.
pub(crate) fn even(
    functionals: &[Functional],
    positions: &[f64],
    dimension: usize,
    cost: Ledger,
) -> Estimate {
    let count = positions.len() / dimension;
    weighted(functionals, positions, dimension, &vec![1.0 / count as f64; count], cost)
}
