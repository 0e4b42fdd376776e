//! Paths that a pilot tunes: plain partial posteriors, closed forms, and the uniform anchored path.
//!
//! Form, law and number of replicates come from a pilot that is thrown away.

use crate::answer::{Answer, Cost, estimates};
use crate::framed::FramedLevel;
use crate::plan::{Plan, Prediction};
use crate::tuned::{GROUPS, Tuned, whole_groups};
use crate::{EstimateError, Estimation, Method, Spread, Stop, Target};
use debias::engine::replicate;
use debias::{Debiased, Depths, Growth, Guarantees, Ledger, Path, Schedule, Scheme, Seed, Unseen};
use posterior::{DataPath, Differentiable, LevelEstimate, Model, PartialPosterior, Rows, subset};
use samplers::Length;

/// Rows of the first level: at least so many, and so many for each parameter.
const FIRST: usize = 256;
const ROWS_PER_PARAMETER: usize = 4;
/// Batches on which the cost of a level is measured.
const TRIALS: u64 = 4;

/// What is to be done once a path is ready.
#[derive(Clone, Copy)]
pub(crate) enum Wanted<'t> {
    /// Run the replicates.
    Answer,
    /// Predict the cost of these errors.
    Plan(&'t [Target]),
}

/// What was done.
pub(crate) enum Outcome {
    Answer(Box<Answer>),
    Plan(Plan),
}

impl Outcome {
    pub fn answer(self) -> Answer {
        match self {
            Outcome::Answer(answer) => *answer,
            Outcome::Plan(_) => panic!("an answer was wanted, and a plan was made"),
        }
    }

    pub fn plan(self) -> Plan {
        match self {
            Outcome::Plan(plan) => plan,
            Outcome::Answer(_) => panic!("a plan was wanted, and an answer was given"),
        }
    }
}

/// All that is known about a path before its pilot.
pub(crate) struct Prepared<'a> {
    pub names: &'a [String],
    pub rows: usize,
    pub method: Method,
    pub schedule: &'a Schedule,
    /// Work before the pilot.
    pub setup: Ledger,
    pub spread: Option<Spread>,
    /// Whether one pass over all rows gives the answer itself.
    pub closed_form: bool,
    pub remarks: Vec<String>,
}

/// Partial posteriors by chains; `smooth` is the model without the kinks of its prior.
pub(crate) fn on_plain_path<R, M>(
    question: &Estimation<'_, R, M>,
    smooth: Option<&M>,
    kinks: Option<Vec<f64>>,
    wanted: Wanted<'_>,
) -> Result<Outcome, EstimateError>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    let Estimation { model, rows, settings, .. } = *question;
    let first = first(question)?;
    let length: Length = settings.length.into();
    let smooth = smooth.unwrap_or(model);
    let mut level = FramedLevel::new(smooth, kinks, length, &question.functionals);
    let seed = settings.seed.child("plain");
    let (evaluations, work) = evaluations_per_row(rows, model, &level, first, TRIALS, seed)
        .map_err(|error| EstimateError::Chain(error.into()))?;
    level.expected_evaluations = evaluations;
    let all = rows.count();
    let rng = &mut seed.child("spread").stream(0);
    let block = rows.gather(&subset(all, first, rng));
    let mut posterior = PartialPosterior::new(model, &block);
    let draws =
        level.draws(&mut posterior, rng).map_err(|error| EstimateError::Chain(error.into()))?;
    let iterations = first as f64 * length.transitions() as f64;
    let gradients = posterior.ledger().gradients as f64 / iterations;
    let shrink = first as f64 / all as f64;
    let spread = Spread::of(&draws, &question.functionals, gradients, shrink);
    let schedule = Schedule::halving(all, first)?;
    let path = DataPath::new(rows, model, &level, &schedule)
        .expect("a halving schedule ends with all rows");
    let prepared = Prepared {
        names: &question.names,
        rows: all,
        method: Method::Plain,
        schedule: &schedule,
        setup: work + posterior.ledger(),
        spread: Some(spread),
        closed_form: false,
        remarks: vec![
            "posterior standard deviations are those of the first batch, scaled to all rows: they \
             are rough"
                .to_owned(),
        ],
    };
    prepared.outcome(question, &path, wanted)
}

