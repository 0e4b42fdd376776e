//! Independence Metropolis–Hastings (Tierney 1994).
//!
//! ```text
//! θ' ~ q,   accepted with probability min(1, w(θ')/w(θ)),   w = π/q
//! ```
//!
//! With a Student-t q at the Laplace approximation w is bounded for log-concave posteriors, and the
//! chain is uniformly ergodic.

use crate::kernel::acceptance;
use crate::{Kernel, Point, StartError, Step, Student};
use debias::Rng;
use posterior::Target;
use rand::RngExt;

/// Proposals that do not look at where the chain is.
#[derive(Clone, Debug, PartialEq)]
pub struct Independence {
    /// q.
    pub proposal: Student,
}

/// A point with its log weight.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Weighed {
    /// Where the chain is.
    pub point: Point,
    /// ln π − ln q.
    pub log_weight: f64,
}

impl Kernel for Independence {
    type State = Weighed;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Weighed, StartError> {
        let point = Point::at(target, start)?;
        let dimension = self.proposal.dimension();
        if start.len() != dimension {
            return Err(StartError::Dimension { start: start.len(), dimension });
        }
        let log_weight = point.log_density - self.proposal.log_density(start);
        Ok(Weighed { point, log_weight })
    }

    fn step(&self, target: &mut dyn Target, state: &mut Weighed, rng: &mut Rng) -> Step {
        let candidate = self.candidate(target, rng);
        let threshold = rng.random::<f64>().ln();
        consider(state, &candidate, threshold)
    }

    fn point<'s>(&self, state: &'s Weighed) -> &'s Point {
        &state.point
    }
}

impl Independence {
    /// A draw of q with its weight.
    pub(crate) fn candidate(&self, target: &mut dyn Target, rng: &mut Rng) -> Weighed {
        let position = self.proposal.draw(rng);
        let log_density = target.log_density(&position);
        let log_weight = log_density - self.proposal.log_density(&position);
        Weighed { point: Point { position, log_density, gradient: Vec::new() }, log_weight }
    }
}

/// Moves to the candidate if the log ratio of the weights is above the threshold ln U.
pub(crate) fn consider(state: &mut Weighed, candidate: &Weighed, threshold: f64) -> Step {
    let log_ratio = candidate.log_weight - state.log_weight;
    if threshold < log_ratio {
        *state = candidate.clone();
    }
    Step { acceptance: acceptance(log_ratio), diverged: false, energy: None }
}
