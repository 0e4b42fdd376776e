//! The words that models and samplers share.
//!
//! ```text
//! rows ─► partial posterior ─► level estimate ─► path ─► (debias)
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | 𝒟, N | [`Rows`] | all the data, wherever it lives |
//! | 𝒟_t, n_t | [`Block`]: [`DenseBlock`], [`SparseBlock`], [`MixedBlock`] | some rows, gathered into one contiguous piece |
//! | p(θ) Π p(x_i ∣ θ) | [`Model`], [`Differentiable`], [`Smooth`] | a prior and a likelihood that factorises |
//! | ℓ(y_i, x_i · θ) | [`Regression`], [`RowExpansions`] | rows with one linear predictor each |
//! | u_j ~ N(0, exp 2τ) | [`Group`] | parameters that share an unknown standard deviation |
//! | π_t | [`PartialPosterior`] | the posterior given the rows of one block, counted |
//! | any log density | [`Target`] | what a sampler sees: a function that counts its calls |
//! | φ_t | [`LevelEstimate`] | how E_{π_t} φ(θ) is computed |
//! | φ_1, …, φ_L | [`DataPath`] | the sequence that `debias` takes over |
//!
//! Models and samplers depend on this crate and never on each other.

mod arrow;
mod batches;
mod data_path;
mod dense;
mod group;
mod level_estimate;
mod mixed;
mod model;
mod partial_posterior;
mod pass;
mod regression;
mod rows;
mod smooth;
mod sparse;
mod subset;
mod target;

pub use arrow::{ArrowMatrix, ArrowShape};
pub use batches::{increment_cost, level_increment, nested_levels};
pub use data_path::{DataPath, DataPathError};
pub use dense::{DenseBlock, LANES};
pub use group::Group;
pub use level_estimate::LevelEstimate;
pub use mixed::{LevelCode, MixedBlock, MixedShape, MixedShapeError};
pub use model::{Differentiable, Model};
pub use partial_posterior::PartialPosterior;
pub use pass::pass;
pub use regression::{Regression, RowExpansions};
pub use rows::{Block, Rows};
pub use smooth::Smooth;
pub use sparse::{Column, Indices, SparseBlock};
pub use subset::subset;
pub use target::Target;
