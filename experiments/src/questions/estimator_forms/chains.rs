//! Where the noise of chains becomes the floor, and what removes it.
//!
//! The default with level estimates by chains of 100 to 2000 draws, without and with zero-variance
//! control variates, by coupled chains, by weighted quasi-random points, and where there is one by the
//! closed form. A chain that is ten times as long costs about ten times as much, so that the product
//! says whether its noise was worth it. How much of E Δ_t² is the chain's own noise is measured beside
//! it, level by level, from the halves of the same chains.

use super::inference::{InFrameOf, ThreeTimes, length, pairs, points};
use super::judged::GROUPS;
use super::ladder::{DEFAULT_SCHEME, Ladder};
use super::{Forms, Problem, Size};
use crate::methods::chains::{evaluations_per_row, kinked, nuts};
use crate::problems::log_gaussian::{rows, sigma};
use crate::problems::logistic as regression;
use crate::problems::logistic::WEIGHTS;
use crate::slope::jackknife;
use debias::{Caveat, Coupling, Form, Interval, Rng, Schedule};
use models::log_gaussian::{LogGaussian, LogGaussianClosedForm};
use models::logistic::DenseLogistic;
use posterior::{Differentiable, LevelEstimate, PartialPosterior, Rows};
use records::Table;
use samplers::{
    ByCoupledChains, ByPoints, ChainError, CoupledError, Draws, Framing, Functional, PointsError,
};
use serde::Serialize;

/// Rows of the first level of logistic weights.
const FIRST: usize = 128;
/// Rows on which the cost of a level is measured, log-Gaussian and logistic.
const BATCHES: (usize, usize) = (64, 8 * FIRST);
/// Numbers of weighted points.
const POINTS: [usize; 2] = [128, 512];
/// A chain on its own, and with control variates.
pub const CHAIN: &str = "chain";
pub const CONTROLLED: &str = "chain and control variates";

/// The default with one kind of level estimate.
#[derive(Serialize)]
pub struct Noise {
    problem: &'static str,
    inference: &'static str,
    draws: f64,
    evaluations_a_row: f64,
    /// What the pilot chose.
    form: &'static str,
    deepest_increment: f64,
    product: f64,
    ratio: f64,
    ratio_low: f64,
    ratio_high: f64,
    #[serde(skip)]
    levels: Vec<LevelNoise>,
}

/// E Δ_t² of a level t ≥ 2, and how much of it is noise of the chain, for plain chains.
#[derive(Clone, Serialize)]
struct LevelNoise {
    problem: &'static str,
    draws: f64,
    rows: f64,
    increment: f64,
    chain_noise: f64,
}

