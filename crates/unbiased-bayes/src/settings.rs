//! How an answer is to be found: when to stop, on which path, in which form.

use debias::engine::{Forgetful, Observer, Store, Unobserved};
use debias::{Form, Seed};
use samplers::Length;

/// Replicates where nobody asks for anything else.
const REPLICATES: usize = 200;

/// The choices of a run; [`Settings::default`] makes all of them.
///
/// ```
/// use unbiased_bayes::{Form, Settings, Stop, Way};
///
/// let paper = Settings {
///     stop: Stop::Budget(1e9),
///     way: Way::Plain,
///     form: Some(Form::CoupledSum),
///     ..Settings::default()
/// };
/// assert_eq!(paper.first, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Settings {
    /// When to stop.
    pub stop: Stop,
    /// On which path.
    pub way: Way,
    /// How a replicate is put together [default: antithetic, as single term or sum, whichever the
    /// pilot finds to take less work × variance].
    pub form: Option<Form>,
    /// Rows of the first level [default: four a parameter, 256 at least].
    pub first: Option<usize>,
    /// Warm-up and draws of the chains of levels.
    pub length: LengthOfChains,
    /// Where all randomness comes from.
    pub seed: Seed,
}

/// When to stop. None of these looks at the replicates themselves.
///
/// ```
/// use unbiased_bayes::{Stop, Target};
///
/// let stop = Stop::Error { target: Target::PosteriorSds(0.1), budget: Some(1e9) };
/// assert_ne!(stop, Stop::Replicates(200));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After so many replicates, rounded up to a multiple of twenty.
    Replicates(usize),
    /// When the next replicate would not fit into so many likelihood evaluations, set-up included.
    Budget(f64),
    /// After as many replicates as the pilot, which is thrown away, says are needed.
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

/// Which path.
///
/// ```
/// assert_eq!(unbiased_bayes::Way::Anchored.name(), "anchored");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Anchored where the model allows it, else plain.
    Choose,
    /// Expand all rows at a rough mode, and sample what the expansion leaves.
    Anchored,
    /// Partial posteriors given nothing but the sampled rows.
    Plain,
}

impl Way {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Way::Choose => "choose",
            Way::Anchored => "anchored",
            Way::Plain => "plain",
        }
    }
}

/// Warm-up and draws of a chain.
///
/// ```
/// let paper = unbiased_bayes::LengthOfChains::default();
/// assert_eq!((paper.warm_up, paper.draws), (100, 500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LengthOfChains {
    /// Iterations thrown away.
    pub warm_up: usize,
    /// Iterations kept.
    pub draws: usize,
}

impl Default for LengthOfChains {
    fn default() -> LengthOfChains {
        LengthOfChains { warm_up: 100, draws: 500 }
    }
}

impl From<LengthOfChains> for Length {
    fn from(length: LengthOfChains) -> Length {
        Length { warm_up: length.warm_up, draws: length.draws }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            stop: Stop::Replicates(REPLICATES),
            way: Way::Choose,
            form: None,
            first: None,
            length: LengthOfChains::default(),
            seed: Seed(2015),
        }
    }
}

/// Who keeps finished work, who watches, and who listens.
///
/// ```
/// use unbiased_bayes::Surroundings;
///
/// let heard = std::sync::Mutex::new(Vec::new());
/// let say = |remark: &str| heard.lock().unwrap().push(remark.to_owned());
/// let surroundings = Surroundings { say: &say, ..Surroundings::none() };
/// (surroundings.say)("two passes over all rows");
/// # assert_eq!(heard.lock().unwrap().len(), 1);
/// ```
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Keeps finished chunks of replicates, so that a killed run can go on.
    pub store: &'a dyn Store,
    /// Is told how the replicates go, and may stop them.
    pub observer: &'a dyn Observer,
    /// Takes remarks for people.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl Surroundings<'_> {
    /// Nothing is kept, nobody watches or listens.
    pub fn none() -> Surroundings<'static> {
        Surroundings { store: &Forgetful, observer: &Unobserved, say: &|_| {} }
    }
}
