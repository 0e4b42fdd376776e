//! Regressions: the enriched anchored path, or NUTS on all rows where that takes less work.
//!
//! ```text
//! anchored   anchor and trial + R · (points by chains on the base + Σ_t P(T ≥ t) · rows_t · points)
//! NUTS       anchor + rows · gradients per transition · transitions
//! plain      levels² · N · gradients per transition · transitions
//! ```
//!
//! All predictions come from the same trial, which is thrown away: its variance of a replicate
//! gives R, and times the points of a replicate it gives the draws that NUTS needs. Rows of NUTS are the distinct
//! ones; what it would take with equal rows apart is told beside it. Levels of the plain path have the variance of
//! posteriors given n_t rows, N/n_t times that of all, and are reached with P(T ≥ t) ∝ 1/n_t: a replicate with one
//! effective draw per level varies by (N/n_1) · levels posterior variances, and takes n_1 · levels gradients.

use crate::answer::{Answer, Cost, PredictedCost, Shares};
use crate::by_nuts;
use crate::certified::{Approximation, approximations, certified};
use crate::derived::{Distribution, Found, Moments, Parts, estimates, mean, with_tails};
use crate::plain::{Outcome, Wanted, first, positive};
use crate::plan::{Plan, Prediction};
use crate::targets::{checked, errors, missed};
use crate::weighted_draws::draw;
use crate::{EstimateError, Estimation, Method, RunHooks, Stop, Target};
use anchored::{
    AnchoredRows, CHAINS, EnrichedPath, Explored, LEAST_REPLICATES, PointSource, Trial, WARM_UP,
    law,
};
use debias::engine::replicate;
use debias::{
    Debiased, Depths, Form, Guarantees, Ledger, Path, Replicates, Scheme, Summary, Tradeoff, Unseen,
};
use posterior::{Regression, Rows, Smooth};

/// Evaluations up to which NUTS is run without looking for anything better: about a second.
const SMALL: f64 = 3e7;
/// A base or a first level larger than this share of the rows is not looked for by `auto`.
const SHARE: usize = 4;

