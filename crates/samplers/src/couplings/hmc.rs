//! Two chains of HMC that come close by one momentum, and meet by a random walk (Heng & Jacob 2019).
//!
//! Both follow the same momentum, step size and uniform number: on a log-concave target the
//! trajectories contract. Now and then both take a reflection-maximal random walk instead, which can
//! make them equal.

use super::{CoupledKernel, WalkCoupling};
use crate::kernels::Sides;
use crate::{Mixture, Stepped};
use debias::Rng;
use posterior::Target;
use rand::RngExt;

impl CoupledKernel for Mixture {
    fn step_both(
        &self,
        target: &mut dyn Target,
        first: &mut Stepped,
        second: &mut Stepped,
        rng: &mut Rng,
    ) {
        let (first, second) = (&mut first.point, &mut second.point);
        match self.side(first.position.len(), rng) {
            Sides::Hmc { momentum, step_size } => {
                let threshold = rng.random::<f64>().ln();
                self.travel(target, first, momentum.clone(), step_size, threshold);
                self.travel(target, second, momentum, step_size, threshold);
            }
            Sides::Walk => {
                let (to_first, to_second) = WalkCoupling::Reflection.propose(
                    &first.position,
                    &second.position,
                    self.walk.scale,
                    rng,
                );
                let threshold = rng.random::<f64>().ln();
                Mixture::walk(target, first, to_first, threshold);
                Mixture::walk(target, second, to_second, threshold);
            }
        }
    }
}
