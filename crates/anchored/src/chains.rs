//! Four chains on one density, side by side, that can be stopped and continued.
//!
//! NUTS in the metric of the anchor, through the kinks of the prior where it has any. Each chain
//! has a stream of its own, so that the draws do not depend on the number of threads.

use debias::engine::Observer;
use debias::{Ledger, Rng, Seed};
use posterior::Target;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use samplers::diagnostics::{Chains as Series, ess_mean};
use samplers::{Chain, Draws, Frame, KinkedNoUTurn, Length, StartError, TreeState};

/// Chains.
pub const CHAINS: usize = 4;
/// Transitions in which the step size settles; the metric is the anchor's from the start.
pub const WARM_UP: usize = 50;
/// Doublings of a trajectory: seven steps are long enough where the metric fits, and more are taken
/// where it does not.
const DEPTH: usize = 3;
const DEEPER: usize = 8;
/// Effective draws per draw below which the metric does not fit.
const MIXES: f64 = 0.3;
/// Transitions between two looks at whether to stop.
const SLICE: usize = 8;

/// Chains on one density, somewhere between their start and their end.
pub struct Chains<T> {
    kernel: KinkedNoUTurn,
    running: Vec<Running<T>>,
}

struct Running<T> {
    target: T,
    chain: Chain<TreeState>,
    rng: Rng,
}

/// Why chains did not get to their end.
#[derive(Debug, thiserror::Error)]
pub enum ChainsError {
    /// A chain cannot start.
    #[error("a chain cannot start: {0}")]
    Start(#[from] StartError),
    /// The observer said stop.
    #[error("stopped before the chains were done")]
    Cancelled,
}

impl<T: Target + Send> Chains<T> {
    /// Chains that start at random places of a Gaussian approximation.
    pub fn begin(
        frame: &Frame,
        kinks: Option<Vec<f64>>,
        target: impl Fn() -> T,
        seed: Seed,
    ) -> Result<Chains<T>, ChainsError> {
        let d = frame.dimension();
        let slopes = kinks.unwrap_or_else(|| vec![0.0; d]);
        let mut kernel = KinkedNoUTurn::with_slopes(frame.factor().clone(), slopes);
        kernel.max_depth = DEPTH;
        let start = |index: u64| {
            let (mut target, mut rng) = (target(), seed.stream(index));
            let z: Vec<f64> = (0..d).map(|_| StandardNormal.sample(&mut rng)).collect();
            let mut theta = vec![0.0; d];
            frame.place(&z, &mut theta);
            let chain = match Chain::begin(&kernel, &mut target, &theta) {
                Ok(chain) => chain,
                // A random place may be beyond what the density can be computed at.
                Err(_) => Chain::begin(&kernel, &mut target, frame.mean())?,
            };
            Ok(Running { target, chain, rng })
        };
        let running = (0..CHAINS as u64).map(start).collect::<Result<_, ChainsError>>()?;
        Ok(Chains { kernel, running })
    }

    /// Goes on until each chain has so many draws.
    pub fn advance(&mut self, draws: usize, observer: &dyn Observer) -> Result<(), ChainsError> {
        let end = CHAINS * (WARM_UP + draws);
        observer.planned(end.saturating_sub(self.transitions()).max(1) as f64);
        let (kernel, length) = (&self.kernel, Length { warm_up: WARM_UP, draws });
        self.running.par_iter_mut().try_for_each(|running| {
            let Running { target, chain, rng } = running;
            while !chain.advance(kernel, target, length, SLICE, rng) {
                observer.advanced(SLICE as f64);
                if observer.cancelled() {
                    return Err(ChainsError::Cancelled);
                }
            }
            Ok(())
        })
    }

    /// Whether coordinates have enough effective draws per draw, on average: that of a single one is
    /// noisy after few draws. From ten draws of a chain on.
    pub fn mixes(&self) -> bool {
        let (draws, d) = (self.draws(), self.running[0].target.dimension());
        let count: usize = draws.iter().map(Draws::count).sum();
        let effective = |j: usize| {
            let series = Series::new(draws.iter().map(|chain| chain.coordinate(j)).collect());
            series.map_or(0.0, |series| ess_mean(&series).min(count as f64))
        };
        (0..d).map(effective).sum::<f64>() > MIXES * (d * count) as f64
    }

    /// Forgets the draws so far and takes longer trajectories from now on.
    pub fn deepen(&mut self) {
        self.kernel.max_depth = DEEPER;
        self.discard();
    }

    /// Forgets the draws so far; the chains go on from where they are.
    pub fn discard(&mut self) {
        for running in &mut self.running {
            running.chain.discard();
        }
    }

    /// The draws of each chain.
    pub fn draws(&self) -> Vec<Draws> {
        self.running.iter().map(|running| running.chain.draws.clone()).collect()
    }

    /// All work so far.
    pub fn ledger(&self) -> Ledger {
        self.running.iter().map(|running| running.target.ledger()).sum()
    }

    /// All transitions so far, warm-up included.
    pub fn transitions(&self) -> usize {
        self.running.iter().map(|running| running.chain.transitions()).sum()
    }
}
