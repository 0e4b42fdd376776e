//! Four chains on one density, side by side, that can be stopped and continued.
//!
//! NUTS in the metric of the anchor, through the kinks of the prior where it has any. Where the first
//! draws show that this metric does not fit, because a coordinate is far wider or narrower than the
//! anchor has it, or mixes slowly, its coordinates are stretched to what the draws say and trajectories
//! may be longer; where many of them diverged, steps are shorter. Those draws are thrown away. Effects that share
//! an unknown standard deviation move in the coordinates of [`Centring`]; draws are handed out as those of θ. Each
//! chain has a stream of its own, so that the draws do not depend on the number of threads.

use crate::centring::{Centring, Placed};
use crate::kept_chains::{Keeper, Kept, KeptChain};
use debias::engine::{Observer, Store, StoreError};
use debias::{Ledger, Rng, Seed};
use posterior::Target;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use samplers::diagnostics::{Chains as Series, ess_mean};
use samplers::{Chain, Draws, Factor, Frame, KinkedNoUTurn, Length, StartError, TreeState};

/// Chains.
pub const CHAINS: usize = 4;
/// Transitions in which the step size settles; the metric is the anchor's from the start.
pub const WARM_UP: usize = 50;
/// Doublings of a trajectory: seven steps are long enough where the metric fits, fifteen where parameters are
/// so many that steps are short, and more are taken where the metric does not fit.
const DEPTH: usize = 3;
const MANY: usize = 1000;
const DEEPER: usize = 8;
/// A coordinate is as wide as the metric has it up to this factor.
const WIDTH: f64 = 2.0;
const NARROWER: f64 = 0.25;
/// The metric is mended at most so often.
const MENDED: usize = 4;
/// Effective draws per draw below which the metric does not fit: on average, and in the worst coordinate.
const MIXES: f64 = 0.3;
const WORST: f64 = 0.1;
/// One coordinate in so many may look worse by chance, since few draws say little about each of very many.
const BY_CHANCE: usize = 500;
/// One draw in so many may diverge; where more do, the step size settles at this acceptance.
const DIVERGED: usize = 400;
const CAREFUL: f64 = 0.9;
/// Evaluations of a chain, a fraction of a second's worth, before chains wait for each other, and are kept if
/// it is time.
const ROUND: u64 = 10_000_000;

/// Chains on one density, somewhere between their start and their end.
pub struct Chains<'a, T> {
    kernel: KinkedNoUTurn,
    running: Vec<Running<Placed<'a, T>>>,
    centring: Option<&'a Centring>,
    factor: Factor,
    mended: usize,
    /// Whether too many draws diverged, so that steps are shorter.
    careful: bool,
    /// The work before the metric was mended last.
    before: Ledger,
    keeper: Keeper<'a>,
}

struct Running<T> {
    target: T,
    chain: Chain<TreeState>,
    rng: Rng,
    /// The work of this chain before the run was taken up again.
    earlier: Ledger,
}

/// Why chains did not get to their end.
#[derive(Debug, thiserror::Error)]
pub enum ChainsError {
    /// A chain cannot start.
    #[error("a chain cannot start: {0}")]
    Start(#[from] StartError),
    /// The chains could not be kept.
    #[error("the chains could not be kept: {0}")]
    Store(StoreError),
    /// The observer said stop.
    #[error("stopped before the chains were done")]
    Cancelled,
}

impl<'a, T: Target + Send> Chains<'a, T> {
    /// Chains that start at random places of a Gaussian approximation, or where the store has them under
    /// this name.
    pub fn begin(
        frame: &Frame,
        centring: Option<&'a Centring>,
        kinks: Option<Vec<f64>>,
        target: impl Fn() -> T,
        seed: Seed,
        (store, name): (&'a dyn Store, &str),
    ) -> Result<Chains<'a, T>, ChainsError> {
        let frame = centring.map_or(frame, |centring| &centring.frame);
        let d = frame.dimension();
        let slopes = kinks.unwrap_or_else(|| vec![0.0; d]);
        let factor = frame.factor().clone();
        let mut kernel = KinkedNoUTurn::with_slopes(factor.clone(), slopes);
        kernel.max_depth = if d < MANY { DEPTH } else { DEPTH + 1 };
        let start = |index: u64| {
            let (mut target, mut rng) = (Placed::new(target(), centring), seed.stream(index));
            let z: Vec<f64> = (0..d).map(|_| StandardNormal.sample(&mut rng)).collect();
            let mut theta = vec![0.0; d];
            frame.place(&z, &mut theta);
            let chain = match Chain::begin(&kernel, &mut target, &theta) {
                Ok(chain) => chain,
                // A random place may be beyond what the density can be computed at.
                Err(_) => Chain::begin(&kernel, &mut target, frame.mean())?,
            };
            Ok(Running { target, chain, rng, earlier: Ledger::default() })
        };
        let running = (0..CHAINS as u64).map(start).collect::<Result<_, ChainsError>>()?;
        let keeper = Keeper::new(store, format!("chains-{name}-{:016x}", seed.0));
        let before = Ledger::default();
        let (mended, careful) = (0, false);
        let mut chains =
            Chains { kernel, running, centring, factor, mended, careful, before, keeper };
        chains.take_up();
        Ok(chains)
    }

