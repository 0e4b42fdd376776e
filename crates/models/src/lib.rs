//! Priors, likelihoods, gradients and closed forms; each model one file.

pub mod gaussian_mean;
mod lanes;
pub mod linear_algebra;
