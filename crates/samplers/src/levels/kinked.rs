//! φ_t by NUTS through the kinks of a Laplace prior.
//!
//! The metric is the covariance of a Laplace approximation. At a kink there is none, so it is that
//! of a stand-in: the same likelihood under a smooth prior. Mode and curvature of the stand-in are
//! found on the level's own rows and are part of its cost.

use super::{ChainError, Framing, Start};
use crate::{Draws, Frame, Functional, KinkedNoUTurn, Length, Sampler};
use debias::{Caveat, Rng};
use posterior::{Differentiable, LevelEstimate, PartialPosterior};

/// A level estimate by warm-up and draws, for a prior with factors exp(−|θ_j| / b).
#[derive(Clone, Debug)]
pub struct ByKinkedChain<M> {
    /// The model under a smooth prior.
    pub stand_in: M,
    /// b.
    pub scale: f64,
    /// How the frame of the stand-in is found.
    pub framing: Framing,
    /// W and M.
    pub length: Length,
    /// φ.
    pub functionals: Vec<Functional>,
    /// Evaluations of the density that one estimate is expected to take, from a pilot.
    pub expected_evaluations: f64,
}

impl<M: Differentiable> ByKinkedChain<M> {
    /// The chain on a partial posterior.
    pub fn draws(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Draws, ChainError> {
        let mut smooth = posterior.under(&self.stand_in);
        let frame = self.framing.frame(&mut smooth)?;
        let work = smooth.ledger();
        posterior.count(work);
        let frame = frame.unwrap_or_else(|| Frame::standard(posterior.dimension()));
        let start = Start::Frame { spread: 1.0 };
        let start = start.draw(frame.dimension(), Some(&frame), rng)?;
        let kernel = KinkedNoUTurn::new(frame.factor().clone(), self.scale)?;
        Ok(kernel.sample(posterior, &start, self.length, rng)?)
    }
}

impl<M: Differentiable> LevelEstimate<M> for ByKinkedChain<M> {
    type Error = ChainError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, ChainError> {
        Ok(self.draws(posterior, rng)?.functionals(&self.functionals))
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::FiniteChain]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.expected_evaluations * rows as f64
    }
}
