//! NUTS in the coordinates of a Laplace approximation, through the kinks of a prior where it has them.

use debias::{Caveat, Rng};
use posterior::{Differentiable, LevelEstimate, PartialPosterior, Target};
use samplers::{
    ChainError, Draws, Frame, Framing, Functional, KinkedNoUTurn, Lbfgs, Length, Metric, NoUTurn,
    Sampler, Start,
};

/// A chain on any target that resembles its frame; `kinks` are the slopes of a Laplace prior.
pub(crate) fn chain(
    target: &mut dyn Target,
    frame: &Frame,
    kinks: Option<&[f64]>,
    length: Length,
    rng: &mut Rng,
) -> Result<Draws, ChainError> {
    let start = Start::Frame { spread: 1.0 }.draw(frame.dimension(), Some(frame), rng)?;
    Ok(match kinks {
        Some(slopes) => {
            let kernel = KinkedNoUTurn::with_slopes(frame.factor().clone(), slopes.to_vec());
            kernel.sample(target, &start, length, rng)?
        }
        None => {
            let kernel = NoUTurn { metric: Metric::Unit, ..NoUTurn::default() };
            kernel.sample_in(frame, target, &start, length, rng)?
        }
    })
}

/// φ_t by such a chain, in the frame of the level itself.
pub(crate) struct FramedLevel<'a, M> {
    smooth: &'a M,
    kinks: Option<Vec<f64>>,
    framing: Framing,
    length: Length,
    functionals: &'a [Functional],
    /// Evaluations per row that one estimate is expected to take.
    pub expected_evaluations: f64,
}

impl<'a, M: Differentiable> FramedLevel<'a, M> {
    /// Modes and curvatures are those of `smooth`, a model without kinks.
    pub fn new(
        smooth: &'a M,
        kinks: Option<Vec<f64>>,
        length: Length,
        functionals: &'a [Functional],
    ) -> FramedLevel<'a, M> {
        let framing = Framing::Laplace {
            optimiser: Lbfgs::customary(),
            from: smooth.start(),
            // The cube root of the machine's precision balances the two errors of a difference.
            difference: f64::EPSILON.cbrt(),
        };
        FramedLevel { smooth, kinks, framing, length, functionals, expected_evaluations: 0.0 }
    }

    /// The chain on a partial posterior.
    pub fn draws(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Draws, ChainError> {
        let mut smooth = posterior.under(self.smooth);
        let frame = self.framing.frame(&mut smooth)?;
        let work = smooth.ledger();
        posterior.count(work);
        let frame = frame.unwrap_or_else(|| Frame::standard(posterior.dimension()));
        chain(posterior, &frame, self.kinks.as_deref(), self.length, rng)
    }
}

impl<M: Differentiable> LevelEstimate<M> for FramedLevel<'_, M> {
    type Error = ChainError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, ChainError> {
        Ok(self.draws(posterior, rng)?.functionals(self.functionals))
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::FiniteChain]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.expected_evaluations * rows as f64
    }
}
