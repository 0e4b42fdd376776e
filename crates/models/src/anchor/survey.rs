//! One pass over all rows at the anchor: the expansion, and the rows that stray most from it.

use super::Expansion;
use debias::Ledger;
use posterior::{Block, Rows, Smooth, pass};

/// How many rows to keep exact, and under which spread of θ they are judged.
#[derive(Clone, Debug)]
pub struct CoreChoice {
    /// The covariance of θ − θ₀, d² entries: the Laplace approximation's.
    pub covariance: Vec<f64>,
    /// |K|.
    pub size: usize,
}

/// What one pass finds.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Q over all rows.
    pub expansion: Expansion,
    /// The indices of K, growing: the largest scores, the earlier row where two are equal.
    pub core: Vec<usize>,
    /// The pass.
    pub ledger: Ledger,
}

/// Rows of one stretch: their expansion, their number, the best scores with their indices.
struct Part {
    expansion: Expansion,
    rows: usize,
    scores: Vec<(f64, usize)>,
}

/// Sums log-likelihood, gradient and Hessian over all rows, block by block on all threads, the
/// same bytes on any number of them.
pub fn survey<R, M>(model: &M, rows: &R, anchor: &[f64], core: Option<&CoreChoice>) -> Survey
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let size = core.map_or(0, |choice| choice.size);
    let visit = |block: R::Block| {
        let scores = match core {
            Some(choice) => model.remainder_scores(anchor, &choice.covariance, &block),
            None => Vec::new(),
        };
        let mut scores: Vec<_> = scores.into_iter().enumerate().map(|(i, s)| (s, i)).collect();
        keep_largest(&mut scores, size);
        let expansion = Expansion::of_block(model, anchor, &block);
        Part { expansion, rows: block.rows(), scores }
    };
    let none = Part { expansion: Expansion::zero(anchor), rows: 0, scores: Vec::new() };
    let total = pass(rows, visit, none, |total, part| {
        total.expansion.add(1.0, &part.expansion);
        total.scores.extend(part.scores.iter().map(|&(score, i)| (score, total.rows + i)));
        keep_largest(&mut total.scores, size);
        total.rows += part.rows;
    });
    let mut core: Vec<usize> = total.scores.iter().map(|&(_, index)| index).collect();
    core.sort_unstable();
    let all = total.rows as u64;
    let ledger = Ledger { gradients: all, distinct_rows: all, ..Ledger::default() };
    Survey { expansion: total.expansion, core, ledger }
}

fn keep_largest(scores: &mut Vec<(f64, usize)>, size: usize) {
    if scores.len() > size && size > 0 {
        scores.select_nth_unstable_by(size - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }
    scores.truncate(size);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_stay_and_ties_go_to_the_first() {
        let mut scores = vec![(1.0, 0), (3.0, 1), (2.0, 2), (2.0, 3), (0.5, 4)];
        keep_largest(&mut scores, 2);
        scores.sort_by_key(|&(_, index)| index);
        assert_eq!(scores, [(3.0, 1), (2.0, 2)]);
        keep_largest(&mut scores, 0);
        assert!(scores.is_empty());
    }
}
