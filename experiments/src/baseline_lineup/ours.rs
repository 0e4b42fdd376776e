//! Debiased estimators, and constant batches beside them.

use super::Race;
use super::answers::{Ask, averaged, failed};
use super::problem::{Plain, Problem};
use crate::anchored_path::{BETA, SHARE};
use crate::weights::Truth;
use baselines::ConstantBatch;
use debias::{
    Debiased, Depths, Estimator, Form, Path, Pilot, PilotSettings, Schedule, Scheme, Seed,
    Tradeoff, Truncation, unpiloted,
};
use posterior::{DataPath, DenseBlock, LevelEstimate, Rows, Smooth};
use rand::RngExt;
use records::DataSource;
use serde_json::{Value, json};
use unbiased_bayes::anchored::doubling;

/// Rows of the first anchored level, pairs of points, and groups of replicates.
const FIRST: usize = 256;
const PAIRS: usize = 32;
const GROUPS: usize = 20;
/// Replicates below which there is no answer.
const LEAST: usize = 4;
/// The smallest pilot there is.
const PILOT: PilotSettings = PilotSettings { levels: 3, replicates: 40 };

/// For the settings of the record.
pub(super) fn settings() -> Value {
    json!({ "anchored_first": FIRST, "points": 2 * PAIRS, "groups": GROUPS, "beta": BETA, "share": SHARE })
}

pub(super) fn run<M, E>(
    race: &mut Race<'_, '_>,
    problem: &Problem<'_, M>,
    level: &E,
    plain: &Plain,
    truth: &Truth,
    data: &[DataSource],
) -> anyhow::Result<()>
where
    M: Smooth<Block = DenseBlock>,
    E: LevelEstimate<M>,
{
    let Problem { name, rows, model, ref functionals, ref anchor, seed } = *problem;
    let count = rows.count();
    let schedule = Schedule::halving(count, plain.first)?;
    let path = DataPath::new(rows, model, level, &schedule)?;

    let law = Truncation::geometric(plain.alpha, schedule.levels())?;
    let paper = expected(&path, Form::CoupledSum, &law);
    race.ask((name, "coupled-sum"), truth, data, |passes| {
        let replicates = problem.evaluations(passes) / paper;
        Ok(debiased(&path, Form::CoupledSum, &law, replicates, 0.0))
    })?;

    if race.wants("antithetic-single-term") {
        let form = Form::AntitheticSingleTerm;
        let tuned = Pilot::run(&path, &schedule, form, PILOT, seed)?.best::<E::Error>()?;
        let setup = tuned.pilot.evaluations() as f64;
        race.ask((name, "antithetic-single-term"), truth, data, |passes| {
            let replicates = (problem.evaluations(passes) - setup) / tuned.cost;
            Ok(debiased(&path, form, &tuned.law, replicates, setup))
        })?;
    }

    let steps = doubling(count, FIRST)?;
    let anchored = anchor.path(&steps, functionals, PAIRS)?;
    let form = Form::AntitheticSingleTerm;
    let law = unpiloted(steps.sizes(), &Tradeoff::level_costs(&anchored, form), BETA, SHARE)?;
    let cost = expected(&anchored, form, &law);
    race.ask((name, "anchored"), truth, data, |passes| {
        let replicates = (problem.evaluations(passes) - problem.setup()) / cost;
        Ok(debiased(&anchored, form, &law, replicates, problem.setup()))
    })?;

    // As dear as a replicate of the paper's estimator.
    let batch = (paper / level.expected_cost(1)).round().clamp(1.0, count as f64) as usize;
    let constant = ConstantBatch::new(rows, model, level, batch)?;
    race.ask((name, "constant-batch"), truth, data, |passes| {
        let replicates = (problem.evaluations(passes) / level.expected_cost(batch)) as usize;
        Ok((replicates >= LEAST).then(|| replicated(&constant, replicates)))
    })
}

/// Expected evaluations of a replicate.
fn expected<P: Path>(path: &P, form: Form, law: &Truncation) -> f64 {
    let costs = Tradeoff::level_costs(path, form);
    Tradeoff { form, gains: vec![0.0; costs.len()], costs }.cost(law)
}

/// The mean of about so many replicates; the depths of many are stratified but for the paper's form.
fn debiased<'a, P: Path>(
    path: &'a P,
    form: Form,
    law: &'a Truncation,
    replicates: f64,
    setup: f64,
) -> Option<Ask<'a>> {
    let most = replicates.max(0.0) as usize;
    if most < LEAST {
        return None;
    }
    // Few replicates are a group each, so that none of the budget is left over.
    let stratified = form != Form::CoupledSum && most >= 5 * GROUPS;
    let groups = if stratified { GROUPS } else { most };
    let count = most / groups * groups;
    Some(Box::new(move |rng| {
        let seed = Seed(rng.random());
        let depths = Depths::draw(law, Scheme::Stratified, count, groups, seed).map_err(failed)?;
        let estimator = Debiased::new(path, form, depths).map_err(failed)?;
        let (values, evaluations) = ask_all(&estimator, count, seed)?;
        averaged(&values, groups, setup + evaluations)
    }))
}

/// The mean of so many answers.
fn replicated<'a, E: Estimator>(estimator: &'a E, count: usize) -> Ask<'a> {
    Box::new(move |rng| {
        let (values, evaluations) = ask_all(estimator, count, Seed(rng.random()))?;
        averaged(&values, count, evaluations)
    })
}

fn ask_all<E: Estimator>(
    estimator: &E,
    count: usize,
    seed: Seed,
) -> Result<(Vec<Vec<f64>>, f64), super::answers::Failed> {
    let (mut values, mut evaluations) = (Vec::with_capacity(count), 0.0);
    for replicate in 0..count as u64 {
        let answer = estimator.estimate(replicate, &mut seed.stream(replicate)).map_err(failed)?;
        evaluations += answer.cost.evaluations() as f64;
        values.push(answer.value);
    }
    Ok((values, evaluations))
}
