//! results/ERRATA.md: what the paper prints wrongly, and what the records say of it.

use crate::report::Stored;
use records::{Claim, write_atomically};
use std::fmt::Write;
use std::path::Path;

/// A slip: where, what is printed, what is right, and the claim whose record shows it.
struct Slip {
    place: &'static str,
    printed: &'static str,
    right: &'static str,
    shown_by: Option<&'static str>,
}

const fn slip(place: &'static str, printed: &'static str, right: &'static str) -> Slip {
    Slip { place, printed, right, shown_by: None }
}

impl Slip {
    const fn shown_by(self, claim: &'static str) -> Slip {
        Slip { shown_by: Some(claim), ..self }
    }
}

const SLIPS: &[Slip] = &[
    slip(
        "Algorithm 1",
        "replicates until a desired error tolerance is reached, with no bias",
        "a stop that looks at the estimates biases their mean: few and quiet replicates stop early; the number has \
         to be fixed before, or found by replicates that are thrown away",
    ),
    slip(
        "Batch sizes",
        "log₂(N/a) is an integer",
        "it is not in Figures 2, 5, 7 and 9; the last level has to be N all the same, or the estimate is biased",
    ),
    slip(
        "Figure 1",
        "Σ = [(−1, 3), (3, 1)]",
        "not a covariance: its eigenvalues are ±√10; [[3, −1], [−1, 3]] is used",
    )
    .shown_by("gaussian-path/mean"),
    slip(
        "Figure 2",
        "a well-defined minimum of work × variance at α = 0.87",
        "the minimum of the bound; the true work × variance at N = 10 000 has none inside",
    )
    .shown_by("work-variance/alpha"),
    slip(
        "Expected cost",
        "a closed form with 2^{1−α} − 1 below the line",
        "0/0 at α = 1 and useless near it; the sum itself is evaluated instead",
    )
    .shown_by("theory/cost"),
    slip(
        "Variance bound",
        "the power law extended to t = 0",
        "the term before the first level is E φ_1², not a power of n_0",
    )
    .shown_by("theory/variance"),
    slip("Log-Gaussian", "2²⁶ ≈ 10⁸", "6.7·10⁷"),
    slip(
        "Log-Gaussian",
        "a posterior with extremely wide tails, which misleads walks that look at some rows",
        "given 2²⁶ rows it is nearly Gaussian; likelihood ratios have wide tails where a Gaussian is fitted to the \
         rows themselves",
    )
    .shown_by("austerity/wrong"),
    slip("Log-Gaussian", "0.0005 of the full chain's burn-in", "0.0024 by the printed numbers")
        .shown_by("log-gaussian/cost"),
    slip(
        "Synthetic logistic regression",
        "a = 100",
        "cannot give the printed median of 256; a = 128 can",
    )
    .shown_by("logistic/usage"),
    slip("Synthetic logistic regression", "0.02 N · 600 ≈ 9 N", "12 N by its own factors")
        .shown_by("logistic/cost"),
    slip(
        "Synthetic logistic regression",
        "a mean of 722 rows in 1000 replicates, and 0.02 N rows in all",
        "722 000 rows are 0.0072 N; both fit only if 722 counts the last batch of a replicate",
    )
    .shown_by("logistic/usage"),
    slip(
        "Synthetic logistic regression",
        "D = 9 and x ~ N(0, D⁻²)",
        "with or without the bias is not said; D = 10, a variance of 1/100, is used",
    ),
    slip(
        "Synthetic logistic regression",
        "p(y, β) = σ(y_i βᵀ x_i) p(β)",
        "the product over the rows is missing",
    ),
    slip(
        "Synthetic logistic regression",
        "\"logit\"",
        "σ is the logistic function, its inverse is the logit",
    ),
    slip(
        "Parallel replicates",
        "a speed-up of up to 2 R",
        "all work over that of the deepest replicate",
    )
    .shown_by("parallel/2R"),
    slip(
        "Random features",
        "k(x, x') = exp(−d²) with w ~ N(0, 1)",
        "w ~ N(0, 1) gives exp(−d²/2); the printed kernel needs w ~ N(0, 2)",
    ),
    slip(
        "Random features",
        "√m φ_x = cos(w x + b)",
        "the factor √2 is missing: without it φ_xᵀ φ_x' is half of the kernel on average",
    ),
    slip("Random features", "k(x, x') = φ_xᵀ φ_x", "φ_xᵀ φ_x'"),
    slip(
        "Gaussian processes",
        "k(x, x) − kᵀ (K + λI)⁻¹ k for the variance of y",
        "that of f(x); a new y adds its noise λ",
    ),
    slip("Random features", "predictive variance φᵀ A⁻¹ φ", "the factor λ is missing"),
    slip(
        "Random features",
        "one constant batch against a running mean of debiased estimates",
        "not like with like: the running mean of constant batches belongs beside it",
    )
    .shown_by("random-features/constant"),
    slip("Flight delays", "an order of magnitude below GP-SVI", "3.6 times by the printed rows")
        .shown_by("airline/cheaper"),
    slip("Streaming", "a bias of O(1/√N_max)", "O(1/N_max)").shown_by("streaming/bias"),
    slip("Figure 9", "top, middle and bottom", "it has two panels"),
    slip(
        "On comparing to Firefly",
        "as many evaluations as full MCMC before the first sample, chains longer by 1/q",
        "a few passes for mode and bounds; 1/q bounds the brightness of a row, not the parameters",
    )
    .shown_by("firefly/setup"),
    slip("Appendix", "δ_t = 0 for t > L", "for t ≥ L: the last level is the full posterior"),
    slip("Appendix", "argmax", "argmin"),
    slip(
        "Appendix",
        "α' in (0, β)",
        "in (0, min(1, β)): the printed product changes its sign at α' = 1",
    ),
    slip("Appendix", "−a", "−M a"),
];

/// Writes the page from the stored full-scale records.
pub fn write_errata_page(results: &Path, records: &Stored) -> anyhow::Result<()> {
    let claims: Vec<&Claim> = records.iter().flat_map(|(_, record)| &record.claims).collect();
    let mut page = String::from(
        "# Errata\n\nGenerated by `cargo xtask report`. What is printed in the paper, what is right, and, \
         where a record shows it, what came out.\n\n| place | printed | right | our run |\n|---|---|---|---|\n",
    );
    for Slip { place, printed, right, shown_by } in SLIPS {
        let claim = shown_by.and_then(|id| claims.iter().find(|claim| claim.id == id));
        let shown = claim.map_or(String::new(), |claim| format!("{}: {}", claim.id, claim.ours));
        let cells = [*place, *printed, *right, &shown].map(|cell| cell.replace('|', "\\|"));
        writeln!(page, "| {} |", cells.join(" | "))?;
    }
    Ok(write_atomically(&results.join("ERRATA.md"), page.as_bytes())?)
}
