//! a9a, where rows of rare features spoil the expansion: a core of them is kept exact.
//!
//! The base density is sampled by NUTS through the kinks of the prior, which looks at the rows of
//! the core only; control variates from its gradients take away noise of the base. Beside the
//! anchored path: NUTS on all rows in the same frame, once by leapfrogs and once (from the record
//! of `a9a`) through the kinks.

use super::bad_anchors::{self, OFF};
use super::levels::{Levels, Trials};
use super::problem::{Problem, root};
use super::report::Report;
use super::{plain, without};
use crate::Context;
use crate::problems::truth::Truth;
use data::{A9A_SHA256, SparseRows, a9a};
use debias::{Estimate, Estimator, Replicates, Rng};
use models::anchor::{AnchoredPosterior, CoreChoice, survey};
use models::design::{PatternBlock, Patterned};
use models::logistic::PatternLogistic;
use models::prior::Prior;
use posterior::{PartialPosterior, Rows, Target, subset};
use records::{DataSource, Quantity, Table};
use samplers::diagnostics::Summary;
use samplers::{
    Draws, Frame, Functional, KinkedNoUTurn, Length, Nuts, SampleError, Sampler, SharedPoints,
    Start, with_control_variates,
};
use serde_json::{Value, json};
use std::error::Error;
use unbiased_bayes::anchored::{Anchor, doubling};

const DIMENSION: usize = 124;
const SCALE: f64 = 1.0;

