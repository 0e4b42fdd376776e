//! a9a: 123 binary features and a bias, Laplace(1) priors, rows of rare features.
//!
//! All chains go exactly through the kinks of the prior. The anchored path keeps a core of rows exact
//! and draws its points by a chain on the base density, with control variates. Methods that gather some
//! rows again and again have them as sparse rows, those that pass over all of them as patterns.

use super::answers::Setup;
use super::chains::{self, AllRows};
use super::problem::{Plain, Problem};
use super::synthetic::LEVEL;
use super::{Found, Race, Rules, approximations, ours, rivals, subsampling, taylor, truth};
use crate::methods::anchored::{Anchored, AnchoredSettings};
use crate::methods::chains::{evaluations_per_row, kinked};
use crate::problems::a9a::{A9a, PRIOR, SCALE, WEIGHTS};
use crate::questions::a9a::framing;
use models::logistic::SparseLogistic;
use samplers::{ByChain, Frame, Framing, Functional, KinkedNoUTurn, Length, Start};
use serde_json::{Value, json};

const NAME: &str = "a9a";

/// What differs between the scales.
pub struct Size {
    pub rows: usize,
    /// Rows of high leverage that the anchored path keeps exact.
    pub core: usize,
    /// Rows of its first level.
    pub first: usize,
    /// The chain on its base density.
    pub base: Length,
    /// Rows of the first level of plain paths.
    pub plain: usize,
    /// Rows of a mini-batch: a thirty-second of all, so that the steps of a chain fit in memory.
    pub batch: usize,
    pub truth: truth::Chains,
}

impl Size {
    pub fn settings(&self) -> Value {
        json!({
            "rows": self.rows, "core": self.core, "anchored_first": self.first,
            "first": self.plain, "batch": self.batch, "base_warm_up": self.base.warm_up,
            "base_draws": self.base.draws, "truth_chains": self.truth.count,
            "truth_draws": self.truth.draws,
        })
    }
}

pub fn run(size: &Size, rules: &Rules<'_>, into: &mut Found) -> anyhow::Result<()> {
    let A9a { rows, model, smooth, data } = &A9a::first(size.rows)?;
    let (sparse, sparse_model) = (&rows.0, SparseLogistic::new(WEIGHTS - 1, PRIOR)?);
    let data = [data.clone()];
    let functionals = &Functional::means(WEIGHTS);
    let problem = Problem::new(NAME, (model, smooth, rows), functionals, rules, &data)?;
    let frame = &problem.anchored.anchor.frame;
    let full = AllRows {
        target: chains::all_rows(model, rows),
        kernel: KinkedNoUTurn::new(frame.factor().clone(), SCALE)?,
        // The kernel has its metric.
        frame: Frame::standard(WEIGHTS),
        start: frame.clone(),
        functionals: functionals.clone(),
    };
    let truth = truth::by_chains(&rules.work(&data), NAME, &full, size.truth)?;
    into.quantities.push(truth::quantity(NAME, &truth));
    let mut race = Race::new(NAME, size.rows, &truth, &data, rules);

    let mut level = kinked(smooth.clone(), framing(), LEVEL);
    level.expected_evaluations =
        evaluations_per_row(rules.context, (rows, model, &level), size.plain)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: size.plain, alpha: 1.0 })?;

    let step = format!("{NAME}-core");
    let settings = AnchoredSettings::with_core(size.core, size.first, SCALE, size.base);
    let anchored =
        race.work.timed(&step, || Anchored::new((model, smooth, rows), functionals, settings))?;
    let setup = Setup { step, evaluations: anchored.evaluations() };
    ours::anchored(&mut race, "anchored", &anchored, &setup)?;

    approximations::regression(&mut race, model, rows)?;
    full.race(&mut race, &problem.setup)?;
    let kernel = KinkedNoUTurn::new(frame.factor().clone(), SCALE)?;
    chains::collapsed(&mut race, &problem, kernel)?;
    rivals::consensus(&mut race, &problem, |frame, shards, length| {
        Ok(ByChain {
            // p(θ)^{1/S} has kinks S times as shallow.
            sampler: KinkedNoUTurn::new(frame.factor().clone(), shards * SCALE)?,
            framing: Framing::Plain,
            start: Start::At(frame.mean().to_vec()),
            length,
            functionals: functionals.clone(),
            control_variates: false,
            expected_evaluations: KinkedNoUTurn::expected_gradients(length),
        })
    })?;
    rivals::stochastic(&mut race, &problem, (sparse, &sparse_model), size.batch)?;
    subsampling::run(&mut race, sparse, &sparse_model, functionals)?;
    taylor::run(&mut race, &problem, (sparse, &sparse_model), false)?;
    into.take(race);
    Ok(())
}
