//! The loop: a batch, the bound, a natural step for q, a step of Adam for ℓ, v and λ.

use super::adam::Adam;
use super::bound::bound;
use super::fitted::GpSviFitted;
use super::projection::Projection;
use super::whitened::Whitened;
use super::{GpSvi, GpSviError, Hyperparameters};
use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use posterior::{DenseBlock, Rows, subset};

/// A fit under way.
pub struct Training<'a, R> {
    method: &'a GpSvi,
    rows: &'a R,
    inputs: DenseBlock,
    hyperparameters: Hyperparameters,
    adam: Option<Adam>,
    q: Whitened,
    iterations: usize,
    seen: SeenRows,
    ledger: Ledger,
}

/// What an iteration saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Iterations done, this one included.
    pub iterations: usize,
    /// The batch's unbiased estimate of the bound, before this iteration's steps.
    pub bound: f64,
    /// ℓ, v and λ after its steps.
    pub hyperparameters: Hyperparameters,
}

impl GpSvi {
    /// Runs all iterations; `observe` is told of each.
    pub fn fit<R: Rows<Block = DenseBlock>>(
        &self,
        rows: &R,
        observe: &mut dyn FnMut(&Progress),
        rng: &mut Rng,
    ) -> Result<GpSviFitted, GpSviError> {
        let mut training = self.start(rows, rng)?;
        for _ in 0..self.settings().iterations {
            observe(&training.step(rng)?);
        }
        training.finish()
    }

    /// Chooses the inducing points, and starts at the prior.
    pub fn start<'a, R: Rows<Block = DenseBlock>>(
        &'a self,
        rows: &'a R,
        rng: &mut Rng,
    ) -> Result<Training<'a, R>, GpSviError> {
        let settings = self.settings();
        let (batch, count) = (settings.batch, rows.count());
        if batch == 0 || batch > count {
            return Err(GpSviError::Batch { batch, rows: count });
        }
        let (mut seen, mut ledger) = (SeenRows::new(count), Ledger::default());
        let inputs =
            settings.inputs.choose(settings.inducing, rows, &mut seen, &mut ledger, rng)?;
        let (length_scales, covariates) = (settings.start.length_scales.len(), inputs.width());
        if length_scales != 1 && length_scales != covariates {
            return Err(GpSviError::LengthScales { length_scales, covariates });
        }
        let adam = settings.hyperparameter_step.map(|step| Adam::new(step, length_scales + 2));
        Ok(Training {
            method: self,
            rows,
            inputs,
            hyperparameters: settings.start.clone(),
            adam,
            q: Whitened::prior(settings.inducing)?,
            iterations: 0,
            seen,
            ledger,
        })
    }
}

impl<R: Rows<Block = DenseBlock>> Training<'_, R> {
    /// One mini-batch.
    pub fn step(&mut self, rng: &mut Rng) -> Result<Progress, GpSviError> {
        let settings = self.method.settings();
        let total = self.rows.count();
        let indices = subset(total, settings.batch, rng);
        let batch = self.rows.gather(&indices);
        self.count(&indices);
        self.method.budget().check(self.ledger)?;

        let projection = Projection::new(&self.hyperparameters, &self.inputs)?;
        let learn = self.adam.is_some();
        let seen = bound(&self.hyperparameters, &projection, &self.q, &batch, total, learn);
        if !seen.value.is_finite() {
            let (bound, iterations) = (seen.value, self.iterations);
            return Err(GpSviError::Diverged { bound, iterations });
        }
        let rate = settings.natural_step.at(self.iterations);
        let scale = total as f64 / (settings.batch as f64 * self.hyperparameters.noise);
        self.q = self.q.natural_step(rate, scale, &seen.features, batch.targets())?;
        if let (Some(adam), Some(gradient)) = (&mut self.adam, &seen.gradient) {
            let mut logarithms = self.hyperparameters.logarithms();
            adam.climb(&mut logarithms, gradient);
            self.hyperparameters = Hyperparameters::from_logarithms(&logarithms);
        }
        self.iterations += 1;
        Ok(Progress {
            iterations: self.iterations,
            bound: seen.value,
            hyperparameters: self.hyperparameters.clone(),
        })
    }

    /// Stops here.
    pub fn finish(self) -> Result<GpSviFitted, GpSviError> {
        let projection = Projection::new(&self.hyperparameters, &self.inputs)?;
        let ledger = Ledger { distinct_rows: self.seen.count(), ..self.ledger };
        Ok(GpSviFitted::new(self.hyperparameters, projection, self.q, self.rows.count(), ledger))
    }

    fn count(&mut self, indices: &[usize]) {
        self.seen.see(indices);
        let (m, b) = (self.method.settings().inducing as u64, indices.len() as u64);
        // Two factors, tr P⁻¹, Φ, R⁻¹Φ and ΦΦᵀ; the gradient adds four solves and a product.
        self.ledger.flops += 2 * m * m * m / 3 + m * m * m + 3 * m * m * b;
        if self.adam.is_some() {
            self.ledger.gradients += b;
            self.ledger.flops += 2 * m * m * m + 3 * m * m * b;
        } else {
            self.ledger.likelihoods += b;
        }
    }
}
