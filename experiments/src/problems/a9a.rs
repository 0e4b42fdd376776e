//! a9a: 32 561 rows, 123 binary features and a bias, Laplace(1) priors.
//!
//! Methods that pass over all rows have them as patterns, those that gather some rows again and again as
//! sparse rows.

use super::truth::Truth;
use data::{A9A_SHA256, SparseRows, a9a};
use models::design::Patterned;
use models::logistic::PatternLogistic;
use models::prior::Prior;
use posterior::Rows;
use records::{DataSource, Record};

/// 123 weights and the bias.
pub const WEIGHTS: usize = 124;
/// Of their Laplace priors.
pub const PRIOR: Prior = Prior::Laplace { scale: SCALE };
/// The same as a number.
pub const SCALE: f64 = 1.0;

/// Rows as patterns of features.
pub type A9aRows = Patterned<SparseRows>;

/// Rows and models.
pub struct A9a {
    /// All rows, or the first of them.
    pub rows: A9aRows,
    /// The regression under its Laplace priors.
    pub model: PatternLogistic,
    /// The same under a smooth prior of the same variance.
    pub smooth: PatternLogistic,
    /// What the rows are called.
    pub data: DataSource,
}

impl A9a {
    /// All rows.
    pub fn all() -> anyhow::Result<A9a> {
        A9a::of(a9a())
    }

    /// The first rows.
    pub fn first(count: usize) -> anyhow::Result<A9a> {
        A9a::of(SparseRows::new(a9a().range(0..count)))
    }

    fn of(rows: SparseRows) -> anyhow::Result<A9a> {
        let data = DataSource {
            name: "a9a".to_owned(),
            rows: rows.count() as u64,
            identity: format!("sha256 {A9A_SHA256}"),
        };
        Ok(A9a {
            rows: Patterned(rows),
            model: PatternLogistic::new(WEIGHTS - 1, PRIOR)?,
            smooth: PatternLogistic::new(WEIGHTS - 1, Prior::like_laplace(SCALE))?,
            data,
        })
    }
}

/// The truth that is stored in the record of `a9a`.
pub fn stored_truth(record: &Record) -> anyhow::Result<Truth> {
    let weights = record.table("weights")?;
    let errors = weights.numbers("mcse")?;
    Ok(Truth { errors, ..Truth::exact(weights.numbers("mean")?, weights.numbers("sd")?) })
}
