//! What is fitted to the flights: one batch of each size, all rows, and GP-SVI.

use super::{COVARIATES, Regression, Size, root_mean_square};
use baselines::{
    GpSvi, GpSviError, GpSviFitted, GpSviSettings, Hyperparameters, InducingInputs, StepSize,
};
use data::DenseRows;
use debias::{Estimate, Estimator, Ledger, Rng};
use models::feature_regression::{FeatureRegressionError, FeatureWeights};
use posterior::{DenseBlock, LevelEstimate, PartialPosterior, Rows, subset};

/// The weights of one batch of each size.
pub struct OneBatch<'a> {
    pub model: &'a Regression,
    pub rows: &'a DenseRows,
    pub sizes: &'a [usize],
}

impl Estimator for OneBatch<'_> {
    type Error = FeatureRegressionError;

    fn estimate(&self, index: u64, rng: &mut Rng) -> Result<Estimate, FeatureRegressionError> {
        let chosen = subset(self.rows.count(), self.sizes[index as usize], rng);
        let block = self.rows.gather(&chosen);
        let mut posterior = PartialPosterior::new(self.model, &block);
        let value = FeatureWeights.estimate(&mut posterior, rng)?;
        Ok(Estimate { value, depth: 1, cost: posterior.ledger() })
    }

    fn expected_cost(&self, index: u64) -> f64 {
        self.sizes[index as usize] as f64
    }
}

/// The weights given all rows, on all threads.
pub struct AllRows<'a> {
    pub model: &'a Regression,
    pub rows: &'a DenseRows,
}

impl Estimator for AllRows<'_> {
    type Error = FeatureRegressionError;

    fn estimate(&self, _: u64, _: &mut Rng) -> Result<Estimate, FeatureRegressionError> {
        let rows = self.rows.count() as u64;
        let value = self.model.posterior_of_all(self.rows)?.mean().to_vec();
        let cost = Ledger { likelihoods: rows, distinct_rows: rows, ..Ledger::default() };
        Ok(Estimate { value, depth: 1, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.rows.count() as f64
    }
}

/// GP-SVI on the flights.
pub struct Rival<'a> {
    pub train: &'a DenseRows,
    pub test: &'a DenseBlock,
    pub minutes: f64,
    pub size: &'a Size,
}

impl Rival<'_> {
    fn method(
        &self,
        start: Hyperparameters,
        hyperparameter_step: Option<f64>,
    ) -> Result<GpSvi, GpSviError> {
        let Size { inducing, batch, iterations, .. } = *self.size;
        GpSvi::new(GpSviSettings {
            inducing,
            inputs: InducingInputs::KMeans { rows: 20 * inducing, rounds: 10 },
            batch,
            iterations,
            natural_step: StepSize::decreasing(1.0, 1.0, 0.7)?,
            hyperparameter_step,
            start,
        })
    }

    fn error(&self, fitted: &GpSviFitted) -> f64 {
        let predictions = fitted.predictive_mean(self.test);
        self.minutes * root_mean_square(&predictions, self.test.targets())
    }

    fn rows(&self) -> f64 {
        (self.size.batch * self.size.iterations) as f64
    }
}

/// Length scales, variance and noise of the kernel.
const HYPERPARAMETERS: usize = COVARIATES + 2;

/// The whole method, hyper-parameters learnt on the way: its error in minutes, the logarithms of the
/// hyper-parameters in the end, then the bound at every iteration.
pub struct Learning<'a>(pub &'a Rival<'a>);

/// Where in the answer of [`Learning`] the bounds begin.
pub const BOUNDS: usize = 1 + HYPERPARAMETERS;

impl Estimator for Learning<'_> {
    type Error = GpSviError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, GpSviError> {
        let Learning(rival) = self;
        let start =
            Hyperparameters { length_scales: vec![1.0; COVARIATES], variance: 1.0, noise: 1.0 };
        let mut bounds = Vec::with_capacity(rival.size.iterations);
        let method = rival.method(start, Some(0.01))?;
        let fitted = method.fit(rival.train, &mut |step| bounds.push(step.bound), rng)?;
        let mut value = vec![rival.error(&fitted)];
        value.extend(fitted.hyperparameters().logarithms());
        value.extend(bounds);
        Ok(Estimate { value, depth: 1, cost: fitted.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.0.rows()
    }
}

/// The same with hyper-parameters that are known from the first iteration on, with inducing points
/// and mini-batches of its own: its error in minutes.
pub struct Knowing<'a> {
    pub rival: &'a Rival<'a>,
    /// What [`Learning`] has found.
    pub learnt: &'a [f64],
}

impl Estimator for Knowing<'_> {
    type Error = GpSviError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, GpSviError> {
        let start = Hyperparameters::from_logarithms(&self.learnt[1..BOUNDS]);
        let fitted = self.rival.method(start, None)?.fit_q(self.rival.train, rng)?;
        Ok(Estimate { value: vec![self.rival.error(&fitted)], depth: 1, cost: fitted.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        self.rival.rows()
    }
}
