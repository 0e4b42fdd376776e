//! Linear algebra of [`models::linear_algebra`] shared out among threads in pieces of fixed size.
//!
//! Matrices of m rows lie column by column.

use models::linear_algebra::{Cholesky, Layout, Symmetric};
use rayon::prelude::*;

/// Columns a piece, of a triangular solve or of a sum of products: narrower ones pack the factor
/// once more each and were up to 40 % slower, wider ones leave threads without work.
const PIECE: usize = 256;
/// Rows and columns of a tile of a transposition.
const TILE: usize = 32;

/// Overwrites each column b with L⁻¹ b.
pub(super) fn solve_lower(factor: &Cholesky, columns: &mut [f64]) {
    let piece = PIECE * factor.dimension();
    columns.par_chunks_mut(piece).for_each(|columns| factor.solve_lower(columns));
}

/// Overwrites each column b with L⁻ᵀ b.
pub(super) fn solve_transposed(factor: &Cholesky, columns: &mut [f64]) {
    let piece = PIECE * factor.dimension();
    columns.par_chunks_mut(piece).for_each(|columns| factor.solve_transposed(columns));
}

/// L⁻ᵀ A L⁻¹, all m² entries.
pub(super) fn between_inverses(factor: &Cholesky, matrix: &Symmetric) -> Vec<f64> {
    let mut columns = matrix.entries();
    solve_transposed(factor, &mut columns);
    let mut columns = transposed(&columns, factor.dimension());
    solve_transposed(factor, &mut columns);
    columns
}

/// tr A⁻¹ = Σ_j |L⁻¹ e_j|².
pub(super) fn trace_of_inverse(factor: &Cholesky) -> f64 {
    let m = factor.dimension();
    let mut columns = vec![0.0; m * m];
    (0..m).for_each(|j| columns[j * m + j] = 1.0);
    solve_lower(factor, &mut columns);
    let squares: Vec<f64> = columns.par_chunks(m).map(|column| dot(column, column)).collect();
    squares.iter().sum()
}

/// s Σ_i a_i a_iᵀ over the columns.
pub(super) fn gram(scale: f64, columns: &[f64], dimension: usize) -> Symmetric {
    let parts = columns.par_chunks(PIECE * dimension).map(|piece| {
        let mut part = Symmetric::zeros(dimension);
        part.add_rank(scale, piece, Layout::VectorByVector);
        part
    });
    sum(parts.collect(), dimension)
}

/// The lower triangle of Σ_i a_i b_iᵀ over the columns, mirrored.
pub(super) fn lower_products(left: &[f64], right: &[f64], dimension: usize) -> Symmetric {
    let pieces = left.par_chunks(PIECE * dimension).zip(right.par_chunks(PIECE * dimension));
    let parts = pieces.map(|(left, right)| {
        let mut part = Symmetric::zeros(dimension);
        part.add_lower_products(1.0, left, right);
        part
    });
    sum(parts.collect(), dimension)
}

/// a · b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four totals side by side, so that one addition need not wait for the one before.
    let mut totals = [0.0; 4];
    let (left, right) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in left.0.iter().zip(right.0) {
        (0..4).for_each(|lane| totals[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = left.1.iter().zip(right.1).map(|(a, b)| a * b).sum();
    totals.iter().sum::<f64>() + rest
}

fn sum(parts: Vec<Symmetric>, dimension: usize) -> Symmetric {
    let mut parts = parts.into_iter();
    let mut total = parts.next().unwrap_or_else(|| Symmetric::zeros(dimension));
    parts.for_each(|part| total.add(1.0, &part));
    total
}

fn transposed(matrix: &[f64], m: usize) -> Vec<f64> {
    let mut transposed = vec![0.0; m * m];
    transposed.par_chunks_mut(TILE * m).enumerate().for_each(|(tile, columns)| {
        for start in (0..m).step_by(TILE) {
            for (j, column) in columns.chunks_exact_mut(m).enumerate() {
                for i in start..m.min(start + TILE) {
                    column[i] = matrix[i * m + tile * TILE + j];
                }
            }
        }
    });
    transposed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes that are no multiples of a piece, against sums written out.
    #[test]
    fn pieces_add_up() {
        let (m, n) = (37, 300);
        let wave = |shift: usize| (0..m * n).map(|i| ((i + shift) as f64).sin()).collect();
        let (left, right): (Vec<f64>, Vec<f64>) = (wave(0), wave(5));
        let entry = |a: &[f64], b: &[f64], i: usize, j: usize| -> f64 {
            (0..n).map(|k| a[k * m + i] * b[k * m + j]).sum()
        };
        let (gram, products) = (gram(1.0, &left, m), lower_products(&left, &right, m));
        for (i, j) in [(0, 0), (36, 0), (20, 11), (36, 36)] {
            assert!((gram.entry(i, j) - entry(&left, &left, i, j)).abs() < 1e-10);
            assert!((products.entry(i, j) - entry(&left, &right, i, j)).abs() < 1e-10);
        }
        // Waves have rank two.
        let mut matrix = gram;
        matrix.add_diagonal(1.0);
        let factor = matrix.cholesky().unwrap();
        let inverse = factor.inverse();
        let trace: f64 = (0..m).map(|i| inverse.entry(i, i)).sum();
        assert!((trace_of_inverse(&factor) / trace - 1.0).abs() < 1e-10);
        let identity = Symmetric::scaled_identity(m, 1.0);
        // L⁻ᵀ L⁻¹ = A⁻¹.
        let between = between_inverses(&factor, &identity);
        for (value, expected) in between.iter().zip(inverse.entries()) {
            assert!((value - expected).abs() < 1e-10);
        }
        let flipped = transposed(&left[..m * m], m);
        assert!((0..m * m).all(|at| flipped[at] == left[at % m * m + at / m]));
    }
}
