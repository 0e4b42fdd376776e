//! The spread of log-Gaussian rows: ln x ~ N(0, 2), a flat prior on (μ, σ), and the posterior mean of
//! σ, which is known in closed form.

use super::truth::Truth;
use data::{GaussianLaw, Generated};
use debias::Seed;
use models::log_gaussian::LogGaussian;
use posterior::DenseBlock;
use records::DataSource;
use samplers::Functional;

/// Rows that are generated on demand.
pub type LogGaussianRows = Generated<GaussianLaw>;

/// What is estimated.
pub const SIGMA: [&str; 1] = ["sigma"];

/// The rows of a seed, and what they are called.
pub fn rows(seed: Seed, count: usize) -> (LogGaussianRows, Vec<DataSource>) {
    named("log-Gaussian rows", seed, count)
}

/// The same under another name.
pub fn named(name: &str, seed: Seed, count: usize) -> (LogGaussianRows, Vec<DataSource>) {
    let data = DataSource {
        name: name.to_owned(),
        rows: count as u64,
        identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
    };
    (Generated::new(GaussianLaw::log_gaussian(), seed, count), vec![data])
}

/// The posterior mean of σ.
pub fn sigma() -> Vec<Functional> {
    vec![Functional::prediction(LogGaussian::sigma)]
}

/// Mean and standard deviation of σ given these rows.
pub fn truth(rows: &DenseBlock) -> anyhow::Result<Truth> {
    let moments = LogGaussian::moments(rows)?;
    Ok(Truth { means: vec![moments.mean_sigma], sds: vec![moments.sd_sigma], errors: vec![0.0] })
}
