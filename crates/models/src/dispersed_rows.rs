//! Smoothed quadratics and remainders of rows with a linear predictor and a shared dispersion.
//!
//! The moves of a row are m = (x · (θ − θ₀), δ − δ₀), with a covariance V of two by two, and
//!
//! ```text
//! q(m) = ℓ + E[∇ℓ]ᵀ m + ½ mᵀ E[∇²ℓ] m,      moves ~ N(0, V),
//! ```
//!
//! by a product of two Gauss–Hermite rules. Curvature in η that is positive becomes zero. That in δ stays
//! as it is: rows share δ, their curvatures cancel in part, and only their sum has to be negative. Taylor
//! expansions, from which Newton's method steps far from the mode, are made negative row by row.

use crate::design::Design;
use crate::dispersed::{Dispersed, Jet};
use crate::regression::{dominant, fingerprints, nodes, row_variances};
use crate::shared_parameters::{add_gram, add_rows, likelihoods, row, unexpanded};
use crate::simd::Level;
use posterior::{ArrowMatrix, Regression, RowExpansions};

/// Rows whose targets follow a family with a dispersion, in any layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DispersedRows<F> {
    /// ln p(y ∣ η, δ).
    pub family: F,
    /// The instructions to use.
    pub level: Level,
}

/// A node of a quadrature and its weight.
type Node = (f64, f64);

impl<F: Dispersed, B: Design> Regression<B> for DispersedRows<F> {
    fn predictors(&self) -> usize {
        2
    }

    fn expand(
        &self,
        anchor: &[f64],
        covariance: Option<&ArrowMatrix>,
        cap: f64,
        block: &B,
    ) -> RowExpansions {
        let (rows, width) = (block.rows(), block.width() + 1);
        let log_dispersion = anchor[width];
        let mut found = unexpanded::<2>(self.level, anchor, block);
        let Some(covariance) = covariance else {
            for (row, &target) in block.targets().iter().enumerate() {
                let eta = found.predictor[row];
                let jet = self.family.derivatives(target, eta, log_dispersion);
                // Far from the mode the curvature of a dispersion may all but vanish where its slope does
                // not: steps of more than one in its logarithm are never taken.
                let [_, b, c] = jet.second;
                let a = self.family.stepping(target, eta, &jet);
                let second = negative([a, b, -c.abs().max(jet.first[1].abs())]);
                Jet { second, ..jet }.put(&mut found, row);
            }
            return found;
        };
        let unit = self.family.unit(log_dispersion);
        let of_predictor = row_variances(block, covariance);
        let with_dispersion = covariance.line(width);
        let of_dispersion = with_dispersion[width].clamp(0.0, cap);
        let mut mixed = Vec::with_capacity(rows);
        let mut keep = |_: &[f64], moves: &mut [f64]| mixed.extend_from_slice(moves);
        block.moves(self.level, &with_dispersion[..width], &mut keep);
        let mut jets = Vec::new();
        for (row, &target) in block.targets().iter().enumerate() {
            let variance = of_predictor[row].clamp(0.0, cap * unit * unit);
            found.variance[row] = variance;
            found.variance[rows + row] = of_dispersion;
            found.largest = found.largest.max(variance / (unit * unit)).max(of_dispersion);
            // V = L Lᵀ.
            let spread = variance.sqrt();
            let most = spread * of_dispersion.sqrt();
            let mixed = mixed[row].max(-most).min(most);
            let along = if spread > 0.0 { mixed / spread } else { 0.0 };
            let across = (of_dispersion - along * along).max(0.0).sqrt();
            let place = (target, found.predictor[row], log_dispersion);
            let rules = (nodes(variance / (unit * unit)), nodes(of_dispersion));
            let (jet, score) = self.smooth(place, [spread, along, across], rules, &mut jets);
            jet.put(&mut found, row);
            found.score[row] = score;
        }
        found
    }

    fn dominant(&self, variances: &[f64], block: &B) -> Vec<u32> {
        dominant(variances, block)
    }

