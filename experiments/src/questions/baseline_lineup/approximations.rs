//! Means of Gaussian approximations: the same answer at every budget that they fit in.

use super::Race;
use super::answers::{Answer, Ask, Setup};
use crate::methods::approximations::approximations;
use debias::Ledger;
use posterior::{Rows, Smooth};

/// Mode, mean to the next order and variational mean of a regression.
pub fn regression<R, M>(race: &mut Race<'_>, model: &M, rows: &R) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    if !["mode", "laplace", "gaussian-vi"].iter().any(|method| race.wants(method)) {
        return Ok(());
    }
    let step = format!("{}-approximations", race.problem);
    let seed = race.work.context.step_seed(&step);
    let found = race.work.timed(&step, || approximations(model, rows, seed))?;
    for (method, (means, evaluations)) in
        [("mode", found.mode), ("laplace", found.next_order), ("gaussian-vi", found.variational)]
    {
        ask(race, method, Setup { step: step.clone(), evaluations }, &means)?;
    }
    Ok(())
}

/// The mean to the next order of a model without linear predictors.
pub fn next_order(
    race: &mut Race<'_>,
    find: impl FnOnce() -> anyhow::Result<(Vec<f64>, Ledger)>,
) -> anyhow::Result<()> {
    if !race.wants("laplace") {
        return Ok(());
    }
    let step = format!("{}-laplace-set-up", race.problem);
    let (means, work) = race.work.timed(&step, find)?;
    ask(race, "laplace", Setup { step, evaluations: work.evaluations() as f64 }, &means)
}

fn ask(
    race: &mut Race<'_>,
    method: &'static str,
    setup: Setup,
    means: &[f64],
) -> anyhow::Result<()> {
    race.ask(method, &setup, |left| {
        let means = means.to_vec();
        let ask: Ask<'_> = Box::new(move |_| Ok(Answer::plain(means.clone(), 0.0)));
        Ok((left >= 0.0).then_some(ask))
    })
}
