//! Priors, likelihoods, gradients and closed forms; each model one file.

mod elementary;
pub mod gaussian_mean;
mod lanes;
pub mod linear_algebra;
pub mod simd;
