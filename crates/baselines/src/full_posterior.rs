//! The posterior given all rows, evaluated on all threads.
//!
//! ```text
//! ln π(θ) = ln p(θ) + Σ_blocks Σ_{i ∈ block} ln p(x_i ∣ θ)
//! ```
//!
//! Rows are gathered once, block by block, and held in memory: ten doubles, 80 bytes, for a row of
//! the paper's logistic regression (nine covariates and the label; the model adds the bias), 8 GB for
//! 10⁸ of them. Stored rows are worth it: on 10⁷ rows and two threads `benches/full_pass.rs` takes
//! 6.5 times as long to make the rows again as to read them, 1.00 s against 0.155 s a gradient, and
//! that is 1.4 times what it takes to read as many bytes and do nothing.
//!
//! Blocks are evaluated in any order and summed in theirs, so a chain has the same bytes on any
//! number of threads.

use debias::Ledger;
use posterior::{Block, Differentiable, Rows, Target};
use rayon::prelude::*;
use std::sync::Arc;

/// Rows a block: enough to keep a thread busy, little enough to share out evenly.
const BLOCK: usize = 1 << 16;

/// The full posterior as a target for any sampler.
pub struct FullPosterior<'a, M: Differentiable> {
    model: &'a M,
    blocks: Arc<[M::Block]>,
    rows: u64,
    ledger: Ledger,
}

impl<'a, M: Differentiable> FullPosterior<'a, M> {
    /// Gathers all rows.
    pub fn new<R: Rows<Block = M::Block>>(model: &'a M, rows: &R) -> FullPosterior<'a, M> {
        let count = rows.count();
        let blocks: Arc<[M::Block]> = (0..count)
            .into_par_iter()
            .step_by(BLOCK)
            .map(|start| rows.range(start..count.min(start + BLOCK)))
            .collect();
        let ledger = Ledger { distinct_rows: count as u64, ..Ledger::default() };
        FullPosterior { model, rows: blocks.iter().map(|b| b.rows() as u64).sum(), blocks, ledger }
    }

    /// The same rows, shared, with a ledger of their own.
    pub fn uncounted(&self) -> FullPosterior<'a, M> {
        let (model, rows, blocks) = (self.model, self.rows, Arc::clone(&self.blocks));
        let ledger = Ledger { distinct_rows: rows, ..Ledger::default() };
        FullPosterior { model, blocks, rows, ledger }
    }

    /// N.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

impl<M: Differentiable> Target for FullPosterior<'_, M> {
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.ledger.likelihoods += self.rows;
        let parts: Vec<f64> =
            self.blocks.par_iter().map(|block| self.model.log_likelihood(theta, block)).collect();
        self.model.log_prior(theta) + parts.iter().sum::<f64>()
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.ledger.gradients += self.rows;
        let parts: Vec<(f64, Vec<f64>)> = self
            .blocks
            .par_iter()
            .map(|block| {
                let mut part = vec![0.0; theta.len()];
                (self.model.add_gradient(theta, block, &mut part), part)
            })
            .collect();
        gradient.fill(0.0);
        let mut log_density = self.model.add_prior_gradient(theta, gradient);
        for (value, part) in parts {
            log_density += value;
            gradient.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        log_density
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}
