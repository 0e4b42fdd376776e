//! From the name of a model to an estimation, whatever its types.

use crate::approximation;
use crate::arguments::{Common, ModelName};
use crate::beginning::Beginning;
use crate::degrees::Degrees;
use crate::exit;
use crate::functionals::{self, Asked, of_regression};
use crate::ones::Ones;
use crate::parameters::Parameters;
use crate::priors::{Chosen, Dispersion, Law, PriorArgument};
use crate::relabelled::Relabelled;
use crate::source::{Source, Wants};
use crate::stored::Stored;
use models::anchor::newton;
use models::design::{AdjustedRows, Design, Extras, Patterned};
use models::dispersed::{Dispersed, DispersedLinear};
use models::dispersed_families::{Gamma, NegativeBinomial, Noise};
use models::generalised_linear::{Family, Poisson};
use models::logistic::{Bernoulli, Binomial};
use models::student::{DEGREES_PRIOR, StudentLinear};
use posterior::{Rows, Smooth};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use unbiased_bayes::{
    Answer, Comparison, Estimation, Functional, Gaussian, GeneralisedLinear, Hierarchical,
    Logistic, Plan, Prior, Priors, RunHooks, SdPrior, Settings, Target,
};

/// Noise, in units of the response, that is nothing but rounding.
const NO_NOISE: f64 = 1e-9;

/// What is asked of the data.
#[derive(Clone)]
pub enum Question {
    /// Posterior expectations.
    Estimate {
        /// Weighted draws beside them.
        draws: usize,
    },
    /// What these errors would cost.
    Plan(Vec<Target>),
    /// All methods within so many likelihood evaluations.
    Compare(f64),
    /// How far approximations are off; files with such that are brought.
    Certify(Vec<PathBuf>),
}

/// What came out.
pub enum Outcome {
    /// Of an estimate or a certificate.
    Answer(Box<Answer>),
    /// Of a plan.
    Plan(Plan),
    /// Of a comparison.
    Comparison(Box<Comparison>),
}

/// A question with its settings and hooks, and what is said of the prior on the way.
pub struct Task<'a> {
    pub common: &'a Common,
    pub source: &'a Source,
    pub question: &'a Question,
    pub settings: Settings,
    pub hooks: RunHooks<'a>,
    /// A likelihood that is brought.
    pub own: Option<&'a Arc<dyn Family>>,
    /// Sentences on priors and noise, for the output.
    pub notes: Vec<String>,
    /// What the family calls the positive numbers that all rows share, whose logarithms come after the bias.
    pub shared: &'static [&'static str],
    /// The weights that are the effects of groups, and the priors of their standard deviations.
    pub groups: Vec<(Range<usize>, SdPrior)>,
    /// The names of all parameters, once they are known.
    pub parameters: Vec<String>,
}

/// A likelihood that a program brings.
struct Brought(Arc<dyn Family>);

impl Family for Brought {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        self.0.derivatives(target, predictor)
    }
}

impl ModelName {
    /// What it wants beside covariates.
    pub fn wants(self) -> Wants {
        match self {
            ModelName::Logistic => Wants::Class,
            ModelName::Linear | ModelName::Student | ModelName::RandomFeatures => Wants::Number,
            ModelName::Poisson | ModelName::NegativeBinomial => Wants::Count,
            ModelName::Gamma => Wants::Positive,
            ModelName::Binomial => Wants::Successes,
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
        let flat = |one: &PriorArgument| one.term.is_none() && one.law.prior == Prior::Flat;
        if common.prior.iter().any(flat)
            && let Some(j) = source.columns.constant().find(|&j| j < source.names.len())
        {
            return Err(exit::data(format!(
                "column \"{}\" is never used: a flat prior leaves its weight free",
                source.names[j]
            )));
        }
        let (width, extras) = (source.names.len(), source.extras);
        let class = common.model == ModelName::Logistic;
        let positive = class.then_some(source.positive);
        if common.model.closed_form() {
            let Stored::Dense(held) = &source.rows else {
                return Err(exit::data(
                    "this model takes numbers, and the data has categories: leave them out with --drop",
                ));
            };
            if extras != Extras::default() {
                return Err(exit::usage(
                    "this model takes no weights and no offset: leave --weights and --offset out",
                ));
            }
            let rows = &*held.rows;
            return match common.model {
                ModelName::RandomFeatures => self.random_features(&rows, &asked),
                _ => self.gaussian_mean(&rows, &asked),
            };
        }
        // The kernels of two classes multiply likelihoods of rows that count once.
        let plain = class && extras == Extras::default();
        match &source.rows {
            Stored::Dense(held) => {
                let rows = Relabelled { rows: &*held.rows, positive };
                match plain {
                    true => self.logistic(&rows, &asked),
                    false => self.family(&AdjustedRows { rows, width, extras }, &asked),
                }
            }
            Stored::Sparse(held) => {
                let rows = &*held.rows;
                match plain {
                    true if source.columns.binary => {
                        self.logistic(&Patterned(Ones::Sparse(rows)), &asked)
                    }
                    true => self.logistic(&rows, &asked),
                    false => self.family(&AdjustedRows { rows, width, extras }, &asked),
                }
            }
            Stored::Mixed(held) => {
                let rows = &*held.rows;
                match plain {
                    true if Ones::suit(rows) => {
                        self.logistic(&Patterned(Ones::Categories(rows)), &asked)
                    }
                    true => self.logistic(&rows, &asked),
                    false => self.family(&AdjustedRows { rows, width, extras }, &asked),
                }
            }
        }
    }

    fn logistic<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let prior = self.prior(1.0, 0.0, None)?;
        let model = Logistic::<R::Block>::new(self.source.names.len(), prior)?;
        self.regression(model, rows, asked, logistic)
    }

