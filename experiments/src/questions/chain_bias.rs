//! Ours: the bias that finite chains leave, and the estimator that has none.
//!
//! The posterior mean of σ given 1024 log-Gaussian rows, known in closed form. Levels by random walks
//! in the frame of their Laplace approximation, started at σ = e, thirty posterior sds away at the
//! last level: warm-ups of 0 to 320 steps, then 50 draws. Debiasing removes the bias of subsetting
//! and leaves that of the chains; pairs of coupled chains inside the levels (Jacob, O'Leary & Atchadé
//! 2020), with the same walk and the same start, remove both.

use crate::methods::anchored::FORM;
use crate::methods::chains::evaluations_per_row;
use crate::methods::debiased::{Debiasing, PathMean};
use crate::problems::log_gaussian::{rows, sigma, truth};
use crate::{Context, Experiment};
use debias::{Schedule, Scheme, Summary, Truncation, quantile};
use models::log_gaussian::{LogGaussian, LogGaussianClosedForm};
use posterior::{DataPath, PartialPosterior, Rows, subset};
use records::{Claim, Quantity, Record, Table, Verdict};
use samplers::{
    ByChain, ByCoupledChains, CoupledWalk, Framing, Lagged, Length, RandomWalk, Start, WalkCoupling,
};
use serde_json::json;

/// The experiment `chain-bias`.
pub const EXPERIMENT: Experiment = Experiment::new(
    "chain-bias",
    "ours",
    "How biased is a path of finite chains, and what does it cost to be rid of that bias too?",
    run,
    claims,
);

