//! Smoothed quadratics and remainders of rows with Student-t noise of unknown scale and degrees.
//!
//! As for one dispersion (`dispersed_rows.rs`), with three moves per row: m = (x · (θ − θ₀), δ − δ₀,
//! κ − κ₀), whose covariance is factored as V = L Lᵀ. Expectations are products of Gauss–Hermite rules:
//! that of η as wide as its variance asks for, those of δ and κ, which all rows share and know well, of
//! five nodes.

use crate::design::Design;
use crate::regression::{dominant, fingerprints, nodes, row_variances};
use crate::shared_parameters::{add_gram, add_rows, likelihoods, row, unexpanded};
use crate::simd::Level;
use crate::student::{Degrees, Jet};
use posterior::{ArrowMatrix, Regression, RowExpansions};

/// Rows with Student-t noise, in any layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudentRows {
    /// The instructions to use.
    pub level: Level,
}

impl StudentRows {
    /// Derivatives of a target and its predictor, at one scale and one number of degrees.
    pub(crate) fn of(shared: &[f64]) -> impl Fn(f64, f64) -> Jet {
        let (log_scale, degrees) = (shared[0], Degrees::new(shared[1]));
        move |target, eta| degrees.jet(target, eta, log_scale)
    }
}

/// Where the second derivatives of a pair of moves are kept.
const PAIRS: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

impl Jet {
    /// The quadratic at a move, and its slope.
    fn at(&self, moves: [f64; 3]) -> (f64, [f64; 3]) {
        let bent = PAIRS.map(|line| (0..3).map(|k| self.second[line[k]] * moves[k]).sum::<f64>());
        let slope = [0, 1, 2].map(|k| self.first[k] + bent[k]);
        let rise: f64 = (0..3).map(|k| moves[k] * (self.first[k] + 0.5 * bent[k])).sum();
        (self.value + rise, slope)
    }
}

impl<B: Design> Regression<B> for StudentRows {
    fn predictors(&self) -> usize {
        3
    }

