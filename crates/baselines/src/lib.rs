//! The competing methods, each an [`debias::Estimator`]: seeded, counted, run by the same engine.
//!
//! Nothing is free here: set-up passes, modes and tuning are part of every answer's cost.

mod budget;
mod constant_batch;
mod firefly;
mod full_chain;
mod full_posterior;
mod ibis;
mod kept_chain;
mod smooth_mode;
mod zig_zag;

pub use budget::{Budget, Exhausted, Rationed};
pub use constant_batch::{ConstantBatch, ConstantBatchError};
pub use firefly::{Bounds, Brightness, Firefly, FireflyError, FireflyRun, FireflySettings};
pub use full_chain::{FullChain, FullChainError};
pub use full_posterior::FullPosterior;
pub use ibis::{Beginning, Ibis, IbisError, IbisRun, IbisSettings, PriorDraw};
pub use kept_chain::{ChainStore, Checkpoint, KeptChain, KeptChainError};
pub use smooth_mode::{SmoothModeError, smooth_mode};
pub use zig_zag::{ZigZag, ZigZagError, ZigZagRun, ZigZagSettings};
