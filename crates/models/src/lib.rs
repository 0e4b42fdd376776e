//! Priors, likelihoods, gradients and closed forms; each model one file.

pub mod anchor;
pub mod design;
mod elementary;
pub mod gaussian_mean;
mod lanes;
pub mod linear_algebra;
mod link;
pub mod log_gaussian;
pub mod logistic;
pub mod prior;
pub mod simd;
