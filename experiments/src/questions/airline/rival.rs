//! GP-SVI on the flights.

use super::Size;
use crate::problems::flights::COVARIATES;
use baselines::{GpSvi, GpSviError, GpSviSettings, Hyperparameters, InducingInputs, StepSize};
use data::DenseRows;
use debias::{Ledger, Rng};
use posterior::DenseBlock;
use serde::{Deserialize, Serialize};

/// Rows to learn from and rows to predict.
pub struct Rival<'a> {
    pub train: &'a DenseRows,
    pub test: &'a DenseBlock,
    pub size: &'a Size,
}

/// The whole method, hyper-parameters learnt on the way.
#[derive(Serialize, Deserialize)]
pub struct Learnt {
    /// In minutes.
    pub error: f64,
    /// Logarithms of length scales, variance and noise in the end.
    pub hyperparameters: Vec<f64>,
    /// The bound at every iteration.
    pub bounds: Vec<f64>,
    pub cost: Ledger,
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

    /// Learns the hyper-parameters.
    pub fn learn(&self, error: impl Fn(&[f64]) -> f64, rng: &mut Rng) -> anyhow::Result<Learnt> {
        let start =
            Hyperparameters { length_scales: vec![1.0; COVARIATES], variance: 1.0, noise: 1.0 };
        let mut bounds = Vec::with_capacity(self.size.iterations);
        let method = self.method(start, Some(0.01))?;
        let fitted = method.fit(self.train, &mut |step| bounds.push(step.bound), rng)?;
        Ok(Learnt {
            error: error(&fitted.predictive_mean(self.test)),
            hyperparameters: fitted.hyperparameters().logarithms(),
            bounds,
            cost: fitted.ledger(),
        })
    }

    /// The error with hyper-parameters that are known from the first iteration on, and with inducing
    /// points and mini-batches of its own.
    pub fn fit(
        &self,
        hyperparameters: &[f64],
        error: impl Fn(&[f64]) -> f64,
        rng: &mut Rng,
    ) -> anyhow::Result<f64> {
        let start = Hyperparameters::from_logarithms(hyperparameters);
        let fitted = self.method(start, None)?.fit_q(self.train, rng)?;
        Ok(error(&fitted.predictive_mean(self.test)))
    }
}
