//! The mode and the Laplace approximation of a logistic posterior, for methods that need a centre.
//!
//! A Laplace prior has a kink where many weights are, and no curvature: its place is taken by the
//! Gaussian of the same variance,
//!
//! ```text
//! Laplace(b):   Var θ_j = 2 b²   ⇒   N(0, 2 b²)
//! ```
//!
//! which moves the mode by a fraction of a posterior standard deviation. Methods that are exact
//! whatever their centre is lose nothing but a little speed.

use models::anchor::{Mode, NewtonError, newton};
use models::design::Design;
use models::logistic::Logistic;
use models::prior::{Prior, PriorError};
use posterior::Rows;
use samplers::{Factor, Frame, FrameError};

/// The last step of Newton's method, in posterior standard deviations: its error is quadratic.
const TOLERANCE: f64 = 0.01;
/// From the origin six or seven passes do.
const MOST_PASSES: u64 = 50;

/// Why there is no centre.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SmoothModeError {
    /// Newton's method failed.
    #[error(transparent)]
    Newton(#[from] NewtonError),
    /// The covariance there is none.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The prior is none.
    #[error(transparent)]
    Prior(#[from] PriorError),
}

/// The mode under the smooth prior, from the origin, and its Laplace approximation; every pass over
/// the rows is counted in [`Mode::ledger`].
pub fn smooth_mode<R, B>(model: &Logistic<B>, rows: &R) -> Result<(Mode, Frame), SmoothModeError>
where
    R: Rows<Block = B>,
    B: Design,
{
    let prior = match model.prior() {
        Prior::Laplace { scale } => Prior::like_laplace(scale),
        smooth => smooth,
    };
    let smooth = Logistic::<B>::new(model.width(), prior)?;
    let d = model.width() + 1;
    let mode = newton(&smooth, rows, &vec![0.0; d], TOLERANCE, MOST_PASSES)?;
    let factor = Factor::of_covariance(&mode.covariance.entries(), d).map_err(FrameError::from)?;
    let frame = Frame::new(mode.theta.clone(), factor)?;
    Ok((mode, frame))
}
