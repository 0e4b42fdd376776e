//! One file or folder per experiment: which problems, which methods, which claims.

pub mod a9a;
pub mod a9a_mode;
pub mod airline;
pub mod anchored_path;
pub mod baseline_lineup;
pub mod chain_bias;
pub mod convergence_rates;
pub mod estimator_forms;
pub mod exact_gp;
pub mod functionals;
pub mod gaussian_path;
pub mod hierarchies;
pub mod laplace_truth;
pub mod log_gaussian;
pub mod logistic_exhaustive;
pub mod logistic_synthetic;
pub mod ordinary_data;
pub mod random_features;
pub mod scaling;
pub mod streaming;
pub mod subsampled_walks;
pub mod work_variance;
