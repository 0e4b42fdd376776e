//! Figure 5: logistic regression on 10⁸ rows.
//!
//! x ~ N(0, D⁻² I) with D = 10 (nine covariates and a bias), true weights one, true bias zero,
//! Laplace(1) priors. Convergence: batches of n = 128, …, 2¹⁷ rows, 100 trials each. Debiasing:
//! a = 128, P(T = t) ∝ 2^{−t}, R = 1000. Partial posteriors by NUTS, 100 + 500 iterations, in the
//! metric of their Laplace approximation and exactly through the kinks of the prior.
//!
//! The truth is no plateau here: the mode by Newton's method over all 10⁸ rows, and from it the
//! posterior mean to the next order. Beside the paper's estimator, at its expected cost: our
//! antithetic single term, and averaged constant batches; and the anchored path, which takes two
//! passes over the data and a few thousand rows.
//!
//! Read differently: the text's a = 100 cannot give its median of 256; a = 128 can.

use crate::methods::method::{Method, replicate_table};
use crate::methods::usage::Usage;
use crate::problems::truth::{Truth, evaluations_a_row, floor};
use crate::{Context, Experiment};
use baselines::ConstantBatch;
use data::{Generated, LogisticLaw};
use debias::{
    Estimate, Estimator, Form, Pilot, PilotSettings, Replicates, Rng, Schedule, Summary, Truncation,
};
use models::anchor::{NewtonError, newton};
use models::laplace_mean::laplace_mean;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DataPath, Rows};
use records::{DataSource, Quantity, Record, Scale};
use samplers::{ByKinkedChain, ChainError, Framing, Functional, Length};
use serde_json::json;
use unbiased_bayes::anchored::{Anchor, doubling};

mod claims;

/// The experiment `logistic-synthetic`.
pub struct LogisticSynthetic;

const FIRST: usize = 128;
const ALPHA: f64 = 1.0;
const LENGTH: Length = Length { warm_up: 100, draws: 500 };
/// Nine weights and the bias.
const NAMES: [&str; 10] = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "bias"];
/// Rows of the first level of the anchored path, pairs of points, and replicates.
const ANCHORED_FIRST: usize = 256;
const PAIRS: usize = 32;
const ANCHORED_REPLICATES: usize = 400;

/// What differs between the scales.
struct Size {
    rows: usize,
    trials: usize,
    largest_batch: usize,
    replicates: usize,
    pilot: PilotSettings,
}

impl Size {
    fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => Size {
                rows: 100_000_000,
                trials: 100,
                largest_batch: 1 << 17,
                replicates: 1000,
                // Down to where the likelihood outweighs the prior.
                pilot: PilotSettings { levels: 7, replicates: 40 },
            },
            Scale::Smoke => Size {
                rows: 1 << 14,
                trials: 5,
                largest_batch: 1 << 9,
                replicates: 20,
                pilot: PilotSettings { levels: 3, replicates: 40 },
            },
        }
    }
}

