//! The competing methods, each an [`debias::Estimator`]: seeded, counted, run by the same engine.
//!
//! | method | here | exact? |
//! |---|---|---|
//! | full MCMC | [`FullChain`], [`KeptChain`] on a [`FullPosterior`] | but for what a finite chain keeps of its start |
//! | Firefly Monte Carlo | [`Firefly`] | the same |
//! | Zig-Zag with subsampling | [`ZigZag`] | the same |
//! | IBIS, particles along the data path | [`Ibis`] | but for a bias of order 1/K |
//! | averaged constant batches | [`ConstantBatch`] | no |
//!
//! Nothing is free here: set-up passes, modes and tuning are part of every answer's cost, and a
//! [`Budget`] that is used up gives an error and no answer. `tests/conformance.rs` holds the promises
//! of all of them, `tests/exact.rs` and `tests/a9a.rs` those of the exact ones.

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
