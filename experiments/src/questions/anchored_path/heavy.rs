//! The harder regression, whose truth is Newton's method over all rows and the mean to the next order;
//! NUTS on all rows is run beside it, and has to agree.

use super::case::Case;
use super::report::Report;
use super::{Size, bad_anchors, settings_of_path};
use crate::Context;
use crate::methods::anchored::frame_of;
use crate::methods::chains::{ChainAnswer, PAPER, framed_nuts, kernel};
use crate::methods::constant_batch::{self, weights_converge};
use crate::methods::debiased::{Choice, Method};
use crate::problems::heavy::{Heavy, WEIGHTS};
use baselines::{ConstantBatch, FullPosterior};
use debias::{PilotSettings, Replicates, Schedule};
use posterior::{DataPath, Target};
use records::DataSource;
use samplers::{Framing, Functional, Length, Sampler};
use serde_json::Value;

const CHAIN: Length = Length { warm_up: 50, draws: 250 };
/// Rows of the first level of a plain path.
const PLAIN_FIRST: usize = 512;
const PILOT: PilotSettings = PilotSettings { levels: 4, replicates: 40 };

pub fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (name, count, seed) = ("heavy", size.heavy, context.seed.child("heavy"));
    let Heavy { rows, model, mode, truth, data } = Heavy::new(seed, count)?;
    let (rows, model) = (&rows, &model);
    let functionals = Functional::means(WEIGHTS);
    let case = Case {
        name,
        rows: count,
        functionals: functionals.clone(),
        truth,
        work: context.work(settings, &data),
        replicates: size.heavy_replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    case.study((model, model, rows), settings_of_path(context, name, count), report)?;
    bad_anchors::measure(&case, (model, rows), &[0.0; WEIGHTS], report)?;
    // Its truth is Laplace's to the next order.
    case.approximate((model, rows), false, report)?;

    (context.say)("heavy: NUTS on all rows");
    let (work, truth) = (&case.work, &case.truth);
    let frame = frame_of(&mode.theta, &mode.covariance)?;
    let full = work.cached("heavy-full-nuts", |rng| {
        let mut target = FullPosterior::new(model, rows);
        let draws = kernel().sample_in(&frame, &mut target, frame.mean(), CHAIN, rng)?;
        ChainAnswer::of(&draws, target.ledger())
    })?;
    let inverse = full.effective.iter().map(|draws| 1.0 / draws).sum::<f64>() / WEIGHTS as f64;
    let cost = full.cost.evaluations() as f64;
    report.error(name, "full-nuts", cost, truth.error(&full.means));
    for (label, value) in [
        ("passes", cost / count as f64),
        ("passes an effective draw", cost / count as f64 * inverse),
        ("largest error in Monte Carlo standard errors", full.worst(&truth.means)),
    ] {
        report.rough(name, &format!("full-nuts/{label}"), value);
    }

    let level = framed_nuts(Framing::laplace(WEIGHTS), PAPER, functionals, 2500.0);
    let (batches, trials): (&[usize], usize) =
        context.scale.pick((&[512, 2048, 8192], 10), (&[512], 2));
    let table = weights_converge(work, truth, (rows, model, &level), batches, trials)?;

    (context.say)("heavy: plain paths and constant batches");
    let schedule = Schedule::halving(count, PLAIN_FIRST)?;
    let path = DataPath::new(rows, model, &level, &schedule)?;
    let plain = Method::antithetic(&path, &schedule, Choice::Best, PILOT, seed)?;
    let replicates = size.heavy_replicates;
    let run = plain.run_as(&case.step(plain.name), work, &path, replicates)?;
    let batch = (plain.expected_cost() / level.expected_evaluations).round() as usize;
    let constant = ConstantBatch::new(rows, model, &level, batch.min(count))?;
    let step = case.step(constant_batch::NAME);
    let constant = work.replicate(&step, &constant, replicates)?;
    let runs = [(plain.name, &run, plain.setup_cost()), (constant_batch::NAME, &constant, 0.0)];
    report.curve(name, &truth.running(&runs), None)?;
    let last = |run: &Replicates| {
        let mean = |j| run.functional(j).iter().sum::<f64>() / run.count() as f64;
        truth.error(&(0..WEIGHTS).map(mean).collect::<Vec<_>>())
    };
    for (method, run, _) in runs {
        report.rough(name, &format!("{method}/rms error in posterior sds"), last(run));
    }
    report.notes.push(format!("heavy, plain path: {}", plain.audit(&path, &run)));
    report.plain_below(name, &table, f64::INFINITY)?;
    Ok(data)
}
