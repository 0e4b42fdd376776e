//! Baselines for any rows, each with settings that follow from its own formula.
//!
//! Frame and centre come from the same anchor as ours and cost the same. In units of the posterior a
//! mini-batch of b rows has gradients of variance V = N/b: ε V/4 = ½ for SGLD and η V/(2α) = ⅓ for
//! SGHMC keep the excess of their spread moderate.

use super::Race;
use super::answers::{Ask, plainly};
use super::chains::{LEAST_DRAWS, WARM_UP};
use super::problem::Problem;
use baselines::{
    Centre, Consensus, Dynamics, Sghmc, Sgld, StepSize, StochasticChain, StochasticSettings,
};
use debias::Ledger;
use posterior::{Differentiable, Rows, Smooth};
use samplers::{ByChain, Factor, Frame, Length, Sampler};
use serde_json::{Value, json};

/// The step of SGLD where control variates keep its gradients calm.
const CALM_STEP: f64 = 0.1;
const FRICTION: f64 = 0.1;
const SHARDS: usize = 8;

/// For the settings of the record.
pub fn settings() -> Value {
    json!({
        "sgld_step": "2 b/N", "sgld_centred_step": CALM_STEP, "friction": FRICTION,
        "sghmc_step": "α 2 b/(3 N)", "shards": SHARDS, "warm_up": WARM_UP,
        "least_draws": LEAST_DRAWS, "draws_a_gradient": super::chains::DRAWS_PER_GRADIENT,
        "dense": super::particles::settings(), "subsampling": super::subsampling::settings(),
    })
}

/// Consensus with these chains on the shards, in the frame of a shard.
pub fn consensus<R, M, S>(
    race: &mut Race<'_>,
    problem: &Problem<'_, R, M>,
    chain: impl Fn(&Frame, f64, Length) -> anyhow::Result<ByChain<S>> + Sync,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    S: Sampler + Send,
{
    if !race.wants("consensus") {
        return Ok(());
    }
    let frame = shard_frame(&problem.anchored.anchor.frame)?;
    // The covariance of a shard's draws needs two draws per parameter.
    let least = LEAST_DRAWS.max(2 * frame.dimension()) as f64;
    race.planned("consensus", &problem.setup, ([0.6 * least, least], least), |draws| {
        let length = Length { warm_up: WARM_UP, draws: draws as usize };
        let chain = chain(&frame, SHARDS as f64, length)?;
        Ok(Consensus::new(problem.rows, problem.model, chain, SHARDS)?)
    })
}

/// The Laplace approximation, as wide as that of one shard.
fn shard_frame(frame: &Frame) -> anyhow::Result<Frame> {
    let wide: Vec<f64> = frame.factor().covariance().iter().map(|c| c * SHARDS as f64).collect();
    Ok(Frame::new(frame.mean().to_vec(), Factor::of_covariance(&wide, frame.dimension())?)?)
}

/// Stochastic gradients of so many rows, in the layout that is gathered fastest.
pub fn stochastic<R, M, R2, M2>(
    race: &mut Race<'_>,
    problem: &Problem<'_, R, M>,
    (rows, model): (&R2, &M2),
    batch: usize,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    R2: Rows,
    M2: Differentiable<Block = R2::Block>,
{
    let share = batch as f64 / rows.count() as f64;
    let (step, calm) = (StepSize::constant(2.0 * share)?, StepSize::constant(CALM_STEP)?);
    let sghmc = Sghmc::new(FRICTION * 2.0 * share / 3.0, FRICTION, 0.0)?;
    let shape = (rows, model, batch);
    race.ask("sgld", &problem.setup, |left| problem.chain(shape, Sgld { step }, false, left))?;
    race.ask("sgld-control-variates", &problem.setup, |left| {
        problem.chain(shape, Sgld { step: calm }, true, left)
    })?;
    race.ask("sghmc", &problem.setup, |left| problem.chain(shape, sghmc, false, left))
}

impl<R, M> Problem<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    fn chain<'m, R2, M2, D>(
        &self,
        (rows, model, batch): (&'m R2, &'m M2, usize),
        dynamics: D,
        centred: bool,
        left: f64,
    ) -> anyhow::Result<Option<Ask<'m>>>
    where
        R2: Rows,
        M2: Differentiable<Block = R2::Block>,
        D: Dynamics + Send + 'm,
    {
        // With a centre every row is looked at twice.
        let cost = if centred { 2.0 } else { 1.0 } * batch as f64;
        let Some(draws) =
            ((left / cost) as usize).checked_sub(WARM_UP).filter(|draws| *draws >= LEAST_DRAWS)
        else {
            return Ok(None);
        };
        let (frame, expansion) =
            (&self.anchored.anchor.frame, self.anchored.anchor.posterior.expansion());
        let centre = centred.then(|| Centre {
            theta: expansion.anchor.clone(),
            gradient: expansion.gradient.clone(),
            ledger: Ledger::default(),
        });
        let settings = StochasticSettings {
            batch,
            shape: frame.factor().clone(),
            start: frame.mean().to_vec(),
            centre,
            length: Length { warm_up: WARM_UP, draws },
            functionals: self.functionals.clone(),
        };
        Ok(Some(plainly(StochasticChain::new(rows, model, dynamics, settings)?, 0.0)))
    }
}
