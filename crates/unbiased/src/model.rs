//! From the name of a model to a problem, whatever its types.

use crate::arguments::{Common, ModelName};
use crate::exit;
use crate::functionals::{Asked, of_regression};
use crate::relabelled::Relabelled;
use crate::source::{Source, Stored, Wants};
use models::design::{Design, Patterned};
use models::feature_regression::{FeaturePredictions, FeatureRegression, FeatureWeights};
use models::features::FourierFeatures;
use posterior::{Block, LevelEstimate, Model, Rows, Smooth};
use unbiased_bayes::{
    Functional, Gaussian, GaussianMean, GaussianMeanClosedForm, GeneralisedLinear, Logistic, Prior,
    Problem, Seed,
};

/// Columns of gaussian-mean: a matrix of so many squared takes 128 MB.
const MOST_MEANS: usize = 4000;

/// What is done with a problem: one of the three questions.
pub trait Question {
    type Outcome;

    /// For a smooth model.
    fn smooth<R, M>(self, problem: &Problem<'_, R, M>) -> anyhow::Result<Self::Outcome>
    where
        R: Rows,
        M: Smooth<Block = R::Block>;

    /// For a level estimate in closed form.
    fn closed<R, M, E>(
        self,
        problem: &Problem<'_, R, M>,
        level: &E,
    ) -> anyhow::Result<Self::Outcome>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>;
}

impl ModelName {
    /// What it wants beside covariates.
    pub fn wants(self) -> Wants {
        match self {
            ModelName::Logistic => Wants::Class,
            ModelName::Linear | ModelName::RandomFeatures => Wants::Number,
            ModelName::GaussianMean => Wants::Nothing,
        }
    }

