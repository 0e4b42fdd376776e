//! The front door: a model and rows in, an answer out.

use crate::by_regression;
use crate::certified::Approximation;
use crate::plain::{self, Outcome, Wanted};
use crate::uniform;
use crate::{Answer, EstimateError, Method, Plan, RunHooks, Settings, Stop, Target};
use debias::Seed;
use posterior::{Differentiable, LevelEstimate, Model, Rows, Smooth};
use samplers::Functional;

/// A question about the posterior given all rows, and how it is to be answered.
///
/// ```
/// use unbiased_bayes::{DenseLogistic, DenseRows, Estimation, Method, Prior, Target};
///
/// let x: Vec<[f64; 1]> = (0..20_000).map(|i| [f64::from(i).sin()]).collect();
/// let y: Vec<f64> = (0..20_000)
///     .map(|i| if (17.0 * f64::from(i)).cos() < x[i as usize][0] { 1.0 } else { -1.0 })
///     .collect();
/// let rows = DenseRows::from_rows(&x, &y)?;
/// let model = DenseLogistic::new(1, Prior::Laplace { scale: 1.0 })?;
///
/// let answer = Estimation::new(&model, &rows).target(Target::PosteriorSds(0.02)).run()?;
/// for one in &answer.estimates {
///     println!("{}: {} ± {}", one.name, one.summary.mean, one.summary.standard_error);
/// }
/// println!("{}", answer.reason);
/// # assert!(answer.estimates[0].in_sds().unwrap() < 0.05);
/// # let long = Estimation::new(&model, &rows).method(Method::Nuts).run()?;
/// # let (a, b) = (&answer.estimates[0].summary, &long.estimates[0].summary);
/// # assert!((a.mean - b.mean).abs() < 4.0 * a.standard_error.hypot(b.standard_error));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Estimation<'a, R, M> {
    pub(crate) model: &'a M,
    pub(crate) rows: &'a R,
    pub(crate) names: Vec<String>,
    pub(crate) functionals: Vec<Functional>,
    pub(crate) settings: Settings,
    pub(crate) certifying: bool,
    pub(crate) draws: usize,
    pub(crate) brought: Vec<Approximation>,
    pub(crate) hooks: RunHooks<'a>,
}

impl<'a, R, M> Estimation<'a, R, M>
where
    R: Rows,
    M: Model<Block = R::Block>,
{
    /// The posterior means of all parameters, named θ1, θ2, …, with default settings.
    pub fn new(model: &'a M, rows: &'a R) -> Estimation<'a, R, M> {
        let functionals = Functional::means(model.dimension());
        Estimation {
            model,
            rows,
            names: (1..=functionals.len()).map(|j| format!("θ{j}")).collect(),
            functionals,
            settings: Settings::default(),
            certifying: false,
            draws: 0,
            brought: Vec::new(),
            hooks: RunHooks::none(),
        }
    }

    /// Asks for these functionals, with their names, instead of the means.
    ///
    /// ```
    /// use unbiased_bayes::{DenseBlock, DenseRows, Estimation, Functional, GaussianMean};
    ///
    /// let rows = DenseRows::new(DenseBlock::zeros(100, 1));
    /// let model = GaussianMean::new(&[1.0], &[0.0], &[1.0])?;
    /// let chance = Functional::probability(|theta| theta[0] > 0.0);
    /// let positive = Estimation::new(&model, &rows).asking(vec![("θ1 > 0".to_owned(), chance)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asking(mut self, functionals: Vec<(String, Functional)>) -> Self {
        (self.names, self.functionals) = functionals.into_iter().unzip();
        self
    }

    /// Ends at this standard error of every functional.
    pub fn target(mut self, target: Target) -> Self {
        self.settings.stop = Stop::Error { target, budget: None };
        self
    }

    /// Ends by another rule.
    pub fn stop(mut self, stop: Stop) -> Self {
        self.settings.stop = stop;
        self
    }

    /// Uses this method.
    pub fn method(mut self, method: Method) -> Self {
        self.settings.method = method;
        self
    }

    /// Takes all randomness from this seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Seed(seed);
        self
    }

    /// Replaces all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Keeps finished work, shows progress and says what is done.
    pub fn hooks(mut self, hooks: RunHooks<'a>) -> Self {
        self.hooks = hooks;
        self
    }

    pub(crate) fn say(&self, line: &str) {
        (self.hooks.say)(line);
    }

    /// The answer with a level estimate of your own, a closed form or a sampler, on the plain path.
    /// The names are those of what the level estimate gives.
    ///
    /// ```
    /// use unbiased_bayes::{DenseRows, Estimation, GaussianMean, GaussianMeanClosedForm};
    ///
    /// let x: Vec<[f64; 1]> = (0..10_000).map(|i| [f64::from(i).sin()]).collect();
    /// let rows = DenseRows::from_rows(&x, &[])?;
    /// let model = GaussianMean::new(&[1.0], &[0.0], &[10.0])?;
    /// let question = Estimation::new(&model, &rows).stop(unbiased_bayes::Stop::Replicates(200));
    /// let answer = question.run_with(&GaussianMeanClosedForm)?;
    /// let exact = model.posterior(rows.block())?.mean[0];
    /// let summary = &answer.estimates[0].summary;
    /// assert!((summary.mean - exact).abs() < 4.0 * summary.standard_error);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_with<E: LevelEstimate<M>>(&self, level: &E) -> Result<Answer, EstimateError> {
        plain::on_given_path(self, level, Wanted::Answer).map(Outcome::answer)
    }

    /// What [`Estimation::run_with`] would cost for each of these errors.
    pub fn plan_with<E: LevelEstimate<M>>(
        &self,
        level: &E,
        targets: &[Target],
    ) -> Result<Plan, EstimateError> {
        plain::on_given_path(self, level, Wanted::Plan(targets)).map(Outcome::plan)
    }
}

