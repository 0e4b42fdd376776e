//! Ours, constant batches and full MCMC on the same data, each within the same budget.
//!
//! ```text
//! ours             as many replicates as fit after set-up and pilot
//! constant batch   averages of partial posteriors on n_1 rows: cheap, biased, and silent about it
//! full MCMC        one chain on all rows, in the frame of its Laplace approximation
//! ```

use crate::anchored::frame_of;
use crate::answer::{Estimated, estimates};
use crate::framed::{FramedLevel, chain};
use crate::problem::Problem;
use crate::{Answer, EstimateError, Settings, Stop, Surroundings, estimate};
use baselines::{ConstantBatch, FullPosterior};
use debias::engine::replicate;
use debias::{Estimator, Interval, Ledger, Replicates, Summary};
use models::anchor::newton;
use posterior::{Rows, Smooth, Target};
use samplers::Length;
use samplers::diagnostics::{Chains, ess_mean, mcse_mean};

/// The step, in posterior sds, at which Newton's method has found the frame of the full chain.
const STEP: f64 = 0.1;
const MOST_PASSES: u64 = 20;
/// Draws below which a chain is no estimate.
const LEAST_DRAWS: usize = 50;
/// The share of a full chain's iterations that are thrown away.
const WARM_UP: f64 = 0.2;
/// Gradients that a chain in its frame takes an iteration, until it is known better.
const GRADIENTS: f64 = 8.0;

/// One method's answer, as [`compare`] gives it.
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
///
/// ```
/// # use unbiased_bayes::{DenseBlock, DenseLogistic, DenseRows, Prior};
/// # use unbiased_bayes::{Problem, Settings, Surroundings, compare};
/// # let mut block = DenseBlock::zeros(20_000, 1);
/// # for i in 0..20_000 {
/// #     block.column_mut(0)[i] = (i as f64).sin();
/// #     block.targets_mut()[i] = if (17.0 * i as f64).cos() < (i as f64).sin() { 1.0 } else { -1.0 };
/// # }
/// # let rows = DenseRows::new(block);
/// # let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 1.0 })?;
/// let problem = Problem::means(&model, &rows);
/// let budget = 1e8;
/// let all = compare(&problem, budget, &Settings::default(), &Surroundings::none())?;
/// assert_eq!(all.methods.len(), 3);
/// assert!(all.methods.iter().all(|method| method.evaluations as f64 <= 1.1 * budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize)]
pub struct Comparison {
    /// Likelihood evaluations that each method was allowed.
    pub budget: f64,
    /// Our answer in full; none where the budget was too small.
    pub ours: Option<Answer>,
    /// Ours, constant batches, full MCMC.
    pub methods: Vec<Compared>,
}

/// Runs all three, one after the other.
pub fn compare<R, M>(
    problem: &Problem<'_, R, M>,
    budget: f64,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Comparison, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let settings = Settings { stop: Stop::Budget(budget), ..*settings };
    let ours = match estimate(problem, &settings, surroundings) {
        Ok(answer) => Ok(answer),
        Err(error @ EstimateError::Budget { .. }) => Err(error.to_string()),
        Err(error) => return Err(error),
    };
    let first = match &ours {
        Ok(answer) => Compared {
            name: answer.way.name(),
            estimates: answer.estimates.clone(),
            evaluations: answer.cost.evaluations(),
            remark: answer.guarantees.sentence(),
            replicates: answer.replicates.clone(),
            setup: (answer.cost.setup + answer.cost.pilot).evaluations() as f64,
        },
        Err(why) => nothing("ours", why.clone()),
    };
    // Neither keeps chunks: what a comparison costs is known beforehand.
    let constant = constant_batch(problem, budget, &settings, surroundings)?;
    let full = full_chain(problem, budget, &settings, surroundings)?;
    Ok(Comparison { budget, ours: ours.ok(), methods: vec![first, constant, full] })
}

fn nothing(name: &'static str, remark: String) -> Compared {
    let (estimates, replicates) = (Vec::new(), Replicates::default());
    Compared { name, estimates, evaluations: 0, remark, replicates, setup: 0.0 }
}

