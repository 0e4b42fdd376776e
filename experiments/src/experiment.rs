//! What an experiment is, and the list of all.

use crate::Context;
use crate::questions::a9a::A9a;
use crate::questions::airline::AirlineExperiment;
use crate::questions::anchored_path::AnchoredPathExperiment;
use crate::questions::baseline_lineup::BaselineLineup;
use crate::questions::chain_bias::ChainBias;
use crate::questions::convergence_rates::ConvergenceRates;
use crate::questions::estimator_forms::EstimatorForms;
use crate::questions::gaussian_path::GaussianPath;
use crate::questions::log_gaussian::LogGaussianExperiment;
use crate::questions::logistic_exhaustive::LogisticExhaustive;
use crate::questions::logistic_synthetic::LogisticSynthetic;
use crate::questions::random_features::RandomFeatures;
use crate::questions::scaling::Scaling;
use crate::questions::streaming::Streaming;
use crate::questions::work_variance::WorkVariance;
use records::{Claim, Record, Scale};

/// A question, and how it is answered.
pub trait Experiment: Sync {
    /// Its name on the command line and under results.
    fn id(&self) -> &'static str;

    /// Where it stands in the paper.
    fn paper(&self) -> &'static str;

    /// What it asks.
    fn question(&self) -> &'static str;

    /// Experiments whose records it reads.
    fn needs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it takes much memory, and is run only when asked for by name or by `--exhaustive`.
    fn long(&self) -> bool {
        false
    }

    /// The most memory it takes, in GB.
    fn memory(&self, scale: Scale) -> f64 {
        match scale {
            Scale::Full => 1.0,
            Scale::Smoke => 0.5,
        }
    }

    /// Claims about time, each with the step whose seconds the claims page states beside it.
    fn timed(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Claims that say how much longer another experiment's run would have taken.
    fn raced(&self) -> &'static [Race] {
        &[]
    }

    /// Answers it.
    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record>;

    /// What a record says of the claims, each by its rule.
    fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>>;
}

/// A claim whose seconds stand beside those of a run in another experiment.
pub struct Race {
    /// The claim, whose own seconds are those of [`Experiment::timed`].
    pub claim: &'static str,
    /// The other experiment and its step.
    pub rival: (&'static str, &'static str),
    /// How many such runs it would take, by the record of the claim; nothing where it does not know.
    pub runs: fn(&Record) -> Option<f64>,
}

/// All experiments, in the order of the paper, and then ours.
pub const ALL: &[&dyn Experiment] = &[
    &GaussianPath,
    &WorkVariance,
    &LogGaussianExperiment,
    &LogisticSynthetic,
    &LogisticExhaustive,
    &RandomFeatures,
    &AirlineExperiment,
    &Streaming,
    &A9a,
    &ConvergenceRates,
    &AnchoredPathExperiment,
    &EstimatorForms,
    &ChainBias,
    &Scaling,
    &BaselineLineup,
];

/// The experiment of that name.
pub fn find(id: &str) -> Option<&'static dyn Experiment> {
    ALL.iter().copied().find(|experiment| experiment.id() == id)
}

/// An experiment cannot run because a data set is not there.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{name} is missing; {remedy}")]
pub struct MissingData {
    /// The data set.
    pub name: String,
    /// How to get it.
    pub remedy: String,
}
