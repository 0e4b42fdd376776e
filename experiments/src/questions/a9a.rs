//! Figure 9: logistic regression on a9a, where the paper gives up.
//!
//! N = 32 561 rows, 123 binary features and a bias, Laplace(1) priors; the posterior mean of β_1,
//! and of all other weights. Convergence: batches of growing size, 20 trials each. Debiasing:
//! a = 1000, P(T = t) ∝ 2^{−t}, until the full data has been drawn, 20 times over. Full NUTS is
//! really run, 100 + 500 iterations, and four longer chains are the truth. All chains are NUTS in
//! the metric of a Laplace approximation, exactly through the kinks of the prior.
//!
//! Beside the paper's estimator, at its expected cost: our antithetic single term, and averaged
//! constant batches; and the anchored path with a core of the 1000 rows that stray most from
//! their expansion, under a law that needs no pilot and with control variates for the base.
//!
//! The paper prints neither a nor α here: a = 1000, where it sees statistics settle, and α = 1.

use crate::methods::anchored::{Anchored, AnchoredSettings};
use crate::methods::chains::{PAPER, evaluations_per_row, kinked};
use crate::methods::constant_batch::{self, weights_converge};
use crate::methods::debiased::{Choice, Method, evaluations, replicate_table, summaries};
use crate::problems::a9a::{A9a, SCALE, WEIGHTS};
use crate::{Context, Experiment};
use baselines::ConstantBatch;
use debias::{PilotSettings, Schedule, Truncation};
use models::logistic::PatternLogistic;
use posterior::{DataPath, PartialPosterior, Rows};
use records::{Quantity, Record, Scale};
use reference::{AllRows, Reference};
use repetitions::{pool, repetition_table, repetitions};
use samplers::{ByKinkedChain, Framing, Lbfgs, Length};
use serde_json::json;

mod claims;
mod reference;
mod repetitions;

/// The experiment `a9a`.
pub const EXPERIMENT: Experiment = Experiment {
    timed: &[("a9a/days", "full-nuts")],
    ..Experiment::new(
        "a9a",
        "Figure 9",
        "Does debiasing pay on a9a, where the data is small and the weights are many?",
        run,
        claims::claims,
    )
};

const FIRST: usize = 1000;
const ALPHA: f64 = 1.0;
const PILOT: PilotSettings = PilotSettings { levels: 3, replicates: 40 };
/// Rows that the anchored path keeps exact, rows of its first level, and its replicates.
const CORE: usize = 1000;
const ANCHORED_FIRST: usize = 1024;
const ANCHORED_REPLICATES: usize = 20;

/// What differs between the scales.
struct Size {
    chains: usize,
    /// Of each chain that makes the truth.
    reference: Length,
    /// Of the chains of all levels.
    length: Length,
    trials: usize,
    repetitions: usize,
    /// Of ours and of constant batches.
    replicates: usize,
    /// Of the chains on the base of the anchored path.
    base: Length,
}

impl Size {
    fn of(scale: Scale) -> Size {
        Size {
            chains: scale.pick(4, 2),
            reference: scale
                .pick(Length { warm_up: 500, draws: 2500 }, Length { warm_up: 50, draws: 100 }),
            length: scale.pick(PAPER, Length { warm_up: 20, draws: 50 }),
            trials: scale.pick(20, 2),
            repetitions: scale.pick(20, 2),
            replicates: scale.pick(240, 20),
            base: scale.pick(PAPER, Length { warm_up: 50, draws: 260 }),
        }
    }
}

type Level = ByKinkedChain<PatternLogistic>;

