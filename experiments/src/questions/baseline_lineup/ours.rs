//! Debiased estimators, and constant batches beside them.

use super::Race;
use super::answers::{Ask, Setup};
use super::budget::while_they_fit;
use super::problem::{PAIRS, Plain, Problem};
use crate::methods::anchored::{Anchored, BETA, FORM, SHARE};
use crate::methods::debiased::GROUPS;
use baselines::ConstantBatch;
use debias::{
    Debiased, Depths, Estimator, Form, Path, Pilot, PilotSettings, Schedule, Scheme, Seed,
    Tradeoff, Truncation,
};
use posterior::{DataPath, LevelEstimate, Rows, Smooth};
use rand::RngExt;
use serde_json::{Value, json};

/// Replicates below which there is no answer.
const LEAST: usize = 4;
/// By how much of a budget a first replicate that does not fit may overrun it, on average.
const OVERRUN: f64 = 0.01;
/// The smallest pilot there is.
pub const PILOT: PilotSettings = PilotSettings { levels: 3, replicates: 40 };

/// For the settings of the record.
pub fn settings() -> Value {
    json!({
        "points": 2 * PAIRS, "groups": GROUPS, "beta": BETA, "share": SHARE,
        "overrun": OVERRUN,
    })
}

/// Plain paths with this level estimate inside, and constant batches.
pub fn plain<R, M, E>(
    race: &mut Race<'_>,
    problem: &Problem<'_, R, M>,
    level: &E,
    plain: &Plain,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let Problem { rows, model, .. } = *problem;
    let schedule = Schedule::halving(rows.count(), plain.first)?;
    let path = DataPath::new(rows, model, level, &schedule)?;
    let law = Truncation::geometric(plain.alpha, schedule.levels())?;
    let paper = expected(&path, Form::CoupledSum, &law);
    race.ask("coupled-sum", &Setup::default(), |left| {
        debiased(&path, Form::CoupledSum, &law, left, paper)
    })?;

    let form = FORM;
    let most = race.rules.budgets.iter().copied().max().unwrap_or(0);
    let piloting = PILOT.replicates as f64
        * Tradeoff::level_costs(&path, form).iter().take(PILOT.levels).sum::<f64>();
    let fits = race.rules.free_setup || piloting < race.evaluations(most);
    if race.wants("antithetic-single-term") && !fits {
        race.idle.push("antithetic-single-term");
    } else if race.wants("antithetic-single-term") {
        let step = format!("{}-pilot", race.problem);
        let tuned = race.work.timed(&step, || {
            let pilot = Pilot::run(&path, &schedule, form, PILOT, problem.seed)?;
            Ok(pilot.best::<E::Error>()?)
        })?;
        let setup = Setup { step, evaluations: tuned.pilot.evaluations() as f64 };
        race.ask("antithetic-single-term", &setup, |left| {
            debiased(&path, form, &tuned.law, left, tuned.cost)
        })?;
    }

    // At the expected cost of a replicate of the paper's estimator.
    let batch = (paper / level.expected_cost(1)).round().clamp(1.0, rows.count() as f64) as usize;
    let constant = ConstantBatch::new(rows, model, level, batch)?;
    race.ask("constant-batch", &Setup::default(), |left| {
        if left < LEAST as f64 * level.expected_cost(batch) {
            return Ok(None);
        }
        let constant = &constant;
        let ask: Ask<'_> = Box::new(move |rng| {
            while_they_fit(left, rng, |rng| {
                let answer = constant.estimate(0, rng)?;
                Ok((answer.value, answer.cost.evaluations() as f64))
            })
        });
        Ok(Some(ask))
    })
}

/// An anchored path under the law without a pilot.
pub fn anchored<R, M>(
    race: &mut Race<'_>,
    method: &'static str,
    anchored: &Anchored<'_, R, M>,
    setup: &Setup,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let path = anchored.path()?;
    let law = anchored.law(&path)?;
    let cost = expected(&path, FORM, &law);
    race.ask(method, setup, |left| debiased(&path, FORM, &law, left, cost))
}

/// Expected evaluations of a replicate.
fn expected<P: Path>(path: &P, form: Form, law: &Truncation) -> f64 {
    let costs = Tradeoff::level_costs(path, form);
    Tradeoff { form, gains: vec![0.0; costs.len()], costs }.cost(law)
}

/// The mean of the replicates that fit; the depths of many are stratified but for the paper's form.
fn debiased<'a, P: Path>(
    path: &'a P,
    form: Form,
    law: &'a Truncation,
    left: f64,
    cost: f64,
) -> anyhow::Result<Option<Ask<'a>>> {
    let most = (left / cost).max(0.0) as usize;
    if most < LEAST || overrun(path, form, law, left)? > OVERRUN * left {
        return Ok(None);
    }
    let stratified = form != Form::CoupledSum && most >= 5 * GROUPS;
    let group = if stratified { most / GROUPS } else { 1 };
    Ok(Some(Box::new(move |rng| {
        while_they_fit(left, rng, |rng| {
            let seed = Seed(rng.random());
            let depths = Depths::draw(law, Scheme::Stratified, group, 1, seed)?;
            let estimator = Debiased::new(path, form, depths)?;
            let (mut mean, mut evaluations) = (Vec::new(), 0.0);
            for replicate in 0..group as u64 {
                let answer = estimator.estimate(replicate, &mut seed.stream(replicate))?;
                evaluations += answer.cost.evaluations() as f64;
                mean.resize(answer.value.len(), 0.0);
                mean.iter_mut().zip(&answer.value).for_each(|(m, v)| *m += v / group as f64);
            }
            Ok((mean, evaluations))
        })
    })))
}

/// E (cost of a replicate − budget)⁺.
fn overrun<P: Path>(path: &P, form: Form, law: &Truncation, budget: f64) -> anyhow::Result<f64> {
    let mut overrun = 0.0;
    for depth in 1..=law.levels() {
        let replicate = Debiased::new(path, form, Depths::constant(law, depth, 1))?;
        overrun += law.mass(depth) * (replicate.expected_cost(0) - budget).max(0.0);
    }
    Ok(overrun)
}
