//! Posterior expectations from random subsets of the data, without bias.
//!
//! Let φ_t be an estimate of E[φ(θ) ∣ n_t random rows] on batches n_1 < n_2 < … < n_L = N that grow
//! to all the data. Draw a random depth T and weigh the step that it picks by its chance:
//!
//! ```text
//! Z = φ_1 + (φ_T − φ_{T−1}) / P(T),      E Z = E φ_L = E[φ(θ) ∣ all N rows]
//! ```
//!
//! Hardly any Z looks at all rows, and their average has no bias but that of φ_L itself
//! (Strathmann, Sejdinovic & Girolami 2015; Rhee & Glynn 2015). Two paths lead to φ_L:
//!
//! ```text
//! plain      π_t(θ) ∝ p(θ) Π_{i ∈ 𝒟_t} p(x_i ∣ θ)                    any model with a gradient
//! anchored   π_t(θ) ∝ p(θ) exp{ Q(θ) + (N/n_t) Σ_{i ∈ 𝒟_t} [ℓ_i(θ) − q_i(θ)] }       smooth models
//! ```
//!
//! On the anchored path, Q = Σ q_i is the second-order expansion of all rows at a rough mode, which
//! takes a few passes over the data; every level then has the width of the full posterior.
//!
//! ![Error of ten posterior means given 10⁸ rows against likelihood
//! evaluations](../../../results/full/logistic-synthetic/errors.svg)
//!
//! # A model of your own
//!
//! A regression takes one trait with one method; [`Estimation`] asks and answers.
//!
//! ```
//! use unbiased_bayes::{DenseRows, Estimation, Family, GeneralisedLinear, Prior};
//!
//! /// Counts with mean exp η: ln p(y ∣ η) = y η − exp η.
//! struct Poisson;
//!
//! impl Family for Poisson {
//!     fn derivatives(&self, y: f64, eta: f64) -> [f64; 3] {
//!         let mean = eta.exp();
//!         [y * eta - mean, y - mean, -mean]
//!     }
//! }
//!
//! let x: Vec<[f64; 1]> = (0..50_000).map(|i| [f64::from(i).sin()]).collect();
//! let count = |i: usize| ((0.5 * x[i][0]).exp() + 0.5 * (7.0 * i as f64).cos()).round();
//! let y: Vec<f64> = (0..50_000).map(count).collect();
//! let rows = DenseRows::from_rows(&x, &y)?;
//! let model = GeneralisedLinear::new(Poisson, 1, Prior::Gaussian { standard_deviation: 1.0 })?;
//!
//! let answer = Estimation::new(&model, &rows).run()?;
//! for one in &answer.estimates {
//!     println!("{}: {} ± {}", one.name, one.summary.mean, one.summary.standard_error);
//! }
//! println!("{}; {}", answer.reason, answer.guarantees.sentence());
//! # let weight = &answer.estimates[0];
//! # assert!(weight.summary.standard_error < 0.1 * weight.posterior_sd.unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to use | implement | and call |
//! |---|---|---|
//! | a regression of your own | [`Family`], or [`LogDensity`] without derivatives | [`Estimation::run`] on a [`GeneralisedLinear`] |
//! | the same with a dispersion | [`Dispersed`], or [`LogDensity`] | [`Estimation::run`] on a [`DispersedLinear`] |
//! | group effects with unknown sds | nothing: wrap any of these | [`Estimation::run`] on a [`Hierarchical`] |
//! | offsets, case weights, trials | columns behind the covariates | any of them on [`AdjustedRows`] |
//! | any smooth model | [`Model`], [`Differentiable`], [`Smooth`] | [`Estimation::run`] |
//! | a model with gradients | [`Model`], [`Differentiable`] | [`Estimation::run_plain`] |
//! | a closed form, or a sampler of your own | [`LevelEstimate`] | [`Estimation::run_with`] |
//! | data of your own | [`Rows`] | any of them |
//!
//! [`Estimation::plan`] runs a trial alone and says what an error would cost, beside NUTS;
//! [`Estimation::certify`] says how far Gaussian approximations are from the posterior, and
//! [`Estimation::compare`] runs ours, constant batches and NUTS within one budget. Every [`Answer`]
//! says which method was used and why, what it cost, set-up included, which guarantees hold, and what
//! share of the variance no replicate has seen.
//!
//! Nothing here prints, reads a clock or writes a file: [`RunHooks`] do, if asked to.

mod answer;
mod by_nuts;
mod by_regression;
mod certified;
mod compare;
mod derived;
mod error;
mod estimation;
mod framed;
mod plain;
mod plan;
mod settings;
mod settled;
mod spread;
mod targets;
mod tuned;
mod uniform;
mod weighted_draws;

pub use anchored;
pub use anchored::AnchorError;
pub use answer::{
    Answer, ChainReport, Cost, Estimated, NANOSECONDS, PredictedCost, Quantile, Shares,
};
pub use certified::{Approximation, Certain, Certified, CertifiedParameter};
pub use compare::{Compared, Comparison};
pub use data::{DenseRows, DenseRowsError, MappedDense, MappedMixed, MappedSparse, SparseRows};
pub use debias::engine::{Observer, Store};
pub use debias::{
    Caveat, Form, Growth, Guarantees, Interval, Ledger, Replicates, Rng, Seed, Summary, Unseen,
};
pub use error::EstimateError;
pub use estimation::Estimation;
pub use models::design::{Adjusted, AdjustedRows, Design, Extras};
pub use models::differentiated::{Differentiated, DualNum, LogDensity};
pub use models::dispersed::{Dispersed, DispersedLinear, Jet};
pub use models::dispersed_families::{Gamma, NegativeBinomial, Noise};
pub use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm};
pub use models::generalised_linear::{Family, Gaussian, GeneralisedLinear, Poisson};
pub use models::hierarchical::{Hierarchical, HierarchicalError};
pub use models::logistic::{
    Bernoulli, Binomial, DenseLogistic, Logistic, PatternLogistic, SparseLogistic,
};
pub use models::prior::{Prior, Priors};
pub use models::sd_prior::SdPrior;
pub use models::student::{DEGREES_PRIOR, StudentLinear};
pub use plain::evaluations_per_row;
pub use plan::{Plan, Prediction};
pub use posterior::{
    Block, DenseBlock, Differentiable, LevelEstimate, Model, PartialPosterior, Rows, Smooth,
    SparseBlock,
};
pub use samplers::{Combination, Draws, Functional};
pub use settings::{ChainLength, Method, RunHooks, Settings, Stop, Target};
pub use spread::Spread;
pub use weighted_draws::WeightedDraws;
