//! Baselines for models whose rows can be told apart: particles, and walks that look at some rows.

use super::Race;
use super::answers::{Setup, plainly};
use super::chains::{LEAST_DRAWS, WARM_UP};
use super::problem::Problem;
use baselines::{
    Austerity, Beginning, Confidence, Ibis, IbisSettings, RowLikelihoods, SequentialTest,
    SubsampledSettings, SubsampledWalk,
};
use data::DenseRows;
use debias::{Estimator, Schedule};
use posterior::{DenseBlock, Rows, Smooth};
use samplers::{Length, RandomWalk};
use serde_json::{Value, json};

/// Rows of a first look.
const LOOK: usize = 256;
/// Wrong decisions that a step of austerity or of the confidence sampler may make.
const AUSTERITY: f64 = 0.05;
const CONFIDENCE: f64 = 0.1;
/// Moves of a particle, and the first rows that particles see.
const MOVES: usize = 3;
const FIRST_ROWS: usize = 64;
const LEAST_PARTICLES: usize = 50;

/// For the settings of the record.
pub fn settings() -> Value {
    json!({ "look": LOOK, "austerity": AUSTERITY, "confidence": CONFIDENCE, "moves": MOVES })
}

pub fn run<M>(
    race: &mut Race<'_>,
    problem: &Problem<'_, DenseRows, M>,
    beginning: &Beginning,
) -> anyhow::Result<()>
where
    M: Smooth<Block = DenseBlock> + RowLikelihoods,
{
    let Problem { rows, model, ref functionals, .. } = *problem;
    if race.wants("ibis") {
        let ibis = |particles: f64| {
            let settings = IbisSettings {
                schedule: Schedule::halving(rows.count(), FIRST_ROWS)?,
                shuffled: true,
                beginning: beginning.clone(),
                particles: particles as usize,
                threshold: 0.5,
                kernel: RandomWalk::optimal(model.dimension()),
                steps: MOVES,
                functionals: functionals.clone(),
            };
            Ok::<_, anyhow::Error>(Ibis::new(rows, model, settings)?)
        };
        let least = LEAST_PARTICLES as f64;
        let price = race.price("ibis", [least, 2.0 * least], |particles, rng| {
            let ibis = ibis(particles)?;
            Ok(ibis.estimate(0, rng)?.cost.evaluations() as f64)
        })?;
        race.ask("ibis", &Setup::default(), |left| {
            let Some(particles) = price.size(left, least) else { return Ok(None) };
            Ok(Some(plainly(ibis(particles)?, 0.0)))
        })?;
    }
    walk(race, problem, "austerity", Austerity::new(LOOK, AUSTERITY)?)?;
    walk(race, problem, "confidence", Confidence::new(LOOK, 2.0, CONFIDENCE)?)
}

fn walk<M, T>(
    race: &mut Race<'_>,
    problem: &Problem<'_, DenseRows, M>,
    method: &'static str,
    test: T,
) -> anyhow::Result<()>
where
    M: Smooth<Block = DenseBlock> + RowLikelihoods,
    T: SequentialTest + Copy + Send,
{
    if !race.wants(method) {
        return Ok(());
    }
    let frame = &problem.anchored.anchor.frame;
    let walk = |draws: f64| {
        let settings = SubsampledSettings {
            scale: 2.38 / (frame.dimension() as f64).sqrt(),
            shape: frame.factor().clone(),
            start: frame.mean().to_vec(),
            length: Length { warm_up: WARM_UP, draws: draws as usize },
            functionals: problem.functionals.clone(),
        };
        Ok::<_, anyhow::Error>(SubsampledWalk::new(problem.rows, problem.model, test, settings)?)
    };
    let least = LEAST_DRAWS as f64;
    let price = race.price(method, [least, 4.0 * least], |draws, rng| {
        let walk = walk(draws)?;
        Ok(walk.estimate(0, rng)?.cost.evaluations() as f64)
    })?;
    race.ask(method, &problem.setup, |left| {
        let Some(draws) = price.size(left, least) else { return Ok(None) };
        Ok(Some(plainly(walk(draws)?, 0.0)))
    })
}
