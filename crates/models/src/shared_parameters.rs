//! Rows with a linear predictor and parameters that all rows share: a dispersion, degrees of freedom.
//!
//! ```text
//! ℓ_i(θ) = ln p(y_i ∣ η_i, δ),   η_i = x_i · w + bias (+ offset_i),   θ = (w, bias, δ)
//! ```
//!
//! A row has K moves, that of η first, and P = K (K + 1) / 2 second derivatives. What does not depend on
//! the density stands here, for one shared parameter and for two.

use crate::design::Design;
use crate::simd::Level;
use posterior::{ArrowMatrix, RowExpansions};

/// A value with its derivatives in η and the shared parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<const K: usize, const P: usize> {
    /// ℓ.
    pub value: f64,
    /// First derivatives, that in η first.
    pub first: [f64; K],
    /// Second derivatives, line by line from the diagonal on.
    pub second: [f64; P],
}

impl<const K: usize, const P: usize> Default for Jet<K, P> {
    fn default() -> Self {
        Jet { value: 0.0, first: [0.0; K], second: [0.0; P] }
    }
}

impl<const K: usize, const P: usize> Jet<K, P> {
    fn times(self, weight: f64) -> Self {
        Jet {
            value: self.value * weight,
            first: self.first.map(|first| weight * first),
            second: self.second.map(|second| weight * second),
        }
    }

    /// Of one row among all.
    pub(crate) fn of_row(rows: &RowExpansions, row: usize) -> Self {
        let count = rows.value.len();
        Jet {
            value: rows.value[row],
            first: std::array::from_fn(|part| rows.first[part * count + row]),
            second: std::array::from_fn(|part| rows.second[part * count + row]),
        }
    }

    /// Becomes that of one row among all.
    pub(crate) fn put(&self, rows: &mut RowExpansions, row: usize) {
        let count = rows.value.len();
        rows.value[row] = self.value;
        self.first.iter().enumerate().for_each(|(part, x)| rows.first[part * count + row] = *x);
        self.second.iter().enumerate().for_each(|(part, x)| rows.second[part * count + row] = *x);
    }
}

/// Expansions of all rows at the anchor, of which the predictors are known.
pub(crate) fn unexpanded<const K: usize>(
    level: Level,
    anchor: &[f64],
    block: &impl Design,
) -> RowExpansions {
    let (rows, width) = (block.rows(), block.width() + 1);
    let mut predictor = Vec::with_capacity(K * rows);
    let mut keep = |_: &[f64], eta: &mut [f64]| predictor.extend_from_slice(eta);
    block.sweep(level, &anchor[..width], &mut keep, None);
    for (index, shared) in anchor[width..][..K - 1].iter().enumerate() {
        predictor.resize((index + 2) * rows, *shared);
    }
    RowExpansions {
        predictor,
        variance: vec![0.0; K * rows],
        value: vec![0.0; rows],
        first: vec![0.0; K * rows],
        second: vec![0.0; K * (K + 1) / 2 * rows],
        score: vec![0.0; rows],
        largest: 0.0,
    }
}

/// Hands `visit` the derivatives of every row, multiplied by its weight, in order; `of` has those of a
/// target and its predictor.
pub(crate) fn sweep<const K: usize, const P: usize>(
    level: Level,
    theta: &[f64],
    block: &impl Design,
    gradient: Option<&mut [f64]>,
    of: impl Fn(f64, f64) -> Jet<K, P>,
    mut visit: impl FnMut(&Jet<K, P>),
) {
    assert_eq!(theta.len(), block.width() + K, "weights, a bias and what all rows share");
    let (weights, mut at) = (block.weights(), 0);
    let linear = &theta[..block.width() + 1];
    let mut of_shared = [0.0; K];
    let mut link = |targets: &[f64], eta: &mut [f64]| {
        for (eta, &target) in eta.iter_mut().zip(targets) {
            let weight = weights.map_or(1.0, |weights| weights[at]);
            let jet = of(target, *eta).times(weight);
            visit(&jet);
            *eta = jet.first[0];
            of_shared.iter_mut().zip(jet.first).skip(1).for_each(|(sum, own)| *sum += own);
            at += 1;
        }
    };
    match gradient {
        None => block.sweep(level, linear, &mut link, None),
        Some(gradient) => {
            let (head, tail) = gradient.split_at_mut(linear.len());
            block.sweep(level, linear, &mut link, Some(head));
            tail.iter_mut().zip(&of_shared[1..]).for_each(|(sum, part)| *sum += part);
        }
    }
}

