//! NUTS on all rows: four chains in the metric of a Laplace approximation, with control variates.
//!
//! ```text
//! estimate of E f = mean over draws of  f(θ) + ∇f(θ₀)ᵀ C ∇ ln π(θ)
//! ```
//!
//! The coefficients C come from the approximation, not from the draws that they correct; sds and quantiles
//! have the control variates of `samplers::Standardised`. The chains
//! run until the standard errors of these means are those asked for; split R̂ and the effective
//! number of draws are those of f itself.

use crate::answer::{Answer, ChainReport, Cost, Estimated};
use crate::certified::{Approximation, approximations, certified};
use crate::derived::{Derived, Distribution, Found, Moments, Parts, estimates, mean};
use crate::plain::positive;
use crate::targets::scale;
use crate::{EstimateError, Estimation, Method, Stop, Target as WantedError};
use anchored::{
    AnchoredRows, CHAINS, Centring, Chains, ChainsError, Direction, Slope, WARM_UP, WholePosterior,
};
use baselines::FullPosterior;
use debias::{Caveat, Guarantees, Interval, Ledger, Replicates, Summary};
use models::anchor::newton;
use posterior::{Regression, Rows, Smooth, Target};
use samplers::diagnostics::{Chains as Series, ess_mean, mcse_mean, rhat};
use samplers::{Draws, Frame, Functional, Standardised, Thresholds, thresholds};

/// Gradients per transition in a metric that fits, until they are known better.
pub(crate) const GRADIENTS: f64 = 6.5;
/// Draws of each chain: the fewest, and the most.
pub(crate) const LEAST: usize = 100;
const MOST: usize = 25_000;
/// Split R̂ beyond which chains have not mixed; that of a hundred draws is noisy.
const MIXED: f64 = 1.1;
/// Standard errors of few draws are noisy: that many more draws are run. Where errors are still larger than
/// wanted by this factor, more draws are run again, in so many rounds.
const MARGIN: f64 = 1.1;
const REACHED: f64 = 1.1;
const ROUNDS: usize = 3;
/// One divergence in so many draws is remarked upon.
const MANY: usize = 100;
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
    let brought = &question.brought;
    let target = || posterior.uncounted();
    run(question, (&frame, None), target, all, mode.ledger, brought)
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
    // A few passes are nothing beside those of the chains.
    let mut remarks = Vec::new();
    let (approximations, passes) =
        approximations(question, regression, anchored, true, &mut remarks);
    let (rows, anchor) = (&anchored.rows, &anchored.anchor);
    let target = || WholePosterior::new(question.model, regression, rows);
    let coordinates = (&anchor.frame, anchor.centring.as_ref());
    let setup = spent + passes;
    let mut answer = run(question, coordinates, target, rows.kinds(), setup, &approximations)?;
    answer.remarks.splice(0..0, remarks);
    Ok(answer)
}

