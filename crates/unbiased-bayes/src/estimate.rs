//! From a problem to a path, and from the path to an answer.

use crate::anchored::settled::Settled;
use crate::framed::FramedLevel;
use crate::prepared::{Estimate, Prepared, Visit};
use crate::problem::Problem;
use crate::{Answer, EstimateError, Settings, Spread, Surroundings, Way};
use debias::{Ledger, Schedule, Seed};
use posterior::{
    DataPath, Differentiable, LevelEstimate, Model, PartialPosterior, Rows, Smooth, subset,
};
use samplers::Length;

/// Rows of the first level: at least so many …
const FIRST: usize = 256;
/// … and so many a parameter.
const ROWS_A_PARAMETER: usize = 4;
/// Batches on which the cost of a level is measured.
const TRIALS: u64 = 4;

/// E[φ(θ) ∣ all rows] for a smooth model: on an anchored path where its weights allow it, else plain.
///
/// ```
/// use unbiased_bayes::{DenseBlock, DenseLogistic, DenseRows, Prior};
/// use unbiased_bayes::{Problem, Settings, Surroundings, Way, estimate};
///
/// let mut block = DenseBlock::zeros(20_000, 1);
/// for i in 0..20_000 {
///     let x = (i as f64).sin();
///     block.column_mut(0)[i] = x;
///     block.targets_mut()[i] = if (17.0 * i as f64).cos() < x { 1.0 } else { -1.0 };
/// }
/// let rows = DenseRows::new(block);
/// let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 1.0 })?;
/// let answer =
///     estimate(&Problem::means(&model, &rows), &Settings::default(), &Surroundings::none())?;
/// assert_eq!(answer.way, Way::Anchored);
/// let weight = &answer.estimates[0];
/// assert!(weight.summary.standard_error < 0.1 * weight.posterior_sd.unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate<R, M>(
    problem: &Problem<'_, R, M>,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    on_best_path(problem, settings, surroundings, Estimate)
}

/// The same for a model with gradients only, on the plain path.
///
/// ```no_run
/// # use unbiased_bayes::*;
/// # fn with<R: Rows, M: Differentiable<Block = R::Block>>(model: &M, rows: &R) -> Result<(), EstimateError> {
/// let problem = Problem::means(model, rows);
/// let answer = estimate_plain(&problem, &Settings::default(), &Surroundings::none())?;
/// # Ok(())
/// # }
/// ```
pub fn estimate_plain<R, M>(
    problem: &Problem<'_, R, M>,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    on_plain_path(problem, settings, surroundings, Vec::new(), Ledger::default(), Estimate)
}

/// The same with a level estimate of your own: a closed form, or a sampler of yours.
///
/// The names of the problem are those of what the level estimate gives; its functionals are not used.
///
/// ```
/// use unbiased_bayes::{DenseBlock, DenseRows, GaussianMean, GaussianMeanClosedForm};
/// use unbiased_bayes::{Problem, Settings, Surroundings, estimate_with};
///
/// let mut block = DenseBlock::zeros(10_000, 1);
/// block.column_mut(0).iter_mut().enumerate().for_each(|(i, x)| *x = (i as f64).sin());
/// let rows = DenseRows::new(block);
/// let model = GaussianMean::new(&[1.0], &[0.0], &[10.0])?;
/// let problem = Problem::means(&model, &rows);
/// let none = Surroundings::none();
/// let answer = estimate_with(&problem, &GaussianMeanClosedForm, &Settings::default(), &none)?;
/// let exact = model.posterior(rows.block())?.mean[0];
/// let summary = &answer.estimates[0].summary;
/// assert!((summary.mean - exact).abs() < 4.0 * summary.standard_error);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate_with<R, M, E>(
    problem: &Problem<'_, R, M>,
    level: &E,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    on_given_path(problem, level, settings, surroundings, Estimate)
}

/// Looks for an anchored path and takes the plain one if there is none.
pub(crate) fn on_best_path<R, M, V: Visit>(
    problem: &Problem<'_, R, M>,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
    visit: V,
) -> Result<V::Outcome, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let first = first(problem, settings)?;
    if settings.way == Way::Plain {
        return on_plain_path(
            problem,
            settings,
            surroundings,
            Vec::new(),
            Ledger::default(),
            visit,
        );
    }
    let mut spent = Ledger::default();
    let settled = match Settled::find(problem, first, settings, &surroundings.say, &mut spent) {
        Ok(settled) => settled,
        Err(error) if settings.way == Way::Anchored => return Err(error),
        Err(error) => {
            let remark = format!("no anchored path: {error}");
            (surroundings.say)(&remark);
            return on_plain_path(problem, settings, surroundings, vec![remark], spent, visit);
        }
    };
    let path = settled.path(&problem.functionals)?;
    let prepared = Prepared {
        names: &problem.names,
        rows: problem.rows.count(),
        core: settled.anchor.posterior.core_size(),
        way: Way::Anchored,
        schedule: &settled.schedule,
        setup: settled.setup,
        spread: Some(settled.spread.clone()),
        effective: settled.effective.clone(),
        remarks: vec![format!(
            "anchored after {} passes over all rows, {} rows kept exact",
            settled.passes,
            settled.anchor.posterior.core_size()
        )],
    };
    visit.visit(&path, prepared, settings, surroundings)
}