/// Adds gradient and Hessian of all rows and gives the log-likelihood.
pub(crate) fn add_hessian<const K: usize, const P: usize>(
    level: Level,
    theta: &[f64],
    block: &impl Design,
    of: impl Fn(f64, f64) -> Jet<K, P>,
    gradient: &mut [f64],
    hessian: &mut [f64],
) -> f64 {
    let (mut sum, rows) = (0.0, block.rows());
    let (mut weights, mut at) = (vec![0.0; P * rows], 0);
    sweep(level, theta, block, Some(gradient), of, |jet: &Jet<K, P>| {
        sum += jet.value;
        for (part, second) in jet.second.iter().enumerate() {
            weights[part * rows + at] = *second;
        }
        at += 1;
    });
    let mut matrix = ArrowMatrix::dense(theta.len(), vec![0.0; theta.len() * theta.len()]);
    add_gram::<K>(level, &weights, block, &mut matrix);
    hessian.iter_mut().zip(&matrix.corner).for_each(|(sum, entry)| *sum += entry);
    sum
}

/// The likelihood of every row, and its slopes in all moves.
pub(crate) fn likelihoods<const K: usize, const P: usize>(
    level: Level,
    theta: &[f64],
    block: &impl Design,
    of: impl Fn(f64, f64) -> Jet<K, P>,
    values: &mut [f64],
    slopes: &mut [f64],
) {
    let (count, mut row) = (block.rows(), 0);
    let mut link = |targets: &[f64], eta: &mut [f64]| {
        for (&target, &mut eta) in targets.iter().zip(eta) {
            let jet = of(target, eta);
            values[row] = jet.value;
            jet.first.iter().enumerate().for_each(|(part, x)| slopes[part * count + row] = *x);
            row += 1;
        }
    };
    block.sweep(level, &theta[..block.width() + 1], &mut link, None);
}

/// sum += Σ_i u_i ∇(moves of row i); u has the weights of one move after the other.
pub(crate) fn add_rows(level: Level, weights: &[f64], block: &impl Design, sum: &mut [f64]) {
    let rows = block.rows();
    let (head, tail) = sum.split_at_mut(block.width() + 1);
    block.add_rows(level, &weights[..rows], head);
    for (sum, own) in tail.iter_mut().zip(weights[rows..].chunks_exact(rows.max(1))) {
        *sum += own.iter().sum::<f64>();
    }
}

/// matrix += Σ_i Σ_kl u_ikl ∇(move k) ∇(move l)ᵀ; u has the weights of one pair after the other.
pub(crate) fn add_gram<const K: usize>(
    level: Level,
    weights: &[f64],
    block: &impl Design,
    matrix: &mut ArrowMatrix,
) {
    let (rows, width) = (block.rows(), block.width() + 1);
    let part = |part: usize| &weights[part * rows..][..rows];
    if matrix.shape().is_dense() {
        let mut leading = vec![0.0; width * width];
        block.add_gram(level, part(0), &mut leading);
        let lines = matrix.corner.chunks_exact_mut(width + K - 1);
        for (line, leading) in lines.zip(leading.chunks_exact(width)) {
            line.iter_mut().zip(leading).for_each(|(sum, entry)| *sum += entry);
        }
    } else {
        let mut entries = Vec::new();
        for (row, &weight) in part(0).iter().enumerate() {
            block.row(row, &mut entries);
            matrix.add_product(weight, &entries);
        }
    }
    // Pairs of two shared parameters stand behind those of η, line by line.
    let mut pair = K;
    for shared in 0..K - 1 {
        // A line is added with its mirror image; what two lines have in common is in the first alone.
        let mut line = vec![0.0; width + K - 1];
        block.add_rows(level, part(shared + 1), &mut line[..width]);
        for entry in &mut line[width + shared..] {
            *entry = part(pair).iter().sum();
            pair += 1;
        }
        matrix.add_line(width + shared, &line);
    }
}

/// The entries of a row's gradient: covariates, the bias, and one for everything shared.
pub(crate) fn row<const K: usize>(
    block: &impl Design,
    row: usize,
    entries: &mut Vec<(usize, f64)>,
) {
    block.row(row, entries);
    entries.extend((1..K).map(|shared| (block.width() + shared, 1.0)));
}