fn run<R, M, T>(
    question: &Estimation<'_, R, M>,
    (frame, centring): (&Frame, Option<&Centring>),
    target: impl Fn() -> T,
    distinct_rows: usize,
    setup: Ledger,
    approximations: &[Approximation],
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
    let kept = (question.hooks.store, "nuts");
    let begun = Chains::begin(frame, centring, question.model.kinks(), target, seed, kept);
    let mut chains = begun.map_err(failed)?;
    chains.settle(LEAST, observer).map_err(failed)?;
    let deviations: Vec<f64> = frame.factor().variances().iter().map(|v| v.sqrt()).collect();
    let parts = Parts::new(&question.functionals, &deviations);
    let mut sampled = Sampled::new(&parts, frame, &deviations, chains.draws());
    let each = chains.work_per_transition();
    let cost_of = |draws: f64| spent + CHAINS as f64 * each * (WARM_UP as f64 + draws);
    // The largest error over the one that is wanted.
    let worst = |found: &[(f64, f64)], target: WantedError| {
        let ratio = |(&(error, sd), functional): (&(f64, f64), &Functional)| {
            let wanted = target.of(scale(functional, sd));
            if error > 0.0 { error / wanted } else { 0.0 }
        };
        found.iter().zip(&parts.functionals).map(ratio).fold(0.0, f64::max)
    };
    let wanted = match settings.stop {
        Stop::Error { target, budget } => {
            let found = sampled.errors()?;
            let worst = worst(&found, target);
            let needed = LEAST as f64 * MARGIN * worst * worst;
            if let Some(budget) = budget
                && cost_of(needed.max(LEAST as f64)) > positive(budget)?
            {
                let target = found.iter().map(|&(_, sd)| target.of(sd));
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
    let mut draws = (wanted.ceil() as usize).clamp(LEAST, MOST);
    if draws > LEAST {
        chains.enter("more");
        chains.advance(draws, observer).map_err(failed)?;
        sampled = Sampled::new(&parts, frame, &deviations, chains.draws());
    }
    let mut remarks = Vec::new();
    // The errors of a few draws of slow chains say little: look again.
    if let Stop::Error { target, budget } = settings.stop {
        for round in 0.. {
            let missed = worst(&sampled.errors()?, target);
            let more = (draws as f64 * MARGIN * missed * missed).ceil() as usize;
            let more = more.clamp(draws, MOST);
            let affordable = budget.is_none_or(|budget| cost_of(more as f64) <= budget);
            if missed <= REACHED {
                break;
            }
            if round == ROUNDS || more == draws || !affordable {
                remarks.push(format!(
                    "the largest standard error is {missed:.1} times what was asked for after {draws} draws of each \
                     chain: they mix slowly"
                ));
                break;
            }
            draws = more;
            chains.enter("more");
            chains.advance(draws, observer).map_err(failed)?;
            sampled = Sampled::new(&parts, frame, &deviations, chains.draws());
        }
    }
    let derived = estimates(&question.names, &parts, &sampled, &mut remarks)?;
    let approximations = certified(approximations, &question.functionals, &derived, &sampled)?;
    let replicates = as_replicates(&derived, chains.ledger());
    let estimates: Vec<Estimated> = derived.into_iter().map(|one| one.estimated).collect();
    let worst_rhat = estimates.iter().filter_map(|one| one.rhat).fold(1.0, f64::max);
    if worst_rhat > MIXED {
        remarks.push(format!(
            "split R̂ is {worst_rhat:.3} in the worst functional: the chains have not mixed, and the \
             error bars are too short"
        ));
    }
    let divergences = sampled.chains.iter().map(Draws::divergences).sum();
    if MANY * divergences > CHAINS * draws {
        remarks.push(format!(
            "{divergences} of {} draws diverged: parts of the posterior are too narrow for the chains' steps, and \
             what lies there may be missed",
            CHAINS * draws
        ));
    }
    let report = ChainReport {
        chains: CHAINS,
        draws,
        divergences,
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
        approximations,
        shares: None,
        chains: Some(report),
        remarks,
        replicates,
        draws: sampled.chains,
        weighted: None,
    })
}

/// The posterior sd of the logarithm of a dispersion beyond which no quadratic has its tails: counts that
/// are not overdispersed leave the likelihood flat on one side, and a base with lighter tails than the
/// posterior would never see them.
const VAGUE: f64 = 0.3;

/// That sd, if it is too large for an anchored path.
pub(crate) fn vague_dispersion<R: Rows>(
    regression: &dyn Regression<R::Block>,
    anchored: &AnchoredRows<'_, R>,
    groups: usize,
) -> Option<f64> {
    // The logarithms of the sds of groups come after it.
    let last = anchored.anchor.centre().len() - 1 - groups;
    let sd = anchored.anchor.deviation(last);
    (regression.predictors() > 1 && sd > VAGUE).then_some(sd)
}

/// Draws of NUTS, with their gradients made control variates, as what was found of the parts.
struct Sampled<'a> {
    parts: &'a Parts,
    directions: Vec<Direction>,
    centre: &'a [f64],
    chains: Vec<Draws>,
    /// C ∇ ln π at each draw, chain after chain.
    moved: Vec<Vec<f64>>,
}

impl<'a> Sampled<'a> {
    fn new(
        parts: &'a Parts,
        frame: &'a Frame,
        deviations: &[f64],
        chains: Vec<Draws>,
    ) -> Sampled<'a> {
        let (centre, d) = (frame.mean(), frame.dimension());
        let whiten = |vector: &[f64]| {
            let (mut half, mut moved) = (vec![0.0; d], vec![0.0; d]);
            frame.factor().apply_transpose(vector, &mut half);
            frame.factor().apply(&half, &mut moved);
            moved
        };
        let one = |functional| Direction::new(functional, centre, deviations, whiten);
        let directions = parts.functionals.iter().map(one).collect();
        let gradients = |chain: &'_ Draws| -> Vec<Vec<f64>> {
            let gradients = chain.gradients().expect("NUTS computes gradients");
            gradients.chunks_exact(d).map(whiten).collect()
        };
        let moved = chains.iter().flat_map(gradients).collect();
        Sampled { parts, directions, centre, chains, moved }
    }

    fn draws(&self) -> impl Iterator<Item = &[f64]> {
        self.chains.iter().flat_map(Draws::iter)
    }

    fn raw(&self, part: usize) -> Vec<f64> {
        let functional = &self.parts.functionals[part];
        self.draws().map(|theta| functional.integrand(theta)).collect()
    }

    /// a·(θ − θ₀) and a·C∇ ln π at each draw.
    fn moves(&self, part: usize) -> Vec<(f64, f64)> {
        let slope = &self.directions[part].slope;
        let one = |(theta, moved): (&[f64], &Vec<f64>)| {
            (slope.offset(theta, self.centre), slope.along(moved))
        };
        self.draws().zip(&self.moved).map(one).collect()
    }

    fn standardised(&self, part: usize) -> Vec<Standardised> {
        let deviation = self.directions[part].deviation;
        let one = |(place, pull): (f64, f64)| {
            Standardised::new(place / deviation, (place + pull) / deviation)
        };
        self.moves(part).into_iter().map(one).collect()
    }

    fn series(&self, values: &[f64]) -> Result<Series, EstimateError> {
        let length = self.chains[0].count();
        Series::new(values.chunks_exact(length).map(<[f64]>::to_vec).collect())
            .map_err(|error| EstimateError::Chain(error.into()))
    }

    /// The standard error of each part's mean, and its standard deviation.
    fn errors(&self) -> Result<Vec<(f64, f64)>, EstimateError> {
        let one = |part: usize| {
            let moments = self.moments(part);
            let error = self.summarise(&moments.values)?.standard_error;
            Ok((error, moments.variance().0.max(0.0).sqrt()))
        };
        (0..self.parts.functionals.len()).map(one).collect()
    }
}