/// Answers or plans.
pub(crate) fn outcome<R, M>(
    question: &Estimation<'_, R, M>,
    regression: &dyn Regression<R::Block>,
    wanted: Wanted<'_>,
) -> Result<Outcome, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let (model, settings) = (question.model, &question.settings);
    let seed = settings.seed.child("anchored");
    question.say("looking for equal rows, and for the quadratic of all rows");
    let mut anchored = AnchoredRows::find(model, regression, question.rows, seed)?;
    let (kinds, all) = (anchored.rows.kinds(), anchored.rows.total());
    let mut remarks = vec![format!(
        "anchored after {} passes over {}",
        anchored.anchor.passes,
        if kinds < all { format!("{kinds} distinct rows of {all}") } else { format!("{all} rows") }
    )];
    let asked = settings.method;
    let least = CHAINS * (WARM_UP + by_nuts::LEAST);
    let answer = matches!(wanted, Wanted::Answer);
    let small = kinds as f64 * by_nuts::GRADIENTS * least as f64 <= SMALL;
    let vague = by_nuts::vague_dispersion(regression, &anchored, model.groups().len());
    if let (Some(sd), Method::Anchored) = (vague, asked) {
        return Err(EstimateError::VagueDispersion { sd });
    }
    let nuts = asked == Method::Nuts || (asked == Method::Auto && (small || vague.is_some()));
    if answer && nuts {
        let spent = anchored.anchor.ledger;
        let mut answer = by_nuts::of_regression(question, regression, &mut anchored, spent)?;
        if asked == Method::Auto {
            answer.reason = match vague {
                Some(sd) if !small => format!(
                    "NUTS on all rows, because the data says little about the dispersion: its logarithm \
                     has a posterior sd of about {sd:.2}"
                ),
                _ => format!(
                    "NUTS on all rows, because {kinds} distinct rows take it about a second"
                ),
            };
        }
        answer.remarks.splice(0..0, remarks);
        return Ok(Outcome::Answer(Box::new(answer)));
    }
    let most = if asked == Method::Anchored { 2 * kinds } else { kinds / SHARE };
    let points = points(settings.stop);
    let deviations: Vec<f64> =
        (0..model.dimension()).map(|j| anchored.anchor.deviation(j)).collect();
    let parts = Parts::new(&question.functionals, &deviations);
    let functionals = &parts.functionals;
    let RunHooks { store, observer, .. } = question.hooks;
    question.say("trial on points that are thrown away");
    let explored = Explored::new(
        model,
        regression,
        &anchored,
        functionals,
        points,
        most,
        seed,
        store,
        observer,
    );
    let mut explored = match explored {
        Ok(explored) => explored,
        Err(error) if asked == Method::Auto && answer && !observer.cancelled() => {
            let spent = anchored.anchor.ledger;
            let reason = format!("NUTS on all rows, because no anchored path is worth it: {error}");
            let mut answer = by_nuts::of_regression(question, regression, &mut anchored, spent)?;
            answer.reason = reason;
            answer.remarks.splice(0..0, remarks);
            return Ok(Outcome::Answer(Box::new(answer)));
        }
        Err(error) => return Err(EstimateError::Trial(error)),
    };
    let target = match settings.stop {
        Stop::Error { target, .. } => target,
        _ => Target::PosteriorSds(0.05),
    };
    let by_error = matches!(settings.stop, Stop::Error { .. });
    if by_error {
        let target = checked(target)?;
        let wanted = |trial: &Trial| errors(target, functionals, &trial.deviations);
        explored.look_closer(wanted, observer).map_err(EstimateError::Trial)?;
    }
    if explored.base_rows() > 0 {
        remarks.push(format!(
            "points by {CHAINS} chains on a base of {} rows, {:.1} gradients per draw",
            explored.base_rows(),
            explored.trial.gradients
        ));
    }
    let predict = |target: Target| -> Result<Prediction, EstimateError> {
        let errors = errors(checked(target)?, functionals, &explored.trial.deviations);
        let replicates = explored.replicates(&errors);
        let relative = explored.trial.variances.iter().zip(&errors).map(|(v, e)| v / (e * e));
        let draws = (relative.fold(0.0, f64::max) * explored.points() as f64)
            .max((CHAINS * by_nuts::LEAST) as f64);
        let transitions = (CHAINS * WARM_UP) as f64 + draws;
        let gradients = if explored.trial.gradients > 0.0 {
            explored.trial.gradients
        } else {
            by_nuts::GRADIENTS
        };
        let anchor = anchored.anchor.ledger.evaluations() as f64;
        Ok(Prediction {
            target,
            error: errors.iter().copied().fold(f64::INFINITY, f64::min),
            replicates,
            evaluations: explored.spent().evaluations() as f64
                + replicates as f64 * explored.replicate_cost(),
            nuts: Some(anchor + kinds as f64 * gradients * transitions),
        })
    };
    if let Wanted::Plan(targets) = wanted {
        let levels = 1..=explored.levels();
        return Ok(Outcome::Plan(Plan {
            method: Method::Anchored,
            rows: all,
            distinct_rows: kinds,
            levels: levels.map(|level| explored.expected_rows(level)).collect(),
            spent: explored.spent(),
            cost: explored.replicate_cost(),
            predictions: targets.iter().map(|&target| predict(target)).collect::<Result<_, _>>()?,
            remarks,
        }));
    }
    let prediction = predict(target)?;
    let nuts = prediction.nuts.unwrap_or(f64::INFINITY);
    let mut predicted = vec![
        PredictedCost::new(Method::Anchored, kinds, prediction.evaluations),
        PredictedCost::new(Method::Nuts, kinds, nuts),
    ];
    let anchor = anchored.anchor.ledger.evaluations() as f64;
    let apart = (nuts - anchor) / kinds as f64 * all as f64;
    if kinds < all {
        predicted.push(PredictedCost::new(Method::Nuts, all, anchor + apart));
    }
    if let Ok(first) = first(question) {
        let levels = (all as f64 / first as f64).log2().ceil() + 1.0;
        predicted.push(PredictedCost::new(Method::Plain, all, levels * levels * apart));
    }
    if asked == Method::Auto && by_error && nuts < prediction.evaluations {
        let spent = explored.spent();
        drop(explored);
        let mut answer = by_nuts::of_regression(question, regression, &mut anchored, spent)?;
        answer.reason = format!(
            "NUTS on {kinds} distinct rows, because it is predicted to take {nuts:.1e} evaluations \
             where the anchored path takes {:.1e}",
            prediction.evaluations
        );
        answer.predicted = predicted;
        answer.remarks.splice(0..0, remarks);
        return Ok(Outcome::Answer(Box::new(answer)));
    }
    let spent = explored.spent().evaluations() as f64;
    let each = explored.replicate_cost();
    let replicates = match settings.stop {
        Stop::Replicates(count) => count.max(2),
        Stop::Error { budget, .. } => {
            if let Some(budget) = budget
                && prediction.evaluations > positive(budget)?
            {
                let reachable = ((budget - spent) / each).max(0.0);
                let reachable =
                    prediction.error * (prediction.replicates as f64 / reachable).sqrt();
                return Err(EstimateError::Unreachable {
                    target: prediction.error,
                    needed: prediction.evaluations,
                    budget,
                    reachable,
                });
            }
            prediction.replicates
        }
        Stop::Budget(budget) => {
            let count = ((positive(budget)? - spent) / each) as usize;
            if count < LEAST_REPLICATES / 2 {
                let replicates = LEAST_REPLICATES as f64 / 2.0 * each;
                return Err(EstimateError::Budget { setup: spent, replicates, budget });
            }
            count
        }
    };
    let replicates = replicates.next_multiple_of(CHAINS);
    let increments = explored.trial.increments.clone();
    let first = explored.trial.variances.clone();
    question.say(&format!("{replicates} replicates of {each:.2e} evaluations each on average"));
    let (path, setup) = explored.path(replicates, &parts.quantiles, observer)?;
    let reason = match asked {
        Method::Auto if by_error => format!(
            "anchored path, because it is predicted to take {:.1e} evaluations where NUTS on {kinds} \
             distinct rows takes {nuts:.1e}",
            prediction.evaluations
        ),
        _ => "anchored path, as asked for".to_owned(),
    };
    let passes = question.certifying;
    let (approximations, spent) =
        approximations(question, regression, &anchored, passes, &mut remarks);
    let setup = setup + spent;
    let parts = &parts;
    let path = &path;
    let run = Run { question, parts, path, approximations, replicates, setup, first, increments };
    let mut answer = run.answer()?;
    answer.predicted = predicted;
    answer.reason = reason;
    answer.remarks.splice(0..0, remarks);
    if by_error {
        answer.remarks.extend(missed(target, &answer.estimates));
    }
    answer.distinct_rows = kinds;
    draw(question, path, seed, &mut answer);
    Ok(Outcome::Answer(Box::new(answer)))
}