    fn expand(
        &self,
        anchor: &[f64],
        covariance: Option<&ArrowMatrix>,
        cap: f64,
        block: &B,
    ) -> RowExpansions {
        let (rows, width) = (block.rows(), block.width() + 1);
        let shared = [anchor[width], anchor[width + 1]];
        let mut found = unexpanded::<3>(self.level, anchor, block);
        let Some(covariance) = covariance else {
            let degrees = Degrees::new(shared[1]);
            for (row, &target) in block.targets().iter().enumerate() {
                let eta = found.predictor[row];
                let mut jet = degrees.jet(target, eta, shared[0]);
                jet.second = stepping(target - eta, &jet);
                jet.put(&mut found, row);
            }
            return found;
        };
        let unit = shared[0].exp();
        let of_predictor = row_variances(block, covariance);
        let lines = [covariance.line(width), covariance.line(width + 1)];
        let between = lines[0][width + 1];
        let of_shared = [lines[0][width], lines[1][width + 1]].map(|v| v.clamp(0.0, cap));
        let mixed = [0, 1].map(|which: usize| {
            let mut mixed = Vec::with_capacity(rows);
            let mut keep = |_: &[f64], moves: &mut [f64]| mixed.extend_from_slice(moves);
            block.moves(self.level, &lines[which][..width], &mut keep);
            mixed
        });
        let mut strayed = Vec::new();
        for (row, &target) in block.targets().iter().enumerate() {
            let variance = of_predictor[row].clamp(0.0, cap * unit * unit);
            for (part, v) in [variance, of_shared[0], of_shared[1]].into_iter().enumerate() {
                found.variance[part * rows + row] = v;
            }
            let relative = variance / (unit * unit);
            found.largest = found.largest.max(relative).max(of_shared[0]).max(of_shared[1]);
            let factor = factor([
                variance,
                mixed[0][row],
                mixed[1][row],
                of_shared[0],
                between,
                of_shared[1],
            ]);
            let place = (target, found.predictor[row], shared);
            let (jet, score) = smooth(place, factor, nodes(relative), &mut strayed);
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
        // Rows within reach share their degrees of freedom.
        let known =
            Degrees::new(rows.predictor.last().map_or(0.0, |kappa| kappa + offset[width + 1]));
        let mut row = 0;
        let mut link = |targets: &[f64], moves: &mut [f64]| {
            for (&target, &mut moved) in targets.iter().zip(moves) {
                let moves = [moved, offset[width], offset[width + 1]];
                let mut inside = moves;
                if let Some(reach) = reach {
                    for (part, inside) in inside.iter_mut().enumerate() {
                        let reach = reach[part * count + row];
                        *inside = inside.clamp(-reach, reach);
                    }
                }
                let at = [0, 1, 2].map(|part| rows.predictor[part * count + row] + inside[part]);
                let degrees = if inside[2] == moves[2] { known } else { Degrees::new(at[2]) };
                let jet = degrees.jet(target, at[0], at[1]);
                let (quadratic, slope) = Jet::of_row(rows, row).at(inside);
                let slope = [0, 1, 2].map(|part| jet.first[part] - slope[part]);
                let beyond: f64 =
                    (0..3).map(|part| slope[part] * (moves[part] - inside[part])).sum();
                values[row] = jet.value - quadratic + beyond;
                (0..3).for_each(|part| slopes[part * count + row] = slope[part]);
                row += 1;
            }
        };
        block.moves(self.level, &offset[..width], &mut link);
    }

    fn likelihoods(&self, theta: &[f64], block: &B, values: &mut [f64], slopes: &mut [f64]) {
        let of = StudentRows::of(&theta[block.width() + 1..]);
        likelihoods(self.level, theta, block, of, values, slopes);
    }

    fn add_rows(&self, weights: &[f64], block: &B, sum: &mut [f64]) {
        add_rows(self.level, weights, block, sum);
    }

    fn add_gram(&self, weights: &[f64], block: &B, matrix: &mut ArrowMatrix) {
        add_gram::<3>(self.level, weights, block, matrix);
    }

    fn row(&self, block: &B, index: usize, entries: &mut Vec<(usize, f64)>) {
        row::<3>(block, index, entries);
    }

    fn fingerprints(&self, block: &B) -> Vec<[u64; 2]> {
        fingerprints(block)
    }
}

/// Second derivatives to step with from far away: nowhere positive, that of η those of the normal density
/// that touches Student's, and no step of more than one in a logarithm.
fn stepping(residual: f64, jet: &Jet) -> [f64; 6] {
    let of_predictor = if residual == 0.0 { jet.second[0] } else { -jet.first[0] / residual };
    let firm = |second: f64, first: f64| -second.abs().max(first.abs());
    let [a, b, c] = [
        of_predictor.min(0.0),
        firm(jet.second[3], jet.first[1]),
        firm(jet.second[5], jet.first[2]),
    ];
    // Two halves of the diagonal for each row: never more off it than on it.
    let cut = |entry: f64, a: f64, b: f64| {
        let most = 0.5 * (a * b).sqrt();
        entry.clamp(-most, most)
    };
    let [_, ab, ac, _, bc, _] = jet.second;
    [a, cut(ab, a, b), cut(ac, a, c), b, cut(bc, b, c), c]
}

/// L of V = L Lᵀ, row by row: V has the variances and covariances of three moves; where rounding or a cap
/// has left it indefinite, what is too much is cut.
fn factor([a, ab, ac, b, bc, c]: [f64; 6]) -> [f64; 6] {
    let over = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
    let l11 = a.max(0.0).sqrt();
    let l21 = over(ab, l11).clamp(-b.sqrt(), b.sqrt());
    let l22 = (b - l21 * l21).max(0.0).sqrt();
    let l31 = over(ac, l11).clamp(-c.sqrt(), c.sqrt());
    let left = (c - l31 * l31).max(0.0).sqrt();
    let l32 = over(bc - l21 * l31, l22).clamp(-left, left);
    [l11, l21, l22, l31, l32, (left * left - l32 * l32).max(0.0).sqrt()]
}

/// The smoothed quadratic of a row, and its score.
fn smooth(
    (target, eta, [delta, kappa]): (f64, f64, [f64; 2]),
    [l11, l21, l22, l31, l32, l33]: [f64; 6],
    outer: &[(f64, f64)],
    strayed: &mut Vec<(f64, [f64; 3], f64)>,
) -> (Jet, f64) {
    let centre = Degrees::new(kappa).jet(target, eta, delta).value;
    let mut mean = Jet { value: centre, ..Jet::default() };
    let inner = nodes(0.0);
    strayed.clear();
    for &(x, own) in outer {
        for &(y, middle) in inner {
            for &(z, last) in inner {
                let weight = own * middle * last;
                let moves = [l11 * x, l21 * x + l22 * y, l31 * x + l32 * y + l33 * z];
                let degrees = Degrees::new(kappa + moves[2]);
                let jet = degrees.jet(target, eta + moves[0], delta + moves[1]);
                mean.first.iter_mut().zip(jet.first).for_each(|(mean, own)| *mean += weight * own);
                mean.second
                    .iter_mut()
                    .zip(jet.second)
                    .for_each(|(mean, own)| *mean += weight * own);
                strayed.push((weight, moves, jet.value));
            }
        }
    }
    mean.second[0] = mean.second[0].min(0.0);
    let (mut first, mut square) = (0.0, 0.0);
    for &(weight, moves, value) in &*strayed {
        let remainder = value - mean.at(moves).0;
        first += weight * remainder;
        square += weight * remainder * remainder;
    }
    (mean, (square - first * first).max(0.0).sqrt())
}
