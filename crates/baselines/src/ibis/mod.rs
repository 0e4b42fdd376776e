//! Iterated batch importance sampling: particles along the data path (Chopin 2002).
//!
//! ```text
//! reweigh    w_k ← w_k [ Π_{i new} p(x_i ∣ θ_k) ]^δ
//! resample   where 1/Σ W² would fall below a share of K: systematically
//! move       θ_k ~ K(θ_k, ·), which leaves p(θ) Π_{i so far} p(x_i ∣ θ) [ Π_{i new} p(x_i ∣ θ) ]^λ invariant
//! ```
//!
//! Rows come in by the batches of a schedule. Of a batch that would leave too few effective particles
//! only the power δ comes in that leaves just enough (Del Moral, Doucet & Jasra 2006); the particles
//! are then resampled and moved, in the coordinates of their own mean and covariance, until the powers
//! add up to one. Powers are what makes many dimensions possible: a batch that tells D nats takes about
//! √(2 D) of them, and about D pieces if it is cut by rows. At the end the weighted particles stand for
//! the posterior given all rows, with a bias of order 1/K.
//!
//! Each row enters the weights once, the first batch too: see [`Beginning`].

mod beginning;
mod coordinates;
mod particles;
mod tempered;
mod walk;

pub use beginning::{Beginning, PriorDraw};

use crate::{Budget, Exhausted, answer};
use beginning::Begun;
use debias::{Estimate, Estimator, Ledger, Rng, Schedule};
use posterior::{Differentiable, Rows, Smooth, subset};
use samplers::{FrameError, FramingError, Functional, Kernel, StartError, StudentError};
use walk::Walk;

/// The sampler for one data set.
pub struct Ibis<'a, R: Rows, M, K> {
    rows: &'a R,
    model: &'a M,
    settings: IbisSettings<K>,
    // Whose curvature sets the coordinates of moves; none for the particles' covariance.
    curved: Option<&'a dyn Smooth<Block = R::Block>>,
    budget: Budget,
}

/// How many, how often, how far.
#[derive(Clone, Debug)]
pub struct IbisSettings<K> {
    /// How rows come in.
    pub schedule: Schedule,
    /// Whether in a random order, anew for each answer, or as they come.
    pub shuffled: bool,
    /// Where particles come from.
    pub beginning: Beginning,
    /// K.
    pub particles: usize,
    /// The share of K below which effective particles are too few.
    pub threshold: f64,
    /// What moves a particle.
    pub kernel: K,
    /// Steps of a move.
    pub steps: usize,
    /// φ.
    pub functionals: Vec<Functional>,
}

/// The end of the path.
#[derive(Clone, Debug)]
pub struct IbisRun {
    /// The particles, one after the other.
    pub positions: Vec<f64>,
    /// Their weights, which sum to one.
    pub weights: Vec<f64>,
    /// The estimate of ln ∫ p(θ) Π p(x_i ∣ θ) dθ; up to the constants that the model leaves out.
    pub log_evidence: f64,
    /// Where particles were resampled and moved.
    pub stages: Vec<Stage>,
    /// All work.
    pub ledger: Ledger,
}

