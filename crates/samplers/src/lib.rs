//! Markov kernels, couplings, diagnostics, and level estimates by running them.
//!
//! A sampler sees a [`posterior::Target`] and nothing else: a log density with a gradient that
//! counts every call. Settings, state and randomness are three different things: a [`Kernel`] never
//! changes, its state is handed in and out, and the generator comes last and is only borrowed.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | K(θ, ·) | [`Kernel`] | a Markov transition: [`RandomWalk`], [`AdaptiveWalk`], [`Mala`], [`Hmc`], [`Independence`], [`Mixture`], [`NoUTurn`], [`KinkedNoUTurn`] |
//! | θ_1, …, θ_M | [`Sampler`], [`Draws`], [`Chain`] | a chain: any kernel, or [`Nuts`]; one that can be interrupted |
//! | θ = μ + C z | [`Frame`], [`Whitened`] | coordinates in which a posterior is nearly standard normal |
//! | θ̂, H | [`Lbfgs`], [`Newton`], [`Frame::laplace`] | the mode and the curvature there |
//! | φ | [`Functional`] | what is asked of a posterior |
//! | φ + aᵀ∇ ln π | [`with_control_variates`] | the same with less variance |
//! | (X_t, Y_{t−L}), H_{k:m} | [`CoupledKernel`], [`Lagged`] | pairs of chains and their unbiased estimate |
//! | W_i | [`SharedPoints`] | the same weighted points for all levels |
//! | φ_t | [`ByChain`], [`ByCoupledChains`], [`ByPoints`] | level estimates |
//! | R̂, ESS, MCSE | [`diagnostics`] | whether to believe a chain |

mod chain;
mod control_variates;
mod couplings;
pub mod diagnostics;
mod draws;
mod factor;
mod frame;
mod functional;
mod halton;
mod kernel;
mod kernels;
mod lbfgs;
mod levels;
mod newton;
mod nuts;
mod quantile;
mod sampler;
mod shared_points;
mod stan_csv;
mod stein;
mod student;
mod vectors;
mod whitened;

pub use chain::Chain;
pub use control_variates::{ControlError, with_control_variates};
pub use couplings::{
    CoupledKernel, CoupledWalk, CouplingError, Lagged, Law, Unbiased, WalkCoupling, maximal,
    reflection, total_variation_bound,
};
pub use draws::{Draws, Length};
pub use factor::{Factor, FactorError};
pub use frame::{Frame, FrameError};
pub use functional::{Combination, Event, Function, Functional};
pub use halton::halton;
pub use kernel::{Kernel, Point, StartError, Step, Warming};
pub use kernels::{
    AdaptiveWalk, Hmc, Independence, KinkScale, KinkedNoUTurn, Mala, Metric, Mixture, NoUTurn,
    RandomWalk, Stepped, TreeState, WalkState, Weighed,
};
pub use lbfgs::{Ending, Lbfgs, Mode, ModeError};
pub use levels::{
    ByChain, ByCoupledChains, ByKinkedChain, ByPoints, ChainError, CoupledError, Framing,
    FramingError, PointsError, Start, StartRuleError,
};
pub use newton::{Newton, NewtonError};
pub use nuts::Nuts;
pub use quantile::{Crossing, PROBABILITIES, Thresholds, around, quantiles_of, thresholds};
pub use sampler::{SampleError, Sampler};
pub use shared_points::{SharedPoints, WeightError, Weighted};
pub use stan_csv::write_stan_csv;
pub use stein::{Standardised, normal_density, normal_probability, normal_quantile};
pub use student::{Student, StudentError};
pub use whitened::Whitened;
