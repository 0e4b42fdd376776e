//! NUTS on all rows: four chains in the metric of a Laplace approximation, with control variates.
//!
//! ```text
//! estimate of E f = mean over draws of  f(θ) + ∇f(θ₀)ᵀ C ∇ ln π(θ)
//! ```
//!
//! The coefficients C come from the approximation, not from the draws that they correct. The chains
//! run until the standard errors of these means are those asked for; split R̂ and the effective
//! number of draws are those of f itself.

use crate::answer::{Answer, ChainReport, Cost, Estimated};
use crate::plain::positive;
use crate::{EstimateError, Estimation, Method, Stop};
use anchored::{AnchoredRows, CHAINS, Chains, ChainsError, WARM_UP, WholePosterior, slope};
use baselines::FullPosterior;
use debias::{Caveat, Guarantees, Interval, Ledger, Replicates, Summary};
use models::anchor::newton;
use posterior::{Regression, Rows, Smooth, Target};
use samplers::diagnostics::{Chains as Series, ess_mean, mcse_mean, rhat};
use samplers::{Draws, Frame, Functional};

/// Gradients per transition in a metric that fits, until they are known better.
pub(crate) const GRADIENTS: f64 = 6.5;
/// Draws of each chain: the fewest, and the most.
pub(crate) const LEAST: usize = 100;
const MOST: usize = 25_000;
/// Split R̂ beyond which chains have not mixed; that of a hundred draws is noisy.
const MIXED: f64 = 1.1;
/// Standard errors of few draws are noisy: that many more draws are run.
const MARGIN: f64 = 1.1;
/// The step, in posterior sds, at which Newton's method has found the metric.
const STEP: f64 = 0.1;
const MOST_PASSES: u64 = 50;

/// NUTS for a model without linear predictors; `smooth` is the model without kinks.
pub(crate) fn of_model<R, M>(
    question: &Estimation<'_, R, M>,
    smooth: &M,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let start = question.model.start();
    let mode = newton(smooth, question.rows, &start, STEP, MOST_PASSES)
        .map_err(anchored::uniform::AnchorError::from)?;
    let frame = anchored::uniform::frame_of(&mode.theta, &mode.covariance)
        .map_err(anchored::uniform::AnchorError::from)?;
    let posterior = FullPosterior::new(question.model, question.rows);
    let all = question.rows.count();
    run(question, &frame, || posterior.uncounted(), all, mode.ledger)
}

/// NUTS for a regression, equal rows put together.
pub(crate) fn of_regression<R, M>(
    question: &Estimation<'_, R, M>,
    regression: &dyn Regression<R::Block>,
    anchored: &mut AnchoredRows<'_, R>,
    spent: Ledger,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    anchored.rows.keep(question.model.dimension());
    let (rows, frame) = (&anchored.rows, &anchored.anchor.frame);
    let target = || WholePosterior::new(question.model, regression, rows);
    run(question, frame, target, rows.kinds(), spent)
}

