//! The competing methods, each an [`debias::Estimator`]: seeded, counted, run by the same engine.
//!
//! Nothing is free here: set-up passes, modes and tuning are part of every answer's cost.

mod budget;
mod constant_batch;
mod firefly;
mod full_chain;
mod full_posterior;
mod gp_svi;
mod seen_rows;
mod smooth_mode;
mod step_size;

pub use budget::{Budget, Exhausted, Rationed};
pub use constant_batch::{ConstantBatch, ConstantBatchError};
pub use firefly::{Bounds, Brightness, Firefly, FireflyError, FireflyRun, FireflySettings};
pub use full_chain::{FullChain, FullChainError};
pub use full_posterior::FullPosterior;
pub use gp_svi::{
    GpSvi, GpSviError, GpSviFitted, GpSviPredictions, GpSviSettings, Hyperparameters,
    InducingInputs, Predictions, Progress, Training,
};
pub use smooth_mode::{SmoothModeError, smooth_mode};
pub use step_size::{StepSize, StepSizeError};
