//! Two random walks that meet.
//!
//! Proposals by a maximal or a reflection-maximal coupling, accepted against the same uniform
//! number: each chain by itself is the random walk of `RandomWalk`.

use super::{CoupledKernel, Law, maximal, reflection};
use crate::kernels::metropolis;
use crate::{Kernel, Point, RandomWalk, StartError, Step};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// How the two proposals hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkCoupling {
    /// Equal as often as possible, independent otherwise.
    Maximal,
    /// Equal as often as possible, mirrored otherwise.
    Reflection,
}

/// A random walk with a coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledWalk {
    /// What each chain does by itself.
    pub walk: RandomWalk,
    /// What they do together.
    pub coupling: WalkCoupling,
}

impl WalkCoupling {
    /// A draw of N(x, s² I) and one of N(y, s² I).
    pub(crate) fn propose(
        self,
        x: &[f64],
        y: &[f64],
        scale: f64,
        rng: &mut Rng,
    ) -> (Vec<f64>, Vec<f64>) {
        match self {
            WalkCoupling::Maximal => {
                maximal(&Ball { centre: x, scale }, &Ball { centre: y, scale }, rng)
            }
            WalkCoupling::Reflection => reflection(x, y, scale, rng),
        }
    }
}

/// N(centre, scale² I).
struct Ball<'a> {
    centre: &'a [f64],
    scale: f64,
}

impl Law for Ball<'_> {
    fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        self.centre.iter().map(|x| x + self.scale * rng.sample::<f64, _>(StandardNormal)).collect()
    }

    fn log_density(&self, x: &[f64]) -> f64 {
        let squared: f64 = x.iter().zip(self.centre).map(|(x, c)| (x - c).powi(2)).sum();
        -0.5 * squared / (self.scale * self.scale)
    }
}

impl Kernel for CoupledWalk {
    type State = Point;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Point, StartError> {
        self.walk.init(target, start)
    }

    fn step(&self, target: &mut dyn Target, state: &mut Point, rng: &mut Rng) -> Step {
        self.walk.step(target, state, rng)
    }

    fn point<'s>(&self, state: &'s Point) -> &'s Point {
        state
    }
}

impl CoupledKernel for CoupledWalk {
    fn step_both(
        &self,
        target: &mut dyn Target,
        first: &mut Point,
        second: &mut Point,
        rng: &mut Rng,
    ) {
        let (to_first, to_second) =
            self.coupling.propose(&first.position, &second.position, self.walk.scale, rng);
        let threshold = rng.random::<f64>().ln();
        metropolis(target, first, to_first, threshold);
        metropolis(target, second, to_second, threshold);
    }
}
