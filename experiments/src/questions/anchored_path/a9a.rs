//! a9a, where rows of rare features spoil the expansion: a core of them is kept exact.
//!
//! The base density is sampled by NUTS through the kinks of the prior, which looks at the rows of
//! the core only; control variates from its gradients take away noise of the base. Beside the
//! anchored path: NUTS on all rows in the same frame, once by leapfrogs and once (from the record
//! of `a9a`) through the kinks.

use super::bad_anchors::{self, OFF};
use super::case::{Case, root};
use super::levels::Levels;
use super::report::Report;
use crate::Context;
use crate::methods::anchored::{
    Anchored, AnchoredPosterior, AnchoredSettings, BaseChain, Reweighting, expanded_with_core,
};
use crate::methods::chains::PAPER;
use crate::problems::a9a::{A9a, A9aRows, SCALE, WEIGHTS, stored_truth};
use debias::{Ledger, Rng};
use models::design::PatternBlock;
use models::logistic::PatternLogistic;
use posterior::{PartialPosterior, Rows, Target};
use rand::RngExt;
use rand_distr::StandardNormal;
use records::{DataSource, Scale, Table};
use samplers::diagnostics::Summary;
use samplers::{Frame, Functional, Length, Nuts, Sampler, SharedPoints, with_control_variates};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What differs between the scales.
pub struct Size {
    core: usize,
    first: usize,
    length: Length,
    replicates: usize,
    sizes: Vec<usize>,
    trials: usize,
    cores: Vec<usize>,
    /// Draws of the base, to see its noise.
    draws: Vec<usize>,
    repetitions: usize,
    leapfrog: Length,
}

impl Size {
    pub fn of(scale: Scale) -> Size {
        Size {
            core: 1000,
            first: 1024,
            length: scale.pick(PAPER, Length { warm_up: 50, draws: 260 }),
            replicates: scale.pick(40, 20),
            sizes: scale.pick((7..=13).map(|k| 1 << k).collect(), vec![512, 1024, 2048]),
            trials: scale.pick(20, 2),
            cores: scale.pick(vec![0, 125, 500, 1000, 2000, 4000], vec![0, 1000]),
            draws: scale.pick(vec![500, 1000, 2000], vec![260]),
            repetitions: scale.pick(16, 2),
            leapfrog: scale.pick(PAPER, Length { warm_up: 10, draws: 20 }),
        }
    }

    pub fn settings(&self) -> Value {
        json!({
            "core": self.core, "first": self.first, "warm_up": self.length.warm_up,
            "draws": self.length.draws, "replicates": self.replicates, "sizes": self.sizes,
            "trials": self.trials, "cores": self.cores, "base_draws": self.draws,
            "repetitions": self.repetitions, "leapfrog_draws": self.leapfrog.draws,
        })
    }
}

