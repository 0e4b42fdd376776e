//! The loop: a batch, the bound, a natural step for q, a step of Adam for ℓ, v and λ.

use super::adam::Adam;
use super::bound::bound;
use super::fitted::GpSviFitted;
use super::projection::Projection;
use super::whitened::Natural;
use super::{GpSvi, GpSviError, Hyperparameters};
use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use posterior::{Block, DenseBlock, Rows, subset};

/// A fit under way.
pub struct Training<'a, R> {
    method: &'a GpSvi,
    rows: &'a R,
    inputs: DenseBlock,
    hyperparameters: Hyperparameters,
    adam: Option<Adam>,
    q: Natural,
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

    /// Runs all iterations with ℓ, v and λ where they start, unwatched: the same fit as without a
    /// step for them, for a fraction of the work. While φ stays as it is, steps of the natural
    /// gradient are sums over rows, and the last can be written down at once:
    ///
    /// ```text
    /// P = I + (N/bλ) Σ_i c_i φ_i φ_iᵀ      h = (N/bλ) Σ_i c_i φ_i y_i
    /// c_i = Σ ρ_t Π_{u>t} (1 − ρ_u)  over the mini-batches t with row i
    /// ```
    ///
    /// so that a row is looked at once, however often it was drawn.
    pub fn fit_q<R: Rows<Block = DenseBlock>>(
        &self,
        rows: &R,
        rng: &mut Rng,
    ) -> Result<GpSviFitted, GpSviError> {
        let mut training = self.start(rows, rng)?;
        let mut weights = vec![0.0; rows.count()];
        for share in self.shares() {
            training.draw_rows(rng).into_iter().for_each(|row| weights[row] += share);
        }
        let drawn: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0.0).collect();
        let (m, count) = (self.settings().inducing as u64, drawn.len() as u64);
        training.ledger.likelihoods += count;
        // Φ and ΦΦᵀ.
        training.ledger.flops += 2 * m * m * count;
        self.budget().check(training.ledger)?;

        let projection = Projection::new(&training.hyperparameters, &training.inputs)?;
        let scale = training.scale();
        for piece in drawn.chunks(self.settings().batch) {
            let mut block = rows.gather(piece);
            let mut features = projection.features(projection.covariances(&block, 0..piece.len()));
            // A row of weight c is one of √c φ and √c y.
            let columns = features.chunks_exact_mut(m as usize).zip(block.targets_mut());
            for ((column, y), &row) in columns.zip(piece) {
                let root = weights[row].sqrt();
                column.iter_mut().for_each(|phi| *phi *= root);
                *y *= root;
            }
            training.q.add(scale, &features, block.targets());
        }
        training.finish()
    }

    /// ρ_t Π_{u>t} (1 − ρ_u): what is left of each iteration's step in the end.
    fn shares(&self) -> Vec<f64> {
        let settings = self.settings();
        let mut shares = vec![0.0; settings.iterations];
        let mut left = 1.0;
        for (t, share) in shares.iter_mut().enumerate().rev() {
            let rate = settings.natural_step.at(t);
            *share = rate * left;
            left *= 1.0 - rate;
        }
        shares
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
            q: Natural::prior(settings.inducing),
            iterations: 0,
            seen,
            ledger,
        })
    }
}

impl<R: Rows<Block = DenseBlock>> Training<'_, R> {
    /// One mini-batch.
    pub fn step(&mut self, rng: &mut Rng) -> Result<Progress, GpSviError> {
        let batch = self.draw_rows(rng);
        let batch = self.rows.gather(&batch);
        self.count(batch.rows());
        self.method.budget().check(self.ledger)?;

        let (total, learn) = (self.rows.count(), self.adam.is_some());
        let projection = Projection::new(&self.hyperparameters, &self.inputs)?;
        let q = self.q.solved()?;
        let seen = bound(&self.hyperparameters, &projection, &q, &batch, total, learn);
        if !seen.value.is_finite() {
            let (bound, iterations) = (seen.value, self.iterations);
            return Err(GpSviError::Diverged { bound, iterations });
        }
        let rate = self.method.settings().natural_step.at(self.iterations);
        self.q.step(rate, self.scale(), &seen.features, batch.targets());
        self.iterations += 1;
        if let (Some(adam), Some(gradient)) = (&mut self.adam, &seen.gradient) {
            let mut logarithms = self.hyperparameters.logarithms();
            adam.climb(&mut logarithms, gradient);
            self.hyperparameters = Hyperparameters::from_logarithms(&logarithms);
        }
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
        let (q, total) = (self.q.solved()?, self.rows.count());
        Ok(GpSviFitted::new(self.hyperparameters, projection, q, total, ledger))
    }

    /// The rows of a mini-batch.
    fn draw_rows(&mut self, rng: &mut Rng) -> Vec<usize> {
        let indices = subset(self.rows.count(), self.method.settings().batch, rng);
        self.seen.see(&indices);
        indices
    }

    /// N/bλ.
    fn scale(&self) -> f64 {
        let batch = self.method.settings().batch as f64;
        self.rows.count() as f64 / (batch * self.hyperparameters.noise)
    }

    fn count(&mut self, rows: usize) {
        let (m, b) = (self.method.settings().inducing as u64, rows as u64);
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
