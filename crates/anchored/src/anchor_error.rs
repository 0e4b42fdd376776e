//! Why a posterior has no anchor.

use models::linear_algebra::MatrixError;
use samplers::FrameError;

/// Numbers that a Hessian or a covariance may hold: half a gigabyte.
pub(crate) const MOST_NUMBERS: usize = 1 << 26;

/// Why there is no anchor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnchorError {
    /// The posterior is flat or rises in some direction.
    #[error(
        "after {passes} passes over all rows the posterior has no curvature in some direction: \
         columns are collinear, or the classes are separated, and the prior is flat there"
    )]
    NotConcave {
        /// Passes made.
        passes: usize,
        /// What is wrong with the precision.
        #[source]
        source: MatrixError,
    },
    /// The steps do not get shorter.
    #[error(
        "after {passes} passes over all rows the step is still {step:.1} posterior standard deviations"
    )]
    NotSettled {
        /// Passes made.
        passes: usize,
        /// The last step.
        step: f64,
    },
    /// The classes are separated, and the prior does not hold the parameter.
    #[error(
        "after {passes} passes the mode of parameter {} still moves away: its rows are of one class, or have \
         no counts, its prior is flat, and the posterior cannot be normalised",
        parameter + 1
    )]
    AtInfinity {
        /// Counted from zero.
        parameter: usize,
        /// Passes made.
        passes: usize,
    },
    /// More parameters than their matrices can be held for.
    #[error(
        "{parameters} parameters: matrices of {numbers} numbers, and {MOST_NUMBERS} are possible; levels of one \
         category cost little, those of a second one and all other columns cost a number for each level of the first"
    )]
    TooMany {
        /// d.
        parameters: usize,
        /// Numbers of one matrix.
        numbers: usize,
    },
    /// The density is not finite at the start.
    #[error("the log density at the start is {value}")]
    Start {
        /// ln π(θ).
        value: f64,
    },
    /// No coordinates.
    #[error("coordinates for the anchor")]
    Frame(#[from] FrameError),
}
