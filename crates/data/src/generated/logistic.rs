//! The paper's synthetic logistic regression.
//!
//! ```text
//! x_j ~ N(0, s²), j = 1..d,     P(y = +1 ∣ x) = 1/(1 + e^{−η}),   η = b + Σ_j β_j x_j
//! ```
//!
//! In the paper d = 9, s² = D⁻² with D = 10, all β_j = 1 and b = 0; the bias is not a column.

use super::bulk::{labels, normal_pairs, normals, scale_and_predict};
use super::law::Law;
use super::tile::{TILE, Values, Words};

/// Normal covariates and a label ±1.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticLaw {
    /// s, the standard deviation of each covariate.
    pub scale: f64,
    /// β, one for each covariate.
    pub weights: Vec<f64>,
    /// b.
    pub bias: f64,
}

impl LogisticLaw {
    /// Nine covariates of variance 1/100, weights one, bias zero.
    pub fn paper() -> LogisticLaw {
        LogisticLaw { scale: 0.1, weights: vec![1.0; 9], bias: 0.0 }
    }
}

impl Law for LogisticLaw {
    fn width(&self) -> usize {
        self.weights.len()
    }

    fn words(&self) -> usize {
        self.width().div_ceil(2) + 1
    }

    fn fill(&self, words: &[Words], columns: &mut [Values]) {
        let (label, pairs) = words.split_last().expect("there is a word for the label");
        let (target, covariates) = columns.split_last_mut().expect("there is a target");
        for (pair, word) in covariates.chunks_mut(2).zip(pairs) {
            match pair {
                [first, second] => normal_pairs(word, first, second),
                [last] => normals(word, last),
                _ => unreachable!("chunks hold one or two columns"),
            }
        }
        let mut predictor = [self.bias; TILE];
        for (column, weight) in covariates.iter_mut().zip(&self.weights) {
            scale_and_predict(self.scale, *weight, column, &mut predictor);
        }
        labels(label, &predictor, target);
    }
}
