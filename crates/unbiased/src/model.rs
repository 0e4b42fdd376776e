//! From the name of a model to an estimation, whatever its types.

use crate::approximation;
use crate::arguments::{Common, ModelName};
use crate::exit;
use crate::functionals::{self, Asked, of_regression};
use crate::priors::Chosen;
use crate::relabelled::Relabelled;
use crate::source::{Source, Stored, Wants};
use models::anchor::newton;
use models::design::{Design, Patterned};
use models::feature_regression::{FeaturePredictions, FeatureRegression, FeatureWeights};
use models::features::FourierFeatures;
use models::generalised_linear::Poisson;
use posterior::{Block, DenseBlock, LevelEstimate, Model, Rows, Smooth, pass};
use std::path::PathBuf;
use unbiased_bayes::{
    Answer, Comparison, Estimation, Functional, Gaussian, GaussianMean, GaussianMeanClosedForm,
    GeneralisedLinear, Logistic, Plan, Prior, Priors, RunHooks, Seed, Settings, Target,
};

/// Columns of gaussian-mean: a matrix of so many squared takes 128 MB.
const MOST_MEANS: usize = 4000;

/// What is asked of the data.
pub enum Question {
    Estimate,
    Plan(Vec<Target>),
    Compare(f64),
    /// Files with approximations.
    Certify(Vec<PathBuf>),
}

/// What came out.
pub enum Outcome {
    Answer(Box<Answer>),
    Plan(Plan),
    Comparison(Box<Comparison>),
}

/// A question with its settings and hooks, and what is said of the prior on the way.
pub struct Task<'a> {
    pub common: &'a Common,
    pub source: &'a Source,
    pub question: Question,
    pub settings: Settings,
    pub hooks: RunHooks<'a>,
    /// Sentences on priors and noise, for the output.
    pub notes: Vec<String>,
}

impl ModelName {
    /// What it wants beside covariates.
    pub fn wants(self) -> Wants {
        match self {
            ModelName::Logistic => Wants::Class,
            ModelName::Linear | ModelName::Poisson | ModelName::RandomFeatures => Wants::Number,
            ModelName::GaussianMean => Wants::Nothing,
        }
    }

    /// Whether its posterior is known in closed form.
    pub fn closed_form(self) -> bool {
        matches!(self, ModelName::RandomFeatures | ModelName::GaussianMean)
    }
}

