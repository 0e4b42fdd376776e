//! A likelihood that does not factorise: exact Gaussian process regression on growing subsets.
//!
//! ```text
//! f ~ GP(0, k),  y_i = f(x_i) + noise        φ_t = predictive mean and variance given n_t rows: n_t³ work
//! n_t = 2^{t−1} a,  P(T = t) ∝ 2^{−α t}      E[Σ_{t ≤ T} n_t³] = O(N^{3−α})
//! ```
//!
//! The paper states this cost and runs the regression in feature space only. Here the regression itself
//! is run: x ~ U[0, 10], k(x, x') = exp(−d²/2), means and variances at five test points, debiased, beside
//! those given all rows. The cost is counted in n³, and its slope follows from the law.

use crate::methods::debiased::{Debiasing, summaries};
use crate::{Context, Experiment};
use data::{DenseRows, FeatureToyLaw, Generated};
use debias::{Form, Rng, Schedule, Scheme, Truncation};
use models::gaussian_process::{GaussianProcess, GaussianProcessError};
use models::kernel::SquaredExponential;
use posterior::{DataPath, DenseBlock, LevelEstimate, PartialPosterior, Rows};
use records::{Claim, DataSource, Quantity, Record, Table, Verdict};
use serde_json::json;

/// The experiment `exact-gp`.
pub const EXPERIMENT: Experiment = Experiment::new(
    "exact-gp",
    "Section 5.1",
    "Can exact Gaussian process predictions be debiased, and does the cost fall to N^{3−α}?",
    run,
    claims,
);

const FIRST: usize = 16;
const ALPHA: f64 = 0.8;
/// Laws whose cost is followed, and the rows between which its slope is taken.
const ALPHAS: [f64; 3] = [0.5, 0.8, 1.0];
const BETWEEN: [usize; 2] = [1 << 14, 1 << 20];
const NOISE: f64 = 0.25;
const POINTS: [f64; 5] = [0.5, 2.5, 5.0, 7.5, 9.5];
/// Waves of the function that the rows are drawn from.
const WAVES: usize = 100;

/// Means, then variances, at the test points.
struct MeansAndVariances {
    points: DenseBlock,
}

impl LevelEstimate<GaussianProcess> for MeansAndVariances {
    type Error = GaussianProcessError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, GaussianProcess>,
        _rng: &mut Rng,
    ) -> Result<Vec<f64>, GaussianProcessError> {
        let (process, block) = (posterior.model(), posterior.read_rows());
        posterior.count_flops(cubed(posterior.rows()) as u64);
        let given = process.posterior(block)?;
        Ok([given.predictive_mean(&self.points), given.predictive_variance(&self.points)].concat())
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        cubed(rows)
    }
}

fn cubed(rows: usize) -> f64 {
    (rows as f64).powi(3)
}

