//! Particles under way: reweigh, resample, move.

use super::particles::{Particles, effective};
use super::{Ibis, IbisError};
use debias::{Ledger, Rng};
use posterior::{Differentiable, PartialPosterior, Rows};
use samplers::{Frame, Kernel, Whitened};

/// Particles under way.
pub struct Walk<'w, 'a, R, M, K> {
    /// What moves them.
    pub ibis: &'w Ibis<'a, R, M, K>,
    /// The rows, as they come.
    pub order: Vec<usize>,
    /// How many rows are in the weights.
    pub seen: usize,
    /// The particles.
    pub particles: Particles,
    /// All work so far.
    pub ledger: Ledger,
    /// The logarithm of the mean weight.
    pub log_evidence: f64,
    /// Sum and number.
    pub acceptances: (f64, usize),
    /// Moves of all particles.
    pub moves: usize,
}

impl<R, M, K> Walk<'_, '_, R, M, K>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    K: Kernel,
{
    /// Takes in rows up to `end`, or as many of them as leave enough effective particles.
    pub fn take_in(&mut self, end: usize, rng: &mut Rng) -> Result<(), IbisError> {
        let mut size = end - self.seen;
        let mut halved = false;
        loop {
            let increments = self.increments(size)?;
            let weightless = IbisError::Weightless {
                particles: self.ibis.settings.particles,
                rows: self.seen + size,
            };
            let (weights, log_mean) = self.particles.tilted(&increments).ok_or(weightless)?;
            if size > 1 && self.too_few(&weights) {
                size = size.div_ceil(2);
                halved = true;
                continue;
            }
            for (log, more) in self.particles.log_weights.iter_mut().zip(&increments) {
                *log += more;
            }
            self.log_evidence += log_mean;
            self.seen += size;
            return match halved || self.too_few(&weights) {
                true => self.refresh(&weights, rng),
                false => Ok(()),
            };
        }
    }

    /// Σ ln p(x_i ∣ θ_k) over the next rows, for each particle.
    fn increments(&mut self, size: usize) -> Result<Vec<f64>, IbisError> {
        let block = self.ibis.rows.gather(&self.order[self.seen..self.seen + size]);
        self.ledger.likelihoods += (size * self.ibis.settings.particles) as u64;
        self.ibis.budget.check(self.ledger)?;
        let model = self.ibis.model;
        Ok(self.particles.iter().map(|theta| model.log_likelihood(theta, &block)).collect())
    }

    fn too_few(&self, weights: &[f64]) -> bool {
        effective(weights) < self.ibis.settings.threshold * weights.len() as f64
    }

    /// The weights, which sum to one.
    pub fn weights(&self) -> Result<Vec<f64>, IbisError> {
        let none = vec![0.0; self.particles.log_weights.len()];
        let (particles, rows) = (self.ibis.settings.particles, self.seen);
        let tilted = self.particles.tilted(&none);
        Ok(tilted.ok_or(IbisError::Weightless { particles, rows })?.0)
    }

    /// The same particles with even weights.
    pub fn even(&self) -> Particles {
        let log_weights = vec![0.0; self.particles.log_weights.len()];
        Particles { log_weights, ..self.particles.clone() }
    }

    /// Resamples and moves where weights are too uneven.
    pub fn refresh_if_uneven(&mut self, rng: &mut Rng) -> Result<(), IbisError> {
        let weights = self.weights()?;
        if self.too_few(&weights) { self.refresh(&weights, rng) } else { Ok(()) }
    }

    /// Resamples, and moves every particle on the posterior given the rows so far.
    fn refresh(&mut self, weights: &[f64], rng: &mut Rng) -> Result<(), IbisError> {
        let Ibis { rows, model, settings, budget } = self.ibis;
        let d = self.particles.dimension;
        // Of few particles in many dimensions the covariances are mostly noise.
        let shrinkage = d as f64 / (d as f64 + effective(weights));
        let frame = Frame::of_weighted(&self.particles.positions, weights, d, shrinkage)
            .map_err(|source| IbisError::Degenerate { rows: self.seen, source })?;
        self.particles.resample(weights, rng);
        let block = rows.gather(&self.order[..self.seen]);
        for theta in self.particles.positions.chunks_exact_mut(d) {
            let mut posterior = PartialPosterior::new(*model, &block);
            let mut target = Whitened::new(&mut posterior, &frame);
            let mut state = settings.kernel.init(&mut target, &frame.coordinates(theta))?;
            for _ in 0..settings.steps {
                let step = settings.kernel.step(&mut target, &mut state, rng);
                self.acceptances.0 += step.acceptance;
                self.acceptances.1 += 1;
            }
            frame.place(&settings.kernel.point(&state).position, theta);
            let work = posterior.ledger();
            self.ledger += Ledger { distinct_rows: 0, ..work };
            budget.check(self.ledger)?;
        }
        self.moves += 1;
        Ok(())
    }
}
