//! A logistic regression on a handful of rows, as a model.

use super::ROWS;
use posterior::{Block, Differentiable, Model, Rows};

/// Covariate and label.
#[derive(Clone)]
pub struct Few(pub Vec<(f64, f64)>);

impl Block for Few {
    fn rows(&self) -> usize {
        self.0.len()
    }
}

impl Rows for Few {
    type Block = Few;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn gather(&self, indices: &[usize]) -> Few {
        Few(indices.iter().map(|&index| self.0[index]).collect())
    }
}

/// The model of `logistic`, row by row.
pub struct Logistic;

impl Model for Logistic {
    type Block = Few;

    fn dimension(&self) -> usize {
        2
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        -0.5 * (theta[0] * theta[0] + theta[1] * theta[1])
    }

    fn log_likelihood(&self, theta: &[f64], block: &Few) -> f64 {
        self.add_gradient(theta, block, &mut [0.0; 2])
    }
}

impl Differentiable for Logistic {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        gradient[0] -= theta[0];
        gradient[1] -= theta[1];
        self.log_prior(theta)
    }

    fn add_gradient(&self, theta: &[f64], block: &Few, gradient: &mut [f64]) -> f64 {
        let mut total = 0.0;
        for (x, y) in &block.0 {
            let margin = y * (theta[0] * x + theta[1]);
            total -= (-margin).exp().ln_1p();
            let slope = y / (1.0 + margin.exp());
            gradient[0] += slope * x;
            gradient[1] += slope;
        }
        total
    }
}

/// All of [`ROWS`].
pub fn rows() -> Few {
    Few(ROWS.to_vec())
}