impl<R, M> Estimation<'_, R, M>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
{
    /// The answer for a model with gradients only, on the plain path.
    pub fn run_plain(&self) -> Result<Answer, EstimateError> {
        plain::on_plain_path(self, None, None, Wanted::Answer).map(Outcome::answer)
    }
}

impl<R, M> Estimation<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// The answer.
    pub fn run(&self) -> Result<Answer, EstimateError> {
        self.outcome(Wanted::Answer).map(Outcome::answer)
    }

    /// The answer, and how far Gaussian approximations are off, in posterior sds: Laplace's, its mean to
    /// the next order, the variational one, and any that are brought. It takes a few passes over all rows
    /// more than [`Estimation::run`]. Models without linear predictors have only what is brought.
    ///
    /// ```
    /// use unbiased_bayes::{Approximation, DenseLogistic, DenseRows, Estimation, Prior};
    ///
    /// // One positive in fifty: the mode is far from the mean.
    /// let x: Vec<[f64; 1]> = (0..200).map(|i| [f64::from(i).sin()]).collect();
    /// let y: Vec<f64> = (0..200).map(|i| if i % 50 == 0 { 1.0 } else { -1.0 }).collect();
    /// let rows = DenseRows::from_rows(&x, &y)?;
    /// let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 5.0 })?;
    ///
    /// let mine = Approximation {
    ///     name: "a guess".to_owned(),
    ///     means: vec![Some(0.0), Some(-4.0)],
    ///     sds: vec![Some(0.5), Some(0.5)],
    /// };
    /// let answer = Estimation::new(&model, &rows).certify(vec![mine])?;
    /// for approximation in &answer.approximations {
    ///     let worst = approximation.worst().unwrap();
    ///     let error = worst.error.unwrap();
    ///     println!("{}: {:.2} ± {:.2} posterior sds off in {}", approximation.name, error.value,
    ///         error.interval.half_width(), worst.name);
    /// }
    /// # let names: Vec<&str> = answer.approximations.iter().map(|one| &one.name[..]).collect();
    /// # assert_eq!(names, ["Laplace", "next-order", "variational", "a guess"]);
    /// # let bias = |at: usize| answer.approximations[at].parameters[1].error.unwrap().value;
    /// # assert!(bias(0) > 0.15 && bias(1).abs() < 0.5 * bias(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify(mut self, brought: Vec<Approximation>) -> Result<Answer, EstimateError> {
        (self.certifying, self.brought) = (true, brought);
        self.run()
    }

    /// Asks for so many draws of the posterior beside the estimates: those of an anchored path have weights
    /// and take a pass over all rows each ([`Answer::weighted`]). NUTS has draws in any case
    /// ([`Answer::draws`]), and plain paths have none.
    ///
    /// ```
    /// use unbiased_bayes::{DenseLogistic, DenseRows, Estimation, Method, Prior};
    ///
    /// let x: Vec<[f64; 1]> = (0..20_000).map(|i| [f64::from(i).sin()]).collect();
    /// let y: Vec<f64> = (0..20_000)
    ///     .map(|i| if (17.0 * f64::from(i)).cos() < x[i as usize][0] { 1.0 } else { -1.0 })
    ///     .collect();
    /// let rows = DenseRows::from_rows(&x, &y)?;
    /// let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 2.5 })?;
    /// let answer = Estimation::new(&model, &rows).method(Method::Anchored).drawing(100).run()?;
    /// let draws = answer.weighted.unwrap();
    /// let weighed = draws.positions.chunks_exact(2).zip(&draws.weights);
    /// let mean: f64 = weighed.map(|(theta, weight)| weight * theta[0]).sum();
    /// let known = &answer.estimates[0];
    /// assert!((mean - known.summary.mean).abs() < 0.5 * known.posterior_sd.unwrap());
    /// # assert!(draws.effective() > 50.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawing(mut self, draws: usize) -> Self {
        self.draws = draws;
        self
    }

    /// What each of these errors would cost, by each method; only a trial is run.
    ///
    /// ```
    /// # use unbiased_bayes::{DenseLogistic, DenseRows, Estimation, Prior, Target};
    /// # let x: Vec<[f64; 1]> = (0..20_000).map(|i| [f64::from(i).sin()]).collect();
    /// # let y: Vec<f64> = (0..20_000)
    /// #     .map(|i| if (17.0 * f64::from(i)).cos() < x[i as usize][0] { 1.0 } else { -1.0 })
    /// #     .collect();
    /// # let rows = DenseRows::from_rows(&x, &y)?;
    /// # let model = DenseLogistic::new(1, Prior::Laplace { scale: 1.0 })?;
    /// let targets = [Target::PosteriorSds(0.1), Target::PosteriorSds(0.01)];
    /// let plan = Estimation::new(&model, &rows).plan(&targets)?;
    /// assert_eq!(plan.predictions.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self, targets: &[Target]) -> Result<Plan, EstimateError> {
        self.outcome(Wanted::Plan(targets)).map(Outcome::plan)
    }

    fn outcome(&self, wanted: Wanted<'_>) -> Result<Outcome, EstimateError> {
        if self.settings.method == Method::Plain {
            let smooth = self.model.without_kinks();
            return plain::on_plain_path(self, smooth.as_ref(), self.model.kinks(), wanted);
        }
        match self.model.regression() {
            Some(regression) => by_regression::outcome(self, regression, wanted),
            None => uniform::outcome(self, wanted),
        }
    }
}
