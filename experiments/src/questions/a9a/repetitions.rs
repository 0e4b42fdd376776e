//! The paper's estimator on a9a, over and over until the full data is drawn.

use super::{DIMENSION, Level, Size, evaluations};
use crate::Context;
use crate::problems::truth::Truth;
use data::SparseRows;
use debias::{Debiased, Depths, Form, Replicates, Scheme, Truncation};
use models::design::Patterned;
use models::logistic::PatternLogistic;
use posterior::DataPath;
use records::{DataSource, Table};
use serde_json::Value;

/// The paper's estimator, each time until the full data has been drawn.
pub(super) fn repetitions(
    context: &Context<'_>,
    path: &DataPath<'_, Patterned<SparseRows>, PatternLogistic, Level>,
    law: &Truncation,
    size: &Size,
    settings: &Value,
    data: &[DataSource],
) -> anyhow::Result<Vec<Replicates>> {
    // Nobody waits longer than once in e⁴⁰ runs.
    let most = (40.0 / law.mass(law.levels())).ceil() as usize;
    (0..size.repetitions)
        .map(|repetition| {
            let step = format!("repetition-{}", repetition + 1);
            let draw =
                |count| Depths::draw(law, Scheme::Independent, count, 1, context.step_seed(&step));
            let waiting = draw(most)?;
            let wait = (0..most as u64).find(|&r| waiting.depth(r) == law.levels());
            let count = wait.map_or(most, |r| r as usize + 1);
            let estimator = Debiased::new(path, Form::CoupledSum, draw(count)?)?;
            context.replicate(&step, settings, data, &estimator, count)
        })
        .collect()
}

/// The first replicates of all repetitions end to end.
pub(super) fn pool(repetitions: &[Replicates], count: usize) -> Replicates {
    let mut pooled = Replicates::default();
    repetitions.iter().for_each(|run| pooled.append(run.clone()));
    pooled.first(count)
}

/// How each repetition stood when the full data was drawn.
pub(super) fn repetition_table(repetitions: &[Replicates], truth: &Truth) -> Table {
    let means = |run: &Replicates| -> Vec<f64> {
        let count = run.count() as f64;
        (0..DIMENSION).map(|j| run.functional(j).iter().sum::<f64>() / count).collect()
    };
    let column =
        |value: &dyn Fn(&Replicates) -> f64| repetitions.iter().map(value).collect::<Vec<_>>();
    Table::new("repetitions")
        .with("repetition", (1..=repetitions.len() as i64).collect::<Vec<_>>())
        .with("replicates", repetitions.iter().map(|run| run.count() as i64).collect::<Vec<_>>())
        .with("w1", column(&|run| means(run)[0]))
        .with("w1_error", column(&|run| (means(run)[0] - truth.means[0]) / truth.sds[0]))
        .with("error", column(&|run| truth.error(&means(run))))
        .with("evaluations", column(&evaluations))
}