type Adult = Patterned<SparseRows>;
type Posterior<'a> = AnchoredPosterior<'a, Adult, PatternLogistic>;

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
    pub fn full() -> Size {
        Size {
            core: 1000,
            first: 1024,
            length: Length { warm_up: 100, draws: 500 },
            replicates: 40,
            sizes: (7..=13).map(|k| 1 << k).collect(),
            trials: 20,
            cores: vec![0, 125, 500, 1000, 2000, 4000],
            draws: vec![500, 1000, 2000],
            repetitions: 16,
            leapfrog: Length { warm_up: 100, draws: 500 },
        }
    }

    pub fn smoke() -> Size {
        Size {
            core: 1000,
            first: 1024,
            length: Length { warm_up: 50, draws: 260 },
            replicates: 20,
            sizes: vec![512, 1024, 2048],
            trials: 2,
            cores: vec![0, 1000],
            draws: vec![260],
            repetitions: 2,
            leapfrog: Length { warm_up: 10, draws: 20 },
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
    let rows = Patterned(a9a());
    let count = rows.count();
    let identity = format!("sha256 {A9A_SHA256}");
    let data = vec![DataSource { name: "a9a".to_owned(), rows: count as u64, identity }, source];
    let model = PatternLogistic::new(DIMENSION - 1, Prior::Laplace { scale: SCALE })?;
    let stand_in = PatternLogistic::new(DIMENSION - 1, Prior::like_laplace(SCALE))?;
    let weights = record.table("weights")?;
    let truth = Truth {
        means: weights.numbers("mean")?,
        sds: weights.numbers("sd")?,
        errors: weights.numbers("mcse")?,
    };
    let functionals = Functional::means(DIMENSION);
    let problem = Problem {
        name: "a9a",
        rows: count,
        functionals: &functionals,
        truth,
        settings,
        data: &data,
        replicates: size.replicates,
        sizes: &size.sizes,
        trials: size.trials,
    };
    let start = [0.0; DIMENSION];
    let anchored = |core| Anchor::with_core(&model, &stand_in, &rows, &start, core);
    let anchor = context.timed("a9a-anchor", settings, &data, |_, _| Ok(anchored(size.core)?))?;
    let base = Base {
        kernel: KinkedNoUTurn::new(anchor.frame.factor().clone(), SCALE)?,
        frame: &anchor.frame,
    };
    let schedule = doubling(count - size.core, size.first)?;
    let path = anchor.path_by_chain(&schedule, &functionals, SCALE, size.length)?;
    let rng = &mut context.step_seed("a9a-points").stream(0);
    let points = (path.draw)(rng).map_err(|error| anyhow::anyhow!("{error}"))?.0;
    let levels = levels_of(&anchor.posterior, points, &problem);
    let moments = problem.levels(context, &levels, report)?;
    problem.debiased(context, &path, &schedule, anchor.ledger, &moments, report)?;
    report.quantities.push(Quantity::exact("a9a/anchor passes", anchor.passes as f64));
    report.quantities.push(Quantity::exact("a9a/rows", count as f64));

    let mut table: Vec<[f64; 6]> = Vec::new();
    for &core in &size.cores {
        (context.say)(&format!("a9a: a core of {core} rows"));
        let anchor = anchored(core)?;
        let rng = &mut context.step_seed("a9a-cores").stream(core as u64);
        let draws = base
            .draws(&mut anchor.posterior.base(), size.length, rng)
            .map_err(|error| anyhow::anyhow!("{error}"))?;
        let levels = levels_of(&anchor.posterior, SharedPoints::of_draws(&draws), &problem);
        let full = levels.full()?;
        let sizes: Vec<usize> =
            size.sizes.iter().copied().filter(|size| [512, 1024, 4096].contains(size)).collect();
        let trials =
            Trials { levels: &levels, full: &full.value, sizes: &sizes, trials: size.trials };
        let step = format!("a9a-core-{core}");
        let run = context.replicate(&step, settings, &data, &trials, sizes.len() * size.trials)?;
        for (place, &rows) in sizes.iter().enumerate() {
            let at =
                |entry: usize| run.functional(entry)[place * size.trials..][..size.trials].to_vec();
            let least = at(2).into_iter().fold(f64::INFINITY, f64::min);
            let last = full.effective / draws.count() as f64;
            let (core, rows) = (core as f64, rows as f64);
            table.push([core, rows, root(&at(0)).0, root(&at(1)).0, least, last]);
        }
    }
    let names = ["core", "rows", "error", "increment", "effective_share", "last_share"];
    report.tables.push(columns("cores", &names, &table));

    let mut table: Vec<[f64; 6]> = Vec::new();
    for &draws in &size.draws {
        let length = Length { draws, ..size.length };
        let noise = Noise { posterior: &anchor.posterior, base: &base, length };
        let step = format!("a9a-base-{draws}");
        let run = context.replicate(&step, settings, &data, &noise, size.repetitions)?;
        let cost = run.total_cost().evaluations() as f64 / run.count() as f64;
        let sd = |part: usize| spread(&run, part * DIMENSION, &problem.truth.sds);
        table.push([draws as f64, cost, sd(0), sd(1), sd(2), sd(3)]);
    }
    let names =
        ["draws", "evaluations", "base", "base_controlled", "last_level", "last_level_controlled"];
    report.tables.push(columns("base-noise", &names, &table));

    (context.say)("a9a: anchors off the mode");
    for off in OFF {
        let theta = bad_anchors::moved(&anchor.frame, off, context, "a9a");
        let choice = CoreChoice { size: size.core, covariance: anchor.frame.factor().covariance() };
        let posterior =
            AnchoredPosterior::new(&model, &rows, survey(&model, &rows, &theta, Some(&choice)));
        let rng = &mut context.step_seed("a9a-bad-anchors").stream(0);
        let draws = base
            .draws(&mut posterior.base(), size.length, rng)
            .map_err(|error| anyhow::anyhow!("{error}"))?;
        let levels =
            levels_of(&posterior, SharedPoints::controlled(&draws, &functionals)?, &problem);
        let (mut squares, mut least) = (Vec::new(), f64::INFINITY);
        for _ in 0..size.trials {
            let chosen = subset(levels.rows.count(), bad_anchors::ROWS, rng);
            let level = levels.level(levels.log_ratios(&chosen).0)?;
            squares.push(levels.square(|j| level.value[j] - problem.truth.means[j]));
            least = least.min(level.effective / draws.count() as f64);
        }
        let (error, low, high) = root(&squares);
        report.anchors.push("a9a", [off, error, low, high, least]);
    }

    (context.say)("a9a: NUTS on all rows, by leapfrogs");
    let block = rows.range(0..count);
    let leapfrog =
        Leapfrog { model: &model, block: &block, frame: &anchor.frame, length: size.leapfrog };
    let leapfrog = context.replicate("a9a-leapfrog", settings, &data, &leapfrog, 2)?;
    let cost = leapfrog.total_cost().evaluations() as f64;
    let inverse = |effective: &[f64]| {
        effective.iter().map(|draws| 1.0 / draws).sum::<f64>() / effective.len() as f64
    };
    // Two chains have twice the draws of one.
    let average: Vec<f64> =
        (0..DIMENSION).map(|j| leapfrog.functional(DIMENSION + j).iter().sum::<f64>()).collect();
    let kinked = record.value("reference/total cost")? * inverse(&weights.numbers("ess")?);
    for (label, value) in [
        ("leapfrog/total cost", cost),
        ("leapfrog/evaluations for one sd squared", cost * inverse(&average)),
        ("kinked/evaluations for one sd squared", kinked),
    ] {
        report.quantities.push(Quantity::rough(&format!("a9a/{label}"), value));
    }
    let means: Vec<f64> = (0..DIMENSION)
        .map(|j| leapfrog.functional(j).iter().sum::<f64>() / leapfrog.count() as f64)
        .collect();
    report.error("a9a", "leapfrog-nuts", cost, problem.truth.error(&means));
    let value = |what: &str| record.value(&format!("full-nuts/{what}"));
    report.error("a9a", "full-nuts", value("total cost")?, value("rms error in posterior sds")?);
    report.curve("a9a", &without(record.table("errors")?, "anchored")?)?;
    let convergence = record.table("convergence")?;
    let squares: Vec<f64> =
        convergence.numbers("error")?.iter().map(|error| error * error).collect();
    let sampled = convergence.numbers("rows")?;
    let below = sampled.iter().filter(|&&rows| rows < count as f64).count();
    plain(report, "a9a", &sampled[..below], &squares[..below]);
    Ok(data)
}

fn levels_of<'a>(
    posterior: &'a Posterior<'a>,
    points: SharedPoints,
    problem: &'a Problem<'_>,
) -> Levels<'a, models::anchor::RestRows<'a, Adult>, Posterior<'a>> {
    Levels {
        rows: posterior.rest(),
        reweighting: posterior,
        points,
        functionals: problem.functionals,
        sds: &problem.truth.sds,
    }
}