/// Points of a replicate: few for a rough answer, more for a fine one, whose bias must be smaller.
fn points(stop: Stop) -> usize {
    match stop {
        Stop::Error { target: Target::PosteriorSds(share), .. } if share > 0.0 => {
            ((0.6 / share).ceil() as usize).next_power_of_two().clamp(16, 128)
        }
        _ => 32,
    }
}

/// Replicates of a path that is ready.
struct Run<'a, 'b, R: Rows, M> {
    question: &'a Estimation<'b, R, M>,
    parts: &'a Parts,
    path: &'a EnrichedPath<'a, R, M>,
    approximations: Vec<Approximation>,
    replicates: usize,
    setup: Ledger,
    /// The variance of a replicate and E Δ_2² of each functional, by the trial.
    first: Vec<f64>,
    increments: Vec<f64>,
}

impl<R, M> Run<'_, '_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    fn answer(self) -> Result<Answer, EstimateError> {
        let (question, path) = (self.question, self.path);
        let settings = &question.settings;
        let seed = settings.seed.child("replicates");
        let form = settings.form.unwrap_or(Form::AntitheticSum);
        let law = law(path.levels());
        let depths = Depths::draw(&law, Scheme::Independent, self.replicates, 1, seed)?;
        let debiased = Debiased::new(path, form, depths)?;
        let range = 0..self.replicates as u64;
        let hooks = &question.hooks;
        let run = replicate(&debiased, range, seed, hooks.store, hooks.observer)
            .map_err(|error| EstimateError::Replicates(error.into()))?;
        let layout = path.layout();
        let mut remarks = Vec::new();
        let replicates = Weighted { path, run: &run };
        let derived = estimates(&question.names, self.parts, &replicates, &mut remarks)?;
        let approximations =
            certified(&self.approximations, &question.functionals, &derived, &replicates)?;
        // Increments in squares fall fourfold from level to level; the functional that moves most.
        let worst = (0..self.first.len())
            .max_by(|&a, &b| {
                let share = |at: usize| self.increments[at] / self.first[at];
                share(a).total_cmp(&share(b))
            })
            .unwrap_or(0);
        let levels = path.levels();
        let gain = |level: usize| self.increments[worst] * 4f64.powi(2 - level as i32);
        let sums: f64 = (2..=levels).map(|level| gain(level) / law.tail(level)).sum();
        let mut gains = vec![(self.first[worst] - sums).max(0.0)];
        gains.extend((2..=levels).map(gain));
        let tradeoff = Tradeoff { form, gains, costs: Tradeoff::level_costs(path, form) };
        let mut shares = run.functional(layout.share());
        shares.sort_by(f64::total_cmp);
        let width = derived.len();
        let values = (0..run.count()).flat_map(|r| derived.iter().map(move |one| one.series[r]));
        let values = values.collect();
        let kept =
            Replicates::from_columns(width, values, run.depths().to_vec(), run.costs().to_vec());
        Ok(Answer {
            estimates: derived.into_iter().map(|one| one.estimated).collect(),
            method: Method::Anchored,
            reason: String::new(),
            predicted: Vec::new(),
            form: Some(form),
            rows: question.rows.count(),
            distinct_rows: question.rows.count(),
            levels: (1..=levels).map(|level| path.expected_rows(level)).collect(),
            cost: Cost {
                setup: self.setup,
                pilot: Ledger::default(),
                replicates: run.total_cost(),
            },
            unseen: Some(Unseen::audit(run.depths(), &law, &tradeoff)),
            guarantees: Guarantees { caveats: path.caveats() },
            approximations,
            shares: Some(Shares { least: shares[0], median: shares[shares.len() / 2] }),
            chains: None,
            remarks,
            replicates: kept.expect("one value for each functional and replicate"),
            draws: Vec::new(),
            weighted: None,
        })
    }
}

