//! The pilot alone: what would it cost?

use crate::estimate::{on_best_path, on_given_path, on_plain_path};
use crate::prepared::{Prepared, Visit};
use crate::problem::Problem;
use crate::{Effective, EstimateError, Settings, Stop, Surroundings, Target, Way};
use debias::{Form, Growth, Ledger, Path};
use posterior::{Differentiable, LevelEstimate, Model, Rows, Smooth};

/// What one error target would take.
///
/// ```
/// use unbiased_bayes::{Prediction, Target};
///
/// let target = Target::PosteriorSds(0.1);
/// let ours = Prediction { target, error: 0.02, replicates: 40, evaluations: 1e8, full_chain: Some(1e10) };
/// assert!(ours.full_chain.is_some_and(|full| ours.evaluations < full), "ours takes less work");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Prediction {
    /// The target.
    pub target: Target,
    /// The standard error it asks of the functional that needs most.
    pub error: f64,
    /// Replicates.
    pub replicates: usize,
    /// Likelihood evaluations, set-up included.
    pub evaluations: f64,
    /// Likelihood evaluations of full MCMC, where they can be told.
    pub full_chain: Option<f64>,
}

/// What to do: [`Recommendation::sentence`] says it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recommendation {
    /// The anchored path.
    Anchored,
    /// The plain path.
    Plain,
    /// Neither: full MCMC, or a closed form over all rows, takes less work.
    None,
}

impl Recommendation {
    /// For people.
    ///
    /// ```
    /// use unbiased_bayes::Recommendation;
    ///
    /// assert!(Recommendation::None.sentence().contains("run full MCMC"));
    /// ```
    pub fn sentence(self) -> &'static str {
        match self {
            Recommendation::Anchored => "use the anchored path",
            Recommendation::Plain => "use the plain path",
            Recommendation::None => "your data is small: run full MCMC instead",
        }
    }
}

/// What the pilot says.
///
/// ```
/// # use unbiased_bayes::{DenseBlock, DenseLogistic, DenseRows, Prior};
/// # use unbiased_bayes::{Problem, Recommendation, Settings, Surroundings, Target, plan};
/// # let mut block = DenseBlock::zeros(20_000, 1);
/// # for i in 0..20_000 {
/// #     block.column_mut(0)[i] = (i as f64).sin();
/// #     block.targets_mut()[i] = if (17.0 * i as f64).cos() < (i as f64).sin() { 1.0 } else { -1.0 };
/// # }
/// # let rows = DenseRows::new(block);
/// # let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 1.0 })?;
/// let problem = Problem::means(&model, &rows);
/// let targets = [Target::PosteriorSds(0.1), Target::PosteriorSds(0.01)];
/// let plan = plan(&problem, &targets, &Settings::default(), &Surroundings::none())?;
/// assert_eq!(plan.recommendation, Recommendation::Anchored);
/// assert!(plan.predictions[1].full_chain.unwrap() > plan.predictions[1].evaluations);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize)]
pub struct Plan {
    /// The path the pilot ran on.
    pub way: Way,
    /// The form of its replicates.
    pub form: Form,
    /// N.
    pub rows: usize,
    /// Rows kept exact.
    pub core: usize,
    /// n_1, …, n_L.
    pub schedule: Vec<usize>,
    /// Anchor, cost and spread of levels.
    pub setup: Ledger,
    /// The pilot.
    pub pilot: Ledger,
    /// Expected evaluations a replicate.
    pub cost: f64,
    /// The rate β at which increments shrink.
    pub beta: f64,
    /// Whether work × variance would stay bounded with more data.
    pub growth: Growth,
    /// Effective points of the levels looked at.
    pub effective: Vec<Effective>,
    /// One for each target.
    pub predictions: Vec<Prediction>,
    /// What to do.
    pub recommendation: Recommendation,
    /// Sentences for people.
    pub remarks: Vec<String>,
}

/// The pilot of [`crate::estimate`].
pub fn plan<R, M>(
    problem: &Problem<'_, R, M>,
    targets: &[Target],
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Plan, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    on_best_path(problem, settings, surroundings, Planning { targets, closed_form: false })
}

