//! The problems that methods are tried on: rows, model, prior, functionals and truth, once each.

pub mod a9a;
mod departures;
pub mod features;
pub mod flights;
pub mod grouped;
pub mod heavy;
pub mod log_gaussian;
pub mod logistic;
pub mod ordinary;
pub mod stream;
pub mod truth;
