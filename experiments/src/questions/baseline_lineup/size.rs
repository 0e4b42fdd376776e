//! What is run at each scale.

use super::truth::Chains;
use super::{a9a, answers, ours, rivals, synthetic};
use records::Scale;
use samplers::Length;
use serde_json::{Value, json};

/// Rows of the first anchored level in the line-up.
pub const ANCHORED_FIRST: usize = 256;

/// Methods that are quick on a9a.
const FAST: [&str; 9] = [
    "coupled-sum",
    "constant-batch",
    "anchored",
    "mode",
    "laplace",
    "gaussian-vi",
    "full-nuts",
    "nuts-control-variates",
    "collapsed-nuts",
];

/// What differs between the scales.
pub struct Size {
    pub rows: usize,
    /// Budgets in passes.
    pub budgets: Vec<usize>,
    pub repetitions: usize,
    /// Of methods whose evaluations take long.
    pub slow: usize,
    /// The largest budget of methods that take a step for every few evaluations.
    pub sampled_most: usize,
    pub truth: Chains,
    /// Trials from which lengths are planned.
    pub trials: usize,
    pub a9a: a9a::Size,
    pub a9a_budgets: Vec<usize>,
    pub a9a_repetitions: usize,
    /// Repetitions and the largest budget of slow methods.
    pub a9a_slow: (usize, usize),
    pub a9a_only: Option<&'static [&'static str]>,
    /// Of the log-Gaussian and the regression whose intervals are judged.
    pub small_rows: [usize; 2],
    /// Rows of their first anchored levels.
    pub small_first: [usize; 2],
    pub small_budgets: [usize; 2],
    pub small_repetitions: usize,
    /// Of methods whose evaluations take long.
    pub small_slow: usize,
    pub small_truth: Chains,
}

impl Size {
    pub fn of(scale: Scale) -> Size {
        Size {
            rows: scale.pick(1 << 14, 1 << 11),
            budgets: scale.pick((3..=11).map(|power| 1 << power).collect(), vec![256, 1024]),
            repetitions: scale.pick(20, 4),
            slow: scale.pick(5, 2),
            sampled_most: 256,
            truth: scale.pick(Chains { count: 8, draws: 3000 }, Chains { count: 4, draws: 300 }),
            trials: scale.pick(8, 4),
            a9a: a9a::Size {
                rows: scale.pick(32_561, 2000),
                core: scale.pick(2000, 1400),
                first: scale.pick(1024, 300),
                base: scale
                    .pick(Length { warm_up: 50, draws: 400 }, Length { warm_up: 30, draws: 260 }),
                plain: 1000,
                batch: scale.pick(1 << 10, 125),
                truth: scale
                    .pick(Chains { count: 4, draws: 2500 }, Chains { count: 2, draws: 400 }),
            },
            a9a_budgets: scale.pick(vec![64, 256, 1024, 4096], vec![8192]),
            a9a_repetitions: scale.pick(6, 2),
            a9a_slow: scale.pick((3, 1024), (0, 0)),
            a9a_only: scale.pick(None, Some(&FAST)),
            small_rows: scale.pick([1 << 12, 1 << 11], [1 << 10, 1 << 10]),
            small_first: [1 << 8, 1 << 9],
            small_budgets: scale.pick([1 << 10, 1 << 11], [1 << 10, 1 << 10]),
            small_repetitions: scale.pick(400, 20),
            small_slow: scale.pick(30, 10),
            small_truth: scale
                .pick(Chains { count: 8, draws: 8000 }, Chains { count: 4, draws: 1000 }),
        }
    }

    pub fn settings(&self) -> Value {
        json!({
            "rows": self.rows, "passes": self.budgets, "repetitions": self.repetitions,
            "dear_methods": answers::SLOW, "dear_repetitions": self.slow,
            "sampled_passes": self.sampled_most,
            "truth_chains": self.truth.count, "truth_draws": self.truth.draws, "trials": self.trials,
            "a9a": self.a9a.settings(), "a9a_passes": self.a9a_budgets,
            "a9a_repetitions": self.a9a_repetitions, "a9a_dear_repetitions": self.a9a_slow.0,
            "a9a_dear_passes": self.a9a_slow.1,
            "coverage_rows": self.small_rows, "coverage_passes": self.small_budgets,
            "coverage_anchored_first": self.small_first, "coverage_repetitions": self.small_repetitions,
            "coverage_dear_repetitions": self.small_slow,
            "coverage_truth_chains": self.small_truth.count,
            "coverage_truth_draws": self.small_truth.draws,
            "level_warm_up": synthetic::LEVEL.warm_up, "level_draws": synthetic::LEVEL.draws,
            "anchored_first": ANCHORED_FIRST, "rivals": rivals::settings(), "ours": ours::settings(),
            "taylor": crate::methods::taylor::settings(),
        })
    }
}
