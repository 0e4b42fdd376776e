//! The methods that experiments compare, once each.

pub mod anchored;
pub mod approximations;
pub mod base_alone;
pub mod chains;
pub mod constant_batch;
pub mod debiased;
pub mod front_door;
pub mod full_logistic;
pub mod importance;
pub mod laplace;
pub mod nuts;
pub mod taylor;
pub mod uniform;
pub mod usage;
