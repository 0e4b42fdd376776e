//! Two independence chains that look at the same candidates.
//!
//! One candidate and one uniform number for both: they meet at the first candidate that both
//! accept, and a candidate is evaluated once, so a step of the pair costs what a step of one costs.

use super::CoupledKernel;
use crate::kernels::consider;
use crate::{Independence, Weighed};
use debias::Rng;
use posterior::Target;
use rand::RngExt;

impl CoupledKernel for Independence {
    fn step_both(
        &self,
        target: &mut dyn Target,
        first: &mut Weighed,
        second: &mut Weighed,
        rng: &mut Rng,
    ) {
        let candidate = self.candidate(target, rng);
        let threshold = rng.random::<f64>().ln();
        consider(first, &candidate, threshold);
        consider(second, &candidate, threshold);
    }
}