    /// Goes on under another name, from where the store has the chains if it does: what comes now was
    /// planned from the draws so far, which a run that is taken up again must find as they were.
    pub fn enter(&mut self, part: &str) {
        self.keeper = self.keeper.renamed(part);
        self.take_up();
    }

    fn take_up(&mut self) {
        let Some(Kept { factor, mended, careful, before, chains }) =
            self.keeper.load(self.factor.dimension())
        else {
            return;
        };
        self.careful = careful;
        if mended > 0 {
            self.wear(factor);
        }
        (self.mended, self.before) = (mended, before);
        for (running, KeptChain { chain, rng, ledger }) in self.running.iter_mut().zip(chains) {
            let own = running.target.ledger();
            (running.chain, running.rng) = (chain, rng);
            // What this run has done to get here was done before as well.
            running.earlier = ledger - own;
        }
    }

    fn keep(&mut self) -> Result<(), ChainsError> {
        let one = |running: &Running<Placed<'a, T>>| KeptChain {
            chain: running.chain.clone(),
            rng: running.rng.clone(),
            ledger: running.earlier + running.target.ledger(),
        };
        let chains = self.running.iter().map(one).collect();
        let Chains { mended, careful, before, .. } = *self;
        let kept = Kept { factor: self.factor.clone(), mended, careful, before, chains };
        let evaluations = self.ledger().evaluations();
        self.keeper.save(&kept, evaluations).map_err(ChainsError::Store)
    }

    /// Goes on until each chain has so many draws in a metric that fits, or that was mended often enough.
    pub fn settle(&mut self, draws: usize, observer: &dyn Observer) -> Result<(), ChainsError> {
        self.advance(draws, observer)?;
        while self.mended < MENDED && self.mend()? {
            self.advance(draws, observer)?;
        }
        Ok(())
    }

    /// Goes on until each chain has so many draws.
    pub fn advance(&mut self, draws: usize, observer: &dyn Observer) -> Result<(), ChainsError> {
        let end = CHAINS * (WARM_UP + draws);
        observer.planned(end.saturating_sub(self.transitions()).max(1) as f64);
        let length = Length { warm_up: WARM_UP, draws };
        loop {
            let kernel = &self.kernel;
            let done = self.running.par_iter_mut().map(|running| {
                let Running { target, chain, rng, .. } = running;
                let end = target.ledger().evaluations() + ROUND;
                while !chain.advance(kernel, target, length, 1, rng) {
                    observer.advanced(1.0);
                    if observer.cancelled() || target.ledger().evaluations() > end {
                        return false;
                    }
                }
                true
            });
            let done: Vec<bool> = done.collect();
            if done.iter().all(|&done| done) {
                return Ok(());
            }
            if observer.cancelled() {
                self.keep()?;
                return Err(ChainsError::Cancelled);
            }
            if self.keeper.due(self.ledger().evaluations()) {
                self.keep()?;
            }
        }
    }

