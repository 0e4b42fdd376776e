//! The methods that experiments compare, each defined once.

pub mod full_logistic;
pub mod method;
pub mod path_mean;
pub mod usage;