/// Partial posteriors by chains.
pub(crate) fn on_plain_path<R, M, V: Visit>(
    problem: &Problem<'_, R, M>,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
    remarks: Vec<String>,
    spent: Ledger,
    visit: V,
) -> Result<V::Outcome, EstimateError>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    let first = first(problem, settings)?;
    let length: Length = settings.length.into();
    let mut level = FramedLevel::new(problem, length);
    let seed = settings.seed.child("plain");
    let (evaluations, work) =
        evaluations_a_row(problem.rows, problem.model, &level, first, TRIALS, seed)
            .map_err(|error| EstimateError::Chain(error.into()))?;
    level.expected_evaluations = evaluations;
    let all = problem.rows.count();
    let rng = &mut seed.child("spread").stream(0);
    let block = problem.rows.gather(&subset(all, first, rng));
    let mut posterior = PartialPosterior::new(problem.model, &block);
    let draws =
        level.draws(&mut posterior, rng).map_err(|error| EstimateError::Chain(error.into()))?;
    let iterations = first as f64 * length.transitions() as f64;
    let gradients = posterior.ledger().gradients as f64 / iterations;
    let shrink = first as f64 / all as f64;
    let spread = Spread::of(&draws, &problem.functionals, gradients, shrink);
    let schedule = Schedule::halving(all, first)?;
    let path = DataPath::new(problem.rows, problem.model, &level, &schedule)
        .expect("a halving schedule ends with all rows");
    let prepared = Prepared {
        names: &problem.names,
        rows: all,
        core: 0,
        way: Way::Plain,
        schedule: &schedule,
        setup: spent + work + posterior.ledger(),
        spread: Some(spread),
        effective: Vec::new(),
        remarks,
    };
    visit.visit(&path, prepared, settings, surroundings)
}

/// Partial posteriors by a level estimate that is given.
pub(crate) fn on_given_path<R, M, E, V: Visit>(
    problem: &Problem<'_, R, M>,
    level: &E,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
    visit: V,
) -> Result<V::Outcome, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let first = first(problem, settings)?;
    let schedule = Schedule::halving(problem.rows.count(), first)?;
    let path = DataPath::new(problem.rows, problem.model, level, &schedule)
        .expect("a halving schedule ends with all rows");
    let prepared = Prepared {
        names: &problem.names,
        rows: problem.rows.count(),
        core: 0,
        way: Way::Plain,
        schedule: &schedule,
        setup: Ledger::default(),
        spread: None,
        effective: Vec::new(),
        remarks: Vec::new(),
    };
    visit.visit(&path, prepared, settings, surroundings)
}

/// n_1, checked: more rows than parameters, and three levels above it.
pub(crate) fn first<R, M>(
    problem: &Problem<'_, R, M>,
    settings: &Settings,
) -> Result<usize, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
{
    let (all, dimension) = (problem.rows.count(), problem.model.dimension());
    let suggested = (ROWS_A_PARAMETER * dimension).next_power_of_two().max(FIRST);
    let first = settings.first.unwrap_or(suggested);
    if first < dimension {
        return Err(EstimateError::FirstBatch { first, dimension, suggested });
    }
    if all / 4 < first {
        return Err(EstimateError::TooSmall { rows: all, first });
    }
    Ok(first)
}

/// Evaluations that a level estimate takes a row, on batches of its own, and the work of finding out.
///
/// ```
/// use unbiased_bayes::{DenseBlock, DenseRows, GaussianMean, GaussianMeanClosedForm, Seed};
///
/// let rows = DenseRows::new(DenseBlock::zeros(100, 1));
/// let model = GaussianMean::new(&[1.0], &[0.0], &[1.0])?;
/// let level = GaussianMeanClosedForm;
/// let (each, work) = unbiased_bayes::evaluations_a_row(&rows, &model, &level, 10, 4, Seed(1))?;
/// assert_eq!((each, work.likelihoods), (1.0, 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluations_a_row<R, M, E>(
    rows: &R,
    model: &M,
    level: &E,
    batch: usize,
    trials: u64,
    seed: Seed,
) -> Result<(f64, Ledger), E::Error>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let mut work = Ledger::default();
    for trial in 0..trials {
        let rng = &mut seed.child("evaluations").stream(trial);
        let block = rows.gather(&subset(rows.count(), batch, rng));
        let mut posterior = PartialPosterior::new(model, &block);
        level.estimate(&mut posterior, rng)?;
        work += posterior.ledger();
    }
    Ok((work.evaluations() as f64 / (trials as f64 * batch as f64), work))
}
