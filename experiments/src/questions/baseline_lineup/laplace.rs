//! The Laplace approximation's own posterior means.

use super::Race;
use super::answers::{Answer, Ask, Setup};
use debias::Ledger;

/// The same answer at every budget that it fits in.
pub fn run(
    race: &mut Race<'_>,
    find: impl FnOnce() -> anyhow::Result<(Vec<f64>, Ledger)>,
) -> anyhow::Result<()> {
    if !race.wants("laplace") {
        return Ok(());
    }
    let step = format!("{}-laplace-set-up", race.problem);
    let (means, work) = race.work.timed(&step, find)?;
    let setup = Setup { step, evaluations: work.evaluations() as f64 };
    race.ask("laplace", &setup, |left| {
        let means = means.clone();
        let ask: Ask<'_> = Box::new(move |_| Ok(Answer::plain(means.clone(), 0.0)));
        Ok((left >= 0.0).then_some(ask))
    })
}
