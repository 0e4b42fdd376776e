//! Chains that sample what rows leave of their expansions at the anchor: SMH-2, the signed block-Poisson
//! estimator, HMC-ECS and UBUBU.
//!
//! Centre and Gaussian come from the same anchor as ours and cost the same, and one pass more that keeps the
//! predictors there.

use super::Race;
use super::answers::{Answer, Ask, Setup};
use super::budget::{WHOLE_LINE, while_they_fit};
use super::chains::{LEAST_DRAWS, WARM_UP};
use super::problem::Problem;
use crate::methods::taylor::{NOISE, Samplers};
use baselines::{ChainMeans, Taylor};
use debias::{Estimator, Interval, Ledger, Rng};
use models::design::Design;
use models::logistic::Logistic;
use posterior::{Rows, Smooth};
use samplers::Length;

/// Replicates of UBUBU below which there is no answer.
const LEAST: f64 = 4.0;

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

    let samplers = Samplers {
        taylor,
        rows: rows.count(),
        noise,
        functionals: &problem.functionals,
        length: length(LEAST_DRAWS as f64),
    };
    let scalable = &samplers.scalable_mh()?;
    asked(race, "smh-2", &setup, taylor, |length, rng| {
        let run = scalable.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;

    let poisson = &samplers.block_poisson()?;
    asked(race, "block-poisson", &setup, taylor, |length, rng| {
        let run = poisson.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;

    let conserving = &samplers.hmc_ecs()?;
    asked(race, "hmc-ecs", &setup, taylor, |length, rng| {
        let run = conserving.run(length, rng)?;
        Ok((run.means, run.ledger))
    })?;
    if !smooth {
        return Ok(());
    }
    let kinetic = &samplers.ububu()?;
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