fn run<R, M, T>(
    question: &Estimation<'_, R, M>,
    frame: &Frame,
    target: impl Fn() -> T,
    distinct_rows: usize,
    setup: Ledger,
) -> Result<Answer, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    T: Target + Send,
{
    let (settings, observer) = (&question.settings, question.hooks.observer);
    let seed = settings.seed.child("nuts");
    let spent = setup.evaluations() as f64;
    if let Stop::Budget(budget) = settings.stop {
        let least = (distinct_rows * CHAINS * (WARM_UP + LEAST)) as f64 * GRADIENTS;
        if spent + least > positive(budget)? {
            return Err(EstimateError::Budget { setup: spent, replicates: least, budget });
        }
    }
    question.say(&format!("NUTS on {distinct_rows} distinct rows: {CHAINS} chains"));
    let failed = |error: ChainsError| EstimateError::Chain(error.into());
    let mut chains = Chains::begin(frame, question.model.kinks(), target, seed).map_err(failed)?;
    chains.advance(LEAST, observer).map_err(failed)?;
    if !chains.mixes() {
        chains.deepen();
        chains.advance(LEAST, observer).map_err(failed)?;
    }
    let mut estimates = estimates(question, frame, &chains.draws())?;
    let each = chains.ledger().evaluations() as f64 / chains.transitions() as f64;
    let cost_of = |draws: f64| spent + CHAINS as f64 * each * (WARM_UP as f64 + draws);
    let wanted = match settings.stop {
        Stop::Error { target, budget } => {
            let ratio = |(one, functional): (&Estimated, &Functional)| {
                let error = target.of(scale(functional, one.posterior_sd.unwrap_or(0.0)));
                if one.summary.standard_error > 0.0 {
                    one.summary.standard_error / error
                } else {
                    0.0
                }
            };
            let worst = estimates.iter().zip(&question.functionals).map(ratio).fold(0.0, f64::max);
            let needed = LEAST as f64 * MARGIN * worst * worst;
            if let Some(budget) = budget
                && cost_of(needed.max(LEAST as f64)) > positive(budget)?
            {
                let target = estimates.iter().map(|one| target.of(one.posterior_sd.unwrap_or(0.0)));
                let target = target.fold(f64::INFINITY, f64::min);
                return Err(EstimateError::Unreachable {
                    target,
                    needed: cost_of(needed),
                    budget,
                    reachable: target * worst,
                });
            }
            needed
        }
        Stop::Budget(budget) => {
            (positive(budget)? - spent) / (CHAINS as f64 * each) - WARM_UP as f64
        }
        Stop::Replicates(draws) => draws as f64 / CHAINS as f64,
    };
    let draws = (wanted.ceil() as usize).clamp(LEAST, MOST);
    if draws > LEAST {
        chains.advance(draws, observer).map_err(failed)?;
        estimates = self::estimates(question, frame, &chains.draws())?;
    }
    let found = chains.draws();
    let mut remarks = Vec::new();
    let worst_rhat = estimates.iter().filter_map(|one| one.rhat).fold(1.0, f64::max);
    if worst_rhat > MIXED {
        remarks.push(format!(
            "split R̂ is {worst_rhat:.3} in the worst functional: the chains have not mixed, and the \
             error bars are too short"
        ));
    }
    let report = ChainReport {
        chains: CHAINS,
        draws,
        divergences: found.iter().map(Draws::divergences).sum(),
        worst_rhat,
        least_effective: estimates
            .iter()
            .filter_map(|one| one.effective)
            .fold(f64::INFINITY, f64::min),
    };
    Ok(Answer {
        estimates,
        method: Method::Nuts,
        reason: format!("NUTS on {distinct_rows} distinct rows, as asked for"),
        predicted: Vec::new(),
        form: None,
        rows: question.rows.count(),
        distinct_rows,
        levels: Vec::new(),
        cost: Cost { setup, pilot: Ledger::default(), replicates: chains.ledger() },
        unseen: None,
        guarantees: Guarantees { caveats: vec![Caveat::FiniteChain, Caveat::StoppedOnError] },
        shares: None,
        chains: Some(report),
        remarks,
        replicates: as_replicates(question, &found, chains.ledger()),
    })
}

/// The unit of a functional's error: its posterior standard deviation, and for the chance of an event at
/// least that of a chance of one in a hundred, since the sd of what is all but certain says little.
pub(crate) fn scale(functional: &Functional, sd: f64) -> f64 {
    if matches!(functional, Functional::Probability(_)) { sd.max(0.1) } else { sd }
}