    fn remainders(
        &self,
        offset: &[f64],
        block: &B,
        rows: &RowExpansions,
        reach: Option<&[f64]>,
        values: &mut [f64],
        slopes: &mut [f64],
    ) {
        let (count, width) = (block.rows(), block.width() + 1);
        let mut row = 0;
        let mut link = |targets: &[f64], moves: &mut [f64]| {
            for (&target, &mut moved) in targets.iter().zip(moves) {
                let moves = [moved, offset[width]];
                let mut inside = moves;
                if let Some(reach) = reach {
                    inside[0] = moves[0].clamp(-reach[row], reach[row]);
                    inside[1] = moves[1].clamp(-reach[count + row], reach[count + row]);
                }
                let eta = rows.predictor[row] + inside[0];
                let jet =
                    self.family.derivatives(target, eta, rows.predictor[count + row] + inside[1]);
                let own = Jet::of_row(rows, row);
                let slope =
                    [jet.first[0] - own.slope(inside, 0), jet.first[1] - own.slope(inside, 1)];
                values[row] = jet.value - own.at(inside)
                    + slope[0] * (moves[0] - inside[0])
                    + slope[1] * (moves[1] - inside[1]);
                slopes[row] = slope[0];
                slopes[count + row] = slope[1];
                row += 1;
            }
        };
        block.moves(self.level, &offset[..width], &mut link);
    }

    fn likelihoods(&self, theta: &[f64], block: &B, values: &mut [f64], slopes: &mut [f64]) {
        let of = self.of(theta[block.width() + 1]);
        likelihoods(self.level, theta, block, of, values, slopes);
    }

    fn add_rows(&self, weights: &[f64], block: &B, sum: &mut [f64]) {
        add_rows(self.level, weights, block, sum);
    }

    fn add_gram(&self, weights: &[f64], block: &B, matrix: &mut ArrowMatrix) {
        add_gram::<2>(self.level, weights, block, matrix);
    }

    fn row(&self, block: &B, index: usize, entries: &mut Vec<(usize, f64)>) {
        row::<2>(block, index, entries);
    }

    fn fingerprints(&self, block: &B) -> Vec<[u64; 2]> {
        fingerprints(block)
    }
}

impl<F: Dispersed> DispersedRows<F> {
    /// Derivatives of a target and its predictor, at one dispersion.
    pub(crate) fn of(&self, log_dispersion: f64) -> impl Fn(f64, f64) -> Jet {
        move |target, eta| self.family.derivatives(target, eta, log_dispersion)
    }

    /// The smoothed quadratic of a row and its score; L has the entries `spread`, `along` and `across`.
    fn smooth(
        &self,
        (target, eta, delta): (f64, f64, f64),
        [spread, along, across]: [f64; 3],
        (outer, inner): (&[Node], &[Node]),
        jets: &mut Vec<(f64, [f64; 2], f64)>,
    ) -> (Jet, f64) {
        let centre = self.family.derivatives(target, eta, delta).value;
        let mut mean = Jet { value: centre, ..Jet::default() };
        jets.clear();
        for &(z, outer) in outer {
            for &(y, inner) in inner {
                let (weight, moves) = (outer * inner, [spread * z, along * z + across * y]);
                let jet = self.family.derivatives(target, eta + moves[0], delta + moves[1]);
                for (mean, own) in mean.first.iter_mut().zip(jet.first) {
                    *mean += weight * own;
                }
                for (mean, own) in mean.second.iter_mut().zip(jet.second) {
                    *mean += weight * own;
                }
                jets.push((weight, moves, jet.value));
            }
        }
        mean.second[0] = mean.second[0].min(0.0);
        let (mut first, mut square) = (0.0, 0.0);
        for &(weight, moves, value) in &*jets {
            let remainder = value - mean.at(moves);
            first += weight * remainder;
            square += weight * remainder * remainder;
        }
        (mean, (square - first * first).max(0.0).sqrt())
    }
}

/// A symmetric matrix of two by two that is nowhere positive, the same if it was none.
fn negative([a, b, c]: [f64; 3]) -> [f64; 3] {
    let (a, c) = (a.min(0.0), c.min(0.0));
    let most = (a * c).sqrt();
    [a, b.max(-most).min(most), c]
}

impl Jet {
    /// The quadratic at a move.
    fn at(&self, [x, y]: [f64; 2]) -> f64 {
        let [a, b, c] = self.second;
        self.value + x * (self.first[0] + 0.5 * a * x + b * y) + y * (self.first[1] + 0.5 * c * y)
    }

    /// Its slope in one of the moves.
    fn slope(&self, [x, y]: [f64; 2], of: usize) -> f64 {
        self.first[of] + self.second[of] * x + self.second[of + 1] * y
    }
}
