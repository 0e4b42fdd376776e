//! Weights are repeats, offsets are a covariate whose weight is one, and trials are rows of their own.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use models::design::{AdjustedRows, Design, Extras};
use models::generalised_linear::{Family, GeneralisedLinear, Poisson};
use models::logistic::{Bernoulli, Binomial};
use models::prior::Prior;
use models::simd::Level;
use posterior::{Block, DenseBlock, Differentiable, Model, Rows, Smooth, SparseBlock};

struct Held<B>(B);

impl Rows for Held<DenseBlock> {
    type Block = DenseBlock;
    fn count(&self) -> usize {
        self.0.rows()
    }
    fn gather(&self, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), self.0.width());
        for (to, &from) in indices.iter().enumerate() {
            for j in 0..self.0.width() {
                block.column_mut(j)[to] = self.0.column(j)[from];
            }
            block.targets_mut()[to] = self.0.targets()[from];
        }
        block
    }
}

impl Rows for Held<SparseBlock> {
    type Block = SparseBlock;
    fn count(&self) -> usize {
        self.0.rows()
    }
    fn gather(&self, indices: &[usize]) -> SparseBlock {
        let mut block = SparseBlock::new(self.0.width());
        for &row in indices {
            let entries = self.0.offsets()[row] as usize..self.0.offsets()[row + 1] as usize;
            let values = &self.0.values()[entries.clone()];
            block.append(self.0.indices().range(entries), values, self.0.targets()[row]);
        }
        block
    }
}

/// Two covariates, an offset, a weight: rows of (x, z, offset, weight, y).
const TABLE: [[f64; 5]; 5] = [
    [0.5, -1.0, 0.3, 2.0, 1.0],
    [1.5, 0.0, -2.0, 1.0, 0.0],
    [-0.5, 2.0, 0.0, 3.0, 4.0],
    [0.0, 0.7, 1.1, 0.0, 9.0],
    [2.0, -0.3, 5.0, 1.5, 2.0],
];

fn dense(columns: usize, repeats: bool) -> DenseBlock {
    let mut rows = Vec::new();
    for row in TABLE {
        rows.extend(std::iter::repeat_n(row, if repeats { row[3] as usize } else { 1 }));
    }
    let mut block = DenseBlock::zeros(rows.len(), columns);
    for (i, row) in rows.iter().enumerate() {
        (0..columns).for_each(|j| block.column_mut(j)[i] = row[j]);
        block.targets_mut()[i] = row[4];
    }
    block
}

fn sparse() -> SparseBlock {
    let mut block = SparseBlock::new(4);
    for row in TABLE {
        let entries: Vec<u16> = (0..4).filter(|&j| row[usize::from(j)] != 0.0).collect();
        let values: Vec<f64> = entries.iter().map(|&j| row[usize::from(j)]).collect();
        block.push(&entries, &values, row[4]);
    }
    block
}

fn check<B: Design>(found: &B) {
    let prior = Prior::Gaussian { standard_deviation: 2.0 };
    let weighted = GeneralisedLinear::<_, B>::new(Poisson, 2, prior).unwrap();
    // The offset as a third covariate of weight one, row by row.
    let theta = [0.2, -0.4, 0.1];
    let single = GeneralisedLinear::<_, DenseBlock>::new(Poisson, 3, prior).unwrap();
    let (mut value, mut gradient) = (0.0, [0.0; 3]);
    for row in TABLE {
        let mut block = DenseBlock::zeros(1, 3);
        (0..3).for_each(|j| block.column_mut(j)[0] = row[j]);
        block.targets_mut()[0] = row[4];
        let mut slope = [0.0; 4];
        value += row[3] * single.add_gradient(&[0.2, -0.4, 1.0, 0.1], &block, &mut slope);
        for (sum, j) in gradient.iter_mut().zip([0, 1, 3]) {
            *sum += row[3] * slope[j];
        }
    }
    let mut own = [0.0; 3];
    let total = weighted.add_gradient(&theta, found, &mut own);
    assert!((total - value).abs() < 1e-12 * value.abs());
    assert!((weighted.log_likelihood(&theta, found) - value).abs() < 1e-12 * value.abs());
    for (own, gradient) in own.iter().zip(gradient) {
        assert!((own - gradient).abs() < 1e-11, "{own} {gradient}");
    }
    // Predictors have offsets, moves have none.
    let regression = weighted.regression().unwrap();
    let expansions = regression.expand(&theta, None, 4.0, found);
    let (mut values, mut slopes) = (vec![0.0; 5], vec![0.0; 5]);
    regression.remainders(&[0.0; 3], found, &expansions, None, &mut values, &mut slopes);
    values.iter().chain(&slopes).for_each(|zero| assert!(zero.abs() < 1e-12));
    let prints = regression.fingerprints(found);
    assert!((0..5).all(|i| (0..i).all(|j| prints[i] != prints[j])));
}

#[test]
fn weights_and_offsets_are_what_they_say() {
    let extras = Extras { offset: Some(0), weight: Some(1), trials: None };
    let all: Vec<usize> = (0..5).collect();
    check(&AdjustedRows { rows: Held(dense(4, false)), width: 2, extras }.gather(&all));
    check(&AdjustedRows { rows: Held(sparse()), width: 2, extras }.gather(&all));
}

#[test]
fn whole_weights_are_repeats() {
    let extras = Extras { weight: Some(1), ..Extras::default() };
    let rows = AdjustedRows { rows: Held(dense(4, false)), width: 2, extras };
    // The weight of the last row is 1.5: it is left out here.
    let weighted = rows.gather(&[0, 1, 2, 3]);
    let repeated = dense(2, true);
    let repeated = Held(repeated).gather(&[0, 1, 2, 3, 4, 5]);
    let family = GeneralisedLinear::<_, DenseBlock>::new(Poisson, 2, Prior::Flat).unwrap();
    let other = GeneralisedLinear::new(Poisson, 2, Prior::Flat).unwrap();
    let theta = [0.2, -0.4, 0.1];
    let difference =
        family.log_likelihood(&theta, &repeated) - other.log_likelihood(&theta, &weighted);
    assert!(difference.abs() < 1e-12, "{difference}");
}

#[test]
fn trials_are_rows_of_their_own() {
    for (successes, trials) in [(0.0, 3.0), (2.0, 5.0), (4.0, 4.0)] {
        for eta in [-30.0, -1.0, 0.0, 2.5, 40.0] {
            let one = |y: f64| Bernoulli.derivatives(y, eta);
            let proportion = Binomial.derivatives(successes / trials, eta);
            for order in 0..3 {
                let apart = successes * one(1.0)[order] + (trials - successes) * one(-1.0)[order];
                let together = trials * proportion[order];
                assert!((apart - together).abs() < 1e-12 * (1.0 + apart.abs()));
            }
        }
    }
    let (targets, mut eta) = ([0.25, 0.0, 1.0], [0.3, -2.0, 50.0]);
    let (mut values, mut seconds) = ([0.0; 3], [0.0; 3]);
    let expected: Vec<[f64; 3]> =
        targets.iter().zip(eta).map(|(&y, eta)| Binomial.derivatives(y, eta)).collect();
    Binomial.evaluate(Level::best(), &targets, &mut eta, &mut values, &mut seconds);
    for (i, [value, first, second]) in expected.into_iter().enumerate() {
        assert!((values[i] - value).abs() < 1e-13 * (1.0 + value.abs()));
        assert!((eta[i] - first).abs() < 1e-14 && (seconds[i] - second).abs() < 1e-14);
    }
}