/// Partial posteriors by a level estimate that is given.
pub(crate) fn on_given_path<R, M, E>(
    question: &Estimation<'_, R, M>,
    level: &E,
    wanted: Wanted<'_>,
) -> Result<Outcome, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let Estimation { model, rows, .. } = *question;
    let schedule = Schedule::halving(rows.count(), first(question)?)?;
    let path = DataPath::new(rows, model, level, &schedule)
        .expect("a halving schedule ends with all rows");
    let prepared = Prepared {
        names: &question.names,
        rows: rows.count(),
        method: Method::Plain,
        schedule: &schedule,
        setup: Ledger::default(),
        spread: None,
        closed_form: level.caveats().is_empty(),
        remarks: Vec::new(),
    };
    prepared.outcome(question, &path, wanted)
}

/// n_1, checked: more rows than parameters, and three levels above it.
pub(crate) fn first<R, M>(question: &Estimation<'_, R, M>) -> Result<usize, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
{
    let (all, dimension) = (question.rows.count(), question.model.dimension());
    let suggested = (ROWS_PER_PARAMETER * dimension).next_power_of_two().max(FIRST);
    let first = question.settings.first.unwrap_or(suggested);
    if first < dimension {
        return Err(EstimateError::FirstBatch { first, dimension, suggested });
    }
    if all / 4 < first {
        return Err(EstimateError::TooSmall { rows: all, first });
    }
    Ok(first)
}

/// Evaluations that a level estimate takes per row, on batches of its own, and the work of finding out.
///
/// ```
/// use unbiased_bayes::{DenseBlock, DenseRows, GaussianMean, GaussianMeanClosedForm, Seed};
///
/// let rows = DenseRows::new(DenseBlock::zeros(100, 1));
/// let model = GaussianMean::new(&[1.0], &[0.0], &[1.0])?;
/// let level = GaussianMeanClosedForm;
/// let (each, work) = unbiased_bayes::evaluations_per_row(&rows, &model, &level, 10, 4, Seed(1))?;
/// assert_eq!((each, work.likelihoods), (1.0, 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluations_per_row<R, M, E>(
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

impl Prepared<'_> {
    /// Lets a pilot choose form and law, and does what is wanted.
    pub fn outcome<R, M, P>(
        self,
        question: &Estimation<'_, R, M>,
        path: &P,
        wanted: Wanted<'_>,
    ) -> Result<Outcome, EstimateError>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        P: Path,
    {
        match wanted {
            Wanted::Answer => self.answer(question, path).map(Box::new).map(Outcome::Answer),
            Wanted::Plan(targets) => self.plan(question, path, targets).map(Outcome::Plan),
        }
    }

    /// Form and law of a discarded pilot, for replicates that stop like this.
    fn tune<R, M, P>(
        &self,
        question: &Estimation<'_, R, M>,
        path: &P,
        stop: Stop,
    ) -> Result<Tuned, EstimateError>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        P: Path,
    {
        // The increments of anchored levels are small, and fall like n⁻² from the first on.
        let looked_at = if self.method == Method::Anchored { 3 } else { 4 };
        let levels = self.schedule.levels();
        let looked_at = looked_at.min(levels);
        question.say(&format!(
            "pilot on the first {looked_at} of {levels} levels ({}), to be thrown away",
            self.method.name()
        ));
        Tuned::by_pilot(path, self.schedule, looked_at, &question.settings, stop)
    }

    /// The standard errors that a target asks for.
    fn errors(&self, target: Target) -> Result<Vec<f64>, EstimateError> {
        let value = match target {
            Target::Absolute(value) | Target::PosteriorSds(value) => value,
        };
        positive(value)?;
        match (&self.spread, target) {
            (Some(spread), _) => Ok(spread.sds.iter().map(|&sd| target.of(sd)).collect()),
            (None, Target::Absolute(error)) => Ok(vec![error; self.names.len()]),
            (None, Target::PosteriorSds(_)) => Err(EstimateError::NoSpread),
        }
    }

    fn answer<R, M, P>(
        self,
        question: &Estimation<'_, R, M>,
        path: &P,
    ) -> Result<Answer, EstimateError>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        P: Path,
    {
        let (settings, hooks) = (&question.settings, &question.hooks);
        let tuned = self.tune(question, path, settings.stop)?;
        let law = &tuned.law;
        let spent = (self.setup + law.pilot).evaluations() as f64;
        let seed = settings.seed.child("replicates");
        let stratified = |replicates: usize| {
            Depths::draw(&law.law, Scheme::Stratified, replicates, GROUPS, seed)
        };
        let depths = match settings.stop {
            Stop::Replicates(replicates) => stratified(whole_groups(replicates))?,
            Stop::Error { target, budget } => {
                let errors = self.errors(target)?;
                let replicates = tuned.replicates(&errors);
                let needed = spent + replicates as f64 * law.cost;
                if let Some(budget) = budget.filter(|&budget| needed > budget) {
                    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
                    let reachable = least * tuned.shortfall(&errors, positive(budget)? - spent);
                    return Err(EstimateError::Unreachable {
                        target: least,
                        needed,
                        budget,
                        reachable,
                    });
                }
                stratified(replicates)?
            }
            Stop::Budget(budget) => {
                let (left, replicates) = (positive(budget)? - spent, GROUPS as f64 * law.cost);
                if left < replicates {
                    return Err(EstimateError::Budget { setup: spent, replicates, budget });
                }
                // Enough depths even if all of them were the cheapest.
                let most = (left / tuned.law.tradeoff.costs[0]).ceil() as usize + 1;
                let drawn = Depths::draw(&law.law, Scheme::Independent, most, 1, seed)?;
                let count = Debiased::new(path, tuned.form, drawn)?.replicates_within(left);
                // Two replicates have an error bar. That more than two do not fit says nothing of which
                // comes first, so that the rule stays unbiased.
                let count = count.expect("independent depths can change places").max(2) as usize;
                Depths::draw(&law.law, Scheme::Independent, count, 1, seed)?
            }
        };
        let count = depths.count();
        let groups = if depths.scheme() == Scheme::Independent { count } else { GROUPS };
        question
            .say(&format!("{count} replicates of {:.2e} evaluations each on average", law.cost));
        let estimator = Debiased::new(path, tuned.form, depths)?;
        let run = replicate(&estimator, 0..count as u64, seed, hooks.store, hooks.observer)
            .map_err(|error| EstimateError::Replicates(error.into()))?;
        let estimates = estimates(self.names, &run, groups, self.spread.as_ref())?;
        let cost = Cost { setup: self.setup, pilot: law.pilot, replicates: run.total_cost() };
        let mut remarks = self.remarks;
        if law.growth == Growth::Growing {
            remarks.push(format!(
                "increments shrink like n^-{:.2}: with more data the variance at a fixed cost would grow",
                law.beta.0
            ));
        }
        Ok(Answer {
            estimates,
            method: self.method,
            reason: format!(
                "{} path, as asked for or as the only one for this model",
                self.method.name()
            ),
            predicted: Vec::new(),
            form: Some(tuned.form),
            rows: self.rows,
            distinct_rows: self.rows,
            levels: self.schedule.sizes().iter().map(|&size| size as f64).collect(),
            cost,
            unseen: Some(Unseen::audit(run.depths(), &law.law, &law.tradeoff)),
            guarantees: Guarantees { caveats: path.caveats() },
            approximations: Vec::new(),
            shares: None,
            chains: None,
            remarks,
            replicates: run,
            draws: Vec::new(),
            weighted: None,
        })
    }

    /// Predicts, and runs no replicate.
    fn plan<R, M, P>(
        self,
        question: &Estimation<'_, R, M>,
        path: &P,
        targets: &[Target],
    ) -> Result<Plan, EstimateError>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        P: Path,
    {
        let settings = &question.settings;
        // Form and law are those for the first target; they depend on none of its numbers.
        let stop =
            targets.first().map_or(settings.stop, |&target| Stop::Error { target, budget: None });
        let tuned = self.tune(question, path, stop)?;
        let law = &tuned.law;
        let spent = self.setup + law.pilot;
        let predict = |&target: &Target| -> Result<Prediction, EstimateError> {
            let errors = self.errors(target)?;
            let replicates = tuned.replicates(&errors);
            let chain = self.spread.as_ref();
            let chain =
                chain.map(|spread| spread.full_chain(self.rows, settings.length.warm_up, &errors));
            Ok(Prediction {
                target,
                error: errors.iter().copied().fold(f64::INFINITY, f64::min),
                replicates,
                evaluations: spent.evaluations() as f64 + replicates as f64 * law.cost,
                nuts: if self.closed_form { Some(self.rows as f64) } else { chain },
            })
        };
        Ok(Plan {
            method: self.method,
            rows: self.rows,
            distinct_rows: self.rows,
            levels: self.schedule.sizes().iter().map(|&size| size as f64).collect(),
            spent,
            cost: law.cost,
            predictions: targets.iter().map(predict).collect::<Result<Vec<_>, _>>()?,
            remarks: self.remarks,
        })
    }
}

pub(crate) fn positive(value: f64) -> Result<f64, EstimateError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(EstimateError::Stop { value }) }
}
