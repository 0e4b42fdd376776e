//! Rows made on demand: row i is a pure function of (seed, i).

mod bulk;
mod elementary;
mod feature_toy;
mod gaussian;
mod heavy_logistic;
mod law;
mod logistic;
mod tile;

pub use feature_toy::FeatureToyLaw;
pub use gaussian::GaussianLaw;
pub use heavy_logistic::HeavyLogisticLaw;
pub use law::{Generated, Law};
pub use logistic::LogisticLaw;
pub use tile::{TILE, Values, Words};
