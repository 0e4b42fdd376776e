//! How an answer is to be found: when to stop, by which method, in which form.

use debias::engine::{Forgetful, Observer, Store, Unobserved};
use debias::{Form, Seed};
use samplers::Length;

/// The standard error, in posterior standard deviations, that a run ends at by default.
const TARGET: f64 = 0.05;

/// The choices of a run; [`Settings::default`] makes all of them.
///
/// ```
/// use unbiased_bayes::{Form, Method, Settings, Stop};
///
/// let mut paper = Settings::default();
/// paper.stop = Stop::Budget(1e9);
/// paper.method = Method::Plain;
/// paper.form = Some(Form::CoupledSum);
/// assert_eq!(paper.first, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Settings {
    /// When to stop.
    pub stop: Stop,
    /// By which method.
    pub method: Method,
    /// How a replicate is put together [default: an antithetic form].
    pub form: Option<Form>,
    /// Rows of the first level of a plain path [default: four per parameter, 256 at least].
    pub first: Option<usize>,
    /// Warm-up and draws of the chains of plain levels.
    pub length: ChainLength,
    /// Where all randomness comes from.
    pub seed: Seed,
}

/// When to stop. None of these looks at the replicates themselves.
///
/// ```
/// use unbiased_bayes::{Stop, Target};
///
/// let stop = Stop::Error { target: Target::PosteriorSds(0.1), budget: None };
/// assert_ne!(stop, Stop::Replicates(200));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After so many replicates.
    Replicates(usize),
    /// When the next replicate would not fit into so many likelihood evaluations, set-up included.
    Budget(f64),
    /// After as many replicates as a trial, which is thrown away, says are needed.
    Error {
        /// For every functional.
        target: Target,
        /// Likelihood evaluations, set-up included, beyond which there is no answer.
        budget: Option<f64>,
    },
}

/// A standard error to be reached.
///
/// ```
/// use unbiased_bayes::Target;
///
/// assert_eq!(Target::PosteriorSds(0.1).of(2.0), 0.2);
/// assert_eq!(Target::Absolute(0.1).of(2.0), 0.1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// In the unit of the functional.
    Absolute(f64),
    /// As a share of the functional's posterior standard deviation.
    PosteriorSds(f64),
}

impl Target {
    /// The standard error asked of a functional with this posterior standard deviation.
    pub fn of(self, sd: f64) -> f64 {
        match self {
            Target::Absolute(error) => error,
            Target::PosteriorSds(share) => share * sd,
        }
    }
}

/// How posterior expectations are computed.
///
/// ```
/// assert_eq!(unbiased_bayes::Method::Anchored.name(), "anchored");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Whichever of the others is predicted to reach the target with the least work.
    Auto,
    /// A quadratic for all rows, and random samples of what it leaves, debiased.
    Anchored,
    /// NUTS on all rows, equal rows put together.
    Nuts,
    /// Partial posteriors given nothing but random subsets of the rows, debiased: the paper's path.
    Plain,
}

impl Method {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Anchored => "anchored",
            Method::Nuts => "nuts",
            Method::Plain => "plain",
        }
    }
}

/// Warm-up and draws of a chain.
///
/// ```
/// let paper = unbiased_bayes::ChainLength::default();
/// assert_eq!((paper.warm_up, paper.draws), (100, 500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ChainLength {
    /// Iterations that are discarded.
    pub warm_up: usize,
    /// Iterations that are kept.
    pub draws: usize,
}

impl Default for ChainLength {
    fn default() -> ChainLength {
        ChainLength { warm_up: 100, draws: 500 }
    }
}

impl From<ChainLength> for Length {
    fn from(length: ChainLength) -> Length {
        Length { warm_up: length.warm_up, draws: length.draws }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            stop: Stop::Error { target: Target::PosteriorSds(TARGET), budget: None },
            method: Method::Auto,
            form: None,
            first: None,
            length: ChainLength::default(),
            seed: Seed(2015),
        }
    }
}

/// Hooks of a run: a store for finished chunks, a progress observer, a receiver of messages.
///
/// ```
/// use unbiased_bayes::RunHooks;
///
/// let heard = std::sync::Mutex::new(Vec::new());
/// let say = |remark: &str| heard.lock().unwrap().push(remark.to_owned());
/// let hooks = RunHooks { say: &say, ..RunHooks::none() };
/// (hooks.say)("two passes over all rows");
/// # assert_eq!(heard.lock().unwrap().len(), 1);
/// ```
#[derive(Clone, Copy)]
pub struct RunHooks<'a> {
    /// Keeps finished chunks of replicates, so that a killed run can go on.
    pub store: &'a dyn Store,
    /// Is told how the replicates progress, and may stop them.
    pub observer: &'a dyn Observer,
    /// Takes messages for people.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl RunHooks<'_> {
    /// Keeps nothing, shows nothing, says nothing.
    pub fn none() -> RunHooks<'static> {
        RunHooks { store: &Forgetful, observer: &Unobserved, say: &|_| {} }
    }
}
