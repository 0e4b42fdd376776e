//! Where the chain of a level starts.
//!
//! Never where another level ended: a start carried over from a deeper level would make the mean of
//! φ_t depend on which levels were asked for, and the sum would no longer telescope.

use crate::Frame;
use debias::Rng;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A rule for starting points that looks at nothing but the level.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Always here.
    At(Vec<f64>),
    /// Uniform within this distance of zero in every coordinate, as Stan starts.
    Uniform {
        /// The distance; Stan's is 2.
        radius: f64,
    },
    /// Normal in the level's frame, with its covariance times the square of the spread; at the
    /// frame's mean, the mode, for a spread of zero.
    Frame {
        /// Standard deviations.
        spread: f64,
    },
}

/// Why a rule gives no starting point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartRuleError {
    /// The rule asks for a frame and the level has none.
    #[error("a start in the frame of a level of {dimension} dimensions that has no frame")]
    NoFrame {
        /// d.
        dimension: usize,
    },
    /// The radius or spread is negative or not finite.
    #[error("starts cannot spread over {spread}")]
    Spread {
        /// What was asked for.
        spread: f64,
    },
}

impl Start {
    /// A starting point.
    pub fn draw(
        &self,
        dimension: usize,
        frame: Option<&Frame>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, StartRuleError> {
        match self {
            Start::At(point) => Ok(point.clone()),
            Start::Uniform { radius } => {
                let spread = check(*radius)?;
                Ok((0..dimension).map(|_| spread * (2.0 * rng.random::<f64>() - 1.0)).collect())
            }
            Start::Frame { spread } => {
                let spread = check(*spread)?;
                let frame = frame.ok_or(StartRuleError::NoFrame { dimension })?;
                let z: Vec<f64> =
                    (0..dimension).map(|_| spread * rng.sample::<f64, _>(StandardNormal)).collect();
                let mut theta = vec![0.0; dimension];
                frame.place(&z, &mut theta);
                Ok(theta)
            }
        }
    }
}

fn check(spread: f64) -> Result<f64, StartRuleError> {
    if spread >= 0.0 && spread.is_finite() {
        Ok(spread)
    } else {
        Err(StartRuleError::Spread { spread })
    }
}
