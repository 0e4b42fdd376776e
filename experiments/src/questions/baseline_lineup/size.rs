//! What is run at each scale.

use super::truth::Chains;
use super::{a9a, answers, ours, rivals, synthetic};
use records::Scale;
use samplers::Length;
use serde_json::{Value, json};

/// Rows of the first anchored level in the line-up.
pub(super) const ANCHORED_FIRST: usize = 256;

/// Methods that are quick on a9a.
const FAST: [&str; 6] =
    ["coupled-sum", "constant-batch", "anchored", "laplace", "full-nuts", "nuts-control-variates"];

/// What differs between the scales.
pub(super) struct Size {
    pub(super) rows: usize,
    /// Budgets in passes.
    pub(super) budgets: Vec<usize>,
    pub(super) repetitions: usize,
    /// Of methods whose evaluations take long.
    pub(super) dear: usize,
    pub(super) truth: Chains,
    /// Trials from which lengths are planned.
    pub(super) trials: usize,
    pub(super) a9a: a9a::Size,
    pub(super) a9a_budgets: Vec<usize>,
    pub(super) a9a_repetitions: usize,
    /// Repetitions and the largest budget of dear methods.
    pub(super) a9a_dear: (usize, usize),
    pub(super) a9a_only: Option<&'static [&'static str]>,
    /// Of the log-Gaussian and the regression whose intervals are judged.
    pub(super) small_rows: [usize; 2],
    /// Rows of their first anchored levels.
    pub(super) small_first: [usize; 2],
    pub(super) small_budgets: [usize; 2],
    pub(super) small_repetitions: usize,
    pub(super) small_truth: Chains,
}

impl Size {
    pub(super) fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => Size {
                rows: 1 << 14,
                budgets: (3..=11).map(|power| 1 << power).collect(),
                repetitions: 20,
                dear: 5,
                truth: Chains { count: 8, draws: 3000 },
                trials: 8,
                a9a: a9a::Size {
                    rows: 32_561,
                    core: 2000,
                    first: 1024,
                    base: Length { warm_up: 50, draws: 400 },
                    plain: 1000,
                    batch: 1 << 10,
                    truth: Chains { count: 4, draws: 2500 },
                },
                a9a_budgets: vec![64, 256, 1024, 4096],
                a9a_repetitions: 6,
                a9a_dear: (3, 1024),
                a9a_only: None,
                small_rows: [1 << 12, 1 << 11],
                small_first: [1 << 8, 1 << 9],
                small_budgets: [1 << 10, 1 << 11],
                small_repetitions: 400,
                small_truth: Chains { count: 8, draws: 8000 },
            },
            Scale::Smoke => Size {
                rows: 1 << 11,
                budgets: vec![256, 1024],
                repetitions: 4,
                dear: 2,
                truth: Chains { count: 4, draws: 300 },
                trials: 4,
                a9a: a9a::Size {
                    rows: 2000,
                    core: 1400,
                    first: 300,
                    base: Length { warm_up: 30, draws: 260 },
                    plain: 1000,
                    batch: 125,
                    truth: Chains { count: 2, draws: 400 },
                },
                a9a_budgets: vec![8192],
                a9a_repetitions: 2,
                a9a_dear: (0, 0),
                a9a_only: Some(&FAST),
                small_rows: [1 << 10, 1 << 10],
                small_first: [1 << 8, 1 << 9],
                small_budgets: [1 << 10, 1 << 10],
                small_repetitions: 20,
                small_truth: Chains { count: 4, draws: 1000 },
            },
        }
    }

    pub(super) fn settings(&self) -> Value {
        json!({
            "rows": self.rows, "passes": self.budgets, "repetitions": self.repetitions,
            "dear_methods": answers::DEAR, "dear_repetitions": self.dear,
            "truth_chains": self.truth.count, "truth_draws": self.truth.draws, "trials": self.trials,
            "a9a": self.a9a.settings(), "a9a_passes": self.a9a_budgets,
            "a9a_repetitions": self.a9a_repetitions, "a9a_dear_repetitions": self.a9a_dear.0,
            "a9a_dear_passes": self.a9a_dear.1,
            "coverage_rows": self.small_rows, "coverage_passes": self.small_budgets,
            "coverage_anchored_first": self.small_first, "coverage_repetitions": self.small_repetitions,
            "coverage_truth_chains": self.small_truth.count,
            "coverage_truth_draws": self.small_truth.draws,
            "level_warm_up": synthetic::LEVEL.warm_up, "level_draws": synthetic::LEVEL.draws,
            "anchored_first": ANCHORED_FIRST, "rivals": rivals::settings(), "ours": ours::settings(),
        })
    }
}
