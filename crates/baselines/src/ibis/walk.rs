//! Particles under way: reweigh, resample, move.

use super::particles::{Particles, effective};
use super::tempered::Tempered;
use super::{Ibis, IbisError, Stage, coordinates};
use debias::{Ledger, Rng, Seed};
use posterior::{Differentiable, Rows};
use rand::RngExt;
use rayon::prelude::*;
use samplers::{Kernel, StartError, Whitened};

/// Particles moved between two looks at the budget.
const TOGETHER: usize = 64;

/// Bisections of a power: one part in 10⁹ of a batch is as good as none.
const BISECTIONS: usize = 30;

/// Particles under way.
pub struct Walk<'w, 'a, R: Rows, M, K> {
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
    /// Moves of all particles.
    pub stages: Vec<Stage>,
}

impl<R, M, K> Walk<'_, '_, R, M, K>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    K: Kernel,
{
    /// Takes in the rows up to `end`, by powers of their likelihood that leave enough effective
    /// particles.
    pub fn take_in(&mut self, end: usize, rng: &mut Rng) -> Result<(), IbisError> {
        let seen = self.ibis.rows.gather(&self.order[..self.seen]);
        let new = self.ibis.rows.gather(&self.order[self.seen..end]);
        let size = end - self.seen;
        let mut power = 0.0;
        while power < 1.0 {
            let increments = self.increments(&new, size)?;
            let step = self.affordable(&increments, 1.0 - power);
            power = if step < 1.0 - power { power + step } else { 1.0 };
            let scaled: Vec<f64> = increments.iter().map(|more| step * more).collect();
            let weightless =
                IbisError::Weightless { particles: self.ibis.settings.particles, rows: end };
            let (weights, log_mean) = self.particles.tilted(&scaled).ok_or(weightless)?;
            for (log, more) in self.particles.log_weights.iter_mut().zip(&scaled) {
                *log += more;
            }
            self.log_evidence += log_mean;
            if power < 1.0 || self.too_few(&weights) {
                self.refresh(&weights, &seen, &new, power, rng)?;
            }
        }
        self.seen = end;
        Ok(())
    }

    /// Σ ln p(x_i ∣ θ_k) over the new rows, for each particle.
    fn increments(&mut self, new: &R::Block, size: usize) -> Result<Vec<f64>, IbisError> {
        self.ledger.likelihoods += (size * self.ibis.settings.particles) as u64;
        self.ibis.budget.check(self.ledger)?;
        let model = self.ibis.model;
        let points = self.particles.positions.par_chunks_exact(self.particles.dimension);
        Ok(points.map(|theta| model.log_likelihood(theta, new)).collect())
    }

    /// The largest power of the new likelihood, up to `most`, that leaves enough effective particles.
    fn affordable(&self, increments: &[f64], most: f64) -> f64 {
        let enough = |power: f64| {
            let scaled: Vec<f64> = increments.iter().map(|more| power * more).collect();
            self.particles.tilted(&scaled).is_some_and(|(weights, _)| !self.too_few(&weights))
        };
        if enough(most) {
            return most;
        }
        // Where no power is small enough, particles have density zero, and the smallest sorts them
        // out.
        let (mut below, mut above) = (0.0, most);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (below + above);
            if enough(middle) { below = middle } else { above = middle }
        }
        if below > 0.0 { below } else { above }
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

    /// Resamples and moves where the weights of the beginning are too uneven; `first` is its batch.
    pub fn refresh_if_uneven(&mut self, first: &R::Block, rng: &mut Rng) -> Result<(), IbisError> {
        let weights = self.weights()?;
        if !self.too_few(&weights) {
            return Ok(());
        }
        let none = self.ibis.rows.gather(&[]);
        self.refresh(&weights, &none, first, 1.0, rng)
    }

    /// Resamples, and moves every particle on the posterior given the rows so far and a power of the
    /// new ones. Each particle has its own stream, so that threads do not matter.
    fn refresh(
        &mut self,
        weights: &[f64],
        seen: &R::Block,
        new: &R::Block,
        power: f64,
        rng: &mut Rng,
    ) -> Result<(), IbisError> {
        let Ibis { model, settings, budget, curved, .. } = self.ibis;
        let d = self.particles.dimension;
        let start = Tempered { model: *model, seen, new, power, ledger: Ledger::default() };
        let rows = start.rows() as usize;
        let framed = match curved {
            None => coordinates::of_particles(&self.particles, weights)
                .map(|frame| (frame, Ledger::default())),
            Some(model) => coordinates::of_curvature(&self.particles, weights, &start, *model),
        };
        let (frame, pass) = framed.map_err(|source| IbisError::Degenerate { rows, source })?;
        self.ledger += pass;
        self.particles.resample(weights, rng);
        let seed = Seed(rng.random());
        let (mut accepted, mut next) = (0.0, 0);
        for some in self.particles.positions.chunks_mut(TOGETHER * d) {
            let moved = |(k, theta): (usize, &mut [f64])| -> Result<(f64, Ledger), StartError> {
                let rng = &mut seed.stream(k as u64);
                let mut tempered = start.clone();
                let mut target = Whitened::new(&mut tempered, &frame);
                let mut state = settings.kernel.init(&mut target, &frame.coordinates(theta))?;
                let mut acceptance = 0.0;
                for _ in 0..settings.steps {
                    acceptance += settings.kernel.step(&mut target, &mut state, rng).acceptance;
                }
                frame.place(&settings.kernel.point(&state).position, theta);
                Ok((acceptance / settings.steps as f64, tempered.ledger))
            };
            let count = some.len() / d;
            let numbered = some.par_chunks_exact_mut(d).enumerate();
            let work: Vec<_> = numbered.map(|(k, theta)| moved((next + k, theta))).collect();
            for one in work {
                let (acceptance, ledger) = one?;
                accepted += acceptance;
                self.ledger += ledger;
            }
            next += count;
            budget.check(self.ledger)?;
        }
        let acceptance = accepted / settings.particles as f64;
        self.stages.push(Stage { rows, power, effective: effective(weights), acceptance });
        Ok(())
    }
}