fn constant_batch<R, M>(
    problem: &Problem<'_, R, M>,
    budget: f64,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Compared, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let name = "constant-batch";
    let batch = crate::estimate::first(problem, settings)?;
    let level = FramedLevel::new(problem, settings.length.into());
    let constant = ConstantBatch::new(problem.rows, problem.model, &level, batch)
        .expect("the first batch was checked to be smaller than the data");
    let seed = settings.seed.child(name);
    let failed = |error| EstimateError::Chain(error);
    let once = constant.estimate(0, &mut seed.stream(0)).map_err(|error| failed(error.into()))?;
    let each = once.cost.evaluations() as f64;
    let count = (budget / each) as u64;
    if count < 2 {
        return Ok(nothing(
            name,
            format!("two batches of {batch} rows take {:.2e} evaluations", 2.0 * each),
        ));
    }
    (surroundings.say)(&format!("constant batches: {count} of {batch} rows"));
    let run =
        replicate(&constant, 0..count, seed, &debias::engine::Forgetful, surroundings.observer)
            .map_err(|error| EstimateError::Replicates(error.into()))?;
    Ok(Compared {
        name,
        estimates: estimates(&problem.names, &run, run.count(), None)?,
        evaluations: run.total_cost().evaluations(),
        remark: format!(
            "biased: the posterior given {batch} rows, however many batches are averaged"
        ),
        replicates: run,
        setup: 0.0,
    })
}

fn full_chain<R, M>(
    problem: &Problem<'_, R, M>,
    budget: f64,
    settings: &Settings,
    surroundings: &Surroundings<'_>,
) -> Result<Compared, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let name = "full-mcmc";
    let all = problem.rows.count() as f64;
    let iterations = |left: f64, gradients: f64| (left / (all * gradients)).floor() as usize;
    let least = all * (MOST_PASSES as f64 / 2.0 + GRADIENTS * LEAST_DRAWS as f64 * (1.0 + WARM_UP));
    if budget < least {
        let remark = format!("{LEAST_DRAWS} draws would take about {least:.2e} evaluations");
        return Ok(nothing(name, remark));
    }
    let start = vec![0.0; problem.model.dimension()];
    let mode = newton(problem.smooth(), problem.rows, &start, STEP, MOST_PASSES)
        .map_err(crate::anchored::AnchorError::from)?;
    let frame =
        frame_of(&mode.theta, &mode.covariance).map_err(crate::anchored::AnchorError::from)?;
    let total = iterations(budget - mode.ledger.evaluations() as f64, GRADIENTS);
    let warm_up = (WARM_UP * total as f64) as usize;
    let length = Length { warm_up, draws: (total - warm_up).max(LEAST_DRAWS) };
    (surroundings.say)(&format!(
        "full MCMC: {} + {} iterations on all rows",
        length.warm_up, length.draws
    ));
    let mut posterior = FullPosterior::new(problem.model, problem.rows);
    let rng = &mut settings.seed.child(name).stream(0);
    let draws = chain(&mut posterior, &frame, problem.scale(), length, rng)
        .map_err(|error| EstimateError::Chain(error.into()))?;
    let work = mode.ledger + posterior.ledger();
    let after = posterior.ledger().evaluations() as f64;
    let mut found = Vec::new();
    for (name, functional) in problem.names.iter().zip(&problem.functionals) {
        let mut values: Vec<f64> = draws.iter().map(|theta| functional.integrand(theta)).collect();
        let mut mean = values.iter().sum::<f64>() / values.len() as f64;
        let sd =
            (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
        if !functional.is_expectation() {
            values.iter_mut().for_each(|value| *value = (*value - mean).powi(2));
            mean = values.iter().sum::<f64>() / values.len() as f64;
        }
        let count = values.len();
        let chains =
            Chains::new(vec![values]).map_err(|error| EstimateError::Chain(error.into()))?;
        let (error, effective) = (mcse_mean(&chains), ess_mean(&chains));
        let interval = Interval::student(mean, error, (effective - 1.0).max(1.0));
        let variance = error * error * effective;
        let summary = Summary { count, mean, variance, standard_error: error, interval };
        found.push(Estimated { name: name.clone(), summary, posterior_sd: Some(sd) });
    }
    // The draws as replicates: each costs the same, warm-up is set-up.
    let each = after / length.transitions() as f64;
    let values = draws.iter();
    let values: Vec<f64> = values
        .flat_map(|theta| problem.functionals.iter().map(move |f| f.integrand(theta)))
        .collect();
    let cost = Ledger { gradients: each as u64, ..Ledger::default() };
    let count = draws.count();
    let replicates = Replicates::from_columns(
        problem.functionals.len(),
        values,
        vec![1; count],
        vec![cost; count],
    );
    Ok(Compared {
        name,
        estimates: found,
        evaluations: work.evaluations(),
        remark: "exact but for what a finite chain keeps of its start".to_owned(),
        replicates: replicates.expect("one value a functional and draw"),
        setup: mode.ledger.evaluations() as f64 + each * length.warm_up as f64,
    })
}