    /// Looks whether the metric and the steps fit the draws, from ten of a chain on. If not, takes such that do,
    /// forgets the draws and starts the chains again from where they are.
    fn mend(&mut self) -> Result<bool, ChainsError> {
        let widths = self.widths();
        let fits = |width: &f64| (1.0 / WIDTH..WIDTH).contains(width);
        let long_enough = self.mended > 0 || self.mixes();
        let draws = || self.running.iter().map(|running| &running.chain.draws);
        let diverged = DIVERGED * draws().map(Draws::divergences).sum::<usize>();
        let careful = self.careful || diverged > draws().map(Draws::count).sum();
        if long_enough && careful == self.careful && widths.iter().all(fits) {
            return Ok(false);
        }
        self.careful = careful;
        // Chains that are stuck look narrow: less is believed of that.
        let stretch = |w: f64| if fits(&w) { 1.0 } else { w.max(NARROWER) };
        let by: Vec<f64> = widths.into_iter().map(stretch).collect();
        self.wear(self.factor.clone().stretched(&by));
        self.before = self.ledger();
        self.mended += 1;
        for Running { target, chain, .. } in &mut self.running {
            let place = chain.draws.iter().last().map(<[f64]>::to_vec);
            *chain = Chain::begin(&self.kernel, target, &place.unwrap_or_default())?;
        }
        Ok(true)
    }

    /// Takes another metric, longer trajectories, and shorter steps where they are called for.
    fn wear(&mut self, factor: Factor) {
        let slopes = self.kernel.slopes().to_vec();
        self.kernel = KinkedNoUTurn::with_slopes(factor.clone(), slopes);
        self.kernel.max_depth = DEEPER;
        if self.careful {
            self.kernel.target_acceptance = CAREFUL;
        }
        self.factor = factor;
    }

    /// The standard deviation of the draws in each coordinate of the metric, where they should be one.
    fn widths(&self) -> Vec<f64> {
        let d = self.factor.dimension();
        let (mut sums, mut squares, mut count) = (vec![0.0; d], vec![0.0; d], 0.0);
        let origin = self.running[0].chain.draws.iter().next().map(<[f64]>::to_vec);
        for theta in self.running.iter().flat_map(|running| running.chain.draws.iter()) {
            let from = origin.iter().flatten();
            let mut z: Vec<f64> = theta.iter().zip(from).map(|(x, from)| x - from).collect();
            self.factor.solve(&mut z);
            sums.iter_mut().zip(&z).for_each(|(sum, z)| *sum += z);
            squares.iter_mut().zip(&z).for_each(|(square, z)| *square += z * z);
            count += 1.0;
        }
        let width = |(sum, square): (f64, f64)| {
            let variance = (square - sum * sum / count) / (count - 1.0);
            // Chains that never moved say nothing.
            if variance > 0.0 && variance.is_finite() { variance.sqrt() } else { 1.0 }
        };
        sums.into_iter().zip(squares).map(width).collect()
    }

    /// Whether coordinates have enough effective draws per draw, on average and in the worst of them,
    /// of which less is asked since that of a single one is noisy. Standard deviations of groups always count.
    fn mixes(&self) -> bool {
        let draws: Vec<&Draws> = self.running.iter().map(|one| &one.chain.draws).collect();
        let d = self.factor.dimension();
        let count = draws.iter().map(|chain| chain.count()).sum::<usize>() as f64;
        let share = |j: usize| {
            let series = Series::new(draws.iter().map(|chain| chain.coordinate(j)).collect());
            series.map_or(0.0, |series| ess_mean(&series).min(count)) / count
        };
        let shares: Vec<f64> = (0..d).map(share).collect();
        let slow = |j: &usize| shares[*j] <= WORST;
        let by_chance = (0..d).filter(slow).count() <= d / BY_CHANCE;
        let log_sds = self.centring.map_or(Vec::new(), Centring::log_sds);
        shares.iter().sum::<f64>() > MIXES * d as f64 && by_chance && !log_sds.iter().any(slow)
    }

    /// Forgets the draws so far; the chains go on from where they are.
    pub fn discard(&mut self) {
        for running in &mut self.running {
            running.chain.discard();
        }
    }

    /// The draws of each chain.
    pub fn draws(&self) -> Vec<Draws> {
        let own = |running: &Running<Placed<'a, T>>| match self.centring {
            Some(centring) => centring.draws(&running.chain.draws),
            None => running.chain.draws.clone(),
        };
        self.running.iter().map(own).collect()
    }

    /// All work so far.
    pub fn ledger(&self) -> Ledger {
        self.running.iter().map(|running| running.earlier + running.target.ledger()).sum()
    }

    /// The work of one transition, in the metric that was settled on.
    pub fn work_per_transition(&self) -> f64 {
        let work = self.ledger().evaluations() - self.before.evaluations();
        work as f64 / self.transitions() as f64
    }

    /// Transitions in the metric that was settled on, warm-up included, less the draws forgotten.
    fn transitions(&self) -> usize {
        self.running.iter().map(|running| running.chain.transitions()).sum()
    }
}