impl Experiment for LogisticSynthetic {
    fn id(&self) -> &'static str {
        "logistic-synthetic"
    }

    fn paper(&self) -> &'static str {
        "Figure 5"
    }

    fn question(&self) -> &'static str {
        "Can ten logistic weights be estimated without bias when 10⁸ rows are too many for a chain?"
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let (rows, data) = rows(context, size.rows);
        let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 })?;
        let schedule = Schedule::geometric(FIRST, 2.0, size.rows)?;
        let halving = Schedule::halving(size.rows, FIRST)?;
        let settings = json!({
            "rows": size.rows, "schedule": schedule.sizes(), "alpha": ALPHA,
            "replicates": size.replicates, "trials": size.trials, "warm_up": LENGTH.warm_up,
            "draws": LENGTH.draws, "anchored_first": ANCHORED_FIRST, "points": 2 * PAIRS,
            "anchored_replicates": ANCHORED_REPLICATES,
        });
        (context.say)("the truth: Newton's method over all rows");
        let truth = AllRows { model: &model, rows: &rows };
        let truth_run = context.replicate("truth", &settings, &data, &truth, 1)?;
        let (means, sds) = truth_run.value(0).split_at(NAMES.len());
        let truth =
            Truth { means: means.to_vec(), sds: sds.to_vec(), errors: vec![0.0; NAMES.len()] };

        let mut level = ByKinkedChain {
            stand_in: DenseLogistic::new(9, Prior::like_laplace(1.0))?,
            scale: 1.0,
            framing: Framing::laplace(NAMES.len()),
            length: LENGTH,
            functionals: Functional::means(NAMES.len()),
            expected_evaluations: 0.0,
        };
        level.expected_evaluations = evaluations_a_row(context, &rows, &model, &level, 16 * FIRST)?;
        let paper_path = DataPath::new(&rows, &model, &level, &schedule)?;
        let our_path = DataPath::new(&rows, &model, &level, &halving)?;
        let law = Truncation::geometric(ALPHA, schedule.levels())?;
        let usage = Usage { schedule: &schedule, law: &law, printed_largest: None };
        let paper = Pilot::run(&paper_path, &schedule, Form::CoupledSum, size.pilot, context.seed)?;
        let paper = Method::paper(paper.predict(law.clone())?);
        let cap = Some(paper.expected_cost());
        let ours =
            Pilot::run(&our_path, &halving, Form::AntitheticSingleTerm, size.pilot, context.seed)?;
        let ours = Method::ours(ours.optimal::<ChainError>(cap)?);
        let paper_run = paper.run(context, &paper_path, &settings, &data, size.replicates)?;
        let our_run = ours.run(context, &our_path, &settings, &data, size.replicates)?;

        // Constant batches for the same money.
        let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
        let constant = ConstantBatch::new(&rows, &model, &level, batch)?;
        let constant =
            context.replicate("constant-batch", &settings, &data, &constant, size.replicates)?;

        (context.say)("the anchor: Newton's method on a hundredth of the rows, then on all");
        let anchor = Anchor::climb(&model, &rows, &[0.0; 10], size.rows / 100, context.seed)?;
        let steps = doubling(size.rows, ANCHORED_FIRST)?;
        let functionals = Functional::means(NAMES.len());
        let path = anchor.path(&steps, &functionals, PAIRS)?;
        let anchored = Method::anchored(&path, &steps, anchor.ledger, context.seed)?;
        let anchored_run = anchored.run(context, &path, &settings, &data, ANCHORED_REPLICATES)?;

        let mut sizes = schedule.sizes().to_vec();
        sizes.retain(|&batch| batch <= size.largest_batch);
        let parts = (&rows, &model, &level);
        let convergence =
            truth.convergence(context, parts, &sizes, size.trials, &settings, &data)?;

        let summaries = |method: &Method, run: &Replicates| -> anyhow::Result<Vec<Summary>> {
            (0..NAMES.len()).map(|entry| Ok(method.summary(run, entry)?)).collect()
        };
        let constants: Result<Vec<_>, _> =
            (0..NAMES.len()).map(|entry| Summary::of(&constant.functional(entry))).collect();
        let methods = [
            (paper.name, summaries(&paper, &paper_run)?),
            (ours.name, summaries(&ours, &our_run)?),
            ("constant-batch", constants?),
            (anchored.name, summaries(&anchored, &anchored_run)?),
        ];
        let mut quantities = vec![
            Quantity::rough("constant-batch/batch", batch as f64),
            Quantity::rough("constant-batch/total cost", evaluations(&constant)),
            Quantity::rough("evaluations a row", level.expected_evaluations),
            Quantity::exact("anchored/passes", anchor.passes as f64),
            Quantity::exact("truth/passes", evaluations(&truth_run) / size.rows as f64),
        ];
        for (method, run) in [(&paper, &paper_run), (&ours, &our_run), (&anchored, &anchored_run)] {
            quantities.extend(method.describe(run, &NAMES)?);
        }
        let seen = paper_run.total_cost().distinct_rows as f64;
        quantities.push(Quantity::rough("floor in posterior sds", floor(size.rows, seen)));
        quantities.extend(truth.quantities(&methods));
        quantities.extend(usage.describe(paper_run.depths(), context.seed)?);
        let notes = vec![
            "a = 128: the text's 100 cannot give its median of 256. Chains are NUTS in the metric of a \
             Laplace approximation, solved exactly through the kinks of the prior."
                .to_owned(),
            paper.audit(&paper_path, &paper_run),
            ours.audit(&our_path, &our_run),
            anchored.audit(&path, &anchored_run),
        ];
        Ok(Record {
            data,
            quantities,
            notes,
            tables: vec![
                truth.table(&[], &methods),
                truth.running(&[
                    (paper.name, &paper_run, paper.setup_cost()),
                    (ours.name, &our_run, ours.setup_cost()),
                    ("constant-batch", &constant, 0.0),
                    (anchored.name, &anchored_run, anchored.setup_cost()),
                ]),
                replicate_table(paper.name, &paper_run, &NAMES),
                replicate_table(ours.name, &our_run, &NAMES),
                replicate_table("constant-batch", &constant, &NAMES),
                replicate_table(anchored.name, &anchored_run, &NAMES),
                convergence,
            ],
            ..context.record(self, &settings)
        })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<records::Claim>> {
        claims::claims(record)
    }
}

/// The rows of the experiment, and what they are called.
pub fn rows(context: &Context<'_>, count: usize) -> (Generated<LogisticLaw>, Vec<DataSource>) {
    let seed = context.root.child("logistic-synthetic").child("rows");
    let data = DataSource {
        name: "synthetic logistic rows".to_owned(),
        rows: count as u64,
        identity: format!("x ~ N(0, I/100), w = 1, b = 0, seed {}", seed.0),
    };
    (Generated::new(LogisticLaw::paper(), seed, count), vec![data])
}

fn evaluations(run: &Replicates) -> f64 {
    run.total_cost().evaluations() as f64
}

/// Posterior means and standard deviations by Newton's method over all rows, and one pass more.
struct AllRows<'a> {
    model: &'a DenseLogistic,
    rows: &'a Generated<LogisticLaw>,
}

impl Estimator for AllRows<'_> {
    type Error = NewtonError;

    fn estimate(&self, _: u64, _: &mut Rng) -> Result<Estimate, NewtonError> {
        let mode = newton(self.model, self.rows, &[0.0; 10], 1e-6, 20)?;
        let (mut value, cost) = laplace_mean(self.model, self.rows, &mode);
        value.extend((0..NAMES.len()).map(|j| mode.covariance.entry(j, j).sqrt()));
        Ok(Estimate { value, depth: 1, cost: mode.ledger + cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        6.0 * self.rows.count() as f64
    }
}