/// The pilot of [`crate::estimate_plain`].
///
/// ```no_run
/// # use unbiased_bayes::*;
/// # fn with<R: Rows, M: Differentiable<Block = R::Block>>(model: &M, rows: &R) -> Result<(), EstimateError> {
/// let targets = [Target::PosteriorSds(1.0)];
/// let problem = Problem::means(model, rows);
/// let plan = plan_plain(&problem, &targets, &Settings::default(), &Surroundings::none())?;
/// # Ok(())
/// # }
/// ```
pub fn plan_plain<R, M>(
    problem: &Problem<'_, R, M>,
    targets: &[Target],
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Plan, EstimateError>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    let planning = Planning { targets, closed_form: false };
    on_plain_path(problem, settings, surroundings, Vec::new(), Ledger::default(), planning)
}

/// The pilot of [`crate::estimate_with`], for a level estimate in closed form: one pass over all rows
/// would give the answer itself.
///
/// ```
/// # use unbiased_bayes::{DenseBlock, DenseRows, GaussianMean, GaussianMeanClosedForm};
/// # use unbiased_bayes::{Problem, Settings, Surroundings, Target, plan_with};
/// # let mut block = DenseBlock::zeros(10_000, 1);
/// # block.column_mut(0).iter_mut().enumerate().for_each(|(i, x)| *x = (i as f64).sin());
/// # let rows = DenseRows::new(block);
/// # let model = GaussianMean::new(&[1.0], &[0.0], &[10.0])?;
/// let problem = Problem::means(&model, &rows);
/// let (level, none) = (GaussianMeanClosedForm, Surroundings::none());
/// let plan = plan_with(&problem, &level, &[Target::Absolute(0.1)], &Settings::default(), &none)?;
/// assert_eq!(plan.predictions[0].full_chain, Some(10_000.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_with<R, M, E>(
    problem: &Problem<'_, R, M>,
    level: &E,
    targets: &[Target],
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Plan, EstimateError>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let closed_form = level.caveats().is_empty();
    on_given_path(problem, level, settings, surroundings, Planning { targets, closed_form })
}

/// Predicts, and runs no replicate.
struct Planning<'a> {
    targets: &'a [Target],
    closed_form: bool,
}

impl Visit for Planning<'_> {
    type Outcome = Plan;

    fn visit<P: Path>(
        self,
        path: &P,
        prepared: Prepared<'_>,
        settings: &Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Plan, EstimateError> {
        // Form and law are those for the first target; they hang on none of its numbers.
        let stop = self
            .targets
            .first()
            .map_or(settings.stop, |&target| Stop::Error { target, budget: None });
        let tuned = prepared.tune(path, settings, stop, surroundings)?;
        let law = &tuned.law;
        let spent = (prepared.setup + law.pilot).evaluations() as f64;
        let predict = |&target: &Target| -> Result<Prediction, EstimateError> {
            let errors = prepared.errors(target)?;
            let replicates = tuned.replicates(&errors);
            let chain = prepared.spread.as_ref();
            let chain = chain
                .map(|spread| spread.full_chain(prepared.rows, settings.length.warm_up, &errors));
            Ok(Prediction {
                target,
                error: errors.iter().copied().fold(f64::INFINITY, f64::min),
                replicates,
                evaluations: spent + replicates as f64 * law.cost,
                full_chain: if self.closed_form { Some(prepared.rows as f64) } else { chain },
            })
        };
        let predictions = self.targets.iter().map(predict).collect::<Result<Vec<_>, _>>()?;
        // A path is worth taking where it wins at most of the targets.
        let wins = |one: &&Prediction| one.full_chain.is_none_or(|full| one.evaluations < full);
        let won = predictions.iter().filter(wins).count();
        let recommendation = match prepared.way {
            _ if 2 * won < predictions.len().max(1) => Recommendation::None,
            Way::Plain => Recommendation::Plain,
            _ => Recommendation::Anchored,
        };
        Ok(Plan {
            way: prepared.way,
            form: tuned.form,
            rows: prepared.rows,
            core: prepared.core,
            schedule: prepared.schedule.sizes().to_vec(),
            setup: prepared.setup,
            pilot: law.pilot,
            cost: law.cost,
            beta: law.beta.0,
            growth: law.growth,
            effective: prepared.effective,
            predictions,
            recommendation,
            remarks: prepared.remarks,
        })
    }
}
