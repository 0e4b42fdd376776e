//! Samplers of what rows leave of their expansions at a centre, with settings that follow from the data:
//! SMH-2, the signed block-Poisson estimator, HMC-ECS and UBUBU.
//!
//! Sizes of batches follow from the variance of N d_i for a row at random, which trials measure at points of
//! the Gaussian.

use super::chains::kernel;
use baselines::{
    BlockPoisson, BlockPoissonSettings, HmcEcs, HmcEcsSettings, ScalableMh, ScalableMhSettings,
    Taylor, Ububu, UbubuSettings,
};
use models::design::Design;
use posterior::Rows;
use samplers::{Functional, Length, NoUTurn};
use serde_json::{Value, json};

/// Points and rows by which the variance of N d_i is measured in a trial.
pub const NOISE: (usize, usize) = (20, 500);
/// Blocks of the rows of HMC-ECS, rows of a block at least, and the variance of d̂ that more rows serve.
const BLOCKS: usize = 8;
const LEAST_BLOCK: usize = 8;
const VARIANCE: f64 = 0.3;
/// Blocks of the block-Poisson estimator for each that is renewed.
const KEPT: usize = 10;
/// Of all rows, the share that an estimate of the likelihood looks at at most.
const MOST: usize = 4;

/// Of UBUBU: the coarsest step and the friction, where posterior sds are one, and coarsest steps that the
/// coarsest level forgets, that further levels forget each, and that are kept.
const STEP: f64 = 0.5;
const FRICTION: f64 = 2.0;
const STEPS: [usize; 3] = [10, 4, 100];

/// For the settings of a record.
pub fn settings() -> Value {
    json!({
        "noise_points": NOISE.0, "noise_rows": NOISE.1, "hmc_ecs_blocks": BLOCKS,
        "hmc_ecs_variance": VARIANCE, "block_poisson_kept": KEPT,
        "ububu_step": STEP, "ububu_friction": FRICTION, "ububu_steps": STEPS,
    })
}

/// Samplers on rows about one centre, and the variance of N d_i there.
pub struct Samplers<'a, R: Rows> {
    /// The rows.
    pub taylor: &'a Taylor<'a, R>,
    /// N.
    pub rows: usize,
    /// N² Var d_i.
    pub noise: f64,
    /// What is asked.
    pub functionals: &'a [Functional],
    /// Of a chain, until it is asked for another.
    pub length: Length,
}

impl<'a, R> Samplers<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// Scalable Metropolis–Hastings.
    pub fn scalable_mh(&self) -> anyhow::Result<ScalableMh<'a, R>> {
        let settings = ScalableMhSettings {
            step: 1.0,
            length: self.length,
            functionals: self.functionals.to_vec(),
        };
        Ok(ScalableMh::new(self.taylor, settings)?)
    }

    /// The signed block-Poisson estimator.
    pub fn block_poisson(&self) -> anyhow::Result<BlockPoisson<'a, R>> {
        let (blocks, batch) = BlockPoissonSettings::sizes(self.noise);
        let blocks = blocks.min((self.rows / MOST / batch).max(1));
        let settings = BlockPoissonSettings {
            blocks,
            batch,
            renewed: blocks.div_ceil(KEPT),
            step: 1.0,
            length: self.length,
            functionals: self.functionals.to_vec(),
        };
        Ok(BlockPoisson::new(self.taylor, settings)?)
    }

    /// Hamiltonian Monte Carlo with energy-conserving subsampling.
    pub fn hmc_ecs(&self) -> anyhow::Result<HmcEcs<'a, R, NoUTurn>> {
        let settings = HmcEcsSettings {
            kernel: kernel(),
            batch: BLOCKS * self.batch().div_ceil(BLOCKS).max(LEAST_BLOCK),
            blocks: BLOCKS,
            length: self.length,
            functionals: self.functionals.to_vec(),
        };
        Ok(HmcEcs::new(self.taylor, settings)?)
    }

    /// Unbiased kinetic Langevin sampling.
    pub fn ububu(&self) -> anyhow::Result<Ububu<'a, R>> {
        let [burn_in, lag, kept] = STEPS;
        let settings = UbubuSettings {
            step: STEP,
            friction: FRICTION,
            batch: self.batch().max(LEAST_BLOCK),
            burn_in,
            lag,
            kept,
            functionals: self.functionals.to_vec(),
        };
        Ok(Ububu::new(self.taylor, settings)?)
    }

    fn batch(&self) -> usize {
        (self.noise / VARIANCE).min((self.rows / MOST) as f64) as usize
    }
}
