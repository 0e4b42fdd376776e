//! A harder logistic regression: 20 covariates with four degrees of freedom mixed by a random matrix and
//! a bias, one label in ten positive, priors N(0, 2), of the variance of the paper's.

use super::truth::Truth;
use crate::methods::anchored::{Mode, newton};
use data::{Generated, HeavyLogisticLaw};
use debias::Seed;
use models::laplace_mean::laplace_mean;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use records::DataSource;

/// Rows that are generated on demand.
pub type HeavyRows = Generated<HeavyLogisticLaw>;

const COVARIATES: usize = 20;
/// The weights and the bias.
pub const WEIGHTS: usize = COVARIATES + 1;
/// Makes about one label in ten positive.
const BIAS: f64 = -2.5;

/// Rows, model and truth.
pub struct Heavy {
    /// The rows.
    pub rows: HeavyRows,
    /// The regression.
    pub model: DenseLogistic,
    /// The mode given all rows.
    pub mode: Mode,
    /// Means to the next order around the mode.
    pub truth: Truth,
    /// What the rows are called.
    pub data: Vec<DataSource>,
}

impl Heavy {
    /// So many rows of a seed, and Newton's method over them.
    pub fn new(seed: Seed, count: usize) -> anyhow::Result<Heavy> {
        let law = HeavyLogisticLaw::new(COVARIATES, BIAS, seed.child("law"));
        let rows = Generated::new(law, seed.child("rows"), count);
        let data = vec![DataSource {
            name: "heavy-tailed logistic rows".to_owned(),
            rows: count as u64,
            identity: format!("t4 covariates mixed, bias {BIAS}, seed {}", seed.0),
        }];
        let model = DenseLogistic::new(COVARIATES, Prior::like_laplace(1.0))?;
        let mode = newton(&model, &rows, &[0.0; WEIGHTS], 1e-6, 50)?;
        let (means, _) = laplace_mean(&model, &rows, &mode);
        let sds = (0..WEIGHTS).map(|j| mode.covariance.entry(j, j).sqrt()).collect();
        Ok(Heavy { rows, model, mode, truth: Truth::exact(means, sds), data })
    }
}
