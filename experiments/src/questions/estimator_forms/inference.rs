//! How a level is estimated: by chains, by weighted points, and by pairs of coupled chains.

use debias::{Caveat, Rng};
use posterior::{Differentiable, LevelEstimate, PartialPosterior};
use samplers::{
    ByCoupledChains, ByPoints, ChainError, Draws, Frame, Framing, FramingError, Functional,
    Independence, Lagged, Length, Start, Student, StudentError, with_control_variates,
};

/// Degrees of freedom of proposals.
const DEGREES: f64 = 10.0;

/// A chain of so many draws.
pub fn length(draws: usize) -> Length {
    Length { warm_up: 100, draws }
}

/// Weighted quasi-random points of a Student-t in the level's frame.
pub fn points(count: usize, functionals: Vec<Functional>, dimension: usize) -> ByPoints {
    ByPoints {
        framing: Framing::laplace(dimension),
        degrees: DEGREES,
        count,
        floor: 0.0,
        functionals,
        expected_evaluations: 0.0,
    }
}

/// Independence chains in the level's frame that look at the same candidates.
pub fn pairs(
    functionals: Vec<Functional>,
    dimension: usize,
) -> Result<ByCoupledChains<Independence>, StudentError> {
    Ok(ByCoupledChains {
        kernel: Independence { proposal: Student::new(Frame::standard(dimension), DEGREES)? },
        framing: Framing::laplace(dimension),
        start: Start::Frame { spread: 1.0 },
        lagged: Lagged { lag: 5, burn_in: 10, last: 510, budget: 1_000_000 },
        functionals,
        expected_evaluations: 0.0,
    })
}

/// Three numbers per functional from one chain: its mean, its mean with control variates, and half the
/// difference of the means of its two halves, whose square has the variance of the first for its
/// expectation.
pub struct ThreeTimes<F> {
    pub draws: F,
    pub functionals: Vec<Functional>,
    pub evaluations: f64,
}

impl<M, F> LevelEstimate<M> for ThreeTimes<F>
where
    M: Differentiable,
    F: Fn(&mut PartialPosterior<'_, M>, &mut Rng) -> Result<Draws, ChainError> + Sync,
{
    type Error = ChainError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, ChainError> {
        let draws = (self.draws)(posterior, rng)?;
        let mut value = draws.functionals(&self.functionals);
        value.extend(with_control_variates(&draws, &self.functionals)?);
        let half = draws.count() / 2;
        value.extend(self.functionals.iter().map(|functional| {
            let values = draws.iter().map(|theta| functional.integrand(theta));
            let difference: f64 =
                values.enumerate().map(|(i, value)| if i < half { value } else { -value }).sum();
            difference / draws.count() as f64
        }));
        Ok(value)
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::FiniteChain]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.evaluations * rows as f64
    }
}

/// An estimate in the frame of the same rows under a smooth prior: its mode and curvature.
/// Only the frame is taken from there; what is estimated is the posterior with its kinks.
pub struct InFrameOf<M, F> {
    pub smooth: M,
    pub estimate: F,
    pub caveats: Vec<Caveat>,
    pub evaluations: f64,
}

impl<M, F, E> LevelEstimate<M> for InFrameOf<M, F>
where
    M: Differentiable,
    F: Fn(Framing, &mut PartialPosterior<'_, M>, &mut Rng) -> Result<Vec<f64>, E> + Sync,
    E: From<FramingError> + std::error::Error + Send + Sync + 'static,
{
    type Error = E;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, E> {
        let mut smooth = posterior.under(&self.smooth);
        let frame = Framing::laplace(self.smooth.dimension()).frame(&mut smooth)?;
        let work = smooth.ledger();
        posterior.count(work);
        (self.estimate)(frame.map_or(Framing::Plain, Framing::Given), posterior, rng)
    }

    fn caveats(&self) -> Vec<Caveat> {
        self.caveats.clone()
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.evaluations * rows as f64
    }
}
