//! What an answer is, and what it cost.

use crate::certified::Certified;
use crate::weighted_draws::WeightedDraws;
use crate::{Method, Spread};
use debias::{Form, Guarantees, Interval, Ledger, Replicates, Summary, Unseen};
use samplers::Draws;

/// One estimate.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Estimated {
    /// The functional.
    pub name: String,
    /// Mean, standard error and 95 % interval of the estimate.
    pub summary: Summary,
    /// The posterior standard deviation of what is averaged, where it is known.
    pub posterior_sd: Option<f64>,
    /// The standard error of that.
    pub sd_error: Option<f64>,
    /// Effective draws: as many independent posterior draws have the same standard error.
    pub effective: Option<f64>,
    /// Split R̂ of the chains that NUTS ran.
    pub rhat: Option<f64>,
    /// The bias that self-normalised weights are estimated to leave.
    pub bias: Option<f64>,
    /// Quantiles of what is averaged: 2.5, 50 and 97.5 % of every parameter and contrast.
    pub quantiles: Vec<Quantile>,
}

/// One quantile of the posterior.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Quantile {
    /// The probability of less.
    pub probability: f64,
    /// The quantile.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// 95 %, the bias included.
    pub interval: Interval,
    /// What inverting the distribution function, and self-normalised weights, may bias it by, without
    /// sign.
    pub bias: f64,
}

impl Estimated {
    pub(crate) fn new(name: &str, summary: Summary, posterior_sd: Option<f64>) -> Estimated {
        let square = |sd: f64| (sd / summary.standard_error).powi(2);
        Estimated {
            name: name.to_owned(),
            summary,
            posterior_sd,
            sd_error: None,
            effective: posterior_sd.map(square).filter(|count| count.is_finite()),
            rhat: None,
            bias: None,
            quantiles: Vec::new(),
        }
    }

    /// The standard error in posterior standard deviations, where they are known.
    pub fn in_sds(&self) -> Option<f64> {
        self.posterior_sd.map(|sd| self.summary.standard_error / sd)
    }
}

/// Effective points over points of the replicates of an anchored path, at their first level.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Shares {
    /// The smallest.
    pub least: f64,
    /// The median.
    pub median: f64,
}

/// How the chains of NUTS went.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ChainReport {
    /// Chains.
    pub chains: usize,
    /// Draws of each, after the warm-up.
    pub draws: usize,
    /// Transitions that diverged.
    pub divergences: usize,
    /// The largest split R̂.
    pub worst_rhat: f64,
    /// The smallest effective number of draws.
    pub least_effective: f64,
}

/// What a method is predicted to cost for the target.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PredictedCost {
    /// The method.
    pub method: Method,
    /// Rows that a full pass evaluates: the distinct ones, or all.
    pub rows: usize,
    /// Likelihood evaluations, set-up included.
    pub evaluations: f64,
    /// Seconds, at [`NANOSECONDS`] per evaluation and thread.
    pub seconds: f64,
}

impl PredictedCost {
    pub(crate) fn new(method: Method, rows: usize, evaluations: f64) -> PredictedCost {
        PredictedCost { method, rows, evaluations, seconds: 1e-9 * NANOSECONDS * evaluations }
    }
}

/// Nanoseconds per likelihood evaluation and thread that predictions of time assume.
pub const NANOSECONDS: f64 = 20.0;

/// The work behind an answer.
///
/// ```
/// use unbiased_bayes::{Cost, Ledger};
///
/// let passes = Ledger { gradients: 2000, ..Ledger::default() };
/// assert_eq!(Cost { setup: passes, ..Cost::default() }.evaluations(), 2000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Cost {
    /// Before the first replicate: anchor, trial, chains on the base density.
    pub setup: Ledger,
    /// The pilot of a plain path.
    pub pilot: Ledger,
    /// The replicates, or the chains of NUTS.
    pub replicates: Ledger,
}

impl Cost {
    /// All of it, in likelihood evaluations.
    pub fn evaluations(&self) -> u64 {
        (self.setup + self.pilot + self.replicates).evaluations()
    }
}

/// What came out.
#[derive(Clone, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The estimates, in the order of the functionals.
    pub estimates: Vec<Estimated>,
    /// The method that was used.
    pub method: Method,
    /// Which method it is, and why, in one sentence.
    pub reason: String,
    /// What each method was predicted to cost, where they were compared.
    pub predicted: Vec<PredictedCost>,
    /// The form of the replicates.
    pub form: Option<Form>,
    /// N.
    pub rows: usize,
    /// Rows that differ from each other, where equal ones were put together.
    pub distinct_rows: usize,
    /// Rows that each level samples, on average; none for NUTS.
    pub levels: Vec<f64>,
    /// The work.
    pub cost: Cost,
    /// The levels that no replicate has seen, and what may hide there.
    pub unseen: Option<Unseen>,
    /// What holds and what does not.
    pub guarantees: Guarantees,
    /// Gaussian approximations, and how far each is off; more of them by [`Estimation::certify`].
    ///
    /// [`Estimation::certify`]: crate::Estimation::certify
    pub approximations: Vec<Certified>,
    /// How even the weights of an anchored path are.
    pub shares: Option<Shares>,
    /// How the chains of NUTS went.
    pub chains: Option<ChainReport>,
    /// Sentences for people: choices made, and why.
    pub remarks: Vec<String>,
    /// All replicates, in order; for NUTS what is averaged at each draw, control variates included.
    #[serde(skip)]
    pub replicates: Replicates,
    /// Draws of the posterior, chain by chain, where NUTS ran.
    #[serde(skip)]
    pub draws: Vec<Draws>,
    /// Weighted draws of the posterior, where an anchored path was asked for them.
    #[serde(skip)]
    pub weighted: Option<WeightedDraws>,
}

pub(crate) fn estimates(
    names: &[String],
    run: &Replicates,
    groups: usize,
    spread: Option<&Spread>,
) -> Result<Vec<Estimated>, debias::SummaryError> {
    let one = |(entry, name): (usize, &String)| {
        let summary = Summary::of_groups(&run.functional(entry), groups)?;
        Ok(Estimated::new(name, summary, spread.map(|spread| spread.sds[entry])))
    };
    names.iter().enumerate().map(one).collect()
}
