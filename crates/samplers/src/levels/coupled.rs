//! φ_t by coupled chains: exactly unbiased for the partial posterior.
//!
//! ```text
//! E Ĥ = E_{π_t} φ,   and for a variance, from two independent pairs,
//! Var θ_j = E [ (Ĥ₁(θ_j²) + Ĥ₂(θ_j²))/2 − Ĥ₁(θ_j) Ĥ₂(θ_j) ]
//! ```
//!
//! With these levels the whole path estimator is unbiased for the full posterior. The frame is a
//! function of the data alone and the kernel does not adapt, so neither spoils it.

use super::{Framing, FramingError, Start, StartRuleError};
use crate::{
    CoupledKernel, CouplingError, Frame, Functional, Lagged, StartError, Unbiased, Whitened,
};
use debias::Rng;
use posterior::{Differentiable, LevelEstimate, PartialPosterior, Target};

/// A level estimate by pairs of lagged chains.
#[derive(Clone, Debug)]
pub struct ByCoupledChains<K> {
    /// What moves the pair, in the coordinates of the frame.
    pub kernel: K,
    /// The coordinates.
    pub framing: Framing,
    /// The law of both starts.
    pub start: Start,
    /// Lag, burn-in, length and budget.
    pub lagged: Lagged,
    /// φ.
    pub functionals: Vec<Functional>,
    /// Evaluations of the density that one estimate is expected to take, from a pilot.
    pub expected_evaluations: f64,
}

/// Why a level has no estimate.
#[derive(Debug, thiserror::Error)]
pub enum CoupledError {
    /// No frame.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// No starting point.
    #[error(transparent)]
    Rule(#[from] StartRuleError),
    /// One pair of chains was asked for a variance, which is no expectation.
    #[error("functional {index} is a variance, and one pair gives expectations only")]
    Variance {
        /// Which functional.
        index: usize,
    },
    /// No meeting, or no start.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
}

impl<K: CoupledKernel> ByCoupledChains<K> {
    /// One unbiased estimate of expectations on any target, with its meeting time.
    pub fn pair(&self, target: &mut dyn Target, rng: &mut Rng) -> Result<Unbiased, CoupledError> {
        if let Some(index) = self.functionals.iter().position(|f| !f.is_expectation()) {
            return Err(CoupledError::Variance { index });
        }
        let frame = self.framing.frame(target)?;
        self.expectations(target, &self.functionals, frame, rng)
    }

    /// The functionals of any target, variances among them.
    pub fn values(&self, target: &mut dyn Target, rng: &mut Rng) -> Result<Vec<f64>, CoupledError> {
        let frame = self.framing.frame(target)?;
        if self.functionals.iter().all(Functional::is_expectation) {
            return Ok(self.expectations(target, &self.functionals, frame, rng)?.value);
        }
        // Every variance brings its square along, behind the functionals themselves.
        let mut integrands = self.functionals.clone();
        for functional in &self.functionals {
            if let Functional::Variance(j) = *functional {
                integrands.push(Functional::prediction(move |theta| theta[j] * theta[j]));
            }
        }
        let one = self.expectations(target, &integrands, frame.clone(), rng)?.value;
        let two = self.expectations(target, &integrands, frame, rng)?.value;
        let mut square = self.functionals.len();
        let value = |(index, functional): (usize, &Functional)| {
            if functional.is_expectation() {
                return 0.5 * (one[index] + two[index]);
            }
            square += 1;
            0.5 * (one[square - 1] + two[square - 1]) - one[index] * two[index]
        };
        Ok(self.functionals.iter().enumerate().map(value).collect())
    }

    fn expectations(
        &self,
        target: &mut dyn Target,
        functionals: &[Functional],
        frame: Option<Frame>,
        rng: &mut Rng,
    ) -> Result<Unbiased, CoupledError> {
        let dimension = target.dimension();
        let first = self.start.draw(dimension, frame.as_ref(), rng)?;
        let second = self.start.draw(dimension, frame.as_ref(), rng)?;
        let observe = |theta: &[f64]| -> Vec<f64> {
            functionals.iter().map(|functional| functional.integrand(theta)).collect()
        };
        let Some(frame) = frame else {
            let starts = (&first[..], &second[..]);
            return Ok(self.lagged.estimate(&self.kernel, target, starts, &observe, rng)?);
        };
        // The chains live in the frame, the functionals outside.
        let observe_placed = |z: &[f64]| {
            let mut theta = vec![0.0; z.len()];
            frame.place(z, &mut theta);
            observe(&theta)
        };
        for start in [&first, &second] {
            if start.len() != dimension {
                let start = start.len();
                return Err(CouplingError::from(StartError::Dimension { start, dimension }).into());
            }
        }
        let starts = (&frame.coordinates(&first)[..], &frame.coordinates(&second)[..]);
        let mut whitened = Whitened::new(target, &frame);
        Ok(self.lagged.estimate(&self.kernel, &mut whitened, starts, &observe_placed, rng)?)
    }
}

impl<M: Differentiable, K: CoupledKernel> LevelEstimate<M> for ByCoupledChains<K> {
    type Error = CoupledError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, CoupledError> {
        self.values(posterior, rng)
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.expected_evaluations * rows as f64
    }
}
