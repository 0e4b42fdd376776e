//! One file a question.
//!
//! An experiment reads like the paper's section: data, model, schedule, methods, record. It
//! returns a [`records::Record`] and writes nothing but checkpoints; its claims are a function of
//! the record alone, so they can be computed again from a stored one.

mod a9a;
mod airline;
mod anchored_path;
mod baseline_lineup;
mod chain_bias;
mod chain_file;
mod context;
mod convergence_rates;
mod enumeration;
mod estimator_forms;
mod experiment;
mod full_logistic;
mod gaussian_path;
mod log_gaussian;
mod logistic_exhaustive;
mod logistic_synthetic;
mod method;
mod path_mean;
mod random_features;
mod scaling;
mod slope;
mod streaming;
mod timed_chunks;
mod usage;
mod weights;
mod work_variance;

pub use context::{CODE_DIGEST, Context};
pub use experiment::{ALL, Experiment, MissingData, Race, find};
