//! HMC with now and then a random walk.
//!
//! ```text
//! K = (1 − ω) K_hmc + ω K_walk        (Heng & Jacob 2019)
//! ```
//!
//! HMC brings two coupled chains close and cannot make them meet; the walk can.

use super::{Hmc, RandomWalk, Stepped, hmc::hamiltonian_step};
use crate::{Kernel, Point, StartError, Step};
use debias::Rng;
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A kernel that tosses a coin between HMC and a random walk, with fixed step sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// The moves that travel.
    pub hmc: Hmc,
    /// The moves that meet.
    pub walk: RandomWalk,
    /// ω.
    pub walk_probability: f64,
}

/// Which side of the mixture a step takes, with the random numbers that both chains share.
#[derive(Clone, Debug)]
pub(crate) enum Sides {
    /// A trajectory with this momentum and step size.
    Hmc {
        /// p.
        momentum: Vec<f64>,
        /// ε, jittered.
        step_size: f64,
    },
    /// A random walk.
    Walk,
}

impl Mixture {
    /// Tosses the coin, and draws the momentum if it is needed.
    pub(crate) fn side(&self, dimension: usize, rng: &mut Rng) -> Sides {
        if rng.random::<f64>() < self.walk_probability {
            return Sides::Walk;
        }
        let momentum = (0..dimension).map(|_| rng.sample(StandardNormal)).collect();
        Sides::Hmc { momentum, step_size: self.hmc.step_size * rng.random_range(0.9..1.1) }
    }

    /// A trajectory with given random numbers.
    pub(crate) fn travel(
        &self,
        target: &mut dyn Target,
        point: &mut Point,
        momentum: Vec<f64>,
        step_size: f64,
        threshold: f64,
    ) -> Step {
        hamiltonian_step(target, point, momentum, step_size, self.hmc.steps, threshold)
    }

    /// A walk from one point to a given proposal, with the gradient at the new point.
    pub(crate) fn walk(
        target: &mut dyn Target,
        point: &mut Point,
        position: Vec<f64>,
        threshold: f64,
    ) -> Step {
        let mut gradient = vec![0.0; position.len()];
        let log_density = target.gradient(&position, &mut gradient);
        let log_ratio = log_density - point.log_density;
        if threshold < log_ratio {
            *point = Point { position, log_density, gradient };
        }
        let acceptance = crate::kernel::acceptance(log_ratio);
        Step { acceptance, diverged: false, energy: None }
    }
}

impl Kernel for Mixture {
    type State = Stepped;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Stepped, StartError> {
        self.hmc.init(target, start)
    }

    fn step(&self, target: &mut dyn Target, state: &mut Stepped, rng: &mut Rng) -> Step {
        let point = &mut state.point;
        match self.side(point.position.len(), rng) {
            Sides::Hmc { momentum, step_size } => {
                let threshold = rng.random::<f64>().ln();
                self.travel(target, point, momentum, step_size, threshold)
            }
            Sides::Walk => {
                let proposal = point
                    .position
                    .iter()
                    .map(|x| x + self.walk.scale * rng.sample::<f64, _>(StandardNormal))
                    .collect();
                let threshold = rng.random::<f64>().ln();
                Mixture::walk(target, point, proposal, threshold)
            }
        }
    }

    fn renew(&self, target: &mut dyn Target, state: &mut Stepped) -> Result<(), StartError> {
        state.point = state.point.renewed(target)?;
        Ok(())
    }

    fn point<'s>(&self, state: &'s Stepped) -> &'s Point {
        &state.point
    }
}