/// Replicates of an anchored path, as what was found of its parts.
struct Weighted<'a, R: Rows, M> {
    path: &'a EnrichedPath<'a, R, M>,
    run: &'a Replicates,
}

impl<R, M> Found for Weighted<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    fn moments(&self, part: usize) -> Moments {
        let (run, layout) = (self.run, self.path.layout());
        Moments {
            values: run.functional(part),
            squares: run.functional(layout.second_moment(part)),
            centre: self.path.directions[part].centre,
            bias: Some(mean(&run.functional(layout.remaining_bias(part)))),
        }
    }

    fn distribution(&self, part: usize, probabilities: &[f64]) -> Distribution {
        let (run, layout) = (self.run, self.path.layout());
        let all = self.path.thresholds.iter().enumerate();
        let own: Vec<(usize, f64)> = all
            .filter(|(_, threshold)| threshold.functional == part)
            .map(|(at, threshold)| (at, threshold.place))
            .collect();
        let bias = |&(at, _): &(usize, f64)| mean(&run.functional(layout.below_bias(at)));
        let direction = &self.path.directions[part];
        Distribution {
            probabilities: probabilities.to_vec(),
            thresholds: own.iter().map(|&(_, place)| place).collect(),
            centre: direction.centre,
            deviation: direction.deviation,
            functions: own.iter().map(|&(at, _)| run.functional(layout.below(at))).collect(),
            biases: own.iter().map(bias).collect(),
        }
    }

    fn summarise(&self, series: &[f64]) -> Result<Summary, EstimateError> {
        let summary = match self.path.points {
            // Replicates share chains, and neighbours of one chain have neighbouring draws.
            PointSource::Chains { ref chains, .. } => Summary::of_series(series, chains.len())?,
            PointSource::Mirrored { .. } => Summary::of(series)?,
        };
        Ok(with_tails(summary, series))
    }
}
