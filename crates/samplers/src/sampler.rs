//! Running a chain: warm-up, then draws.

use crate::{Chain, Draws, Frame, Kernel, Length, StartError, Whitened};
use debias::Rng;
use posterior::Target;

/// A way to draw from a target: any kernel, or NUTS, which brings its own adaptation.
pub trait Sampler: Sync {
    /// A chain from a starting point, on the calling thread; the same draws for the same `rng`.
    fn sample(
        &self,
        target: &mut dyn Target,
        start: &[f64],
        length: Length,
        rng: &mut Rng,
    ) -> Result<Draws, SampleError>;

    /// The same in the coordinates of a frame, with start and draws given as θ = μ + C z.
    fn sample_in(
        &self,
        frame: &Frame,
        target: &mut dyn Target,
        start: &[f64],
        length: Length,
        rng: &mut Rng,
    ) -> Result<Draws, SampleError> {
        if start.len() != frame.dimension() || start.len() != target.dimension() {
            let dimension = target.dimension();
            return Err(StartError::Dimension { start: start.len(), dimension }.into());
        }
        let z = frame.coordinates(start);
        let draws = self.sample(&mut Whitened::new(target, frame), &z, length, rng)?;
        Ok(draws.placed(frame))
    }
}

/// Why a chain was not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The chain cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// No draws were asked for.
    #[error("a chain of no draws")]
    Empty,
    /// NUTS gave up, for a reason of its own.
    #[error("nuts stopped at transition {transition}: {reason}")]
    Nuts {
        /// Transitions done before.
        transition: usize,
        /// What it said.
        reason: String,
    },
}

impl<K: Kernel> Sampler for K {
    fn sample(
        &self,
        target: &mut dyn Target,
        start: &[f64],
        length: Length,
        rng: &mut Rng,
    ) -> Result<Draws, SampleError> {
        if length.draws == 0 {
            return Err(SampleError::Empty);
        }
        let mut chain = Chain::begin(self, target, start)?;
        chain.advance(self, target, length, usize::MAX, rng);
        Ok(chain.draws)
    }
}