    /// Whether its posterior is known in closed form.
    pub fn closed_form(self) -> bool {
        matches!(self, ModelName::RandomFeatures | ModelName::GaussianMean)
    }
}

/// Puts the question to the model that was asked for.
pub fn put<Q: Question>(
    common: &Common,
    source: &Source,
    question: Q,
) -> anyhow::Result<Q::Outcome> {
    let asked =
        common.functional.iter().map(|text| Asked::read(text)).collect::<Result<Vec<_>, _>>()?;
    let width = source.names.len();
    let prior = common.prior.map_or(Prior::Laplace { scale: 1.0 }, |prior| prior.0);
    if prior == Prior::Flat
        && let Some(j) = source.columns.constant().next()
    {
        return Err(exit::data(format!(
            "column \"{}\" is never used: a flat prior leaves its weight free",
            source.names[j]
        )));
    }
    match (common.model, &source.rows) {
        (ModelName::Logistic, Stored::Dense(rows)) => {
            let rows = Relabelled { rows, positive: source.positive };
            logistic(&rows, &asked, source, prior, question)
        }
        (ModelName::Logistic, Stored::Sparse(rows)) if source.columns.binary => {
            logistic(&Patterned(rows), &asked, source, prior, question)
        }
        (ModelName::Logistic, Stored::Sparse(rows)) => {
            logistic(rows, &asked, source, prior, question)
        }
        (ModelName::Linear, Stored::Dense(rows)) => {
            let noise = noise(common)?;
            let functionals = of_regression(&asked, &source.names, &source.predictions, |eta| eta)?;
            let new = |prior| GeneralisedLinear::new(noise, width, prior);
            regression(rows, new(prior)?, new(stand_in(prior))?, prior, functionals, question)
        }
        (ModelName::Linear, Stored::Sparse(rows)) => {
            let noise = noise(common)?;
            let functionals = of_regression(&asked, &source.names, &source.predictions, |eta| eta)?;
            let new = |prior| GeneralisedLinear::new(noise, width, prior);
            regression(rows, new(prior)?, new(stand_in(prior))?, prior, functionals, question)
        }
        (ModelName::RandomFeatures, Stored::Dense(rows)) => {
            random_features(common, source, rows, &asked, question)
        }
        (ModelName::GaussianMean, Stored::Dense(rows)) => {
            let width = source.names.len();
            let sd = match common.prior.map(|prior| prior.0) {
                None => 10.0,
                Some(Prior::Gaussian { standard_deviation }) => standard_deviation,
                Some(_) => return Err(exit::usage("gaussian-mean takes --prior gaussian:SD")),
            };
            only_means(&asked)?;
            if width > MOST_MEANS {
                return Err(exit::data(format!(
                    "{width} columns: gaussian-mean keeps matrices of columns by columns and takes at \
                     most {MOST_MEANS}; choose some with --columns"
                )));
            }
            let diagonal = |value: f64| -> Vec<f64> {
                (0..width * width).map(|i| if i % (width + 1) == 0 { value } else { 0.0 }).collect()
            };
            noise(common)?;
            let covariances = (diagonal(common.noise), diagonal(sd * sd));
            let model = GaussianMean::new(&covariances.0, &vec![0.0; width], &covariances.1)?;
            let functionals = Functional::means(width);
            let functionals = source.names.iter().cloned().zip(functionals).collect();
            question.closed(&Problem::new(&model, rows, functionals), &GaussianMeanClosedForm)
        }
        (ModelName::RandomFeatures | ModelName::GaussianMean, Stored::Sparse(_)) => {
            Err(exit::data(
                "this model takes numbers, and the data has categories: leave them out with --drop",
            ))
        }
    }
}

/// The same prior without kinks.
fn stand_in(prior: Prior) -> Prior {
    match prior {
        Prior::Laplace { scale } => Prior::like_laplace(scale),
        smooth => smooth,
    }
}

fn noise(common: &Common) -> anyhow::Result<Gaussian> {
    Gaussian::new(common.noise)
        .map_err(|error| exit::usage(format!("{error}; --noise takes a positive number")))
}

fn only_means(asked: &[Asked]) -> anyhow::Result<()> {
    if asked.iter().all(|one| *one == Asked::Mean) {
        return Ok(());
    }
    Err(exit::usage("closed forms give means: leave --functional out"))
}

fn logistic<R, Q>(
    rows: &R,
    asked: &[Asked],
    source: &Source,
    prior: Prior,
    question: Q,
) -> anyhow::Result<Q::Outcome>
where
    R: Rows,
    R::Block: Design,
    Q: Question,
{
    let chance = |eta: f64| 1.0 / (1.0 + (-eta).exp());
    let functionals = of_regression(asked, &source.names, &source.predictions, chance)?;
    let new = |prior| Logistic::<R::Block>::new(source.names.len(), prior);
    regression(rows, new(prior)?, new(stand_in(prior))?, prior, functionals, question)
}

fn regression<R, M, Q>(
    rows: &R,
    model: M,
    smooth: M,
    prior: Prior,
    functionals: Vec<(String, Functional)>,
    question: Q,
) -> anyhow::Result<Q::Outcome>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    Q: Question,
{
    let problem = Problem::new(&model, rows, functionals);
    match prior {
        Prior::Laplace { scale } => question.smooth(&problem.with_laplace_prior(&smooth, scale)),
        _ => question.smooth(&problem),
    }
}

fn random_features<R, Q>(
    common: &Common,
    source: &Source,
    rows: &R,
    asked: &[Asked],
    question: Q,
) -> anyhow::Result<Q::Outcome>
where
    R: Rows<Block = posterior::DenseBlock>,
    Q: Question,
{
    if common.prior.is_some() {
        return Err(exit::usage("random-features have a standard normal prior: leave --prior out"));
    }
    let rng = &mut Seed(common.seed).child("features").stream(0);
    let map =
        FourierFeatures::sample(common.features, source.names.len(), common.length_scale, rng)
            .map_err(|error| exit::usage(error.to_string()))?;
    noise(common)?;
    let model = FeatureRegression::new(map, common.noise)?;
    let placeholder = |name: String| (name, Functional::Mean(0));
    if let [Asked::Predict(_)] = asked {
        let points = source.predictions[0].dense(source.names.len());
        let names = (1..=points.rows()).map(|row| placeholder(format!("row {row}"))).collect();
        return question.closed(&Problem::new(&model, rows, names), &FeaturePredictions { points });
    }
    only_means(asked)?;
    let names = (1..=common.features).map(|j| placeholder(format!("f{j}"))).collect();
    question.closed(&Problem::new(&model, rows, names), &FeatureWeights)
}
