//! The frame in which a level is sampled.

use crate::{Frame, FrameError, Lbfgs, ModeError};
use posterior::Target;

/// Where the frame of a level comes from; always a function of that level's target alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Framing {
    /// None: θ as the model has it.
    Plain,
    /// One frame for all levels.
    Given(Frame),
    /// The Laplace approximation of the level: its mode by L-BFGS, its curvature by differences.
    Laplace {
        /// How the mode is looked for.
        optimiser: Lbfgs,
        /// Where the search begins, at every level anew.
        from: Vec<f64>,
        /// The step of the differences.
        difference: f64,
    },
}

/// Why a level has no frame.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FramingError {
    /// No mode.
    #[error("the mode of the level: {0}")]
    Mode(#[from] ModeError),
    /// No curvature.
    #[error("the frame of the level: {0}")]
    Frame(#[from] FrameError),
}

impl Framing {
    /// The Laplace approximation with the default search from the origin.
    pub fn laplace(dimension: usize) -> Framing {
        // The cube root of the machine's precision balances the two errors of a difference.
        let difference = f64::EPSILON.cbrt();
        Framing::Laplace { optimiser: Lbfgs::default(), from: vec![0.0; dimension], difference }
    }

    /// The frame of a level, if it has one; all work is counted by the target.
    pub fn frame(&self, target: &mut dyn Target) -> Result<Option<Frame>, FramingError> {
        match self {
            Framing::Plain => Ok(None),
            Framing::Given(frame) if frame.dimension() != target.dimension() => {
                let (mean, dimension) = (frame.dimension(), target.dimension());
                Err(FrameError::Dimension { mean, dimension }.into())
            }
            Framing::Given(frame) => Ok(Some(frame.clone())),
            Framing::Laplace { optimiser, from, difference } => {
                let mode = optimiser.maximise(target, from)?;
                Ok(Some(Frame::laplace(target, &mode.point.position, *difference)?))
            }
        }
    }
}
