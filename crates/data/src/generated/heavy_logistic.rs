//! A harder logistic regression: heavy tails, correlated covariates, few positives.
//!
//! ```text
//! t_j ~ Student(4) = z/√(−½ ln(u v)),    x = A t,  A_jk ~ N(0, 1/d)
//! P(y = +1 ∣ x) = 1/(1 + e^{−η}),   η = b + Σ_j β_j x_j,   β_j ~ N(0, 1/d)
//! ```
//!
//! −2 ln(u v) is χ² with four degrees of freedom, which is why Student's t is taken at four.

use super::bulk::{exponentials, labels, normals, scale_and_predict};
use super::law::Law;
use super::tile::{Reader, TILE, Values, Words};
use debias::Seed;

/// Student-t covariates mixed by a random matrix, and a label ±1.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyLogisticLaw {
    // A, row after row.
    mixing: Vec<f64>,
    weights: Vec<f64>,
    bias: f64,
}

impl HeavyLogisticLaw {
    /// `width` covariates; matrix and weights are drawn from the seed. With twenty covariates a
    /// bias of −2.5 makes about one label in ten positive.
    pub fn new(width: usize, bias: f64, seed: Seed) -> HeavyLogisticLaw {
        let scale = 1.0 / (width as f64).sqrt();
        let mut reader = Reader::new(seed, width + 1);
        let mut column = [0.0; TILE];
        let mut drawn = vec![vec![0.0; width + 1]; width];
        for start in (0..width).step_by(TILE) {
            let size = TILE.min(width - start);
            for (k, words) in reader.range(start, size).iter().enumerate() {
                normals(words, &mut column);
                for (row, z) in drawn[start..start + size].iter_mut().zip(&column) {
                    row[k] = scale * z;
                }
            }
        }
        HeavyLogisticLaw {
            mixing: drawn.iter().flat_map(|row| row[..width].to_vec()).collect(),
            weights: drawn.iter().map(|row| row[width]).collect(),
            bias,
        }
    }

    /// β.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// b.
    pub fn bias(&self) -> f64 {
        self.bias
    }
}

impl Law for HeavyLogisticLaw {
    fn width(&self) -> usize {
        self.weights.len()
    }

    fn words(&self) -> usize {
        3 * self.width() + 1
    }

    fn fill(&self, words: &[Words], columns: &mut [Values]) {
        let width = self.width();
        let (label, words) = words.split_last().expect("there is a word for the label");
        let (target, covariates) = columns.split_last_mut().expect("there is a target");
        let [mut z, mut first, mut second] = [[0.0; TILE]; 3];
        covariates.iter_mut().for_each(|column| column.fill(0.0));
        for (k, words) in words.chunks_exact(3).enumerate() {
            normals(&words[0], &mut z);
            exponentials(&words[1], &mut first);
            exponentials(&words[2], &mut second);
            for i in 0..TILE {
                z[i] /= (0.5 * (first[i] + second[i])).sqrt();
            }
            for (j, column) in covariates.iter_mut().enumerate() {
                let a = self.mixing[j * width + k];
                for (x, t) in column.iter_mut().zip(&z) {
                    *x += a * t;
                }
            }
        }
        let mut predictor = [self.bias; TILE];
        for (column, weight) in covariates.iter_mut().zip(&self.weights) {
            scale_and_predict(1.0, *weight, column, &mut predictor);
        }
        labels(label, &predictor, target);
    }
}
