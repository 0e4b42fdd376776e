//! Baselines for models whose rows can be told apart: particles, and walks that look at some rows.

use super::Race;
use super::answers::Setup;
use super::chains::{LEAST_DRAWS, WARM_UP};
use super::problem::Problem;
use baselines::{
    Austerity, Beginning, Confidence, Ibis, IbisSettings, RowLikelihoods, SequentialTest,
    SubsampledSettings, SubsampledWalk,
};
use data::DenseRows;
use debias::Schedule;
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
    let least = LEAST_PARTICLES as f64;
    race.planned("ibis", &Setup::default(), ([least, 2.0 * least], least), |particles| {
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
        Ok(Ibis::new(rows, model, settings)?)
    })?;
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
    let frame = &problem.anchored.anchor.frame;
    let least = LEAST_DRAWS as f64;
    race.planned(method, &problem.setup, ([least, 4.0 * least], least), |draws| {
        let settings = SubsampledSettings {
            scale: 2.38 / (frame.dimension() as f64).sqrt(),
            shape: frame.factor().clone(),
            start: frame.mean().to_vec(),
            length: Length { warm_up: WARM_UP, draws: draws as usize },
            functionals: problem.functionals.clone(),
        };
        Ok(SubsampledWalk::new(problem.rows, problem.model, test, settings)?)
    })
}
