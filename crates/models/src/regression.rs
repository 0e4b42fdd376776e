//! Smoothed quadratics and remainders of any family over any design.
//!
//! Expectations under D ~ N(0, v) are Gauss–Hermite sums: fifteen nodes, or five where v < 0.01 and
//! the likelihood of a row is nearly a polynomial over the nodes. The five see the third and the
//! fourth derivative, which make the score.

use crate::design::Design;
use crate::generalised_linear::Family;
use crate::simd::Level;
use posterior::{ArrowMatrix, Regression, RowExpansions};
use std::sync::LazyLock;

/// Rows whose targets follow a family, in any layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FamilyRows<F> {
    /// ln p(y ∣ η).
    pub family: F,
    /// The instructions to use.
    pub level: Level,
}

/// Variances below which five nodes do.
const SMALL: f64 = 0.01;
/// Rows per piece.
const PIECE: usize = 256;

/// Nodes and weights for the standard normal law, one half of each: the rest mirrors it.
const FIVE: [(f64, f64); 3] = [
    (0.0, 0.533_333_333_333_333_3),
    (1.355_626_179_974_266, 0.222_075_922_005_612_57),
    (2.856_970_013_872_805_6, 0.011_257_411_327_720_677),
];
const FIFTEEN: [(f64, f64); 8] = [
    (0.0, 0.318_259_518_259_518_15),
    (0.799_129_068_324_548, 0.232_462_293_609_732_25),
    (1.606_710_069_028_729_7, 0.089_417_795_399_844_37),
    (2.432_436_827_009_758, 0.017_365_774_492_137_616),
    (3.289_082_424_398_766_4, 0.001_567_357_503_549_956),
    (4.196_207_711_269_015_5, 5.642_146_405_189_029e-5),
    (5.190_093_591_304_781, 5.975_419_597_920_599e-7),
    (6.363_947_888_829_839, 8.589_649_899_633_252e-10),
];

impl<F: Family, B: Design> Regression<B> for FamilyRows<F> {
    fn expand(
        &self,
        anchor: &[f64],
        covariance: Option<&ArrowMatrix>,
        cap: f64,
        block: &B,
    ) -> RowExpansions {
        let rows = block.rows();
        let zeros = || vec![0.0; rows];
        let mut found = RowExpansions {
            predictor: Vec::with_capacity(rows),
            variance: covariance.map_or_else(zeros, |matrix| row_variances(block, matrix)),
            value: zeros(),
            first: zeros(),
            second: zeros(),
            score: zeros(),
            largest: 0.0,
        };
        found.variance.iter_mut().for_each(|v| *v = v.clamp(0.0, cap));
        found.largest = found.variance.iter().fold(0.0, |a: f64, &b| a.max(b));
        let mut keep = |_: &[f64], eta: &mut [f64]| found.predictor.extend_from_slice(eta);
        block.sweep(self.level, anchor, &mut keep, None);
        for start in (0..rows).step_by(PIECE) {
            let end = rows.min(start + PIECE);
            self.smooth(&block.targets()[start..end], start..end, &mut found, covariance.is_some());
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
        let mut at = 0;
        let (mut seconds, mut inside) = (Vec::new(), Vec::new());
        let mut link = |targets: &[f64], moves: &mut [f64]| {
            let here = at..at + moves.len();
            at = here.end;
            let values = &mut values[here.clone()];
            let slopes = &mut slopes[here.clone()];
            inside.clear();
            inside.extend_from_slice(moves);
            if let Some(reach) = reach {
                for (inside, &reach) in inside.iter_mut().zip(&reach[here.clone()]) {
                    *inside = inside.clamp(-reach, reach);
                }
            }
            for ((slope, &inside), eta) in
                slopes.iter_mut().zip(&inside).zip(&rows.predictor[here.clone()])
            {
                *slope = eta + inside;
            }
            seconds.resize(moves.len(), 0.0);
            self.family.evaluate(self.level, targets, slopes, values, &mut seconds);
            for i in 0..moves.len() {
                let (row, y) = (here.start + i, inside[i]);
                let (first, second) = (rows.first[row], rows.second[row]);
                let slope = slopes[i] - first - second * y;
                let value = values[i] - rows.value[row] - y * (first + 0.5 * second * y);
                values[i] = value + slope * (moves[i] - y);
                slopes[i] = slope;
            }
        };
        block.moves(self.level, offset, &mut link);
    }

    fn likelihoods(&self, theta: &[f64], block: &B, values: &mut [f64], slopes: &mut [f64]) {
        let mut at = 0;
        let mut seconds = Vec::new();
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            let here = at..at + eta.len();
            at = here.end;
            slopes[here.clone()].copy_from_slice(eta);
            seconds.resize(eta.len(), 0.0);
            let (values, slopes) = (&mut values[here.clone()], &mut slopes[here]);
            self.family.evaluate(self.level, targets, slopes, values, &mut seconds);
        };
        block.sweep(self.level, theta, &mut link, None);
    }

    fn add_rows(&self, weights: &[f64], block: &B, sum: &mut [f64]) {
        block.add_rows(self.level, weights, sum);
    }

    fn add_gram(&self, weights: &[f64], block: &B, matrix: &mut ArrowMatrix) {
        if matrix.shape().is_dense() {
            return block.add_gram(self.level, weights, &mut matrix.corner);
        }
        let mut entries = Vec::new();
        for (row, &weight) in weights.iter().enumerate() {
            block.row(row, &mut entries);
            matrix.add_product(weight, &entries);
        }
    }

    fn row(&self, block: &B, row: usize, entries: &mut Vec<(usize, f64)>) {
        block.row(row, entries);
    }

