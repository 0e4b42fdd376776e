//! Log-likelihood and gradient of logistic regression as plain loops over rows, to compare with.
//!
//! There are two links, because the first that comes to mind takes an exponential too many and
//! flatters whatever is held against it.

use posterior::{Indices, SparseBlock};

/// ℓ and y s as one writes them first: two exponentials and a logarithm.
pub fn first_thought(y: f64, z: f64) -> (f64, f64) {
    (z.min(0.0) - (-z.abs()).exp().ln_1p(), y / (1.0 + z.exp()))
}

/// The same with the exponential shared, the harder loop to beat.
pub fn second_thought(y: f64, z: f64) -> (f64, f64) {
    let e = (-z.abs()).exp();
    (z.min(0.0) - e.ln_1p(), y * if z < 0.0 { 1.0 } else { e } / (1.0 + e))
}

/// Rows one after the other in memory, as libraries keep them.
pub fn dense(
    x: &[f64],
    y: &[f64],
    theta: &[f64],
    gradient: &mut [f64],
    link: impl Fn(f64, f64) -> (f64, f64),
) -> f64 {
    let width = theta.len() - 1;
    let mut total = 0.0;
    for (x, y) in x.chunks_exact(width).zip(y) {
        let eta = theta[width] + x.iter().zip(theta).map(|(x, w)| x * w).sum::<f64>();
        let (value, weight) = link(*y, y * eta);
        total += value;
        for (gradient, x) in gradient.iter_mut().zip(x) {
            *gradient += weight * x;
        }
        gradient[width] += weight;
    }
    total
}

/// η = X θ and Xᵀ η, as two calls of a library for compressed sparse rows: values of eight bytes, columns
/// of four.
pub fn products(
    (offsets, columns, values): (&[u32], &[u32], &[f64]),
    theta: &[f64],
    eta: &mut [f64],
    gradient: &mut [f64],
) {
    for (ends, eta) in offsets.windows(2).zip(&mut *eta) {
        let mut sum = 0.0;
        for entry in ends[0] as usize..ends[1] as usize {
            sum += values[entry] * theta[columns[entry] as usize];
        }
        *eta = sum;
    }
    for (ends, u) in offsets.windows(2).zip(eta) {
        for entry in ends[0] as usize..ends[1] as usize {
            gradient[columns[entry] as usize] += values[entry] * *u;
        }
    }
}

/// Compressed sparse rows.
pub fn sparse(
    block: &SparseBlock,
    theta: &[f64],
    gradient: &mut [f64],
    link: impl Fn(f64, f64) -> (f64, f64),
) -> f64 {
    let width = theta.len() - 1;
    let mut total = 0.0;
    for (ends, y) in block.offsets().windows(2).zip(block.targets()) {
        let Indices::Narrow(columns) = block.indices() else { panic!("a9a is narrow") };
        let columns = &columns[ends[0] as usize..ends[1] as usize];
        let eta = theta[width] + columns.iter().map(|&j| theta[usize::from(j)]).sum::<f64>();
        let (value, weight) = link(*y, y * eta);
        total += value;
        for &j in columns {
            gradient[usize::from(j)] += weight;
        }
        gradient[width] += weight;
    }
    total
}
