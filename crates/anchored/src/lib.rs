//! Anchored paths: one quadratic for all rows, and random samples of what it leaves.
//!
//! ```text
//! π_t(θ) ∝ p(θ) exp{ Q(θ) + Σ_{i ∈ S_t} w_i [ℓ_i(θ) − q_i(θ)] },    Q = Σ_i q_i,    S_L = all rows
//! ```
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | counts | [`CountedRows`] | equal rows as one row |
//! | θ₀, C, Q | [`Anchor`] | Newton's method, then smoothed quadratics |
//! | octaves, S_t | [`Strata`], [`Sample`] | rows by the size of their remainder, and samples of them |
//! | π_0 | [`Base`], [`Chains`] | the density that points are drawn from, and NUTS on it |
//! | w | [`Centring`] | coordinates for effects that share an unknown standard deviation |
//! | θ_p, W_p | [`Points`], [`PointSource`] | the points that all levels of a replicate share |
//! | φ_t, Δ_t | [`EnrichedPath`] | levels and increments, for `debias` |
//! | trial | [`Explored`] | sizes and replicates, from points that are thrown away |
//! | θ̂ | [`Laplace`] | the mode, and the mean to the next order |
//! | N(m, C) | [`Variational`] | the normal law closest to the posterior |
//! | π | [`WholePosterior`] | the posterior given all rows, for NUTS |
//!
//! `unbiased_bayes::Estimation` does all of this by itself. [`uniform`] is the older design with uniform
//! samples, for models whose rows have no linear predictor.

mod anchor;
mod anchor_error;
mod base;
mod calibration;
mod centring;
mod chains;
mod counted;
mod covariance;
#[cfg(test)]
mod designs;
#[cfg(test)]
mod drawn_designs;
mod exclusive;
mod explored;
mod kept_chains;
mod laplace;
mod layout;
mod located;
mod newton;
mod numbers;
mod path;
mod points;
mod precision;
mod quadratic;
mod refined;
mod strata;
mod sums;
mod trial;
pub mod uniform;
mod variational;
mod weighting;
mod whole;
#[cfg(test)]
mod worked_example;

pub use anchor::Anchor;
pub use anchor_error::AnchorError;
pub use base::{Base, BaseDensity};
pub use centring::Centring;
pub use chains::{CHAINS, Chains, ChainsError, WARM_UP};
pub use counted::CountedRows;
pub use covariance::Covariance;
pub use explored::{AnchoredRows, ExploreError, Explored, LEAST_REPLICATES, law};
pub use laplace::{Laplace, laplace};
pub use layout::{Direction, Layout, Slope, Threshold};
pub use path::{EnrichedPath, NoWeight};
pub use points::{PointSource, Points};
pub use quadratic::Quadratic;
pub use strata::{Sample, Strata};
pub use trial::Trial;
pub use variational::{Variational, fixed_point, variational};
pub use whole::WholePosterior;