/// One resampling with its move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Rows in the target, those coming in included.
    pub rows: usize,
    /// The power of those coming in.
    pub power: f64,
    /// Effective particles before it.
    pub effective: f64,
    /// The mean acceptance of the kernel.
    pub acceptance: f64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum IbisError {
    /// Too few particles for a covariance.
    #[error("{particles} particles in {dimension} dimensions")]
    Particles {
        /// K.
        particles: usize,
        /// d.
        dimension: usize,
    },
    /// The share of effective particles is none.
    #[error("a threshold of {threshold} for the share of effective particles")]
    Threshold {
        /// What was asked for.
        threshold: f64,
    },
    /// Moves that do not move.
    #[error("moves of {steps} steps")]
    Steps {
        /// What was asked for.
        steps: usize,
    },
    /// The schedule is for other data.
    #[error("a schedule of {scheduled} rows for {rows} rows")]
    Schedule {
        /// Its last batch.
        scheduled: usize,
        /// N.
        rows: usize,
    },
    /// The prior is for another model.
    #[error("a prior draw of {drawn} coordinates in {dimension} dimensions")]
    Dimension {
        /// Coordinates drawn.
        drawn: usize,
        /// d.
        dimension: usize,
    },
    /// No Laplace approximation of the first batch.
    #[error(transparent)]
    Framing(#[from] FramingError),
    /// No Student-t with these degrees of freedom.
    #[error(transparent)]
    Student(#[from] StudentError),
    /// Every particle has density zero.
    #[error("no particle of {particles} has a positive weight after {rows} rows")]
    Weightless {
        /// K.
        particles: usize,
        /// Rows seen.
        rows: usize,
    },
    /// The particles span no space to move in.
    #[error("the particles after {rows} rows: {source}")]
    Degenerate {
        /// Rows seen.
        rows: usize,
        /// What is wrong with their covariance.
        source: FrameError,
    },
    /// A particle cannot be moved.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, M, K> Ibis<'a, R, M, K>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    K: Kernel,
{
    /// Checks the settings.
    pub fn new(
        rows: &'a R,
        model: &'a M,
        settings: IbisSettings<K>,
    ) -> Result<Ibis<'a, R, M, K>, IbisError> {
        let IbisSettings { particles, threshold, steps, .. } = settings;
        let dimension = model.dimension();
        if particles <= dimension {
            return Err(IbisError::Particles { particles, dimension });
        }
        if !(threshold > 0.0 && threshold < 1.0) {
            return Err(IbisError::Threshold { threshold });
        }
        if steps == 0 {
            return Err(IbisError::Steps { steps });
        }
        let scheduled = settings.schedule.size(settings.schedule.levels());
        if scheduled != rows.count() {
            return Err(IbisError::Schedule { scheduled, rows: rows.count() });
        }
        let (curved, budget) = (None, Budget::UNLIMITED);
        Ok(Ibis { rows, model, settings, curved, budget })
    }

    /// The same, moved in the coordinates of this model's curvature instead of the particles'
    /// covariance, which takes many times more particles than dimensions: the model itself, or one
    /// with a smooth prior where it has kinks.
    pub fn curved_as(self, stand_in: &'a dyn Smooth<Block = R::Block>) -> Ibis<'a, R, M, K> {
        Ibis { curved: Some(stand_in), ..self }
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> Ibis<'a, R, M, K> {
        Ibis { budget, ..self }
    }

    /// Runs the particles along one order of the rows.
    pub fn run(&self, rng: &mut Rng) -> Result<IbisRun, IbisError> {
        let Ibis { rows, model, settings, .. } = self;
        let count = rows.count();
        let order: Vec<usize> =
            if settings.shuffled { subset(count, count, rng) } else { (0..count).collect() };
        let first = rows.gather(&order[..settings.schedule.size(1)]);
        let begun = settings.beginning.draw(settings.particles, *model, &first, rng)?;
        let Begun { particles, seen, ledger } = begun;
        let ledger = Ledger { distinct_rows: count as u64, ..ledger };
        let mut walk = Walk {
            ibis: self,
            order,
            seen,
            particles,
            ledger,
            log_evidence: 0.0,
            stages: Vec::new(),
        };
        if seen > 0 {
            // The weights of the beginning: their mean is the evidence of the first batch.
            let (_, log_sum) = walk
                .even()
                .tilted(&walk.particles.log_weights)
                .ok_or(IbisError::Weightless { particles: settings.particles, rows: seen })?;
            walk.log_evidence = log_sum;
            walk.refresh_if_uneven(&first, rng)?;
        }
        for level in 1..=settings.schedule.levels() {
            let size = settings.schedule.size(level);
            if walk.seen < size {
                walk.take_in(size, rng)?;
            }
        }
        let weights = walk.weights()?;
        let Walk { particles, ledger, log_evidence, stages, .. } = walk;
        let positions = particles.positions;
        Ok(IbisRun { positions, weights, log_evidence, stages, ledger })
    }
}

impl<R, M, K> Estimator for Ibis<'_, R, M, K>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    K: Kernel,
{
    type Error = IbisError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, IbisError> {
        let run = self.run(rng)?;
        let IbisRun { positions, weights, ledger, .. } = run;
        let d = self.model.dimension();
        Ok(answer::weighted(&self.settings.functionals, &positions, d, &weights, ledger))
    }

    /// All rows for all particles, and a move whenever their number has doubled.
    fn expected_cost(&self, _: u64) -> f64 {
        let IbisSettings { particles, steps, .. } = self.settings;
        (particles * self.rows.count()) as f64 * (1.0 + 2.0 * (steps + 1) as f64)
    }
}
