//! What to run, and why it cannot be run.

use super::{Hyperparameters, InducingInputs};
use crate::{Budget, Exhausted, StepSize, StepSizeError};
use models::linear_algebra::MatrixError;

/// Everything but the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct GpSviSettings {
    /// m, the number of inducing points.
    pub inducing: usize,
    /// How Z is chosen.
    pub inputs: InducingInputs,
    /// b, rows a mini-batch.
    pub batch: usize,
    /// Mini-batches in all.
    pub iterations: usize,
    /// ρ_t; at most one.
    pub natural_step: StepSize,
    /// Adam's step in the logarithms of ℓ, v and λ; none keeps them where they start.
    pub hyperparameter_step: Option<f64>,
    /// Where ℓ, v and λ start: one length scale for all covariates, or one each.
    pub start: Hyperparameters,
}

/// The method, with settings that make sense.
#[derive(Clone, Debug, PartialEq)]
pub struct GpSvi {
    settings: GpSviSettings,
    budget: Budget,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpSviError {
    /// No inducing points, or more than there are rows.
    #[error("{inducing} inducing points from {rows} rows")]
    Inducing {
        /// m.
        inducing: usize,
        /// Rows to choose them from.
        rows: usize,
    },
    /// No rows in a batch, or more than there are.
    #[error("batches of {batch} rows out of {rows}")]
    Batch {
        /// b.
        batch: usize,
        /// N.
        rows: usize,
    },
    /// Nothing to do.
    #[error("no iterations")]
    Iterations,
    /// A step beyond the batch's own optimum.
    #[error("natural gradient steps start at {first}, above one")]
    NaturalStep {
        /// ρ_0.
        first: f64,
    },
    /// Adam does not move, or backwards.
    #[error("the hyper-parameters move in {0}")]
    HyperparameterStep(#[from] StepSizeError),
    /// A length scale, a variance or a noise that is none.
    #[error("{name} is {value}")]
    Hyperparameter {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Neither one length scale nor one for each covariate.
    #[error("{length_scales} length scales for {covariates} covariates")]
    LengthScales {
        /// Given.
        length_scales: usize,
        /// The rows'.
        covariates: usize,
    },
    /// k(Z, Z) cannot be factored in spite of its jitter, or P cannot.
    #[error("a matrix of {inducing} inducing points is numerically singular")]
    Singular {
        /// m.
        inducing: usize,
        /// Its eigenvalues.
        #[source]
        source: MatrixError,
    },
    /// The bound is no number: a row is not finite, or a step was too long.
    #[error("the bound is {bound} after {iterations} iterations")]
    Diverged {
        /// The bound.
        bound: f64,
        /// How far the run got.
        iterations: usize,
    },
    /// The iterations cost more than the budget.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl GpSvi {
    /// Checks what can be checked without rows.
    pub fn new(settings: GpSviSettings) -> Result<GpSvi, GpSviError> {
        settings.start.check()?;
        if settings.iterations == 0 {
            return Err(GpSviError::Iterations);
        }
        let first = settings.natural_step.first();
        if first > 1.0 {
            return Err(GpSviError::NaturalStep { first });
        }
        if let Some(step) = settings.hyperparameter_step {
            StepSize::constant(step)?;
        }
        Ok(GpSvi { settings, budget: Budget::UNLIMITED })
    }

    /// The same, but a fit that needs more evaluations than this is an error.
    pub fn within(self, budget: Budget) -> GpSvi {
        GpSvi { budget, ..self }
    }

    pub(super) fn budget(&self) -> Budget {
        self.budget
    }

    /// What was asked for.
    pub fn settings(&self) -> &GpSviSettings {
        &self.settings
    }
}