    fn fingerprints(&self, block: &B) -> Vec<[u64; 2]> {
        fingerprints(block)
    }
}

/// For each row the column j with the largest x_ij² s_j².
pub(crate) fn dominant<B: Design>(variances: &[f64], block: &B) -> Vec<u32> {
    let mut entries = Vec::new();
    let one = |row: usize| {
        block.row(row, &mut entries);
        let (mut dominant, mut largest) = (0, -1.0);
        for &(column, x) in &entries {
            let size = x * x * variances[column];
            if size > largest {
                (dominant, largest) = (column as u32, size);
            }
        }
        dominant
    };
    (0..block.rows()).map(one).collect()
}

/// Two numbers of 64 bits for each row that agree for equal rows.
pub(crate) fn fingerprints<B: Design>(block: &B) -> Vec<[u64; 2]> {
    let mut entries = Vec::new();
    let one = |(row, target): (usize, &f64)| {
        block.row(row, &mut entries);
        let mut hash = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
        absorb(&mut hash, number(*target));
        if let Some(offsets) = block.offsets() {
            absorb(&mut hash, number(offsets[row]));
        }
        for &(column, x) in &entries {
            if x != 0.0 {
                absorb(&mut hash, column as u64);
                absorb(&mut hash, number(x));
            }
        }
        hash
    };
    block.targets().iter().enumerate().map(one).collect()
}

/// A rule for the standard normal law that is good enough where the predictor has this variance.
pub(crate) fn nodes(variance: f64) -> &'static [(f64, f64)] {
    static RULES: [LazyLock<Vec<(f64, f64)>>; 2] =
        [LazyLock::new(|| mirrored(&FIVE)), LazyLock::new(|| mirrored(&FIFTEEN))];
    &RULES[usize::from(variance >= SMALL)]
}

fn mirrored(half: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let other = half.iter().skip(1).map(|&(node, weight)| (-node, weight));
    half.iter().copied().chain(other).collect()
}

/// (x_i, 1)ᵀ C (x_i, 1) for each row; parameters behind the bias are not looked at.
pub(crate) fn row_variances<B: Design>(block: &B, matrix: &ArrowMatrix) -> Vec<f64> {
    let (size, all) = (block.width() + 1, matrix.shape().dimension());
    if matrix.shape().is_dense() && size == all {
        return block.quadratic_forms(&matrix.corner);
    }
    if matrix.shape().is_dense() {
        let lines = matrix.corner.chunks_exact(all).take(size);
        let leading: Vec<f64> = lines.flat_map(|line| line[..size].to_vec()).collect();
        return block.quadratic_forms(&leading);
    }
    let mut entries = Vec::new();
    let form = |row: usize| {
        block.row(row, &mut entries);
        matrix.quadratic_form(&entries)
    };
    (0..block.rows()).map(form).collect()
}

/// The bits of a number, the same for both zeros.
fn number(x: f64) -> u64 {
    if x == 0.0 { 0 } else { x.to_bits() }
}

/// Mixes a word into both halves of a hash, by two different odd multipliers.
fn absorb(hash: &mut [u64; 2], word: u64) {
    let multipliers = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f_u64];
    for (half, multiplier) in hash.iter_mut().zip(multipliers) {
        let mixed = (*half ^ word).wrapping_mul(multiplier);
        *half = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
    }
}

impl<F: Family> FamilyRows<F> {
    /// Fills value, first, second and score of some consecutive rows.
    fn smooth(
        &self,
        targets: &[f64],
        range: std::ops::Range<usize>,
        rows: &mut RowExpansions,
        smoothed: bool,
    ) {
        let count = targets.len();
        let mut eta = rows.predictor[range.clone()].to_vec();
        let mut seconds = vec![0.0; count];
        let centre = &mut rows.value[range.clone()];
        self.family.evaluate(self.level, targets, &mut eta, centre, &mut seconds);
        let centre = centre.to_vec();
        if !smoothed {
            rows.first[range.clone()].copy_from_slice(&eta);
            for (to, from) in rows.second[range].iter_mut().zip(&seconds) {
                *to = from.min(0.0);
            }
            return;
        }
        let largest = rows.variance[range.clone()].iter().fold(0.0_f64, |a, &b| a.max(b));
        let nodes = nodes(largest);
        let deviations: Vec<f64> = rows.variance[range.clone()].iter().map(|v| v.sqrt()).collect();
        let predictors = rows.predictor[range.clone()].to_vec();
        let first = &mut rows.first[range.clone()];
        let second = &mut rows.second[range.clone()];
        // ℓ − ℓ(η₀) at every node, node after node.
        let mut strayed = vec![0.0; count * nodes.len()];
        for (strayed, &(node, weight)) in strayed.chunks_exact_mut(count).zip(nodes) {
            for i in 0..count {
                eta[i] = predictors[i] + node * deviations[i];
            }
            self.family.evaluate(self.level, targets, &mut eta, strayed, &mut seconds);
            for i in 0..count {
                first[i] += weight * eta[i];
                second[i] += weight * seconds[i];
                strayed[i] -= centre[i];
            }
        }
        second.iter_mut().for_each(|second| *second = second.min(0.0));
        let mut moments = vec![(0.0, 0.0); count];
        for (strayed, &(node, weight)) in strayed.chunks_exact(count).zip(nodes) {
            for i in 0..count {
                let step = node * deviations[i];
                let remainder = strayed[i] - step * (first[i] + 0.5 * second[i] * step);
                moments[i].0 += weight * remainder;
                moments[i].1 += weight * remainder * remainder;
            }
        }
        for (score, (mean, square)) in rows.score[range].iter_mut().zip(moments) {
            *score = (square - mean * mean).max(0.0).sqrt();
        }
    }
}
