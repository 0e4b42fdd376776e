//! The competing methods, each an [`debias::Estimator`]: seeded, counted, run by the same engine.
//!
//! | method | here | exact? |
//! |---|---|---|
//! | full MCMC | [`FullChain`], [`KeptChain`] on a [`FullPosterior`] | but for what a finite chain keeps of its start |
//! | Firefly Monte Carlo | [`Firefly`] | the same |
//! | Zig-Zag with subsampling | [`ZigZag`] | the same |
//! | SMH-2: factorised acceptance, second-order control variates | [`ScalableMh`] | the same |
//! | signed pseudo-marginal chain, block-Poisson estimator | [`BlockPoisson`] | the same |
//! | UBUBU: kinetic Langevin over step sizes | [`Ububu`] | yes |
//! | HMC-ECS: Hamiltonian dynamics given some rows | [`HmcEcs`] | but for a bias of order 1/(N m²) |
//! | IBIS, particles along the data path | [`Ibis`] | but for a bias of order 1/K |
//! | averaged constant batches | [`ConstantBatch`] | no |
//!
//! Nothing is free here: set-up passes, modes and tuning are part of every answer's cost, and a
//! [`Budget`] that is used up gives an error and no answer. `tests/conformance.rs` holds the promises
//! of all of them, `tests/exact.rs`, `tests/taylor.rs` and `tests/a9a.rs` those of the exact ones.

mod answer;
mod austerity;
mod block_poisson;
mod budget;
mod chain_means;
mod confidence;
mod consensus;
mod constant_batch;
mod firefly;
mod full_chain;
mod full_posterior;
mod gp_svi;
mod hmc_ecs;
mod ibis;
mod kept_chain;
mod misfit;
mod pooled;
mod row_likelihoods;
mod row_sample;
mod scalable_mh;
mod seen_rows;
mod sghmc;
mod sgld;
mod smooth_mode;
mod step_size;
mod stochastic_chain;
mod stochastic_gradient;
mod subsampled_walk;
mod taylor;
mod ububu;
mod zig_zag;

pub use austerity::{Austerity, AusterityError};
pub use block_poisson::{BlockPoisson, BlockPoissonError, BlockPoissonRun, BlockPoissonSettings};
pub use budget::{Budget, Exhausted, Rationed};
pub use chain_means::ChainMeans;
pub use confidence::{Confidence, ConfidenceError};
pub use consensus::{Consensus, ConsensusError, SubPrior};
pub use constant_batch::{ConstantBatch, ConstantBatchError};
pub use firefly::{Bounds, Brightness, Firefly, FireflyError, FireflyRun, FireflySettings};
pub use full_chain::{FullChain, FullChainError};
pub use full_posterior::FullPosterior;
pub use gp_svi::{
    GpSvi, GpSviError, GpSviFitted, GpSviPredictions, GpSviSettings, Hyperparameters,
    InducingInputs, Predictions, Progress, Training,
};
pub use hmc_ecs::{HmcEcs, HmcEcsError, HmcEcsRun, HmcEcsSettings};
pub use ibis::{Beginning, Ibis, IbisError, IbisRun, IbisSettings, PriorDraw, Stage};
pub use kept_chain::{ChainStore, Checkpoint, KeptChain, KeptChainError};
pub use misfit::Misfit;
pub use row_likelihoods::{Extent, RowLikelihoods};
pub use scalable_mh::{ScalableMh, ScalableMhError, ScalableMhRun, ScalableMhSettings};
pub use sghmc::{Sghmc, SghmcError};
pub use sgld::Sgld;
pub use smooth_mode::{SmoothModeError, smooth_mode};
pub use step_size::{StepSize, StepSizeError};
pub use stochastic_chain::{
    Dynamics, StochasticChain, StochasticError, StochasticRun, StochasticSettings,
};
pub use stochastic_gradient::Centre;
pub use subsampled_walk::{
    Evidence, SequentialTest, SubsampledError, SubsampledRun, SubsampledSettings, SubsampledWalk,
};
pub use taylor::Taylor;
pub use ububu::{Ububu, UbubuError, UbubuSettings};
pub use zig_zag::{ZigZag, ZigZagError, ZigZagRun, ZigZagSettings};
