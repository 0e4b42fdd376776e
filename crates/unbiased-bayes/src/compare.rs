//! Ours, constant batches and NUTS on the same data, each within the same budget.
//!
//! ```text
//! ours             as many replicates as fit after the set-up
//! constant batch   averages of partial posteriors on n_1 rows: cheap and biased
//! NUTS             four chains on all rows, in the metric of a Laplace approximation
//! ```

use crate::answer::{Answer, Estimated, estimates};
use crate::framed::FramedLevel;
use crate::{EstimateError, Estimation, Method, Stop};
use baselines::ConstantBatch;
use debias::engine::replicate;
use debias::{Estimator, Replicates};
use posterior::{Rows, Smooth};

/// One method's answer, as [`Estimation::compare`] gives it.
///
/// ```
/// # fn with(all: &unbiased_bayes::Comparison) {
/// for method in &all.methods {
///     println!("{}: {} evaluations. {}", method.name, method.evaluations, method.remark);
/// }
/// # }
/// ```
#[derive(Clone, Debug, serde::Serialize)]
pub struct Compared {
    /// The method.
    pub name: &'static str,
    /// Its estimates; none where the budget was too small.
    pub estimates: Vec<Estimated>,
    /// Likelihood evaluations, set-up included.
    pub evaluations: u64,
    /// What people should know.
    pub remark: String,
    /// Running material for a figure: replicates of the method, or draws of the chain.
    #[serde(skip)]
    pub replicates: Replicates,
    /// Evaluations before the first of them.
    #[serde(skip)]
    pub setup: f64,
}

/// All methods on one problem.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Comparison {
    /// Likelihood evaluations that each method was allowed.
    pub budget: f64,
    /// Our answer in full; none where the budget was too small.
    pub ours: Option<Answer>,
    /// Ours, constant batches, NUTS on all rows.
    pub methods: Vec<Compared>,
}

impl<R, M> Estimation<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Runs all three methods, one after the other, each within so many likelihood evaluations.
    ///
    /// ```
    /// # use unbiased_bayes::{DenseLogistic, DenseRows, Estimation, Prior};
    /// # let x: Vec<[f64; 1]> = (0..20_000).map(|i| [f64::from(i).sin()]).collect();
    /// # let y: Vec<f64> = (0..20_000)
    /// #     .map(|i| if (17.0 * f64::from(i)).cos() < x[i as usize][0] { 1.0 } else { -1.0 })
    /// #     .collect();
    /// # let rows = DenseRows::from_rows(&x, &y)?;
    /// # let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 1.0 })?;
    /// let all = Estimation::new(&model, &rows).compare(1e8)?;
    /// assert_eq!(all.methods.len(), 3);
    /// assert!(all.methods.iter().all(|method| method.evaluations as f64 <= 1.2e8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, budget: f64) -> Result<Comparison, EstimateError> {
        let mut settings = self.settings;
        settings.stop = Stop::Budget(budget);
        let with = |method: Method| {
            let (names, functionals) = (self.names.clone(), self.functionals.clone());
            let asked = names.into_iter().zip(functionals).collect();
            let mut settings = settings;
            settings.method = method;
            let question = Estimation::new(self.model, self.rows).asking(asked);
            match question.settings(settings).hooks(self.hooks).run() {
                Ok(answer) => Ok(Ok(answer)),
                Err(error @ EstimateError::Budget { .. }) => Ok(Err(error.to_string())),
                Err(error) => Err(error),
            }
        };
        let method = if self.settings.method == Method::Auto {
            Method::Anchored
        } else {
            self.settings.method
        };
        let ours = with(method)?;
        let compared = |name: &'static str, result: &Result<Answer, String>| match result {
            Ok(answer) => Compared {
                name,
                estimates: answer.estimates.clone(),
                evaluations: answer.cost.evaluations(),
                remark: answer.guarantees.sentence(),
                replicates: answer.replicates.clone(),
                setup: (answer.cost.setup + answer.cost.pilot).evaluations() as f64,
            },
            Err(why) => nothing(name, why.clone()),
        };
        let first = compared(method.name(), &ours);
        let constant = self.constant_batch(budget)?;
        let nuts = compared("nuts", &with(Method::Nuts)?);
        Ok(Comparison { budget, ours: ours.ok(), methods: vec![first, constant, nuts] })
    }

    fn constant_batch(&self, budget: f64) -> Result<Compared, EstimateError> {
        let name = "constant-batch";
        let batch = match crate::plain::first(self) {
            Ok(batch) => batch,
            Err(error) => return Ok(nothing(name, error.to_string())),
        };
        let smooth = self.model.without_kinks();
        let smooth = smooth.as_ref().unwrap_or(self.model);
        let length = self.settings.length.into();
        let level = FramedLevel::new(smooth, self.model.kinks(), length, &self.functionals);
        let constant = ConstantBatch::new(self.rows, self.model, &level, batch)
            .expect("the first batch was checked to be smaller than the data");
        let seed = self.settings.seed.child(name);
        let failed = |error| EstimateError::Chain(error);
        let once =
            constant.estimate(0, &mut seed.stream(0)).map_err(|error| failed(error.into()))?;
        let each = once.cost.evaluations() as f64;
        let count = (budget / each) as u64;
        if count < 2 {
            let remark = format!("two batches of {batch} rows take {:.2e} evaluations", 2.0 * each);
            return Ok(nothing(name, remark));
        }
        self.say(&format!("constant batches: {count} of {batch} rows"));
        let observer = self.hooks.observer;
        let run = replicate(&constant, 0..count, seed, &debias::engine::Forgetful, observer)
            .map_err(|error| EstimateError::Replicates(error.into()))?;
        Ok(Compared {
            name,
            estimates: estimates(&self.names, &run, run.count(), None)?,
            evaluations: run.total_cost().evaluations(),
            remark: format!(
                "biased: the posterior given {batch} rows, however many batches are averaged"
            ),
            replicates: run,
            setup: 0.0,
        })
    }
}

fn nothing(name: &'static str, remark: String) -> Compared {
    let (estimates, replicates) = (Vec::new(), Replicates::default());
    Compared { name, estimates, evaluations: 0, remark, replicates, setup: 0.0 }
}
