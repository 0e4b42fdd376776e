//! a9a: 123 binary features and a bias, Laplace(1) priors, rows of rare features.
//!
//! All chains go exactly through the kinks of the prior. The anchored path keeps a core of rows exact
//! and draws its points by a chain on the base density, with control variates. Methods that gather some
//! rows again and again have them as sparse rows, those that pass over all of them as patterns.

use super::answers::Setup;
use super::chains::AllRows;
use super::problem::{Plain, Problem};
use super::synthetic::LEVEL;
use super::{Found, Race, Rules, laplace, ours, rivals, subsampling, truth};
use baselines::FullPosterior;
use data::{A9A_SHA256, SparseRows, a9a};
use models::design::Patterned;
use models::logistic::{PatternLogistic, SparseLogistic};
use models::prior::Prior;
use posterior::Rows;
use records::DataSource;
use samplers::{
    ByChain, ByKinkedChain, Frame, Framing, Functional, KinkedNoUTurn, Lbfgs, Length, Start,
};
use serde_json::{Value, json};
use unbiased_bayes::anchored::{Anchor, doubling};

const NAME: &str = "a9a";
const WEIGHTS: usize = 124;
const SCALE: f64 = 1.0;

/// What differs between the scales.
pub(super) struct Size {
    pub(super) rows: usize,
    /// Rows of high leverage that the anchored path keeps exact.
    pub(super) core: usize,
    /// Rows of its first level.
    pub(super) first: usize,
    /// The chain on its base density.
    pub(super) base: Length,
    /// Rows of the first level of plain paths.
    pub(super) plain: usize,
    /// Rows of a mini-batch: a thirty-second of all, so that the steps of a chain fit in memory.
    pub(super) batch: usize,
    pub(super) truth: truth::Chains,
}

impl Size {
    pub(super) fn settings(&self) -> Value {
        json!({
            "rows": self.rows, "core": self.core, "anchored_first": self.first,
            "first": self.plain, "batch": self.batch, "base_warm_up": self.base.warm_up,
            "base_draws": self.base.draws, "truth_chains": self.truth.count,
            "truth_draws": self.truth.draws,
        })
    }
}

pub(super) fn run(size: &Size, rules: &Rules<'_, '_>, into: &mut Found) -> anyhow::Result<()> {
    let (context, settings) = (rules.context, rules.settings);
    let sparse = SparseRows::new(a9a().range(0..size.rows));
    let rows = Patterned(sparse.clone());
    let data = [DataSource {
        name: NAME.to_owned(),
        rows: size.rows as u64,
        identity: format!("sha256 {A9A_SHA256}"),
    }];
    let prior = Prior::Laplace { scale: SCALE };
    let model = PatternLogistic::new(WEIGHTS - 1, prior)?;
    let stand_in = PatternLogistic::new(WEIGHTS - 1, Prior::like_laplace(SCALE))?;
    let sparse_model = SparseLogistic::new(WEIGHTS - 1, prior)?;
    let keys = (settings, &data[..]);
    let functionals = Functional::means(WEIGHTS);
    let problem = Problem::new(NAME, (&rows, &model, &stand_in), functionals, context, keys)?;
    let functionals = &problem.functionals;
    let frame = &problem.anchor.frame;
    let full = AllRows {
        posterior: FullPosterior::new(&model, &rows),
        kernel: KinkedNoUTurn::new(frame.factor().clone(), SCALE)?,
        // The kernel has its metric.
        frame: Frame::standard(WEIGHTS),
        start: frame.clone(),
        functionals: functionals.clone(),
    };
    let truth = truth::by_chains(context, NAME, &full, size.truth, keys)?;
    into.quantities.push(truth::quantity(NAME, &truth));
    let mut race = Race::new(NAME, size.rows, &truth, &data, rules);

    let mut level = ByKinkedChain {
        stand_in: stand_in.clone(),
        scale: SCALE,
        framing: Framing::Laplace {
            optimiser: Lbfgs::customary(),
            from: vec![0.0; WEIGHTS],
            difference: f64::EPSILON.cbrt(),
        },
        length: LEVEL,
        functionals: functionals.clone(),
        expected_evaluations: 0.0,
    };
    level.expected_evaluations =
        crate::problems::truth::evaluations_a_row(context, &rows, &model, &level, size.plain)?;
    ours::plain(&mut race, &problem, &level, &Plain { first: size.plain, alpha: 1.0 })?;

    let step = format!("{NAME}-core");
    let anchor = context.timed(&step, settings, &data, |_, _| {
        Ok(Anchor::with_core(&model, &stand_in, &rows, &[0.0; WEIGHTS], size.core)?)
    })?;
    let setup = Setup { step, evaluations: anchor.ledger.evaluations() as f64 };
    let steps = doubling(size.rows - size.core, size.first)?;
    let path = anchor.path_by_chain(&steps, functionals, SCALE, size.base)?;
    ours::anchored_on(&mut race, "anchored", &path, &steps, &setup)?;

    laplace::run(&mut race, || laplace::logistic((&model, &stand_in, SCALE), &rows))?;
    full.race(&mut race, &problem.setup)?;
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
    rivals::stochastic(&mut race, &problem, (&sparse, &sparse_model), size.batch)?;
    subsampling::run(&mut race, &sparse, &sparse_model, functionals)?;
    into.take(race, &data);
    Ok(())
}
