//! Regression in a space of random Fourier features.
//!
//! 10⁴ rows, x ~ U[0, 10], y = f(x) + noise of variance σ², f from the approximate Gaussian process of
//! m = 100 random features. The basis is then drawn anew, and the rows are fitted by Bayesian linear
//! regression w ~ N(0, I) with noise λ. What is asked for are predictions at test points.

use data::{DenseRows, FeatureToyLaw, Generated};
use debias::Seed;
use models::feature_regression::{FeatureRegression, predict};
use models::features::FourierFeatures;
use posterior::{DenseBlock, Rows};
use rand::RngExt;
use records::DataSource;

/// N.
pub const ROWS: usize = 10_000;
/// m.
pub const FEATURES: usize = 100;

/// Rows, model and test points.
pub struct FeatureProblem {
    /// The rows.
    pub rows: DenseRows,
    /// The regression.
    pub model: FeatureRegression<FourierFeatures>,
    /// Where predictions are asked for.
    pub points: DenseBlock,
    /// Predictions at the test points given all rows.
    pub truth: Vec<f64>,
    /// What the rows are called.
    pub data: Vec<DataSource>,
}

impl FeatureProblem {
    /// With these variances σ² and λ, and so many test points.
    pub fn new(
        name: String,
        (noise, lambda): (f64, f64),
        points: usize,
        seed: Seed,
    ) -> anyhow::Result<FeatureProblem> {
        let law = FeatureToyLaw::new(FEATURES, 1.0, noise, seed.child("function"));
        let rows = DenseRows::new(Generated::new(law, seed.child("rows"), ROWS).range(0..ROWS));
        let map = FourierFeatures::sample(FEATURES, 1, 1.0, &mut seed.child("basis").stream(0))?;
        let model = FeatureRegression::new(map, lambda)?;
        let mut points = DenseBlock::zeros(points, 1);
        let rng = &mut seed.child("test points").stream(0);
        points.column_mut(0).iter_mut().for_each(|x| *x = 10.0 * rng.random::<f64>());
        let truth = model.posterior(rows.block())?.predictive_mean(&points);
        let identity = format!("100 waves on [0, 10], noise {noise}, seed {}", seed.0);
        let data = vec![DataSource { name, rows: ROWS as u64, identity }];
        Ok(FeatureProblem { rows, model, points, truth, data })
    }

    /// Predictions at the test points from these weights.
    pub fn predict(&self, weights: &[f64]) -> Vec<f64> {
        predict(self.model.map(), weights, &self.points)
    }
}
