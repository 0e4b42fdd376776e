//! Walks that decide on some rows: what the paper says of austerity and of the confidence sampler.
//!
//! N = 10⁵ log-Gaussian rows x, ln x ~ N(0, 2), as in the example that the paper takes up, and a Gaussian
//! with unknown μ and σ under flat priors, whose posterior is known in closed form:
//!
//! - *logarithms*: fitted to ln x, the model that the paper writes down;
//! - *raw*: fitted to x itself, where a few rows carry most of the likelihood.
//!
//! Both walks start at the mode, with proposals of the shape of the posterior, and look at 256 rows first.
//! Of each: the share of rows that a step looks at, and how far the mean of σ is off, in posterior sds,
//! beside the spread that the chain itself shows.

use crate::methods::anchored::{frame_of, newton};
use crate::problems::log_gaussian::{named, sigma, truth};
use crate::{Context, Experiment};
use baselines::{Austerity, Confidence, SequentialTest, SubsampledSettings, SubsampledWalk};
use data::DenseRows;
use debias::{Rng, Summary};
use models::log_gaussian::LogGaussian;
use posterior::{DenseBlock, Rows};
use records::{Claim, Quantity, Record, Verdict};
use samplers::{Frame, Length};
use serde_json::json;

/// The experiment `subsampled-walks`.
pub const EXPERIMENT: Experiment = Experiment::new(
    "subsampled-walks",
    "Section 4.1, on other methods",
    "Are walks that look at some rows wrong or expensive where the paper says so?",
    run,
    claims,
);

const LOOK: usize = 256;
const AUSTERITY: f64 = 0.05;
const CONFIDENCE: f64 = 0.1;
/// The data sets, as tables name them.
const DATA: [&str; 2] = ["logarithms", "raw"];
/// Standard errors of a bias that is no accident: a false alarm once in sixteen thousand.
const CLEAR: f64 = 4.0;

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (count, chains) = context.scale.pick((100_000, 12), (2000, 3));
    let length = context
        .scale
        .pick(Length { warm_up: 100, draws: 1000 }, Length { warm_up: 20, draws: 100 });
    let settings = json!({
        "rows": count, "chains": chains, "warm_up": length.warm_up, "draws": length.draws,
        "look": LOOK, "austerity": AUSTERITY, "confidence": CONFIDENCE,
    });
    let (generated, data) = named("log-Gaussian rows", context.seed.child("rows"), count);
    let logarithms = generated.range(0..count);
    let mut raw = DenseBlock::zeros(count, 1);
    let values: Vec<f64> = logarithms.column(0).iter().map(|y| y.exp()).collect();
    raw.column_mut(0).copy_from_slice(&values);
    let mut record = context.record(&EXPERIMENT, &settings);
    let work = context.work(&settings, &data);
    for (name, block) in DATA.into_iter().zip([logarithms, raw]) {
        let known = truth(&block)?;
        let rows = DenseRows::new(block);
        let mode = newton(&LogGaussian, &rows, &[0.0; 2], 1e-3, 50)?;
        let problem = Problem {
            rows: &rows,
            frame: frame_of(&mode.theta, &mode.covariance)?,
            target: (known.means[0], known.sds[0]),
            length,
        };
        let (austerity, confidence) =
            (Austerity::new(LOOK, AUSTERITY)?, Confidence::new(LOOK, 2.0, CONFIDENCE)?);
        let step = |method: &str| format!("{name}-{method}");
        (context.say)(name);
        let found = [
            work.each(&step("austerity"), chains, |_, rng| problem.chain(austerity, rng))?,
            work.each(&step("confidence"), chains, |_, rng| problem.chain(confidence, rng))?,
        ];
        for (method, found) in ["austerity", "confidence"].iter().zip(&found) {
            record.quantities.extend(described(&format!("{name}/{method}"), found)?);
        }
    }
    Ok(Record { data, ..record })
}

/// The posterior of one data set.
struct Problem<'a> {
    rows: &'a DenseRows,
    frame: Frame,
    /// Mean and standard deviation of σ.
    target: (f64, f64),
    length: Length,
}

/// Of one chain: the error of the mean of σ and the standard deviation of its draws, both in posterior
/// sds, and the mean share of rows that a step looks at.
type Found = [f64; 3];

