//! The paper's logistic regression: x ~ N(0, D⁻² I) with D = 10 (nine covariates and a bias), true
//! weights one, true bias zero, Laplace(1) priors.

use super::truth::Truth;
use crate::Context;
use crate::methods::anchored::newton;
use data::{Generated, LogisticLaw};
use debias::Ledger;
use models::laplace_mean::laplace_mean;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use records::{DataSource, Record};

/// Rows that are generated on demand.
pub type LogisticRows = Generated<LogisticLaw>;

/// Nine weights and the bias.
pub const WEIGHTS: usize = 10;
/// Their names.
pub const NAMES: [&str; WEIGHTS] = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "bias"];
/// Of their Laplace priors.
pub const SCALE: f64 = 1.0;

/// The rows, and what they are called.
pub fn rows(context: &Context<'_>, count: usize) -> (LogisticRows, Vec<DataSource>) {
    let seed = context.root.child("logistic-synthetic").child("rows");
    let data = DataSource {
        name: "synthetic logistic rows".to_owned(),
        rows: count as u64,
        identity: format!("x ~ N(0, I/100), w = 1, b = 0, seed {}", seed.0),
    };
    (Generated::new(LogisticLaw::paper(), seed, count), vec![data])
}

/// The regression under its Laplace priors.
pub fn model() -> anyhow::Result<DenseLogistic> {
    Ok(DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: SCALE })?)
}

/// The same under a smooth prior of the same variance, which has a curvature everywhere.
pub fn smooth() -> anyhow::Result<DenseLogistic> {
    Ok(DenseLogistic::new(WEIGHTS - 1, Prior::like_laplace(SCALE))?)
}

/// Posterior means and standard deviations by Newton's method over all rows and one pass more.
pub fn truth(
    model: &DenseLogistic,
    rows: &LogisticRows,
) -> anyhow::Result<(Vec<f64>, Vec<f64>, Ledger)> {
    let mode = newton(model, rows, &[0.0; WEIGHTS], 1e-6, 20)?;
    let (means, cost) = laplace_mean(model, rows, &mode);
    let sds = (0..WEIGHTS).map(|j| mode.covariance.entry(j, j).sqrt()).collect();
    Ok((means, sds, mode.ledger + cost))
}

/// The truth that is stored in the record of `logistic-synthetic`.
pub fn stored_truth(record: &Record) -> anyhow::Result<Truth> {
    let weights = record.table("weights")?;
    Ok(Truth::exact(weights.numbers("mean")?, weights.numbers("sd")?))
}
