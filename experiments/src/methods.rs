//! The methods that experiments compare, once each.

pub mod anchored;
pub mod chains;
pub mod constant_batch;
pub mod debiased;
pub mod full_logistic;
pub mod laplace;
pub mod usage;
