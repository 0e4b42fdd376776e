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

use crate::methods::method::{Method, replicate_table};
use crate::problems::truth::evaluations_a_row;
use crate::{Context, Experiment};
use baselines::ConstantBatch;
use data::{A9A_SHA256, a9a};
use debias::{Form, Pilot, PilotSettings, Replicates, Schedule, Summary, Truncation};
use models::design::Patterned;
use models::logistic::PatternLogistic;
use models::prior::Prior;
use posterior::{DataPath, PartialPosterior, Rows};
use records::{DataSource, Quantity, Record, Scale};
use reference::{FullNuts, Reference};
use repetitions::{pool, repetition_table, repetitions};
use samplers::{ByKinkedChain, Framing, Functional, Lbfgs, Length};
use serde_json::json;
use unbiased_bayes::anchored::{Anchor, doubling};

mod claims;
mod reference;
mod repetitions;

/// The experiment `a9a`.
pub struct A9a;

const DIMENSION: usize = 124;
const FIRST: usize = 1000;
const ALPHA: f64 = 1.0;
const PAPER: Length = Length { warm_up: 100, draws: 500 };
/// Replicates of the anchored path.
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
    /// Rows kept exact on it.
    core: usize,
    /// Rows of its first level.
    anchored_first: usize,
    pilot: PilotSettings,
}

impl Size {
    fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => Size {
                chains: 4,
                reference: Length { warm_up: 500, draws: 2500 },
                length: PAPER,
                trials: 20,
                repetitions: 20,
                replicates: 240,
                base: PAPER,
                core: 1000,
                anchored_first: 1024,
                pilot: PilotSettings { levels: 3, replicates: 40 },
            },
            Scale::Smoke => Size {
                chains: 2,
                reference: Length { warm_up: 50, draws: 100 },
                length: Length { warm_up: 20, draws: 50 },
                trials: 2,
                repetitions: 2,
                replicates: 20,
                base: Length { warm_up: 50, draws: 260 },
                core: 1000,
                anchored_first: 1024,
                pilot: PilotSettings { levels: 3, replicates: 40 },
            },
        }
    }
}

type Level = ByKinkedChain<PatternLogistic>;

