//! Models without linear predictors: an anchored path with uniform samples, else the plain path.

use crate::by_nuts;
use crate::plain::{self, Outcome, Prepared, Wanted};
use crate::settled::Settled;
use crate::{EstimateError, Estimation, Method};
use debias::Ledger;
use posterior::{Rows, Smooth};

/// Looks for an anchored path and takes the plain one if there is none.
pub(crate) fn outcome<R, M>(
    question: &Estimation<'_, R, M>,
    wanted: Wanted<'_>,
) -> Result<Outcome, EstimateError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let smooth = question.model.without_kinks();
    let smooth = smooth.as_ref().unwrap_or(question.model);
    if question.settings.method == Method::Nuts && matches!(wanted, Wanted::Answer) {
        return by_nuts::of_model(question, smooth).map(Box::new).map(Outcome::Answer);
    }
    let first = match plain::first(question) {
        Ok(first) => first,
        // Too few rows for a path are few enough for a chain on all of them.
        Err(EstimateError::TooSmall { .. })
            if question.settings.method == Method::Auto && matches!(wanted, Wanted::Answer) =>
        {
            return by_nuts::of_model(question, smooth).map(Box::new).map(Outcome::Answer);
        }
        Err(error) => return Err(error),
    };
    let mut spent = Ledger::default();
    let settled = match Settled::find(question, smooth, first, &mut spent) {
        Ok(settled) => settled,
        Err(error) if question.settings.method == Method::Anchored => return Err(error),
        Err(error) => {
            question.say(&format!("no anchored path: {error}"));
            return match wanted {
                Wanted::Answer => {
                    by_nuts::of_model(question, smooth).map(Box::new).map(Outcome::Answer)
                }
                Wanted::Plan(_) => {
                    plain::on_plain_path(question, Some(smooth), question.model.kinks(), wanted)
                }
            };
        }
    };
    let path = settled.path(&question.functionals)?;
    let prepared = Prepared {
        names: &question.names,
        rows: question.rows.count(),
        method: Method::Anchored,
        schedule: &settled.schedule,
        setup: settled.setup,
        spread: Some(settled.spread.clone()),
        closed_form: false,
        remarks: vec![format!(
            "anchored after {} passes over all rows, {} rows kept exact, uniform samples of the rest",
            settled.passes,
            settled.anchor.posterior.core_size()
        )],
    };
    prepared.outcome(question, &path, wanted)
}
