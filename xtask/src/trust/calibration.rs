//! Calibration: ranks of simulated truths, and how often intervals hold the truth.

use super::Bench;
use super::evidence::{Evidence, Table};
use super::named::{self, Named, named};
use super::named_tests::Outcome;

/// Repetitions of a coverage test.
const SMOKE: &str = "30";
const FULL: &str = "1000";

const RANKS: &[Named] = &[
    named(
        "log-Gaussian: nuts-rs, whitened nuts-rs and our NUTS",
        "samplers/calibration/log_gaussian_ranks_are_uniform",
        false,
    ),
    named(
        "logistic: nuts-rs, whitened nuts-rs and our NUTS",
        "samplers/calibration/logistic_ranks_are_uniform",
        false,
    ),
    named(
        "logistic with a Laplace prior, NUTS in the Laplace frame",
        "baselines/calibration/logistic_regression_is_calibrated",
        false,
    ),
    named("classes, front door", "unbiased-bayes/calibrated_families/logistic_classes", false),
    named(
        "proportions, front door",
        "unbiased-bayes/calibrated_families/binomial_proportions",
        false,
    ),
    named("counts, front door", "unbiased-bayes/calibrated_families/poisson_counts", false),
    named("normal noise, front door", "unbiased-bayes/calibrated_families/normal_noise", false),
    named(
        "random intercepts and their sd, front door",
        "unbiased-bayes/calibrated_hierarchy/ranks_of_effects_bias_and_standard_deviation_are_uniform",
        false,
    ),
    named("Student noise, front door", "unbiased-bayes/calibrated_families/student_noise", false),
    named(
        "negative binomial, front door",
        "unbiased-bayes/calibrated_families/negative_binomial_counts",
        false,
    ),
    named("gamma, front door", "unbiased-bayes/calibrated_families/gamma_responses", true),
    named(
        "E σ in closed form, 8 to 10⁵ rows",
        "baselines/calibration/nuts_finds_the_closed_form_of_sigma",
        true,
    ),
    named(
        "errors that certificates state hold what long chains say",
        "unbiased-bayes/certify/certified_errors_cover_what_long_chains_say",
        false,
    ),
];

const COVERAGE: &[&str] = &[
    "unbiased-bayes/coverage/gaussian_mean",
    "unbiased-bayes/coverage/log_gaussian",
    "unbiased-bayes/coverage/logistic_regression",
    "unbiased-bayes/coverage/a_rare_dummy",
    "unbiased-bayes/coverage/heavy_tails",
];

/// Runs the tests of ranks and of coverage.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::about("Are 95 % intervals 95 % intervals?");
    let caption = "Simulation-based calibration: ranks of simulated truths are uniform";
    let ranks = named::run(bench, &mut evidence, caption, RANKS)?;
    let repetitions = if bench.full() { FULL } else { SMOKE };
    let mut table = Table::new(
        "How often 95 % intervals hold the truth; seeds differ, rows do not. Warned: the audit says that levels \
         which were never visited may hold more than 1 % of the variance",
        &["problem, estimator", "coverage", "test"],
    );
    let built = bench.tests()?;
    for test in COVERAGE {
        bench.say(test);
        match built.run(test, &[("TRUST_REPETITIONS", repetitions)])? {
            Outcome::Held(numbers) => {
                for (name, number) in numbers {
                    table.push([name, number, format!("`{test}`")]);
                }
            }
            Outcome::Red(why) => evidence.failures.push(format!("{test}: {why}")),
        }
    }
    let shares: Vec<f64> =
        table.rows.iter().filter_map(|row| row[1].split(' ').next()?.parse().ok()).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    evidence.answer = format!(
        "they hold the truth {least:.1} to {most:.1} % of the time in {} checks of {repetitions} repetitions; \
         ranks of simulated truths are uniform in {ranks} tests",
        shares.len()
    );
    evidence.tables.push(table);
    Ok(evidence)
}
