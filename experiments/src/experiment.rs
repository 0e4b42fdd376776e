//! What an experiment is, and the list of all.

use crate::Context;
use crate::questions::*;
use records::{Claim, Record, Scale};

/// A question, and how it is answered.
pub struct Experiment {
    pub(crate) id: &'static str,
    pub(crate) paper: &'static str,
    pub(crate) question: &'static str,
    pub(crate) run: fn(&Context<'_>) -> anyhow::Result<Record>,
    pub(crate) claims: fn(&Record) -> anyhow::Result<Vec<Claim>>,
    /// What the page of the experiment says first, after the question, by its record; often nothing.
    pub(crate) headline: fn(&Record) -> anyhow::Result<String>,
    /// Experiments whose records it reads.
    pub needs: &'static [&'static str],
    /// Whether it takes much memory, and is run only when asked for by name or by `--exhaustive`.
    pub long: bool,
    /// The most memory it takes at full scale, in GB.
    pub memory: f64,
    /// Claims about time, each with the step whose seconds the claims page states beside it.
    pub timed: &'static [(&'static str, &'static str)],
    /// Claims that say how much longer another experiment's run would have taken.
    pub raced: &'static [Race],
}

impl Experiment {
    /// An experiment that needs no other and little memory: its name, its place in the paper, what it
    /// asks, how it is answered, and what a record says of the claims.
    pub const fn new(
        id: &'static str,
        paper: &'static str,
        question: &'static str,
        run: fn(&Context<'_>) -> anyhow::Result<Record>,
        claims: fn(&Record) -> anyhow::Result<Vec<Claim>>,
    ) -> Experiment {
        Experiment {
            id,
            paper,
            question,
            run,
            claims,
            headline: no_headline,
            needs: &[],
            long: false,
            memory: 1.0,
            timed: &[],
            raced: &[],
        }
    }

    /// Its name on the command line and under results.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// Its place in the paper.
    pub fn paper(&self) -> &'static str {
        self.paper
    }

    /// What it asks.
    pub fn question(&self) -> &'static str {
        self.question
    }

    /// The most memory it takes, in GB.
    pub fn memory(&self, scale: Scale) -> f64 {
        if scale == Scale::Full { self.memory } else { 0.5 }
    }

    /// Answers it.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        (self.run)(context)
    }

    /// What its page says first, by its record; often nothing.
    pub fn headline(&self, record: &Record) -> anyhow::Result<String> {
        (self.headline)(record)
    }

    /// What a record says of the claims, each by its rule.
    pub fn claims(&self, record: &Record) -> anyhow::Result<Vec<Claim>> {
        (self.claims)(record)
    }
}

fn no_headline(_: &Record) -> anyhow::Result<String> {
    Ok(String::new())
}

/// A claim whose seconds stand beside those of a run in another experiment.
pub struct Race {
    /// The claim, whose own seconds are those of [`Experiment::timed`].
    pub claim: &'static str,
    /// The other experiment and its step.
    pub rival: (&'static str, &'static str),
    /// How many such runs it would take, by the record of the claim; nothing if that is not stored.
    pub runs: fn(&Record) -> Option<f64>,
}

/// All experiments, in the order of the paper, and then ours.
pub const ALL: &[&Experiment] = &[
    &gaussian_path::EXPERIMENT,
    &work_variance::EXPERIMENT,
    &functionals::EXPERIMENT,
    &log_gaussian::EXPERIMENT,
    &subsampled_walks::EXPERIMENT,
    &logistic_synthetic::EXPERIMENT,
    &logistic_exhaustive::EXPERIMENT,
    &exact_gp::EXPERIMENT,
    &random_features::EXPERIMENT,
    &airline::EXPERIMENT,
    &streaming::EXPERIMENT,
    &a9a::EXPERIMENT,
    &a9a_mode::EXPERIMENT,
    &convergence_rates::EXPERIMENT,
    &anchored_path::EXPERIMENT,
    &estimator_forms::EXPERIMENT,
    &chain_bias::EXPERIMENT,
    &scaling::EXPERIMENT,
    &laplace_truth::EXPERIMENT,
    &baseline_lineup::EXPERIMENT,
    &ordinary_data::EXPERIMENT,
    &hierarchies::EXPERIMENT,
];

/// The experiment of that name.
pub fn find(id: &str) -> Option<&'static Experiment> {
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
