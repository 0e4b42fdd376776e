//! Form and law from a discarded pilot, and how many replicates it says are needed.

use crate::{EstimateError, Settings, Stop};
use debias::{Form, Path, Pilot, PilotSettings, Schedule, Scheme, TunedLaw};

/// Replicates of a pilot.
const REPLICATES: usize = 40;
/// Groups of stratified depths, whose means give the error bars.
pub(crate) const GROUPS: usize = 20;
/// The pilot's variances are noisy themselves: that much more, and the error is below its target more
/// often than not.
const MARGIN: f64 = 1.2;

/// A law, and what it does for every functional.
pub(crate) struct Tuned {
    pub form: Form,
    pub law: TunedLaw,
    /// Predicted variance of a replicate of each functional, under the depths that will be drawn.
    pub variances: Vec<f64>,
}

/// How depths are drawn, and the size of a group.
pub(crate) fn depths(stop: Stop) -> (Scheme, usize) {
    match stop {
        Stop::Replicates(replicates) => (Scheme::Stratified, whole_groups(replicates) / GROUPS),
        // How many it will be follows from the law: the fewest there can be, which promises least.
        Stop::Error { .. } => (Scheme::Stratified, whole_groups(0) / GROUPS),
        Stop::Budget(_) => (Scheme::Independent, 1),
    }
}

impl Tuned {
    /// The form that is asked for, or the better of antithetic single term and antithetic sum.
    pub fn by_pilot<P: Path>(
        path: &P,
        schedule: &Schedule,
        levels: usize,
        settings: &Settings,
        stop: Stop,
    ) -> Result<Tuned, EstimateError> {
        let failed = |error: debias::TunerError<P::Error>| EstimateError::Pilot(error.into());
        let (scheme, group) = depths(stop);
        let size = PilotSettings { levels, replicates: REPLICATES };
        let form = settings.form.unwrap_or(Form::AntitheticSingleTerm);
        let mut pilot = Pilot::run(path, schedule, form, size, settings.seed).map_err(failed)?;
        if settings.form.is_none() {
            pilot = pilot.in_better_form(scheme, group).map_err(failed)?;
        }
        let law = pilot.best_under(scheme, group).map_err(failed)?;
        let of_functional = |entry| {
            let alone = pilot.of_functional(entry).variance(&law.law, scheme, group);
            // What never moves shows no decay, and has no variance.
            alone.map_or(0.0, |variance| variance.max(0.0))
        };
        let variances = (0..pilot.width()).map(of_functional).collect();
        Ok(Tuned { form: law.tradeoff.form, law, variances })
    }

    /// Replicates after which every functional is expected to have its standard error.
    pub fn replicates(&self, errors: &[f64]) -> usize {
        let needed =
            self.variances.iter().zip(errors).map(|(variance, error)| variance / (error * error));
        let needed = (MARGIN * needed.fold(0.0, f64::max)).ceil();
        whole_groups(if needed.is_finite() { needed as usize } else { usize::MAX / (2 * GROUPS) })
    }

    /// The errors in units of those asked for that so many evaluations are good for.
    pub fn shortfall(&self, errors: &[f64], evaluations: f64) -> f64 {
        let replicates = (evaluations / self.law.cost).max(0.0);
        let ratio =
            self.variances.iter().zip(errors).map(|(v, error)| (v / replicates).sqrt() / error);
        ratio.fold(0.0, f64::max)
    }
}

/// The next multiple of the groups, two replicates a group at least.
pub(crate) fn whole_groups(replicates: usize) -> usize {
    replicates.max(2 * GROUPS).next_multiple_of(GROUPS)
}
