//! Running a chain: warm-up, then draws.

use crate::{Chain, Draws, Frame, Kernel, Length, Point, StartError, Whitened};
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
        Ok(place(frame, &draws))
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

/// Draws of z as draws of θ, gradients too: ∇_θ = C⁻ᵀ ∇_z.
fn place(frame: &Frame, draws: &Draws) -> Draws {
    let d = frame.dimension();
    let mut placed = Draws::new(d);
    placed.warm_up_divergences = draws.warm_up_divergences;
    placed.step_size = draws.step_size;
    for (index, z) in draws.iter().enumerate() {
        let mut position = vec![0.0; d];
        frame.place(z, &mut position);
        let mut gradient = Vec::new();
        if let Some(gradients) = draws.gradients() {
            gradient.extend_from_slice(&gradients[index * d..][..d]);
            frame.factor().solve_transpose(&mut gradient);
        }
        let log_density = draws.log_densities()[index];
        placed.push(&Point { position, log_density, gradient }, draws.steps()[index]);
    }
    placed
}
