//! Priors, likelihoods, gradients and closed forms; each model one file.
//!
//! | model | file | exact answer |
//! |---|---|---|
//! | Gaussian mean | [`gaussian_mean`] | posterior law, for a batch or a stream |
//! | log-Gaussian in (μ, σ) | [`log_gaussian`] | moments of σ |
//! | logistic regression | [`logistic`], over [`design`] layouts, with a [`prior`] | none; [`laplace_mean`] for many rows |
//! | regression with a likelihood of your own, linear regression | [`generalised_linear`] | none |
//! | the same with a dispersion: normal noise, Student-t, negative binomial, gamma | [`dispersed`], [`dispersed_families`] | none |
//! | group effects with unknown standard deviations, on any of these | [`hierarchical`] | none |
//! | regression on features | [`feature_regression`], on [`features`] | posterior law, predictions |
//! | Gaussian process | [`gaussian_process`], with a [`kernel`] | predictions, evidence |
//!
//! | paper | here |
//! |---|---|
//! | θ | `theta` |
//! | ℓ_i(θ) = ln p(x_i ∣ θ) | row of `log_likelihood` |
//! | θ₀, q_i, Q | `anchor`, [`anchor::Expansion`] |
//! | φ_x, Φ, m | [`features::FeatureMap`], a piece of features, `count` |
//! | λ | `noise` |
//!
//! A density says what it is and never how to move in it. Kernels run eight rows at a time at the
//! best [`simd::Level`] of the machine; linear algebra goes through [`linear_algebra`]. Nothing
//! here starts threads of its own but passes over all rows, which add up blocks in order.

pub mod anchor;
pub mod design;
pub mod differentiated;
pub mod dispersed;
pub mod dispersed_families;
pub mod dispersed_rows;
mod elementary;
pub mod feature_regression;
pub mod features;
pub mod gaussian_mean;
pub mod gaussian_process;
pub mod generalised_linear;
pub mod hierarchical;
pub mod kernel;
mod lanes;
pub mod laplace_mean;
pub mod linear_algebra;
mod link;
pub mod log_gaussian;
pub mod logistic;
pub mod prior;
pub mod regression;
pub mod sd_prior;
pub mod shared_parameters;
pub mod simd;
mod stirling;
pub mod student;
pub mod student_rows;