    /// The family that was asked for; it is known at run time only, which spares a copy of all methods
    /// for each.
    fn family<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let (family, mean): (Box<dyn Family>, fn(f64) -> f64) = match (self.own, self.common.model)
        {
            (Some(own), _) => (Box::new(Brought(Arc::clone(own))), |eta| eta),
            (None, ModelName::Logistic) => (Box::new(Bernoulli), logistic),
            (None, ModelName::Binomial) => (Box::new(Binomial), logistic),
            (None, ModelName::Poisson) => (Box::new(Poisson), f64::exp),
            (None, _) => match self.common.noise {
                Some(noise) => (Box::new(known_noise(noise)?), |eta| eta),
                None => return self.dispersed(rows, asked),
            },
        };
        let (unit, offset) = match self.common.model {
            ModelName::Linear if self.own.is_none() => self.unit(),
            _ => (1.0, 0.0),
        };
        let prior = self.prior(unit, offset, None)?;
        let model = GeneralisedLinear::<_, R::Block>::new(family, self.source.names.len(), prior)?;
        self.regression(model, rows, asked, mean)
    }

    /// Standard deviation and mean of the target.
    fn unit(&self) -> (f64, f64) {
        let target = self.source.columns.target();
        let deviation = target.deviation();
        (if deviation > 0.0 { deviation } else { 1.0 }, target.mean)
    }

    /// Families with a dispersion, whose prior is weakly informative: the positive half of Student's t
    /// with three degrees of freedom and 2.5 standard deviations of the target (their robust kin for
    /// Student-t noise) for a scale, and a normal one of three units for the logarithm of a shape.
    fn dispersed<R>(&mut self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows,
        R::Block: Design,
    {
        let beginning = Beginning::of(rows);
        let student = self.common.model == ModelName::Student;
        // Outliers make standard deviations as large as one likes.
        let (deviation, centre) = match beginning.middle().filter(|_| student) {
            Some((centre, spread)) => (spread, centre),
            None => self.unit(),
        };
        let half: Law = Prior::HalfStudent { degrees: 3.0, scale: 2.5 * deviation }.into();
        let shape =
            Law { of_logarithm: true, ..Prior::Gaussian { standard_deviation: 3.0 }.into() };
        // Student's t of unknown degrees is a model of its own, not a family with one dispersion.
        type Choice = (Option<Box<dyn Dispersed>>, &'static [&'static str], Law, fn(f64) -> f64);
        let (family, shared, law, link): Choice = match (self.common.model, self.common.degrees) {
            (ModelName::NegativeBinomial, _) => {
                (Some(Box::new(NegativeBinomial)), &["shape"], shape, f64::exp)
            }
            (ModelName::Gamma, _) => (Some(Box::new(Gamma)), &["shape"], shape, f64::exp),
            (ModelName::Student, Degrees::Known(degrees)) => {
                let noise = Noise::student(degrees)
                    .map_err(|error| exit::usage(format!("{error}; --degrees is positive")))?;
                (Some(Box::new(noise)), &["scale"], half, |eta| eta)
            }
            (ModelName::Student, Degrees::Unknown) => {
                (None, &["scale", "degrees"], half, |eta| eta)
            }
            _ => (Some(Box::new(Noise::normal())), &["sigma"], half, |eta| eta),
        };
        let name = shared[0];
        let in_units = matches!(self.common.model, ModelName::Student | ModelName::Linear);
        let (unit, offset) = if in_units { (deviation, centre) } else { (1.0, 0.0) };
        let (bias, log_dispersion) =
            if in_units { (centre, deviation.ln()) } else { (beginning.log_rate(), 0.0) };
        if in_units && self.source.columns.target().deviation() == 0.0 {
            return Err(exit::data(
                "the response is the same in all rows: there is no noise to estimate; give its variance \
                 with --noise",
            ));
        }
        let dispersion = Dispersion { name, law };
        let prior = self.prior(unit, offset, Some(dispersion))?;
        let width = self.source.names.len();
        self.shared = shared;
        let outcome = match family {
            Some(family) => {
                let model = DispersedLinear::<_, R::Block>::new(family, width, prior)?;
                self.regression(model.starting_at(bias, log_dispersion), rows, asked, link)
            }
            None => {
                let [shape, rate] = DEGREES_PRIOR;
                self.notes.push(format!("prior: degrees ~ gamma({shape}, {rate})"));
                let model = StudentLinear::<R::Block>::new(width, prior)?;
                self.regression(model.starting_at(bias, log_dispersion), rows, asked, link)
            }
        };
        // Without residuals the likelihood grows without end as the noise vanishes.
        let noiseless = match &outcome {
            Ok(Outcome::Answer(answer)) => answer
                .estimates
                .iter()
                .any(|one| one.name == name && one.summary.mean < NO_NOISE * deviation),
            Ok(_) => false,
            Err(_) => self.residual(rows).is_some_and(|sd| sd < NO_NOISE * deviation),
        };
        if in_units && noiseless {
            return Err(exit::data(format!(
                "the columns explain the response without any residual, and there is no {name} to \
                 estimate; linear takes the variance of the noise from --noise"
            )));
        }
        outcome
    }

    /// The standard deviation of the residuals of least squares.
    fn residual<R>(&self, rows: &R) -> Option<f64>
    where
        R: Rows,
        R::Block: Design,
    {
        let width = self.source.names.len();
        let family: Box<dyn Family> = Box::new(Gaussian::new(1.0).ok()?);
        let wide = Prior::Gaussian { standard_deviation: 1e12 };
        let model = GeneralisedLinear::<_, R::Block>::new(family, width, wide).ok()?;
        let mode = newton(&model, rows, &vec![0.0; width + 1], 1e-6, 10).ok()?;
        Some((-2.0 * mode.expansion.value / rows.count().max(1) as f64).sqrt())
    }

    /// The prior, which is also said in the output.
    fn prior(
        &mut self,
        unit: f64,
        offset: f64,
        dispersion: Option<Dispersion>,
    ) -> anyhow::Result<Priors> {
        let chosen = Chosen::new(self.common, self.source, unit, offset, dispersion)?;
        self.notes.push(format!("prior: {}", chosen.sentence));
        self.groups = chosen.groups;
        Ok(chosen.priors)
    }

    fn regression<R, M>(
        &mut self,
        model: M,
        rows: &R,
        asked: &[Asked],
        mean: fn(f64) -> f64,
    ) -> anyhow::Result<Outcome>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let (source, effects) = (self.source, self.source.effects());
        let model = Hierarchical::new(model, std::mem::take(&mut self.groups))?;
        let parameters = Parameters::new(&source.names, self.shared, &effects);
        let (parameters, remark) = parameters.showing(&self.common.groups)?;
        self.notes.extend(remark);
        self.parameters.clone_from(&parameters.names);
        let names = &parameters.names;
        let functionals = match &self.question {
            // A dispersion too is certified as the parameter that it is, a logarithm.
            Question::Certify(_) if functionals::only_means(asked) => {
                names.iter().cloned().zip(Functional::means(names.len())).collect()
            }
            _ => of_regression(asked, &parameters, &source.predictions, mean)?,
        };
        let question = Estimation::new(&model, rows).asking(functionals);
        let question = question.settings(self.settings).hooks(self.hooks);
        match &self.question {
            Question::Estimate { draws } => {
                question.drawing(*draws).run().map(Box::new).map(Outcome::Answer)
            }
            Question::Plan(targets) => question.plan(targets).map(Outcome::Plan),
            Question::Compare(budget) => {
                question.compare(*budget).map(Box::new).map(Outcome::Comparison)
            }
            Question::Certify(files) => {
                let brought = approximation::read_all(files, names)?;
                question.certify(brought).map(Box::new).map(Outcome::Answer)
            }
        }
        .map_err(|error| exit::of_estimate(error, names))
    }
}

pub fn known_noise(noise: f64) -> anyhow::Result<Gaussian> {
    Gaussian::new(noise)
        .map_err(|error| exit::usage(format!("{error}; --noise takes a positive number")))
}

fn logistic(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}