impl Experiment for A9a {
    fn id(&self) -> &'static str {
        "a9a"
    }

    fn paper(&self) -> &'static str {
        "Figure 9"
    }

    fn question(&self) -> &'static str {
        "Does debiasing pay on a9a, where the data is small and the weights are many?"
    }

    fn timed(&self) -> &'static [(&'static str, &'static str)] {
        &[("a9a/days", "full-nuts")]
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let rows = Patterned(a9a());
        let count = rows.count();
        let data = vec![DataSource {
            name: "a9a".to_owned(),
            rows: count as u64,
            identity: format!("sha256 {}", A9A_SHA256),
        }];
        let model = PatternLogistic::new(123, Prior::Laplace { scale: 1.0 })?;
        let stand_in = PatternLogistic::new(123, Prior::like_laplace(1.0))?;
        let schedule = Schedule::halving(count, FIRST)?;
        let settings = json!({
            "rows": count, "schedule": schedule.sizes(), "alpha": ALPHA, "trials": size.trials,
            "repetitions": size.repetitions, "replicates": size.replicates,
            "warm_up": size.length.warm_up, "draws": size.length.draws, "chains": size.chains,
            "reference_warm_up": size.reference.warm_up, "reference_draws": size.reference.draws,
            "base_warm_up": size.base.warm_up, "base_draws": size.base.draws,
            "core": size.core, "anchored_first": size.anchored_first,
            "anchored_replicates": ANCHORED_REPLICATES,
        });
        let mut level = Level {
            stand_in: stand_in.clone(),
            scale: 1.0,
            framing: Framing::Laplace {
                optimiser: Lbfgs::customary(),
                from: vec![0.0; DIMENSION],
                difference: f64::EPSILON.cbrt(),
            },
            length: size.length,
            functionals: Functional::means(DIMENSION),
            expected_evaluations: 0.0,
        };
        level.expected_evaluations = evaluations_a_row(context, &rows, &model, &level, FIRST)?;

        let block = rows.range(0..count);
        let long = Level { length: size.reference, ..level.clone() };
        let long = FullNuts { model: &model, block: &block, level: &long };
        let long = context.replicate("reference", &settings, &data, &long, size.chains)?;
        let reference = Reference::of(&long);
        let truth = &reference.truth;
        let full = FullNuts { model: &model, block: &block, level: &level };
        let full = context.replicate("full-nuts", &settings, &data, &full, 1)?;
        let mut target = PartialPosterior::new(&model, &block);
        let mode = Lbfgs::customary().maximise(&mut target, &[0.0; DIMENSION])?;
        let best = best_height(&mut target)?;
        let near = mode.iterations_within(1.0, best);

        let path = DataPath::new(&rows, &model, &level, &schedule)?;
        let law = Truncation::geometric(ALPHA, schedule.levels())?;
        let chance = law.mass(law.levels());
        let pilot = |form| Pilot::run(&path, &schedule, form, size.pilot, context.seed);
        let paper = Method::paper(pilot(Form::CoupledSum)?.predict(law.clone())?);
        let repetitions = repetitions(context, &path, &law, &size, &settings, &data)?;
        let ours = pilot(Form::AntitheticSingleTerm)?;
        let ours =
            Method::ours(ours.predict(debias::optimal(&ours.tradeoff()?, paper.expected_cost())?)?);
        let our_run = ours.run(context, &path, &settings, &data, size.replicates)?;
        let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
        let constant = ConstantBatch::new(&rows, &model, &level, batch)?;
        let constant =
            context.replicate("constant-batch", &settings, &data, &constant, size.replicates)?;

        let anchor = Anchor::with_core(&model, &stand_in, &rows, &[0.0; DIMENSION], size.core)?;
        let steps = doubling(count - size.core, size.anchored_first)?;
        let anchored_path = anchor.path_by_chain(&steps, &level.functionals, 1.0, size.base)?;
        let anchored = Method::anchored(&anchored_path, &steps, anchor.ledger, context.seed)?;
        let anchored_run =
            anchored.run(context, &anchored_path, &settings, &data, ANCHORED_REPLICATES)?;

        let parts = (&rows, &model, &level);
        let convergence =
            truth.convergence(context, parts, schedule.sizes(), size.trials, &settings, &data)?;

        let each = |summary: &dyn Fn(usize) -> anyhow::Result<Summary>| {
            (0..DIMENSION).map(summary).collect::<anyhow::Result<Vec<_>>>()
        };
        // Stopped runs end to end are independent replicates again; as many as the others have.
        let pooled = pool(&repetitions, size.replicates);
        let methods = [
            ("coupled-sum", each(&|j| Ok(Summary::of(&pooled.functional(j))?))?),
            (ours.name, each(&|j| Ok(ours.summary(&our_run, j)?))?),
            ("constant-batch", each(&|j| Ok(Summary::of(&constant.functional(j))?))?),
            (anchored.name, each(&|j| Ok(anchored.summary(&anchored_run, j)?))?),
        ];
        let mut quantities = vec![
            Quantity::rough("evaluations a row", level.expected_evaluations),
            Quantity::rough("constant-batch/batch", batch as f64),
            Quantity::rough("constant-batch/total cost", evaluations(&constant)),
            Quantity::exact("anchored/passes", anchor.passes as f64),
            Quantity::rough("mode/iterations", mode.iterations as f64),
            Quantity::rough("mode/iterations to within one", near.map_or(-1.0, |near| near as f64)),
            Quantity::rough("reference/total cost", evaluations(&long)),
            Quantity::rough("reference/least effective draws", least(&reference.effective)),
            Quantity::rough("reference/rms error in posterior sds", {
                let errors = truth.errors.iter().zip(&truth.sds);
                let squares = errors.map(|(error, sd)| (error / sd).powi(2));
                (squares.sum::<f64>() / DIMENSION as f64).sqrt()
            }),
            Quantity::rough("reference/mean effective draws", mean(&reference.effective)),
            Quantity::rough("full-nuts/total cost", evaluations(&full)),
            Quantity::rough(
                "full-nuts/least effective draws",
                least(&Reference::of(&full).effective),
            ),
            Quantity::rough(
                "full-nuts/rms error in posterior sds",
                truth.error(&full.value(0)[..DIMENSION]),
            ),
            Quantity::exact("chance of the full data", chance),
        ];
        let names: Vec<String> = (1..=DIMENSION).map(weight_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        quantities.extend(paper.describe(&pooled, &names[..1])?);
        quantities.extend(ours.describe(&our_run, &names[..1])?);
        quantities.extend(anchored.describe(&anchored_run, &names[..1])?);
        quantities.extend(truth.quantities(&methods));
        let notes = vec![
            "The paper prints neither a nor α for a9a; a = 1000, where it sees statistics settle, and \
             α = 1 are taken."
                .to_owned(),
            paper.audit(&path, &pooled),
            ours.audit(&path, &our_run),
            anchored.audit(&anchored_path, &anchored_run),
        ];
        Ok(Record {
            data,
            quantities,
            notes,
            tables: vec![
                truth.table(
                    &[("mcse", truth.errors.clone()), ("ess", reference.effective.clone())],
                    &methods,
                ),
                truth.running(&[
                    (paper.name, &pooled, paper.setup_cost()),
                    (ours.name, &our_run, ours.setup_cost()),
                    ("constant-batch", &constant, 0.0),
                    (anchored.name, &anchored_run, anchored.setup_cost()),
                ]),
                repetition_table(&repetitions, truth),
                convergence,
                replicate_table("coupled-sum", &pooled, &names[..1]),
                replicate_table(ours.name, &our_run, &names[..1]),
                replicate_table("constant-batch", &constant, &names[..1]),
                replicate_table(anchored.name, &anchored_run, &names[..1]),
            ],
            ..context.record(self, &settings)
        })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<records::Claim>> {
        claims::claims(record)
    }
}

/// The best log density that a patient search finds, whatever ends it.
fn best_height(target: &mut PartialPosterior<'_, PatternLogistic>) -> anyhow::Result<f64> {
    let patient = Lbfgs { gain: 1e-11, memory: 60, ..Lbfgs::default() };
    Ok(patient.maximise(target, &[0.0; DIMENSION])?.point.log_density)
}

fn weight_name(index: usize) -> String {
    if index == DIMENSION { "bias".to_owned() } else { format!("w{index}") }
}

fn evaluations(run: &Replicates) -> f64 {
    run.total_cost().evaluations() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}
