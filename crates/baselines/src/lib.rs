//! The competing methods, each an [`debias::Estimator`]: seeded, counted, run by the same engine.
//!
//! Nothing is free here: set-up passes, modes and tuning are part of every answer's cost.

mod constant_batch;
mod full_posterior;
mod gp_svi;
mod seen_rows;
mod step_size;

pub use constant_batch::{ConstantBatch, ConstantBatchError};
pub use full_posterior::FullPosterior;
pub use gp_svi::{
    GpSvi, GpSviError, GpSviFitted, GpSviPredictions, GpSviSettings, Hyperparameters,
    InducingInputs, Predictions, Progress, Training,
};
pub use step_size::{StepSize, StepSizeError};
