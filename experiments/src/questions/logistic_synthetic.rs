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

use crate::methods::anchored::{Anchored, AnchoredSettings};
use crate::methods::chains::{PAPER, evaluations_per_row, kinked};
use crate::methods::constant_batch::{self, weights_converge};
use crate::methods::debiased::{Choice, Method, evaluations, replicate_table, summaries};
use crate::methods::usage::Usage;
use crate::problems::logistic::{self, NAMES, WEIGHTS};
use crate::problems::truth::{Truth, floor};
use crate::{Context, Experiment};
use baselines::ConstantBatch;
use debias::{PilotSettings, Schedule, Truncation};
use posterior::DataPath;
use records::{Quantity, Record};
use samplers::{Framing, Functional};
use serde_json::json;

mod claims;

/// The experiment `logistic-synthetic`.
pub const EXPERIMENT: Experiment = Experiment::new(
    "logistic-synthetic",
    "Figure 5",
    "Can ten logistic weights be estimated without bias when 10⁸ rows are too many for a chain?",
    run,
    claims::claims,
);

const FIRST: usize = 128;
const ALPHA: f64 = 1.0;
/// Rows of the first level of the anchored path, pairs of points, and replicates.
const ANCHORED_FIRST: usize = 256;
const PAIRS: usize = 32;
const ANCHORED_REPLICATES: usize = 400;

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (count, largest_batch) = context.scale.pick((100_000_000, 1 << 17), (1 << 14, 1 << 9));
    let (trials, replicates) = context.scale.pick((100, 1000), (5, 20));
    // At full scale down to where the likelihood outweighs the prior.
    let pilot = PilotSettings { levels: context.scale.pick(7, 3), replicates: 40 };
    let (rows, data) = logistic::rows(context, count);
    let (model, smooth) = (logistic::model()?, logistic::smooth()?);
    let schedule = Schedule::geometric(FIRST, 2.0, count)?;
    let halving = Schedule::halving(count, FIRST)?;
    let settings = json!({
        "rows": count, "schedule": schedule.sizes(), "alpha": ALPHA,
        "replicates": replicates, "trials": trials, "warm_up": PAPER.warm_up,
        "draws": PAPER.draws, "anchored_first": ANCHORED_FIRST, "points": 2 * PAIRS,
        "anchored_replicates": ANCHORED_REPLICATES,
    });
    let work = context.work(&settings, &data);
    (context.say)("the truth: Newton's method over all rows");
    let (means, sds, cost) = work.cached("truth", |_| logistic::truth(&model, &rows))?;
    let truth = Truth::exact(means, sds);
    let truth_passes = cost.evaluations() as f64 / count as f64;

    let mut level = kinked(smooth, Framing::laplace(WEIGHTS), PAPER);
    level.expected_evaluations = evaluations_per_row(context, (&rows, &model, &level), 16 * FIRST)?;
    let paper_path = DataPath::new(&rows, &model, &level, &schedule)?;
    let our_path = DataPath::new(&rows, &model, &level, &halving)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let usage = Usage { schedule: &schedule, law: &law, printed_largest: None };
    let paper = Method::coupled_sum(&paper_path, &schedule, law.clone(), pilot, context.seed)?;
    let choice = Choice::Optimal { cap: paper.expected_cost() };
    let ours = Method::antithetic(&our_path, &halving, choice, pilot, context.seed)?;
    let paper_run = paper.run(&work, &paper_path, replicates)?;
    let our_run = ours.run(&work, &our_path, replicates)?;

    // Constant batches at the same expected cost.
    let batch = (paper.expected_cost() / level.expected_evaluations).round() as usize;
    let constant = ConstantBatch::new(&rows, &model, &level, batch)?;
    let constant = work.replicate(constant_batch::NAME, &constant, replicates)?;

    (context.say)("the anchor: Newton's method on a hundredth of the rows, then on all");
    let settings_of_path =
        AnchoredSettings::mirrored((count / 100, context.seed), ANCHORED_FIRST, PAIRS);
    let functionals = Functional::means(WEIGHTS);
    let anchored = Anchored::new((&model, &model, &rows), &functionals, settings_of_path)?;
    let path = anchored.path()?;
    let passes = anchored.anchor.passes as f64;
    let anchored = Method::anchored(&anchored, &path, context.seed)?;
    let anchored_run = anchored.run(&work, &path, ANCHORED_REPLICATES)?;

    let mut sizes = schedule.sizes().to_vec();
    sizes.retain(|&batch| batch <= largest_batch);
    let parts = (&rows, &model, &level);
    let convergence = weights_converge(&work, &truth, parts, &sizes, trials)?;

    let methods = [
        (paper.name, paper.summaries(&paper_run)?),
        (ours.name, ours.summaries(&our_run)?),
        (constant_batch::NAME, summaries(&constant)?),
        (anchored.name, anchored.summaries(&anchored_run)?),
    ];
    let mut quantities = vec![
        Quantity::rough("constant-batch/batch", batch as f64),
        Quantity::rough("constant-batch/total cost", evaluations(&constant)),
        Quantity::rough("evaluations a row", level.expected_evaluations),
        Quantity::exact("anchored/passes", passes),
        Quantity::exact("truth/passes", truth_passes),
    ];
    for (method, run) in [(&paper, &paper_run), (&ours, &our_run), (&anchored, &anchored_run)] {
        quantities.extend(method.describe(run, &NAMES)?);
    }
    let seen = paper_run.total_cost().distinct_rows as f64;
    quantities.push(Quantity::rough("floor in posterior sds", floor(count, seen)));
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
    let runs = [
        (paper.name, &paper_run, paper.setup_cost()),
        (ours.name, &our_run, ours.setup_cost()),
        (constant_batch::NAME, &constant, 0.0),
        (anchored.name, &anchored_run, anchored.setup_cost()),
    ];
    let mut tables = vec![truth.table(&[], &methods), truth.running(&runs)];
    tables.extend(runs.map(|(name, run, _)| replicate_table(name, run, &NAMES)));
    tables.push(convergence);
    let record = context.record(&EXPERIMENT, &settings);
    Ok(Record { data, quantities, notes, tables, ..record })
}
