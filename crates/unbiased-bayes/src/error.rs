//! Why there is no answer.

use debias::{DebiasedError, DepthsError, ScheduleError, SummaryError};
use std::error::Error;

/// Why there is no answer, with the numbers that would have given one.
///
/// ```
/// use unbiased_bayes::EstimateError;
///
/// let error = EstimateError::FirstBatch { first: 50, dimension: 124, suggested: 512 };
/// assert!(error.to_string().contains("512"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum EstimateError {
    /// More parameters than rows in the first batch.
    #[error(
        "{dimension} parameters and a first batch of {first} rows, which cannot tell them apart; \
         a first batch of {suggested} rows can"
    )]
    FirstBatch {
        /// n_1.
        first: usize,
        /// d.
        dimension: usize,
        /// What would do.
        suggested: usize,
    },
    /// Too few rows for a path of three levels.
    #[error("{rows} rows are too few for batches of {first}, {} and more", 2 * first)]
    TooSmall {
        /// N.
        rows: usize,
        /// n_1.
        first: usize,
    },
    /// The error asked for costs more than the budget.
    #[error(
        "a standard error of {target:.3e} takes about {needed:.3e} likelihood evaluations and the \
         budget is {budget:.3e}, which is good for about {reachable:.3e}"
    )]
    Unreachable {
        /// The error asked for, of the functional that needs most.
        target: f64,
        /// Evaluations that would do, set-up included.
        needed: f64,
        /// Evaluations allowed.
        budget: f64,
        /// The error that the budget is good for; infinite if not even the set-up fits.
        reachable: f64,
    },
    /// The budget is used up before the first replicates.
    #[error(
        "the set-up takes {setup:.3e} likelihood evaluations and the shortest run {replicates:.3e} \
         more; the budget is {budget:.3e}"
    )]
    Budget {
        /// Evaluations before the first replicate.
        setup: f64,
        /// Expected evaluations of the least number of replicates with an error bar.
        replicates: f64,
        /// Evaluations allowed.
        budget: f64,
    },
    /// A target or budget that is no positive number.
    #[error("{value} is not a positive number to stop at")]
    Stop {
        /// What was asked for.
        value: f64,
    },
    /// An error in posterior standard deviations where they are not known.
    #[error("closed-form levels do not tell posterior standard deviations: give an absolute error")]
    NoSpread,
    /// No quadratic of all rows.
    #[error(transparent)]
    Anchor(#[from] anchored::AnchorError),
    /// No anchor of a uniform path.
    #[error(transparent)]
    UniformAnchor(#[from] anchored::uniform::AnchorError),
    /// The trial of an anchored path failed.
    #[error("the trial of the anchored path: {0}")]
    Trial(#[from] anchored::ExploreError),
    /// A dispersion of which the data says little.
    #[error(
        "the data says little about the dispersion: its logarithm has a posterior sd of about {sd:.2}, \
         too much for an anchored path; NUTS answers"
    )]
    VagueDispersion {
        /// The posterior sd.
        sd: f64,
    },
    /// The weights of an anchored path degenerate.
    #[error(
        "with {core} rows kept exact and {first} sampled, the points of a level are worth {share:.2} \
         of their number, and {wanted} is wanted: take the plain path or a larger first batch"
    )]
    Degenerate {
        /// |K|.
        core: usize,
        /// n_1.
        first: usize,
        /// Effective points over points.
        share: f64,
        /// What is wanted.
        wanted: f64,
    },
    /// No schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// No depths.
    #[error(transparent)]
    Depths(#[from] DepthsError),
    /// No estimator.
    #[error(transparent)]
    Debiased(#[from] DebiasedError),
    /// No error bars.
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The pilot failed.
    #[error("the pilot: {0}")]
    Pilot(#[source] Box<dyn Error + Send + Sync>),
    /// A chain failed.
    #[error("a chain: {0}")]
    Chain(#[source] Box<dyn Error + Send + Sync>),
    /// The replicates failed, or were stopped.
    #[error("the replicates: {0}")]
    Replicates(#[source] Box<dyn Error + Send + Sync>),
}