impl Found for Sampled<'_> {
    fn moments(&self, part: usize) -> Moments {
        let direction = &self.directions[part];
        let raw = self.raw(part);
        let centre = direction.centre;
        let (mut values, mut squares) = (raw.clone(), Vec::new());
        squares.extend(raw.iter().map(|value| (value - centre).powi(2)));
        if let Some(threshold) = direction.threshold {
            values = self.standardised(part).iter().map(|one| one.below(threshold)).collect();
        } else if direction.slope != Slope::None {
            let both = values.iter_mut().zip(&mut squares).zip(self.moves(part));
            for ((value, square), (place, pull)) in both {
                *value += pull;
                *square += direction.deviation.powi(2) + place * pull;
            }
        }
        Moments { values, squares, centre, bias: None }
    }

    fn distribution(&self, part: usize, probabilities: &[f64]) -> Distribution {
        let mut points = self.standardised(part);
        let Thresholds { places: thresholds, controlled } = thresholds(&points, probabilities);
        if !controlled {
            points.iter_mut().for_each(|one| *one = Standardised::plain(one.place()));
        }
        let below = |&c: &f64| points.iter().map(|one| one.below(c)).collect();
        let Direction { centre, deviation, .. } = self.directions[part];
        Distribution {
            probabilities: probabilities.to_vec(),
            functions: thresholds.iter().map(below).collect(),
            biases: vec![0.0; thresholds.len()],
            thresholds,
            centre,
            deviation,
        }
    }

    fn summarise(&self, values: &[f64]) -> Result<Summary, EstimateError> {
        let series = self.series(values)?;
        let (estimate, error) = (mean(values), mcse_mean(&series));
        let freedom = (ess_mean(&series) - 1.0).max(1.0);
        Ok(Summary {
            count: values.len(),
            mean: estimate,
            variance: error * error * values.len() as f64,
            standard_error: error,
            interval: Interval::student(estimate, error, freedom),
        })
    }

    fn diagnose(&self, part: usize, estimated: &mut Estimated) -> Result<(), EstimateError> {
        let raw = self.series(&self.raw(part))?;
        estimated.effective = Some(ess_mean(&raw));
        estimated.rhat = Some(rhat(&raw)).filter(|rhat| rhat.is_finite());
        Ok(())
    }
}

/// The draws as replicates of equal cost, for figures.
fn as_replicates(derived: &[Derived], work: Ledger) -> Replicates {
    let count = derived.first().map_or(0, |one| one.series.len());
    let values = (0..count).flat_map(|draw| derived.iter().map(move |one| one.series[draw]));
    let each = Ledger { gradients: work.gradients / count.max(1) as u64, ..Ledger::default() };
    Replicates::from_columns(derived.len(), values.collect(), vec![1; count], vec![each; count])
        .expect("one value for each functional and draw")
}
