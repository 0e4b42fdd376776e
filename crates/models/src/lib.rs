//! Priors, likelihoods, gradients and closed forms; each model one file.

pub mod anchor;
pub mod design;
mod elementary;
pub mod feature_regression;
pub mod features;
pub mod gaussian_mean;
pub mod gaussian_process;
pub mod kernel;
mod lanes;
pub mod linear_algebra;
mod link;
pub mod log_gaussian;
pub mod logistic;
pub mod prior;
pub mod simd;