impl Problem<'_> {
    /// One chain.
    fn chain<T: SequentialTest>(&self, test: T, rng: &mut Rng) -> anyhow::Result<Found> {
        let settings = SubsampledSettings {
            scale: 2.38 / (self.frame.dimension() as f64).sqrt(),
            shape: self.frame.factor().clone(),
            start: self.frame.mean().to_vec(),
            length: self.length,
            functionals: sigma(),
        };
        let run = SubsampledWalk::new(self.rows, &LogGaussian, test, settings)?.run(rng)?;
        let draws: Vec<f64> = run.positions.chunks(2).map(LogGaussian::sigma).collect();
        let draws = Summary::of(&draws)?;
        let (mean, sd) = self.target;
        let spread = draws.standard_error * (self.length.draws as f64).sqrt();
        let share = run.fractions.iter().sum::<f64>() / run.fractions.len() as f64;
        Ok([(draws.mean - mean) / sd, spread / sd, share])
    }
}

fn described(prefix: &str, chains: &[Found]) -> anyhow::Result<Vec<Quantity>> {
    ["error of sigma in posterior sds", "spread in posterior sds", "share of rows per step"]
        .iter()
        .enumerate()
        .map(|(entry, label)| {
            let each: Vec<f64> = chains.iter().map(|chain| chain[entry]).collect();
            let Summary { mean, standard_error, .. } = Summary::of(&each)?;
            Ok(Quantity::estimate(&format!("{prefix}/{label}"), mean, standard_error))
        })
        .collect()
}

/// What the chains of one method on one data set said.
struct Walked {
    off: f64,
    noise: f64,
    spread: f64,
    share: f64,
}

impl Walked {
    fn of(record: &Record, data: &str, method: &str) -> anyhow::Result<Walked> {
        let quantity = |label: &str| record.quantity(&format!("{data}/{method}/{label}"));
        let off = quantity("error of sigma in posterior sds")?;
        Ok(Walked {
            off: off.value,
            noise: off.error.unwrap_or(f64::NAN),
            spread: quantity("spread in posterior sds")?.value,
            share: quantity("share of rows per step")?.value,
        })
    }

    /// Off by more than the chains' own interval, and by no accident.
    fn confidently_wrong(&self) -> bool {
        self.off.abs() > 1.96 * self.spread && self.off.abs() > CLEAR * self.noise
    }

    fn right(&self) -> bool {
        self.off.abs() <= CLEAR * self.noise
    }

    fn told(&self, data: &str) -> String {
        format!(
            "{data}: {:+.2} ± {:.2} posterior sds off, own spread {:.2}, {:.0} % of the rows per step",
            self.off,
            1.96 * self.noise,
            self.spread,
            100.0 * self.share
        )
    }
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let of = |method: &str| -> anyhow::Result<[Walked; 2]> {
        Ok([Walked::of(record, DATA[0], method)?, Walked::of(record, DATA[1], method)?])
    };
    let (austerity, confidence) = (of("austerity")?, of("confidence")?);
    let told = |walks: &[Walked; 2]| [0, 1].map(|at| walks[at].told(DATA[at])).join("; ");
    let both =
        |holds: &dyn Fn(usize) -> bool| Verdict::graded(holds(0) && holds(1), holds(0) || holds(1));
    let wrong = both(&|at| austerity[at].confidently_wrong());
    let dear = both(&|at| confidence[at].right() && confidence[at].share >= 0.9);
    Ok(vec![
        Claim::printed(
            "austerity/wrong",
            "austerity is confidently and completely wrong on log-Gaussian rows",
            "completely wrong",
        )
        .found(told(&austerity))
        .rule("reproduced if, fitted to the rows and to their logarithms, the mean of σ over chains is off by more \
         than 1.96 of the standard deviations that the chains show themselves and by more than four of its standard \
         errors; under the reading that one of the two is meant, if on that one; else not")
        .judged(wrong, format!("With errors of {AUSTERITY} per look of {LOOK} rows, {}.", told(&austerity))),
        Claim::printed(
            "confidence/rows",
            "the confidence sampler is right, at the cost of almost all rows in every iteration",
            "almost all rows",
        )
        .found(told(&confidence))
        .rule("reproduced if, fitted to the rows and to their logarithms, a step looks at 90 % of the rows or more \
         on average and the mean of σ over chains is within four standard errors of the truth; under the reading \
         that one of the two is meant, if on that one; else not")
        .judged(dear, format!("With an error of {CONFIDENCE} per step, {}.", told(&confidence))),
    ])
}