impl Task<'_> {
    /// Puts the question to the model that was asked for.
    pub fn run(&mut self) -> anyhow::Result<Outcome> {
        let (common, source) = (self.common, self.source);
        let asked = common.functional.iter().map(|text| Asked::read(text));
        let asked = asked.collect::<Result<Vec<_>, _>>()?;
        if common.prior.is_some_and(|prior| prior.0 == Prior::Flat)
            && let Some(j) = source.columns.constant().next()
        {
            return Err(exit::data(format!(
                "column \"{}\" is never used: a flat prior leaves its weight free",
                source.names[j]
            )));
        }
        match (common.model, &source.rows) {
            (ModelName::Logistic, Stored::Dense(rows)) => {
                self.logistic(&Relabelled { rows, positive: source.positive }, &asked)
            }
            (ModelName::Logistic, Stored::Sparse(rows)) if source.columns.binary => {
                self.logistic(&Patterned(rows), &asked)
            }
            (ModelName::Logistic, Stored::Sparse(rows)) => self.logistic(rows, &asked),
            (ModelName::Linear, Stored::Dense(rows)) => self.linear(rows, &asked),
            (ModelName::Linear, Stored::Sparse(rows)) => self.linear(rows, &asked),
            (ModelName::Poisson, Stored::Dense(rows)) => self.poisson(rows, &asked),
            (ModelName::Poisson, Stored::Sparse(rows)) => self.poisson(rows, &asked),
            (ModelName::RandomFeatures, Stored::Dense(rows)) => self.random_features(rows, &asked),
            (ModelName::GaussianMean, Stored::Dense(rows)) => self.gaussian_mean(rows, &asked),
            (ModelName::RandomFeatures | ModelName::GaussianMean, Stored::Sparse(_)) => {
                Err(exit::data(
                    "this model takes numbers, and the data has categories: leave them out with --drop",
                ))
            }
        }
    }

    fn logistic<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let prior = self.prior(1.0, 0.0);
        let model = Logistic::<R::Block>::new(self.source.names.len(), prior)?;
        self.regression(&model, rows, asked, |eta| 1.0 / (1.0 + (-eta).exp()))
    }

    fn linear<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let target = self.source.columns.target();
        let unit = if target.deviation() > 0.0 { target.deviation() } else { 1.0 };
        let prior = self.prior(unit, target.mean);
        let width = self.source.names.len();
        let noise = match self.common.noise {
            Some(noise) => noise,
            None => {
                // The mode under any noise that is small beside the prior is that of least squares, and
                // −2 ℓ there the sum of squared residuals.
                let unit_noise = Gaussian::new(1.0)?;
                let model: GeneralisedLinear<_, R::Block> =
                    GeneralisedLinear::new(unit_noise, width, prior.clone())?;
                let mode = newton(&model, rows, &vec![0.0; width + 1], 1e-6, 10)
                    .map_err(|error| exit::data(format!("least squares: {error}")))?;
                let freedom = rows.count().saturating_sub(width + 1).max(1) as f64;
                let noise = -2.0 * mode.expansion.value / freedom;
                self.notes.push(format!(
                    "the variance of the noise is set to that of the residuals, {noise:.6}; --noise sets another"
                ));
                if noise > 0.0 {
                    noise
                } else {
                    return Err(exit::data(
                        "the columns explain the response without any residual: there is no noise to \
                         estimate; give its variance with --noise",
                    ));
                }
            }
        };
        let family = Gaussian::new(noise)
            .map_err(|error| exit::usage(format!("{error}; --noise takes a positive number")))?;
        let model = GeneralisedLinear::<_, R::Block>::new(family, width, prior)?;
        self.regression(&model, rows, asked, |eta| eta)
    }

    fn poisson<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let bad = |block: R::Block| {
            block.targets().iter().copied().find(|y| !(*y >= 0.0 && y.fract() == 0.0))
        };
        if let Some(y) = pass(rows, bad, None, |first, part| *first = first.or(part)) {
            let target = self.source.coding.as_ref().and_then(|coding| coding.target.as_ref());
            let label = target.map_or("label", |target| target.name.as_str());
            return Err(exit::data(format!(
                "column \"{label}\" holds {y}, and poisson takes counts: 0, 1, 2, …"
            )));
        }
        let prior = self.prior(1.0, 0.0);
        let model = GeneralisedLinear::<_, R::Block>::new(Poisson, self.source.names.len(), prior)?;
        self.regression(&model, rows, asked, f64::exp)
    }

    /// The prior, which is also said in the output.
    fn prior(&mut self, unit: f64, offset: f64) -> Priors {
        let chosen = Chosen::new(self.common, self.source, unit, offset);
        self.notes.push(format!("prior: {}", chosen.sentence));
        Priors::each(chosen.laws)
    }

    fn regression<R, M>(
        &self,
        model: &M,
        rows: &R,
        asked: &[Asked],
        mean: fn(f64) -> f64,
    ) -> anyhow::Result<Outcome>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let source = self.source;
        let functionals = of_regression(asked, &source.names, &source.predictions, mean)?;
        let names: Vec<String> = functionals.iter().map(|(name, _)| name.clone()).collect();
        let question = Estimation::new(model, rows).asking(functionals);
        let question = question.settings(self.settings).hooks(self.hooks);
        match &self.question {
            Question::Estimate => question.run().map(Box::new).map(Outcome::Answer),
            Question::Plan(targets) => question.plan(targets).map(Outcome::Plan),
            Question::Compare(budget) => {
                question.compare(*budget).map(Box::new).map(Outcome::Comparison)
            }
            Question::Certify(files) => {
                let brought = approximation::read_all(files, &names)?;
                question.certify(brought).map(Box::new).map(Outcome::Answer)
            }
        }
        .map_err(exit::of_estimate)
    }

    fn closed_form<R, M, E>(
        &self,
        model: &M,
        rows: &R,
        names: Vec<String>,
        level: &E,
    ) -> anyhow::Result<Outcome>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        let functionals = names.into_iter().map(|name| (name, Functional::Mean(0))).collect();
        let question = Estimation::new(model, rows).asking(functionals);
        let question = question.settings(self.settings).hooks(self.hooks);
        match &self.question {
            Question::Estimate => question.run_with(level).map(Box::new).map(Outcome::Answer),
            Question::Plan(targets) => question.plan_with(level, targets).map(Outcome::Plan),
            Question::Compare(_) | Question::Certify(_) => {
                return Err(exit::usage(
                    "this model has a closed form, and one pass over all rows gives the answer: there \
                     is nothing to compare or to certify",
                ));
            }
        }
        .map_err(exit::of_estimate)
    }

    /// The variance of the noise of a closed form.
    fn noise(&self) -> anyhow::Result<f64> {
        let noise = self.common.noise.unwrap_or(1.0);
        Gaussian::new(noise)
            .map_err(|error| exit::usage(format!("{error}; --noise takes a positive number")))?;
        Ok(noise)
    }

    fn gaussian_mean<R>(&self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows<Block = DenseBlock>,
    {
        let width = self.source.names.len();
        let sd = match self.common.prior.map(|prior| prior.0) {
            None => 10.0,
            Some(Prior::Gaussian { standard_deviation }) => standard_deviation,
            Some(_) => return Err(exit::usage("gaussian-mean takes --prior normal:SD")),
        };
        only_means(asked)?;
        if width > MOST_MEANS {
            return Err(exit::data(format!(
                "{width} columns: gaussian-mean keeps matrices of columns by columns and takes at \
                 most {MOST_MEANS}; choose some with --columns"
            )));
        }
        let diagonal = |value: f64| -> Vec<f64> {
            (0..width * width).map(|i| if i % (width + 1) == 0 { value } else { 0.0 }).collect()
        };
        let covariances = (diagonal(self.noise()?), diagonal(sd * sd));
        let model = GaussianMean::new(&covariances.0, &vec![0.0; width], &covariances.1)?;
        self.closed_form(&model, rows, self.source.names.clone(), &GaussianMeanClosedForm)
    }

    fn random_features<R>(&self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows<Block = DenseBlock>,
    {
        let (common, width) = (self.common, self.source.names.len());
        if common.prior.is_some() {
            return Err(exit::usage(
                "random-features have a standard normal prior: leave --prior out",
            ));
        }
        let rng = &mut Seed(common.seed).child("features").stream(0);
        let map = FourierFeatures::sample(common.features, width, common.length_scale, rng)
            .map_err(|error| exit::usage(error.to_string()))?;
        let model = FeatureRegression::new(map, self.noise()?)?;
        if let [Asked::Predict(_)] = asked {
            let points = self.source.predictions[0].dense(width);
            let names = (1..=points.rows()).map(|row| format!("row {row}")).collect();
            return self.closed_form(&model, rows, names, &FeaturePredictions { points });
        }
        only_means(asked)?;
        let names = (1..=common.features).map(|j| format!("f{j}")).collect();
        self.closed_form(&model, rows, names, &FeatureWeights)
    }
}

fn only_means(asked: &[Asked]) -> anyhow::Result<()> {
    if functionals::only_means(asked) {
        return Ok(());
    }
    Err(exit::usage("closed forms give means: leave --functional out"))
}