const ROWS: usize = 1024;
const FIRST: usize = 8;
const ALPHA: f64 = 0.7;
const WARM_UPS: [usize; 6] = [0, 5, 20, 80, 160, 320];
const DRAWS: usize = 50;
/// μ and ln σ at the start of every chain.
const START: [f64; 2] = [0.0, 1.0];
const LAGGED: Lagged = Lagged { lag: 50, burn_in: 100, last: 250, budget: 1_000_000 };
const COUPLED: &str = "coupled";

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (replicates, pairs) = context.scale.pick((10_000, 400), (400, 20));
    let settings = json!({
        "rows": ROWS, "first": FIRST, "alpha": ALPHA, "warm_ups": WARM_UPS, "draws": DRAWS,
        "start": START, "lag": LAGGED.lag, "burn_in": LAGGED.burn_in, "last": LAGGED.last,
        "replicates": replicates, "pairs": pairs,
    });
    let (rows, data) = rows(context.seed.child("rows"), ROWS);
    let work = context.work(&settings, &data);
    let truth = truth(&rows.range(0..ROWS))?;
    let (target, sd) = (truth.means[0], truth.sds[0]);
    let schedule = Schedule::halving(ROWS, FIRST)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let debiasing = Debiasing { form: FORM, law: &law, scheme: Scheme::Independent };
    let mut found = Vec::new();
    for warm_up in WARM_UPS {
        let mut level = plain(warm_up);
        level.expected_evaluations =
            evaluations_per_row(context, (&rows, &LogGaussian, &level), 64)?;
        let path = DataPath::new(&rows, &LogGaussian, &level, &schedule)?;
        let step = format!("warm-up-{warm_up}");
        let mean = debiasing.mean(&work, &step, &path, replicates)?;
        found.push((step, mean));
    }
    let mut level = coupled();
    level.expected_evaluations = evaluations_per_row(context, (&rows, &LogGaussian, &level), 64)?;
    let path = DataPath::new(&rows, &LogGaussian, &level, &schedule)?;
    found.push((COUPLED.to_owned(), debiasing.mean(&work, COUPLED, &path, replicates)?));
    let path = DataPath::new(&rows, &LogGaussian, &LogGaussianClosedForm, &schedule)?;
    let step = "closed-form";
    found.push((step.to_owned(), debiasing.mean(&work, step, &path, replicates)?));

    // When pairs meet, level after level.
    let meetings = work.each("meetings", schedule.levels() * pairs, |index, rng| {
        let size = schedule.size(index / pairs + 1);
        let block = rows.gather(&subset(rows.count(), size, rng));
        let pair = level.pair(&mut PartialPosterior::new(&LogGaussian, &block), rng)?;
        Ok(pair.meeting as f64)
    })?;
    let (mut sizes, mut times) = (Vec::new(), Vec::new());
    let mut quantities =
        vec![Quantity::exact("target", target), Quantity::exact("posterior sd", sd)];
    for (place, met) in meetings.chunks(pairs).enumerate() {
        let size = schedule.size(place + 1);
        for (label, share) in [("median", 0.5), ("95 %", 0.95), ("last", 1.0)] {
            let name = format!("meeting/{size} rows/{label}");
            quantities.push(Quantity::rough(&name, quantile(met, share)));
        }
        sizes.extend(vec![size as i64; pairs]);
        times.extend(met.iter().map(|&time| time as i64));
    }
    for (levels, PathMean { summary, cost }) in &found {
        let name = |what: &str| format!("{levels}/{what}");
        let Summary { mean, standard_error, variance, .. } = *summary;
        quantities.push(Quantity::estimate(&name("sigma"), mean, standard_error));
        let bias = mean - target;
        quantities.push(Quantity::rough(&name("bias in posterior sds"), bias / sd));
        quantities.push(Quantity::rough(&name("bias in standard errors"), bias / standard_error));
        quantities.push(Quantity::rough(&name("mean cost"), *cost));
        quantities.push(Quantity::rough(&name("work times variance"), cost * variance));
    }
    let column = |value: &dyn Fn(&PathMean) -> f64| {
        found.iter().map(|(_, mean)| value(mean)).collect::<Vec<_>>()
    };
    let bias = Table::new("bias")
        .with("levels", found.iter().map(|(levels, _)| levels.clone()).collect::<Vec<_>>())
        .with("sigma", column(&|mean| mean.summary.mean))
        .with("error", column(&|mean| mean.summary.standard_error))
        .with("cost", column(&|mean| mean.cost))
        .with("variance", column(&|mean| mean.summary.variance));
    let meetings = Table::new("meetings").with("rows", sizes).with("meeting", times);
    let notes = vec![
        "Chains start at σ = e whatever the level: a start that is far away at the last level, so that the bias of \
         short chains can be seen. Coupled pairs use the same walk and start."
            .to_owned(),
    ];
    let tables = vec![bias, meetings];
    Ok(Record { data, quantities, notes, tables, ..context.record(&EXPERIMENT, &settings) })
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let off = |name: &str| record.value(&format!("{name}/bias in standard errors"));
    let (short, pairs) = (off("warm-up-5")?, off(COUPLED)?);
    let product = |name: &str| record.value(&format!("{name}/work times variance"));
    let each: Vec<String> = WARM_UPS
        .iter()
        .map(|warm_up| Ok(format!("{warm_up}: {:.1}", off(&format!("warm-up-{warm_up}"))?)))
        .collect::<anyhow::Result<_>>()?;
    let mut cheapest = f64::INFINITY;
    for warm_up in WARM_UPS {
        let name = format!("warm-up-{warm_up}");
        if off(&name)?.abs() < 2.0 {
            cheapest = cheapest.min(product(&name)?);
        }
    }
    let price = product(COUPLED)? / cheapest;
    let sds = record.value("warm-up-5/bias in posterior sds")?;
    Ok(vec![Claim::ours(
        "ours/chain-bias-doubly-unbiased",
        "coupled chains inside the data path remove the bias that finite chains leave",
    )
        .found(format!(
            "bias in standard errors by warm-up {}; coupled {pairs:.1}",
            each.join("; ")
        ))
        .rule("reproduced if the plain estimator with five steps of warm-up is off by more than eight standard \
         errors and that of coupled chains by less than four (a false alarm once in sixteen thousand runs)")
        .judged(Verdict::of(short.abs() > 8.0 && pairs.abs() < 4.0), format!(
            "Five steps of warm-up leave {sds:.1} posterior standard deviations of bias, {short:.0} standard errors; \
             coupled chains are {pairs:.1} standard errors off, for {price:.2} times the work × variance of the cheapest \
             warm-up whose bias these replicates cannot see."
        ))])
}

fn walk() -> CoupledWalk {
    CoupledWalk { walk: RandomWalk::optimal(2), coupling: WalkCoupling::Reflection }
}

fn plain(warm_up: usize) -> ByChain<CoupledWalk> {
    ByChain {
        sampler: walk(),
        framing: Framing::laplace(2),
        start: Start::At(START.to_vec()),
        length: Length { warm_up, draws: DRAWS },
        functionals: sigma(),
        control_variates: false,
        expected_evaluations: 0.0,
    }
}

fn coupled() -> ByCoupledChains<CoupledWalk> {
    ByCoupledChains {
        kernel: walk(),
        framing: Framing::laplace(2),
        start: Start::At(START.to_vec()),
        lagged: LAGGED,
        functionals: sigma(),
        expected_evaluations: 0.0,
    }
}
