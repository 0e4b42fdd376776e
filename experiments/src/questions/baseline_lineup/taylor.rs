//! Chains that sample what rows leave of their expansions at the anchor: SMH-2, the signed block-Poisson
//! estimator, HMC-ECS and UBUBU.
//!
//! Centre and Gaussian come from the same anchor as ours and cost the same, and one pass more that keeps the
//! predictors there. Sizes of batches follow from the variance of N d_i for a row at random, which trials
//! measure at points of the Gaussian.

use super::Race;
use super::answers::{Answer, Ask, Setup};
use super::budget::{WHOLE_LINE, while_they_fit};
use super::chains::{LEAST_DRAWS, WARM_UP};
use super::problem::Problem;
use crate::methods::chains::kernel;
use baselines::{
    BlockPoisson, BlockPoissonSettings, ChainMeans, HmcEcs, HmcEcsSettings, ScalableMh,
    ScalableMhSettings, Taylor, Ububu, UbubuSettings,
};
use debias::{Estimator, Interval, Ledger, Rng};
use models::design::Design;
use models::logistic::Logistic;
use posterior::{Rows, Smooth};
use samplers::Length;
use serde_json::{Value, json};

/// Points and rows by which the variance of N d_i is measured in a trial.
const NOISE: (usize, usize) = (20, 500);
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
/// Replicates of it below which there is no answer.
const LEAST: f64 = 4.0;

/// For the settings of the record.
pub fn settings() -> Value {
    json!({
        "noise_points": NOISE.0, "noise_rows": NOISE.1, "hmc_ecs_blocks": BLOCKS,
        "hmc_ecs_variance": VARIANCE, "block_poisson_kept": KEPT,
        "ububu_step": STEP, "ububu_friction": FRICTION, "ububu_steps": STEPS,
    })
}

/// UBUBU only where the prior's kinks lie beyond the reach of the posterior, and its force is `smooth`.
pub fn run<R, M, R2>(
    race: &mut Race<'_>,
    problem: &Problem<'_, R, M>,
    (rows, model): (&R2, &Logistic<R2::Block>),
    smooth: bool,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    R2: Rows,
    R2::Block: Design,
{
    if !["smh-2", "block-poisson", "hmc-ecs", "ububu"].iter().any(|method| race.wants(method)) {
        return Ok(());
    }
    let anchor = &problem.anchored.anchor;
    let step = format!("{}-taylor-set-up", race.problem);
    let taylor = &race.work.timed(&step, || {
        let (expansion, frame) = (anchor.posterior.expansion(), anchor.frame.clone());
        Ok(Taylor::about(rows, model, expansion, frame, Ledger::default()))
    })?;
    let evaluations = problem.setup.evaluations + taylor.setup().evaluations() as f64;
    // The longer of both steps is the one whose seconds count.
    let setup = Setup { step: problem.setup.step.clone(), evaluations };
    let noise = race.trials("taylor", |rng| Ok(taylor.noise(NOISE.0, NOISE.1, rng)))?;
    let noise = noise.iter().sum::<f64>() / noise.len() as f64;

    let scalable = ScalableMhSettings {
        step: 1.0,
        length: length(LEAST_DRAWS as f64),
        functionals: problem.functionals.clone(),
    };
    let scalable = &ScalableMh::new(taylor, scalable)?;
    asked(race, "smh-2", &setup, taylor, |length, rng| {
        let run = scalable.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;

    let (blocks, batch) = BlockPoissonSettings::sizes(noise);
    let blocks = blocks.min((rows.count() / MOST / batch).max(1));
    let poisson = BlockPoissonSettings {
        blocks,
        batch,
        renewed: blocks.div_ceil(KEPT),
        step: 1.0,
        length: length(LEAST_DRAWS as f64),
        functionals: problem.functionals.clone(),
    };
    let poisson = &BlockPoisson::new(taylor, poisson)?;
    asked(race, "block-poisson", &setup, taylor, |length, rng| {
        let run = poisson.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;

    let wanted = (noise / VARIANCE).min((rows.count() / MOST) as f64) as usize;
    let conserving = HmcEcsSettings {
        kernel: kernel(),
        batch: BLOCKS * wanted.div_ceil(BLOCKS).max(LEAST_BLOCK),
        blocks: BLOCKS,
        length: length(LEAST_DRAWS as f64),
        functionals: problem.functionals.clone(),
    };
    let conserving = &HmcEcs::new(taylor, conserving)?;
    asked(race, "hmc-ecs", &setup, taylor, |length, rng| {
        let run = conserving.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;
    if !smooth {
        return Ok(());
    }
    let [burn_in, lag, kept] = STEPS;
    let kinetic = UbubuSettings {
        step: STEP,
        friction: FRICTION,
        batch: wanted.max(LEAST_BLOCK),
        burn_in,
        lag,
        kept,
        functionals: problem.functionals.clone(),
    };
    let kinetic = &Ububu::new(taylor, kinetic)?;
    let before = taylor.setup().evaluations() as f64;
    race.ask("ububu", &setup, |left| {
        if left < LEAST * (kinetic.expected_cost(0) - before) {
            return Ok(None);
        }
        let ask: Ask<'_> = Box::new(move |rng| {
            while_they_fit(left, rng, |rng| {
                let answer = kinetic.estimate(0, rng)?;
                Ok((answer.value, answer.cost.evaluations() as f64 - before))
            })
        });
        Ok(Some(ask))
    })
}

fn length(draws: f64) -> Length {
    Length { warm_up: WARM_UP, draws: draws as usize }
}

/// Asks a chain of the length that fills each budget, with the intervals that it claims.
fn asked<R>(
    race: &mut Race<'_>,
    method: &'static str,
    setup: &Setup,
    taylor: &Taylor<'_, R>,
    chain: impl Fn(Length, &mut Rng) -> anyhow::Result<(ChainMeans, Ledger)> + Send + Sync,
) -> anyhow::Result<()>
where
    R: Rows,
    R::Block: Design,
{
    if !race.wants(method) {
        return Ok(());
    }
    let before = taylor.setup().evaluations() as f64;
    let least = LEAST_DRAWS as f64;
    let price = race.price(method, [4.0 * least, 20.0 * least], |draws, rng| {
        Ok(chain(length(draws), rng)?.1.evaluations() as f64 - before)
    })?;
    let chain = &chain;
    race.ask(method, setup, |left| {
        let Some(draws) = price.size(left, least) else { return Ok(None) };
        let ask: Ask<'_> = Box::new(move |rng| {
            let (found, ledger) = chain(length(draws), rng)?;
            let spent = ledger.evaluations() as f64 - before;
            let freedom = found.batches as f64 - 1.0;
            let half = |&error: &f64| match error.is_finite() {
                true => Interval::student(0.0, error, freedom).half_width(),
                false => WHOLE_LINE,
            };
            let halves = found.errors.iter().map(half).collect();
            Ok(Answer { means: found.means, halves, spent, done: spent })
        });
        Ok(Some(ask))
    })
}