/// Means, errors and diagnoses of all functionals.
fn estimates<R, M>(
    question: &Estimation<'_, R, M>,
    frame: &Frame,
    chains: &[Draws],
) -> Result<Vec<Estimated>, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let d = frame.dimension();
    let deviations: Vec<f64> = frame.factor().variances().iter().map(|v| v.sqrt()).collect();
    let moved = whitened(frame, chains);
    let series = |values: Vec<Vec<f64>>| {
        Series::new(values).map_err(|error| EstimateError::Chain(error.into()))
    };
    let one = |(name, functional): (&String, &Functional)| {
        let raw: Vec<Vec<f64>> = chains
            .iter()
            .map(|chain| chain.iter().map(|theta| functional.integrand(theta)).collect())
            .collect();
        let count: usize = raw.iter().map(Vec::len).sum();
        let mean_of = |values: &[Vec<f64>]| values.iter().flatten().sum::<f64>() / count as f64;
        let mean = mean_of(&raw);
        let square = |value: &f64| (value - mean).powi(2);
        let variance = raw.iter().flatten().map(square).sum::<f64>() / (count - 1) as f64;
        let slope = slope(functional, frame.mean(), &deviations);
        let helped = |(values, moved): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
            let along = moved.chunks_exact(d).map(|moved| slope.along(moved));
            match functional.is_expectation() {
                true => values.iter().zip(along).map(|(value, along)| value + along).collect(),
                false => values.iter().map(square).collect(),
            }
        };
        let helped: Vec<Vec<f64>> = raw.iter().zip(&moved).map(helped).collect();
        let estimate = mean_of(&helped);
        let raw = series(raw)?;
        let helped = series(helped)?;
        let error = mcse_mean(&helped);
        let effective = ess_mean(&helped);
        let summary = Summary {
            count,
            mean: estimate,
            variance: error * error * count as f64,
            standard_error: error,
            interval: Interval::student(estimate, error, (effective - 1.0).max(1.0)),
        };
        let own = ess_mean(&raw);
        let mut found = Estimated::new(name, summary, Some(variance.sqrt()));
        found.sd_error = Some((variance / (2.0 * own)).sqrt());
        found.effective = Some(own);
        found.rhat = Some(rhat(&raw)).filter(|rhat| rhat.is_finite());
        Ok(found)
    };
    question.names.iter().zip(&question.functionals).map(one).collect()
}

/// C ∇ ln π at every draw of every chain, one after the other.
fn whitened(frame: &Frame, chains: &[Draws]) -> Vec<Vec<f64>> {
    let d = frame.dimension();
    let factor = frame.factor();
    let dense = factor.is_dense().then(|| factor.covariance());
    let one = |chain: &Draws| {
        let gradients = chain.gradients().expect("NUTS computes gradients");
        let (mut moved, mut half) = (vec![0.0; gradients.len()], vec![0.0; d]);
        for (moved, g) in moved.chunks_exact_mut(d).zip(gradients.chunks_exact(d)) {
            match &dense {
                Some(covariance) => {
                    for (moved, line) in moved.iter_mut().zip(covariance.chunks_exact(d)) {
                        *moved = line.iter().zip(g).map(|(c, g)| g * c).sum();
                    }
                }
                None => {
                    factor.apply_transpose(g, &mut half);
                    factor.apply(&half, moved);
                }
            }
        }
        moved
    };
    chains.iter().map(one).collect()
}

/// The draws as replicates of equal cost, for figures.
fn as_replicates<R, M>(
    question: &Estimation<'_, R, M>,
    chains: &[Draws],
    work: Ledger,
) -> Replicates
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let width = question.functionals.len();
    let draws = chains.iter().flat_map(Draws::iter);
    let values: Vec<f64> = draws
        .flat_map(|theta| question.functionals.iter().map(move |f| f.integrand(theta)))
        .collect();
    let count = values.len() / width.max(1);
    let each = Ledger { gradients: work.gradients / count.max(1) as u64, ..Ledger::default() };
    Replicates::from_columns(width, values, vec![1; count], vec![each; count])
        .expect("one value for each functional and draw")
}
