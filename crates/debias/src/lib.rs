//! Unbiased estimates of the end of a long sequence from its random beginnings.
//!
//! Let φ_1, …, φ_L be estimates of growing accuracy and growing cost, of which only the last is
//! wanted. Draw a random depth T and weigh each step by the chance of getting there:
//!
//! ```text
//! Z = Σ_{t ≤ T} (φ_t − φ_{t−1}) / P(T ≥ t),   φ_0 = 0,   E Z = E φ_L.
//! ```
//!
//! Rhee & Glynn (2013, 2015); for posteriors given subsets of the data, Strathmann, Sejdinovic &
//! Girolami (2015), "Unbiased Bayes for Big Data: Paths of Partial Posteriors", equation (7).
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | n_1 < … < n_L | [`Schedule`] | sizes of the batches |
//! | T, P(T ≥ t) | [`Truncation`] | the random depth and its tail |
//! | φ_t, Δ_t | [`Path`] | level estimates and their increments |
//! | Z | [`Debiased`] | one replicate, in one of four [`Form`]s |
//! | Z_1, …, Z_R | [`Replicates`] | what the [`engine`] returns |
//! | ν_t, c_t | [`Tradeoff`] | what a law pays and gains at each level |
//! | E[Z ∣ T = t] | [`DepthMeans`] | what the depths themselves add to the variance |
//! | β | [`Decay`] | the rate at which increments shrink |
//!
//! Nothing here knows of Bayes, of data or of files. *Unbiased* means E Z = E φ_L and nothing
//! more; [`Guarantees`] says what else has to hold.

mod budget;
mod choice;
mod debiased;
mod decay;
mod depth_means;
mod depths;
pub mod engine;
mod estimator;
mod form;
mod guarantees;
mod ledger;
mod optimal;
mod path;
mod replicates;
mod schedule;
mod seed;
mod stopping;
mod summary;
mod tradeoff;
mod truncation;
mod tuner;
mod unpiloted;
mod unseen;

pub use budget::within_budget;
pub use debiased::{Debiased, DebiasedError};
pub use decay::{Decay, DecayError};
pub use depth_means::DepthMeans;
pub use depths::{Depths, DepthsError, Scheme};
pub use estimator::{Estimate, Estimator};
pub use form::Form;
pub use guarantees::{Caveat, Guarantees};
pub use ledger::Ledger;
pub use optimal::{OptimalError, optimal};
pub use path::{Coupling, Path, Term};
pub use replicates::Replicates;
pub use schedule::{Schedule, ScheduleError};
pub use seed::{Rng, Seed};
pub use stopping::{Stopping, StoppingError, run_until};
pub use summary::{CONFIDENCE, Interval, Summary, SummaryError, quantile, running};
pub use tradeoff::{Moments, Tradeoff};
pub use truncation::{Truncation, TruncationError};
pub use tuner::{Growth, Pilot, PilotSettings, TunedLaw, TunerError};
pub use unpiloted::{UnpilotedError, unpiloted};
pub use unseen::Unseen;
