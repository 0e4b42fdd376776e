//! The paper's estimator on a9a, over and over until the full data is drawn.

use super::Level;
use crate::Work;
use crate::methods::debiased::{Debiasing, evaluations};
use crate::problems::a9a::{A9aRows, WEIGHTS};
use crate::problems::truth::Truth;
use debias::{Depths, Form, Replicates, Scheme, Truncation};
use models::logistic::PatternLogistic;
use posterior::DataPath;
use records::Table;

/// The paper's estimator, each time until the full data has been drawn.
pub(super) fn repetitions(
    work: &Work<'_>,
    path: &DataPath<'_, A9aRows, PatternLogistic, Level>,
    law: &Truncation,
    repetitions: usize,
) -> anyhow::Result<Vec<Replicates>> {
    // One run in e⁴⁰ would have to wait longer.
    let most = (40.0 / law.mass(law.levels())).ceil() as usize;
    let debiasing = Debiasing { form: Form::CoupledSum, law, scheme: Scheme::Independent };
    (1..=repetitions)
        .map(|repetition| {
            let step = format!("repetition-{repetition}");
            let seed = work.context.step_seed(&step);
            let waiting = Depths::draw(law, Scheme::Independent, most, 1, seed)?;
            let wait = (0..most as u64).find(|&r| waiting.depth(r) == law.levels());
            let count = wait.map_or(most, |r| r as usize + 1);
            debiasing.run(work, &step, path, count)
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
        (0..WEIGHTS).map(|j| run.functional(j).iter().sum::<f64>() / count).collect()
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
