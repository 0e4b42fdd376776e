//! The answer: estimates with error bars, what they cost, and what may be believed of them.

use crate::{Spread, Way};
use debias::{Form, Growth, Guarantees, Ledger, Replicates, Summary, Unseen};

/// A ratio beyond which its digits tell nothing.
const MANY: f64 = 1000.0;

/// One functional's estimate.
///
/// ```
/// # use unbiased_bayes::{Estimated, Summary};
/// let summary = Summary::of(&[1.0, 3.0])?;
/// let one = Estimated { name: "θ1".to_owned(), summary, posterior_sd: Some(2.0) };
/// assert_eq!((one.summary.mean, one.in_sds()), (2.0, Some(0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Estimated {
    /// The functional.
    pub name: String,
    /// Mean, standard error and 95 % interval.
    pub summary: Summary,
    /// Its posterior standard deviation, about, where it is known.
    pub posterior_sd: Option<f64>,
}

impl Estimated {
    /// The standard error in posterior standard deviations, where they are known.
    pub fn in_sds(&self) -> Option<f64> {
        self.posterior_sd.map(|sd| self.summary.standard_error / sd)
    }
}

/// Effective points of one level of an anchored path.
///
/// ```
/// use unbiased_bayes::Effective;
///
/// let first = Effective { rows: 1024, share: 0.8 };
/// assert!(first.share > 0.25, "below a quarter a level has no estimate");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Effective {
    /// n_t.
    pub rows: usize,
    /// The least seen, as a share of all points.
    pub share: f64,
}

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
    /// Anchor, cost and spread of levels.
    pub setup: Ledger,
    /// The pilot.
    pub pilot: Ledger,
    /// The replicates.
    pub replicates: Ledger,
}

impl Cost {
    /// All of it, in likelihood evaluations.
    pub fn evaluations(&self) -> u64 {
        (self.setup + self.pilot + self.replicates).evaluations()
    }
}

/// What came out.
///
/// ```
/// # use unbiased_bayes::{DenseBlock, DenseRows, GaussianMean, GaussianMeanClosedForm};
/// # use unbiased_bayes::{Problem, Settings, Surroundings, estimate_with};
/// # let mut block = DenseBlock::zeros(4000, 1);
/// # block.column_mut(0).iter_mut().enumerate().for_each(|(i, x)| *x = (i as f64).sin());
/// # let rows = DenseRows::new(block);
/// # let model = GaussianMean::new(&[1.0], &[0.0], &[10.0])?;
/// # let problem = Problem::means(&model, &rows);
/// # let none = Surroundings::none();
/// let answer = estimate_with(&problem, &GaussianMeanClosedForm, &Settings::default(), &none)?;
/// let mean = &answer.estimates[0];
/// println!("{}: {} ± {}", mean.name, mean.summary.mean, mean.summary.standard_error);
/// println!("{}; {}", answer.unseen.sentence(), answer.guarantees.sentence());
/// assert!(answer.guarantees.unbiased());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, serde::Serialize)]
pub struct Answer {
    /// The estimates, in the order of the functionals.
    pub estimates: Vec<Estimated>,
    /// The path taken.
    pub way: Way,
    /// The form of its replicates.
    pub form: Form,
    /// N.
    pub rows: usize,
    /// Rows kept exact.
    pub core: usize,
    /// n_1, …, n_L.
    pub schedule: Vec<usize>,
    /// The work.
    pub cost: Cost,
    /// The levels that no replicate has seen, and what may hide there.
    pub unseen: Unseen,
    /// What holds and what does not.
    pub guarantees: Guarantees,
    /// Whether work × variance would stay bounded with more data.
    pub growth: Growth,
    /// Effective points of the levels looked at; none on a plain path.
    pub effective: Vec<Effective>,
    /// What full MCMC would cost for the same errors, where it can be told.
    pub full_chain: Option<f64>,
    /// Sentences for people: choices made, and why.
    pub remarks: Vec<String>,
    /// All replicates, in order.
    #[serde(skip)]
    pub replicates: Replicates,
    /// Groups of replicates that are independent of each other.
    #[serde(skip)]
    pub groups: usize,
}

impl Answer {
    /// Whether full MCMC would have taken less work for the same errors.
    pub fn better_in_full(&self) -> bool {
        self.full_chain.is_some_and(|full| full < self.cost.evaluations() as f64)
    }

    /// One sentence on whether this was worth it.
    pub fn recommendation(&self) -> Option<String> {
        let full = self.full_chain?;
        let own = self.cost.evaluations() as f64;
        Some(if full < own {
            format!(
                "your data is small: full MCMC would take about {full:.2e} evaluations for the same \
                 errors, instead of {own:.2e}; run full MCMC instead"
            )
        } else if full > MANY * own {
            format!(
                "full MCMC would take more than {MANY} times the evaluations for the same errors"
            )
        } else {
            let times = full / own;
            format!(
                "full MCMC would take about {times:.1} times the evaluations for the same errors"
            )
        })
    }
}

pub(crate) fn estimates(
    names: &[String],
    run: &Replicates,
    groups: usize,
    spread: Option<&Spread>,
) -> Result<Vec<Estimated>, debias::SummaryError> {
    let one = |(entry, name): (usize, &String)| {
        let summary = Summary::of_groups(&run.functional(entry), groups)?;
        let posterior_sd = spread.map(|spread| spread.sds[entry]);
        Ok(Estimated { name: name.clone(), summary, posterior_sd })
    };
    names.iter().enumerate().map(one).collect()
}