/// The Laplace approximation of a level by L-BFGS with customary tolerances.
pub fn framing() -> Framing {
    Framing::Laplace {
        optimiser: Lbfgs::customary(),
        from: vec![0.0; WEIGHTS],
        difference: f64::EPSILON.cbrt(),
    }
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let A9a { rows, model, smooth, data } = &A9a::all()?;
    let (count, data) = (rows.count(), vec![data.clone()]);
    let schedule = Schedule::halving(count, FIRST)?;
    let settings = json!({
        "rows": count, "schedule": schedule.sizes(), "alpha": ALPHA, "trials": size.trials,
        "repetitions": size.repetitions, "replicates": size.replicates,
        "warm_up": size.length.warm_up, "draws": size.length.draws, "chains": size.chains,
        "reference_warm_up": size.reference.warm_up, "reference_draws": size.reference.draws,
        "base_warm_up": size.base.warm_up, "base_draws": size.base.draws,
        "core": CORE, "anchored_first": ANCHORED_FIRST,
        "anchored_replicates": ANCHORED_REPLICATES,
    });
    let work = context.work(&settings, &data);
    let mut level = kinked(smooth.clone(), framing(), size.length);
    level.expected_evaluations = evaluations_per_row(context, (rows, model, &level), FIRST)?;

    let block = rows.range(0..count);
    let all_rows = AllRows { model, block: &block };
    let long = Level { length: size.reference, ..level.clone() };
    let reference =
        Reference::of(&work.each("reference", size.chains, |_, rng| all_rows.chain(&long, rng))?);
    let truth = &reference.truth;
    let full = Reference::of(&work.each("full-nuts", 1, |_, rng| all_rows.chain(&level, rng))?);
    let mut target = PartialPosterior::new(model, &block);
    let mode = Lbfgs::customary().maximise(&mut target, &[0.0; WEIGHTS])?;
    // The best log density that a long search finds, whatever ends it.
    let patient = Lbfgs { gain: 1e-11, memory: 60, ..Lbfgs::default() };
    let best = patient.maximise(&mut target, &[0.0; WEIGHTS])?.point.log_density;
    let near = mode.iterations_within(1.0, best);

    let path = DataPath::new(rows, model, &level, &schedule)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let chance = law.mass(law.levels());
    let paper = Method::coupled_sum(&path, &schedule, law.clone(), PILOT, context.seed)?;
    let repetitions = repetitions(&work, &path, &law, size.repetitions)?;
    let choice = Choice::TheseRows { cap: paper.expected_cost() };
    let ours = Method::antithetic(&path, &schedule, choice, PILOT, context.seed)?;
    let our_run = ours.run(&work, &path, size.replicates)?;
    let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
    let constant = ConstantBatch::new(rows, model, &level, batch)?;
    let constant = work.replicate(constant_batch::NAME, &constant, size.replicates)?;

    let settings_of_path = AnchoredSettings::with_core(CORE, ANCHORED_FIRST, SCALE, size.base);
    let anchored = Anchored::new((model, smooth, rows), &level.functionals, settings_of_path)?;
    let anchored_path = anchored.path()?;
    let passes = anchored.anchor.passes as f64;
    let anchored = Method::anchored(&anchored, &anchored_path, context.seed)?;
    let anchored_run = anchored.run(&work, &anchored_path, ANCHORED_REPLICATES)?;

    let parts = (rows, model, &level);
    let convergence = weights_converge(&work, truth, parts, schedule.sizes(), size.trials)?;

    // Stopped runs end to end are independent replicates again; as many as the others have.
    let pooled = pool(&repetitions, size.replicates);
    let methods = [
        (paper.name, summaries(&pooled)?),
        (ours.name, ours.summaries(&our_run)?),
        (constant_batch::NAME, summaries(&constant)?),
        (anchored.name, anchored.summaries(&anchored_run)?),
    ];
    let mut quantities = vec![
        Quantity::rough("evaluations a row", level.expected_evaluations),
        Quantity::rough("constant-batch/batch", batch as f64),
        Quantity::rough("constant-batch/total cost", evaluations(&constant)),
        Quantity::exact("anchored/passes", passes),
        Quantity::rough("mode/iterations", mode.iterations as f64),
        Quantity::rough("mode/iterations to within one", near.map_or(-1.0, |near| near as f64)),
        Quantity::rough("reference/total cost", reference.evaluations),
        Quantity::rough("reference/least effective draws", reference.least_effective()),
        Quantity::rough("reference/rms error in posterior sds", truth.own_error()),
        Quantity::rough("reference/mean effective draws", reference.mean_effective()),
        Quantity::rough("full-nuts/total cost", full.evaluations),
        Quantity::rough("full-nuts/least effective draws", full.least_effective()),
        Quantity::rough("full-nuts/rms error in posterior sds", truth.error(&full.truth.means)),
        Quantity::exact("chance of the full data", chance),
    ];
    let names = ["w1"];
    for (method, run) in [(&paper, &pooled), (&ours, &our_run), (&anchored, &anchored_run)] {
        quantities.extend(method.describe(run, &names)?);
    }
    quantities.extend(truth.quantities(&methods));
    let notes = vec![
        "The paper prints neither a nor α for a9a; a = 1000, where it sees statistics settle, and \
         α = 1 are taken."
            .to_owned(),
        paper.audit(&path, &pooled),
        ours.audit(&path, &our_run),
        anchored.audit(&anchored_path, &anchored_run),
    ];
    let known = [("mcse", truth.errors.clone()), ("ess", reference.effective.clone())];
    let runs = [
        (paper.name, &pooled, paper.setup_cost()),
        (ours.name, &our_run, ours.setup_cost()),
        (constant_batch::NAME, &constant, 0.0),
        (anchored.name, &anchored_run, anchored.setup_cost()),
    ];
    let mut tables = vec![
        truth.table(&known, &methods),
        truth.running(&runs),
        repetition_table(&repetitions, truth),
        convergence,
    ];
    tables.extend(runs.map(|(name, run, _)| replicate_table(name, run, &names)));
    let record = context.record(&EXPERIMENT, &settings);
    Ok(Record { data, quantities, notes, tables, ..record })
}