pub fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
    report: &mut Report,
) -> anyhow::Result<Vec<DataSource>> {
    let (record, source) = context.needed("a9a")?;
    let A9a { rows, model, smooth, data } = &A9a::all()?;
    let (name, count, data) = ("a9a", rows.count(), vec![data.clone(), source]);
    let case = Case {
        name,
        rows: count,
        functionals: Functional::means(WEIGHTS),
        truth: stored_truth(&record)?,
        work: context.work(settings, &data),
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    let of_core = |core| AnchoredSettings::with_core(core, size.first, SCALE, size.length);
    let anchored = case.study((model, smooth, rows), of_core(size.core), report)?;
    case.approximate((model, rows), true, report)?;
    let frame = &anchored.anchor.frame;
    let base = anchored.base_chain(SCALE)?;

    let mut table: Vec<[f64; 6]> = Vec::new();
    for &core in &size.cores {
        (context.say)(&format!("a9a: a core of {core} rows"));
        let anchored = Anchored::new((model, smooth, rows), &case.functionals, of_core(core))?;
        let rng = &mut context.step_seed("a9a-cores").stream(core as u64);
        let posterior = &anchored.anchor.posterior;
        let draws = base.draws(&mut posterior.base(), size.length, rng)?;
        let levels = Levels::new(&case, posterior, SharedPoints::of_draws(&draws));
        let full = levels.full()?;
        let mut sizes = size.sizes.clone();
        sizes.retain(|size| [512, 1024, 4096].contains(size));
        let step = format!("a9a-core-{core}");
        let trials = levels.trials(&case.work, &step, &full.value, &sizes, size.trials)?;
        let last = full.effective / draws.count() as f64;
        for (&rows, at) in sizes.iter().zip(trials.chunks(size.trials)) {
            let errors: Vec<f64> = at.iter().map(|trial| trial.error).collect();
            let increments: Vec<f64> = at.iter().map(|trial| trial.increment).collect();
            let least = at.iter().map(|trial| trial.effective).fold(f64::INFINITY, f64::min);
            let (error, increment) = (root(&errors).0, root(&increments).0);
            table.push([core as f64, rows as f64, error, increment, least, last]);
        }
    }
    let names = ["core", "rows", "error", "increment", "effective_share", "last_share"];
    report.tables.push(columns("cores", &names, &table));

    let mut table: Vec<[f64; 6]> = Vec::new();
    for &draws in &size.draws {
        let length = Length { draws, ..size.length };
        let step = format!("a9a-base-{draws}");
        let posterior = &anchored.anchor.posterior;
        let noise = case
            .work
            .each(&step, size.repetitions, |_, rng| Noise::of(posterior, &base, length, rng))?;
        let mut cost = Ledger::default();
        noise.iter().for_each(|noise| cost += noise.cost);
        let cost = cost.evaluations() as f64 / noise.len() as f64;
        let [plain, helped] = [0, 1].map(|part| spread(&noise, |n| &n.base[part], &case.truth.sds));
        let [last, last_helped] =
            [0, 1].map(|part| spread(&noise, |n| &n.last[part], &case.truth.sds));
        table.push([draws as f64, cost, plain, helped, last, last_helped]);
    }
    let names =
        ["draws", "evaluations", "base", "base_controlled", "last_level", "last_level_controlled"];
    report.tables.push(columns("base-noise", &names, &table));

    (context.say)("a9a: anchors off the mode");
    for off in OFF {
        let theta = bad_anchors::moved(frame, off, context, name);
        let posterior = expanded_with_core((model, rows), &theta, size.core, frame);
        let rng = &mut context.step_seed("a9a-bad-anchors").stream(0);
        let draws = base.draws(&mut posterior.base(), size.length, rng)?;
        let points = SharedPoints::controlled(&draws, &case.functionals)?;
        let levels = Levels::new(&case, &posterior, points);
        let (squares, least) =
            levels.errors(&case.truth.means, bad_anchors::ROWS, size.trials, rng)?;
        let (error, low, high) = root(&squares);
        report.anchors.push(name, [off, error, low, high, least]);
    }

    (context.say)("a9a: NUTS on all rows, by leapfrogs");
    let block = rows.range(0..count);
    let chains = case
        .work
        .each("a9a-leapfrog", 2, |_, rng| leapfrog((model, &block), frame, size.leapfrog, rng))?;
    let mut cost = Ledger::default();
    chains.iter().for_each(|chain| cost += chain.2);
    let cost = cost.evaluations() as f64;
    let inverse = |effective: &[f64]| {
        effective.iter().map(|draws| 1.0 / draws).sum::<f64>() / effective.len() as f64
    };
    // Two chains have twice the draws of one.
    let effective: Vec<f64> =
        (0..WEIGHTS).map(|j| chains.iter().map(|chain| chain.1[j]).sum::<f64>()).collect();
    let ess = record.table("weights")?.numbers("ess")?;
    let kinked = record.value("reference/total cost")? * inverse(&ess);
    for (label, value) in [
        ("leapfrog/total cost", cost),
        ("leapfrog/evaluations for one sd squared", cost * inverse(&effective)),
        ("kinked/evaluations for one sd squared", kinked),
    ] {
        report.rough(name, label, value);
    }
    let mean = |j: usize| chains.iter().map(|chain| chain.0[j]).sum::<f64>() / chains.len() as f64;
    let means: Vec<f64> = (0..WEIGHTS).map(mean).collect();
    report.error(name, "leapfrog-nuts", cost, case.truth.error(&means));
    let value = |what: &str| record.value(&format!("full-nuts/{what}"));
    report.error(name, "full-nuts", value("total cost")?, value("rms error in posterior sds")?);
    report.curve(name, record.table("errors")?, Some("anchored"))?;
    report.plain_below(name, record.table("convergence")?, count as f64)?;
    Ok(data)
}

/// The means of the base and of the last level, each without and with control variates.
#[derive(Serialize, Deserialize)]
struct Noise {
    base: [Vec<f64>; 2],
    last: [Vec<f64>; 2],
    cost: Ledger,
}

impl Noise {
    fn of(
        posterior: &AnchoredPosterior<'_, A9aRows, PatternLogistic>,
        chain: &BaseChain<'_>,
        length: Length,
        rng: &mut Rng,
    ) -> anyhow::Result<Noise> {
        let mut target = posterior.base();
        let draws = chain.draws(&mut target, length, rng)?;
        let means = Functional::means(WEIGHTS);
        let plain = draws.functionals(&means);
        let helped = with_control_variates(&draws, &means)?;
        let rest = posterior.rest();
        let (sums, _) = posterior.remainders(draws.positions(), &rest.range(0..rest.count()));
        let last = SharedPoints::of_draws(&draws).reweigh(sums, &means, 0.0)?.value;
        let last_helped = (0..WEIGHTS).map(|j| last[j] + helped[j] - plain[j]).collect();
        Ok(Noise { base: [plain, helped], last: [last, last_helped], cost: target.ledger() })
    }
}

/// NUTS on all rows by leapfrogs in the frame: means, effective draws, and work.
fn leapfrog(
    (model, block): (&PatternLogistic, &PatternBlock),
    frame: &Frame,
    length: Length,
    rng: &mut Rng,
) -> anyhow::Result<(Vec<f64>, Vec<f64>, Ledger)> {
    let mut target = PartialPosterior::new(model, block);
    let mut start = vec![0.0; WEIGHTS];
    let z: Vec<f64> = (0..WEIGHTS).map(|_| rng.sample::<f64, _>(StandardNormal)).collect();
    frame.place(&z, &mut start);
    let draws = Nuts::default().sample_in(frame, &mut target, &start, length, rng)?;
    // Too few draws for a diagnosis count as one each.
    let effective = Summary::of_draws(std::slice::from_ref(&draws))
        .map_or(vec![length.draws as f64; WEIGHTS], |summary| {
            summary.iter().map(|weight| weight.ess_bulk).collect()
        });
    Ok((draws.functionals(&Functional::means(WEIGHTS)), effective, target.ledger()))
}

/// The root mean square over weights of the spread of repetitions, in posterior sds.
fn spread(noise: &[Noise], of: impl Fn(&Noise) -> &[f64], sds: &[f64]) -> f64 {
    let squares = sds.iter().enumerate().map(|(j, sd)| {
        let values: Vec<f64> = noise.iter().map(|noise| of(noise)[j]).collect();
        debias::Summary::of(&values).map_or(f64::NAN, |summary| summary.variance / (sd * sd))
    });
    (squares.sum::<f64>() / sds.len() as f64).sqrt()
}

fn columns<const WIDTH: usize>(name: &str, names: &[&str; WIDTH], rows: &[[f64; WIDTH]]) -> Table {
    names.iter().enumerate().fold(Table::new(name), |table, (place, column)| {
        table.with(column, rows.iter().map(|row| row[place]).collect::<Vec<_>>())
    })
}
