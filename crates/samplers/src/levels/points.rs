//! φ_t by importance sampling from a Student-t at the level's own Laplace approximation.
//!
//! No chain, no warm-up, no gradients beyond those of the approximation: randomised quasi-random
//! points and self-normalised weights, whose bias is of the order 1/ESS.

use super::{Framing, FramingError};
use crate::{Frame, Functional, SharedPoints, Student, StudentError, WeightError, Weighted};
use debias::{Caveat, Rng};
use posterior::{Differentiable, LevelEstimate, PartialPosterior, Target};

/// A level estimate by weighted points.
#[derive(Clone, Debug)]
pub struct ByPoints {
    /// Where the points lie; without a frame, around zero with unit scale.
    pub framing: Framing,
    /// Degrees of freedom of the Student-t.
    pub degrees: f64,
    /// How many points.
    pub count: usize,
    /// The effective number of points below which there is no estimate.
    pub floor: f64,
    /// φ.
    pub functionals: Vec<Functional>,
    /// Evaluations of the density that one estimate is expected to take, the approximation's
    /// included.
    pub expected_evaluations: f64,
}

/// Why a level has no estimate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PointsError {
    /// No frame.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// No Student-t.
    #[error(transparent)]
    Student(#[from] StudentError),
    /// No usable weights.
    #[error(transparent)]
    Weights(#[from] WeightError),
}

impl ByPoints {
    /// The functionals of any target, and their effective number of points.
    pub fn weighted(
        &self,
        target: &mut dyn Target,
        rng: &mut Rng,
    ) -> Result<Weighted, PointsError> {
        let frame = self.framing.frame(target)?;
        let frame = frame.unwrap_or_else(|| Frame::standard(target.dimension()));
        let points = SharedPoints::student(&Student::new(frame, self.degrees)?, self.count, rng);
        Ok(points.estimate(target, &self.functionals, self.floor)?)
    }
}

impl<M: Differentiable> LevelEstimate<M> for ByPoints {
    type Error = PointsError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, PointsError> {
        Ok(self.weighted(posterior, rng)?.value)
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::SelfNormalisedWeights]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.expected_evaluations * rows as f64
    }
}