/// How points of the base are drawn.
struct Base<'a> {
    kernel: KinkedNoUTurn,
    frame: &'a Frame,
}

impl Base<'_> {
    fn draws(
        &self,
        target: &mut dyn Target,
        length: Length,
        rng: &mut Rng,
    ) -> Result<Draws, Box<dyn Error + Send + Sync>> {
        let start = Start::Frame { spread: 1.0 };
        let start = start.draw(DIMENSION, Some(self.frame), rng)?;
        Ok(self.kernel.sample(target, &start, length, rng)?)
    }
}

/// The means of the base and of the last level, each without and with control variates.
struct Noise<'a> {
    posterior: &'a Posterior<'a>,
    base: &'a Base<'a>,
    length: Length,
}

/// A chain or its weights gave nothing.
#[derive(Debug, thiserror::Error)]
#[error("the points of the base: {0}")]
struct NoiseError(Box<dyn Error + Send + Sync>);

impl Estimator for Noise<'_> {
    type Error = NoiseError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, NoiseError> {
        let boxed = |error: Box<dyn Error + Send + Sync>| NoiseError(error);
        let mut target = self.posterior.base();
        let draws = self.base.draws(&mut target, self.length, rng).map_err(boxed)?;
        let means = Functional::means(DIMENSION);
        let plain = draws.functionals(&means);
        let helped = with_control_variates(&draws, &means).map_err(|e| NoiseError(e.into()))?;
        let rest = self.posterior.rest();
        let block = rest.range(0..rest.count());
        let (sums, _) =
            posterior::Reweighting::remainders(self.posterior, draws.positions(), &block);
        let last = SharedPoints::of_draws(&draws)
            .reweigh(sums, &means, 0.0)
            .map_err(|e| NoiseError(e.into()))?
            .value;
        let last_helped: Vec<f64> =
            (0..DIMENSION).map(|j| last[j] + helped[j] - plain[j]).collect();
        let value = [plain, helped, last, last_helped].concat();
        Ok(Estimate { value, depth: 1, cost: target.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        KinkedNoUTurn::expected_gradients(self.length)
    }
}

/// NUTS on all rows by leapfrogs in the frame: means, then effective draws.
struct Leapfrog<'a> {
    model: &'a PatternLogistic,
    block: &'a PatternBlock,
    frame: &'a Frame,
    length: Length,
}

impl Estimator for Leapfrog<'_> {
    type Error = SampleError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, SampleError> {
        let mut target = PartialPosterior::new(self.model, self.block);
        let mut start = vec![0.0; DIMENSION];
        let z: Vec<f64> = (0..DIMENSION)
            .map(|_| rand::RngExt::sample::<f64, _>(rng, rand_distr::StandardNormal))
            .collect();
        self.frame.place(&z, &mut start);
        let draws = Nuts::default().sample_in(self.frame, &mut target, &start, self.length, rng)?;
        let mut value = draws.functionals(&Functional::means(DIMENSION));
        // Too few draws for a diagnosis are worth one each.
        let few = vec![self.length.draws as f64; DIMENSION];
        value.extend(
            Summary::of_draws(std::slice::from_ref(&draws))
                .map_or(few, |summary| summary.iter().map(|weight| weight.ess_bulk).collect()),
        );
        Ok(Estimate { value, depth: 1, cost: target.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        30.0 * self.length.transitions() as f64
    }
}

/// The root mean square over weights of the spread of replicates, in posterior sds.
fn spread(run: &Replicates, from: usize, sds: &[f64]) -> f64 {
    let squares = sds.iter().enumerate().map(|(j, sd)| {
        debias::Summary::of(&run.functional(from + j))
            .map_or(f64::NAN, |summary| summary.variance / (sd * sd))
    });
    (squares.sum::<f64>() / sds.len() as f64).sqrt()
}

fn columns<const WIDTH: usize>(name: &str, names: &[&str; WIDTH], rows: &[[f64; WIDTH]]) -> Table {
    names.iter().enumerate().fold(Table::new(name), |table, (place, column)| {
        table.with(column, rows.iter().map(|row| row[place]).collect::<Vec<_>>())
    })
}