/// The log-Gaussian spread under all forms, in closed form and by NUTS of 100 + 500, then the default
/// by every inference.
pub fn log_gaussian(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<Vec<Noise>> {
    let seed = forms.context.root.child("log-gaussian").child("rows");
    let (rows, data) = rows(seed, size.log_gaussian_rows);
    let problem = Problem {
        truth: vec![LogGaussian::moments(&rows.range(0..rows.count()))?.mean_sigma],
        schedule: Schedule::halving(rows.count(), 8)?,
        data,
        rows,
        model: LogGaussian,
    };
    forms.data.extend(problem.data.clone());
    let (name, level) = ("log-Gaussian, closed form", &LogGaussianClosedForm);
    let exact = forms.ladder(name, &problem, level, size.closed, <[f64]>::to_vec)?;
    forms.judge(name, &exact, 0.95)?;
    let context = forms.context;
    let chain_of = |draws: usize| {
        let mut level = nuts(length(draws), sigma(), 2);
        level.expected_evaluations =
            evaluations_per_row(context, problem.parts(&level), BATCHES.0)?;
        Ok::<_, anyhow::Error>(level)
    };
    let (name, level) = ("log-Gaussian, NUTS", chain_of(500)?);
    let ladder = forms.ladder(name, &problem, &level, size.nuts, <[f64]>::to_vec)?;
    let paper = forms.judge(name, &ladder, 0.95)?;

    let (functionals, size_of) = (sigma(), size.log_gaussian_chains);
    let name = "log-Gaussian";
    let mut inferences = Inferences {
        forms,
        problem: &problem,
        name,
        functionals,
        size: size_of,
        paper,
        found: vec![],
    };
    for &draws in &size.lengths {
        let chain = chain_of(draws)?;
        inferences.chain(draws, chain.expected_evaluations, |posterior, rng| {
            chain.draws(posterior, rng)
        })?;
    }
    for count in POINTS {
        let mut level = points(count, sigma(), 2);
        level.expected_evaluations =
            evaluations_per_row(context, problem.parts(&level), BATCHES.0)?;
        inferences.other("weighted points", (count, level.expected_evaluations), &level)?;
    }
    let mut level = pairs(sigma(), 2)?;
    level.expected_evaluations = evaluations_per_row(context, problem.parts(&level), BATCHES.0)?;
    inferences.other("coupled chains", (level.lagged.last, level.expected_evaluations), &level)?;
    inferences.judge("closed form", (0, 1.0), &exact, None)?;
    Ok(inferences.found)
}

/// Logistic weights under all forms, by chains of 100 + 500, then the default by every inference.
pub fn logistic(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<Vec<Noise>> {
    let (record, source) = forms.context.needed("logistic-synthetic")?;
    let (rows, mut data) = regression::rows(forms.context, size.logistic_rows);
    data.push(source);
    let problem = Problem {
        truth: record.table("weights")?.numbers("mean")?,
        schedule: Schedule::halving(rows.count(), FIRST)?,
        data,
        rows,
        model: regression::model()?,
    };
    forms.data.extend(problem.data.clone());
    let chain_of = |draws| -> anyhow::Result<_> {
        Ok(kinked(regression::smooth()?, Framing::laplace(WEIGHTS), length(draws)))
    };
    let (name, mut level) = ("logistic weights", chain_of(500)?);
    level.expected_evaluations =
        evaluations_per_row(forms.context, problem.parts(&level), BATCHES.1)?;
    let ladder = forms.ladder(name, &problem, &level, size.logistic, <[f64]>::to_vec)?;
    let paper = forms.judge(name, &ladder, 1.0)?;

    let (context, means) = (forms.context, Functional::means(WEIGHTS));
    let (functionals, size_of) = (means.clone(), size.logistic_chains);
    let mut inferences = Inferences {
        forms,
        problem: &problem,
        name,
        functionals,
        size: size_of,
        paper,
        found: vec![],
    };
    for &draws in &size.lengths {
        let chain = chain_of(draws)?;
        let each = evaluations_per_row(context, problem.parts(&chain), BATCHES.1)?;
        inferences.chain(draws, each, |posterior, rng| chain.draws(posterior, rng))?;
    }
    for count in POINTS {
        let points = points(count, means.clone(), WEIGHTS);
        let by_points = |framing: Framing,
                         posterior: &mut PartialPosterior<'_, DenseLogistic>,
                         rng: &mut Rng|
         -> Result<Vec<f64>, PointsError> {
            Ok(ByPoints { framing, ..points.clone() }.weighted(posterior, rng)?.value)
        };
        let mut level = InFrameOf {
            smooth: regression::smooth()?,
            estimate: by_points,
            caveats: vec![Caveat::SelfNormalisedWeights],
            evaluations: 0.0,
        };
        level.evaluations = evaluations_per_row(context, problem.parts(&level), BATCHES.1)?;
        inferences.other("weighted points", (count, level.evaluations), &level)?;
    }
    let pairs = pairs(means, WEIGHTS)?;
    let by_pairs = |framing: Framing,
                    posterior: &mut PartialPosterior<'_, DenseLogistic>,
                    rng: &mut Rng|
     -> Result<Vec<f64>, CoupledError> {
        ByCoupledChains { framing, ..pairs.clone() }.values(posterior, rng)
    };
    let mut level = InFrameOf {
        smooth: regression::smooth()?,
        estimate: by_pairs,
        caveats: vec![],
        evaluations: 0.0,
    };
    level.evaluations = evaluations_per_row(context, problem.parts(&level), BATCHES.1)?;
    inferences.other("coupled chains", (pairs.lagged.last, level.evaluations), &level)?;
    Ok(inferences.found)
}

/// The inferences tried on one problem.
struct Inferences<'a, R, M> {
    forms: &'a Forms<'a>,
    problem: &'a Problem<R, M>,
    name: &'static str,
    functionals: Vec<Functional>,
    /// Levels and replicates.
    size: (usize, usize),
    /// Work × variance of the paper's estimator, chains of 100 + 500 inside.
    paper: f64,
    found: Vec<Noise>,
}

impl<R, M> Inferences<'_, R, M>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    /// A chain of so many draws, as it is and with control variates.
    fn chain<F>(&mut self, draws: usize, evaluations: f64, chain: F) -> anyhow::Result<()>
    where
        F: Fn(&mut PartialPosterior<'_, M>, &mut Rng) -> Result<Draws, ChainError> + Sync,
    {
        let functionals = self.functionals.clone();
        let level = ThreeTimes { draws: chain, functionals, evaluations };
        let step = format!("{}, {draws} draws", self.name);
        let asked = self.forms.ladder(&step, self.problem, &level, self.size, <[f64]>::to_vec)?;
        let width = self.functionals.len();
        let noise = asked.only(2 * width..3 * width);
        let cost = (draws, evaluations);
        self.judge(CHAIN, cost, &asked.only(0..width), Some(&noise))?;
        self.judge(CONTROLLED, cost, &asked.only(width..2 * width), None)
    }

    /// Any other inference of so many draws or points.
    fn other<E: LevelEstimate<M>>(
        &mut self,
        inference: &'static str,
        cost: (usize, f64),
        level: &E,
    ) -> anyhow::Result<()> {
        let step = format!("{}, {} {inference}", self.name, cost.0);
        let ladder = self.forms.ladder(&step, self.problem, level, self.size, <[f64]>::to_vec)?;
        self.judge(inference, cost, &ladder, None)
    }

    /// The default: form and law chosen on a quarter of the draws, judged on the rest.
    fn judge(
        &mut self,
        inference: &'static str,
        (draws, evaluations): (usize, f64),
        ladder: &Ladder,
        noise: Option<&Ladder>,
    ) -> anyhow::Result<()> {
        let (tuning, judging): (Vec<usize>, Vec<usize>) =
            (0..ladder.drawn.count()).partition(|replicate| replicate % 4 == 0);
        // Up to twenty first levels per replicate: more than any best law of these problems costs.
        let cap = 20.0 * ladder.costs(Form::AntitheticSum)[0];
        let (form, law) = ladder.default_choice(&tuning, cap)?;
        let product = ladder.measured(form, &judging)?.product(&law, DEFAULT_SCHEME);
        let mut logs = Vec::new();
        for group in 0..GROUPS {
            let kept = judging.iter().enumerate().filter(|(place, _)| place % GROUPS != group);
            let kept: Vec<usize> = kept.map(|(_, &replicate)| replicate).collect();
            let left = ladder.measured(form, &kept)?.product(&law, DEFAULT_SCHEME);
            logs.push(left.max(f64::MIN_POSITIVE).ln());
        }
        let ratio = product / self.paper;
        let interval = Interval::student(ratio.ln(), jackknife(&logs), (GROUPS - 1) as f64);
        let second = |ladder: &Ladder, level| {
            let squares = ladder.drawn.squares(level, Coupling::Antithetic);
            squares.iter().sum::<f64>() / squares.len() as f64
        };
        let (problem, draws) = (self.name, draws as f64);
        let deepest = self.size.0.min(ladder.drawn.levels());
        let levels = noise.map(|noise| {
            let level = |level| LevelNoise {
                problem,
                draws,
                rows: ladder.sizes[level - 1],
                increment: second(ladder, level),
                chain_noise: second(noise, level),
            };
            (2..=deepest).map(level).collect()
        });
        self.found.push(Noise {
            problem,
            inference,
            draws,
            evaluations_a_row: evaluations,
            form: form.name(),
            deepest_increment: if deepest < 2 { 0.0 } else { second(ladder, deepest) },
            product,
            ratio,
            ratio_low: interval.low.exp(),
            ratio_high: interval.high.exp(),
            levels: levels.unwrap_or_default(),
        });
        Ok(())
    }
}

/// All inferences, and the noise of the chains among them level by level.
pub fn tables(noise: &[Noise]) -> [Table; 2] {
    let levels: Vec<LevelNoise> = noise.iter().flat_map(|row| row.levels.clone()).collect();
    [Table::of_rows("chains", noise), Table::of_rows("noise", &levels)]
}
