//! A path that is ready to run, whatever it is made of.

use crate::answer::{Answer, Cost, Effective, estimates};
use crate::tuned::{GROUPS, Tuned, whole_groups};
use crate::{EstimateError, Settings, Spread, Stop, Surroundings, Target, Way};
use debias::engine::replicate;
use debias::{Debiased, Depths, Growth, Guarantees, Ledger, Path, Schedule, Scheme, Unseen};

/// All that is known about a path before its pilot.
pub(crate) struct Prepared<'a> {
    pub names: &'a [String],
    pub rows: usize,
    pub core: usize,
    pub way: Way,
    pub schedule: &'a Schedule,
    /// Work before the pilot.
    pub setup: Ledger,
    pub spread: Option<Spread>,
    pub effective: Vec<Effective>,
    pub remarks: Vec<String>,
}

/// What is done with a path once it is there: estimating, or planning.
pub(crate) trait Visit {
    type Outcome;

    fn visit<P: Path>(
        self,
        path: &P,
        prepared: Prepared<'_>,
        settings: &Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Self::Outcome, EstimateError>;
}

impl Prepared<'_> {
    /// Form and law of a discarded pilot, for replicates that stop like this.
    pub fn tune<P: Path>(
        &self,
        path: &P,
        settings: &Settings,
        stop: Stop,
        surroundings: &Surroundings<'_>,
    ) -> Result<Tuned, EstimateError> {
        // The increments of anchored levels are small, and fall like n⁻² from the first on.
        let looked_at = if self.way == Way::Anchored { 3 } else { 4 };
        let levels = self.schedule.levels();
        let looked_at = looked_at.min(levels);
        (surroundings.say)(&format!(
            "pilot on the first {looked_at} of {levels} levels ({}), to be thrown away",
            self.way.name()
        ));
        Tuned::by_pilot(path, self.schedule, looked_at, settings, stop)
    }

    /// The standard errors that a target asks for.
    pub fn errors(&self, target: Target) -> Result<Vec<f64>, EstimateError> {
        let value = match target {
            Target::Absolute(value) | Target::PosteriorSds(value) => value,
        };
        positive(value)?;
        match (&self.spread, target) {
            (Some(spread), _) => Ok(spread.sds.iter().map(|&sd| target.of(sd)).collect()),
            (None, Target::Absolute(error)) => Ok(vec![error; self.names.len()]),
            (None, Target::PosteriorSds(_)) => Err(EstimateError::NoSpread),
        }
    }
}

pub(crate) fn positive(value: f64) -> Result<f64, EstimateError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(EstimateError::Stop { value }) }
}

/// Runs the replicates.
pub(crate) struct Estimate;

impl Visit for Estimate {
    type Outcome = Answer;

    fn visit<P: Path>(
        self,
        path: &P,
        prepared: Prepared<'_>,
        settings: &Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Answer, EstimateError> {
        let tuned = prepared.tune(path, settings, settings.stop, surroundings)?;
        let law = &tuned.law;
        let spent = (prepared.setup + law.pilot).evaluations() as f64;
        let seed = settings.seed.child("replicates");
        let stratified = |replicates: usize| {
            Depths::draw(&law.law, Scheme::Stratified, replicates, GROUPS, seed)
        };
        let depths = match settings.stop {
            Stop::Replicates(replicates) => stratified(whole_groups(replicates))?,
            Stop::Error { target, budget } => {
                let errors = prepared.errors(target)?;
                let replicates = tuned.replicates(&errors);
                let needed = spent + replicates as f64 * law.cost;
                if let Some(budget) = budget.filter(|&budget| needed > budget) {
                    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
                    let reachable = least * tuned.shortfall(&errors, positive(budget)? - spent);
                    return Err(EstimateError::Unreachable {
                        target: least,
                        needed,
                        budget,
                        reachable,
                    });
                }
                stratified(replicates)?
            }
            Stop::Budget(budget) => {
                let (left, replicates) = (positive(budget)? - spent, GROUPS as f64 * law.cost);
                if left < replicates {
                    return Err(EstimateError::Budget { setup: spent, replicates, budget });
                }
                // Enough depths even if all of them were the cheapest.
                let most = (left / tuned.law.tradeoff.costs[0]).ceil() as usize + 1;
                let drawn = Depths::draw(&law.law, Scheme::Independent, most, 1, seed)?;
                let count = Debiased::new(path, tuned.form, drawn)?.replicates_within(left);
                // Two replicates have an error bar. That more than two do not fit says nothing of which
                // comes first, so that the rule stays unbiased.
                let count = count.expect("independent depths can change places").max(2) as usize;
                Depths::draw(&law.law, Scheme::Independent, count, 1, seed)?
            }
        };
        let count = depths.count();
        let groups = if depths.scheme() == Scheme::Independent { count } else { GROUPS };
        (surroundings.say)(&format!(
            "{count} replicates of {:.2e} evaluations each on average",
            law.cost
        ));
        let estimator = Debiased::new(path, tuned.form, depths)?;
        let run =
            replicate(&estimator, 0..count as u64, seed, surroundings.store, surroundings.observer)
                .map_err(|error| EstimateError::Replicates(error.into()))?;
        let estimates = estimates(prepared.names, &run, groups, prepared.spread.as_ref())?;
        let cost = Cost { setup: prepared.setup, pilot: law.pilot, replicates: run.total_cost() };
        let errors: Vec<f64> = estimates.iter().map(|one| one.summary.standard_error).collect();
        let full_chain = prepared
            .spread
            .as_ref()
            .map(|spread| spread.full_chain(prepared.rows, settings.length.warm_up, &errors));
        let mut remarks = prepared.remarks;
        if law.growth == Growth::Growing {
            remarks.push(format!(
                "increments shrink like n^-{:.2}: with more data the variance at a fixed cost would grow",
                law.beta.0
            ));
        }
        Ok(Answer {
            estimates,
            way: prepared.way,
            form: tuned.form,
            rows: prepared.rows,
            core: prepared.core,
            schedule: prepared.schedule.sizes().to_vec(),
            cost,
            unseen: Unseen::audit(run.depths(), &law.law, &law.tradeoff),
            guarantees: Guarantees { caveats: path.caveats() },
            growth: law.growth,
            effective: prepared.effective,
            full_chain,
            remarks,
            replicates: run,
            groups,
        })
    }
}