/// E[Σ_{t ≤ T} n_t³].
fn expected_work(rows: usize, alpha: f64) -> anyhow::Result<f64> {
    let schedule = Schedule::geometric(FIRST, 2.0, rows)?;
    let law = Truncation::geometric(alpha, schedule.levels())?;
    Ok((1..=schedule.levels()).map(|t| law.tail(t) * cubed(schedule.size(t))).sum())
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (count, replicates) = context.scale.pick((1024, 4000), (128, 200));
    let settings = json!({
        "rows": count, "first_batch": FIRST, "alpha": ALPHA, "replicates": replicates,
        "noise": NOISE, "kernel": "exp(-d²/2)", "points": POINTS, "alphas": ALPHAS, "slope_between": BETWEEN,
    });
    let seed = context.seed.child("rows");
    let law = FeatureToyLaw::new(WAVES, 1.0, NOISE, seed.child("function"));
    let rows = DenseRows::new(Generated::new(law, seed, count).range(0..count));
    let data = vec![DataSource {
        name: "noisy waves on [0, 10]".to_owned(),
        rows: count as u64,
        identity: format!("{WAVES} waves, noise {NOISE}, seed {}", seed.0),
    }];
    let mut points = DenseBlock::zeros(POINTS.len(), 1);
    points.column_mut(0).copy_from_slice(&POINTS);
    let process = GaussianProcess::new(SquaredExponential::new(1.0, 1.0)?, NOISE)?;
    let given = process.posterior(rows.block())?;
    let truth = [given.predictive_mean(&points), given.predictive_variance(&points)].concat();

    let schedule = Schedule::geometric(FIRST, 2.0, count)?;
    let law = Truncation::geometric(ALPHA, schedule.levels())?;
    let level = MeansAndVariances { points };
    let path = DataPath::new(&rows, &process, &level, &schedule)?;
    let debiasing = Debiasing { form: Form::CoupledSum, law: &law, scheme: Scheme::Independent };
    let work = context.work(&settings, &data);
    let run = debiasing.run(&work, "coupled-sum", &path, replicates)?;
    let found = summaries(&run)?;

    let operations = run.total_cost().flops as f64 / replicates as f64;
    let mut quantities = vec![
        Quantity::exact("expected work", expected_work(count, ALPHA)?),
        Quantity::exact("work given all rows", cubed(count)),
        Quantity::rough("mean work", operations),
    ];
    for alpha in ALPHAS {
        let [low, high] = BETWEEN;
        let ratio = expected_work(high, alpha)? / expected_work(low, alpha)?;
        let slope = ratio.ln() / (high as f64 / low as f64).ln();
        quantities.push(Quantity::exact(&format!("slope of the work at alpha {alpha}"), slope));
    }
    let what: Vec<String> = ["mean", "variance"]
        .iter()
        .flat_map(|what| POINTS.map(|point| format!("{what} at {point}")))
        .collect();
    let column = |value: &dyn Fn(usize) -> f64| (0..truth.len()).map(value).collect::<Vec<_>>();
    let table = Table::new("predictions")
        .with("functional", what)
        .with("truth", truth.clone())
        .with("debiased", column(&|entry| found[entry].mean))
        .with("error", column(&|entry| found[entry].standard_error));
    let record = context.record(&EXPERIMENT, &settings);
    Ok(Record { data, quantities, tables: vec![table], ..record })
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let table = record.table("predictions")?;
    let (truth, found) = (table.numbers("truth")?, table.numbers("debiased")?);
    let error = table.numbers("error")?;
    let count = POINTS.len();
    let z = |entry: usize| ((found[entry] - truth[entry]) / error[entry]).abs();
    let worst = (0..truth.len()).map(z).fold(0.0, f64::max);
    // Errors of the means in predictive sds, and of the variances as shares of themselves.
    let rms = |share: &dyn Fn(usize) -> f64| {
        ((0..count).map(|entry| share(entry).powi(2)).sum::<f64>() / count as f64).sqrt()
    };
    let of_means = rms(&|entry| error[entry] / truth[count + entry].sqrt());
    let of_variances = rms(&|entry| error[count + entry] / truth[count + entry]);
    let (mut told, mut sloped) = (Vec::new(), true);
    for alpha in ALPHAS {
        let slope = record.value(&format!("slope of the work at alpha {alpha}"))?;
        told.push(format!("{slope:.3} at α = {alpha}"));
        sloped &= (slope - (3.0 - alpha)).abs() <= 0.02;
    }
    let all = record.value("work given all rows")?;
    let spent = record.value("mean work")? / all;
    let replicates = crate::reading::setting(record, "replicates") as f64;
    Ok(vec![
        Claim::printed(
            "gp/exact",
            "likelihoods need not factorise: exact Gaussian process predictions are debiased at a cost of \
             O(N^{3−α})",
            "slope 3 − α",
        )
        .found(format!(
            "slope of the expected work {}; ten predictive means and variances within {worst:.1} standard errors",
            told.join(", ")
        ))
        .rule("reproduced if the expected work, counted as n³ per level, grows between 2¹⁴ and 2²⁰ rows with a slope \
         within 0.02 of 3 − α for α = 0.5, 0.8 and 1, and all ten debiased predictive means and variances lie within \
         four standard errors of those given all rows (a false alarm once in 1600 runs)")
        .judged(Verdict::of(sloped && worst < 4.0), format!(
            "Unbiased, and as cheap as stated: a replicate takes {spent:.3} of the work of all rows. But {replicates:.0} \
             replicates, {:.0} times the work of the regression on all rows, leave a standard error of {of_means:.2} \
             predictive sds in the means and of {of_variances:.2} of themselves in the variances.",
            spent * replicates
        )),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_levels_by_hand() {
        // P(T = 2) = 2^{−2α} / (2^{−α} + 2^{−2α}) = 1/3 at α = 1.
        let expected = cubed(FIRST) + cubed(2 * FIRST) / 3.0;
        assert!((expected_work(2 * FIRST, 1.0).unwrap() / expected - 1.0).abs() < 1e-12);
    }
}
