//! A posterior with its rows, what is asked of it, and the answer; and the anchored path on it.

use super::levels::{Levels, Trials};
use super::report::Report;
use crate::Context;
use crate::problems::truth::Truth;
use crate::slope::Slope;
use debias::{
    Debiased, Decay, Depths, Form, Guarantees, Ledger, Path, Replicates, Rng, Schedule, Scheme,
    Summary, Tradeoff, Truncation, Unseen, unpiloted,
};
use posterior::{Reweighting, Rows};
use records::{DataSource, Quantity};
use samplers::{Functional, SharedPath};
use serde_json::Value;
use unbiased_bayes::anchored::Points;

/// Independent groups of replicates, whose means give the error bars.
pub const GROUPS: usize = 20;
/// The decay that the law allows for, slower than the n⁻² of theory: all levels get the same share of
/// the work, so that increments which stop to shrink, at the latest where rounding begins, cost little.
pub const BETA: f64 = 1.0;
/// What corrections may cost of the first level.
pub const SHARE: f64 = 0.25;
/// Increments below this many posterior sds are rounding: weights hold sums over all rows, of which
/// sixteen digits are kept.
const ROUNDING: f64 = 1e-8;
/// Effective points, as a share of all, below which a path refuses a level.
const USABLE: f64 = 0.25;
const FORM: Form = Form::AntitheticSingleTerm;

/// What is asked, and the answer.
pub struct Problem<'a> {
    pub name: &'static str,
    /// N, the core included.
    pub rows: usize,
    pub functionals: &'a [Functional],
    pub truth: Truth,
    pub settings: &'a Value,
    pub data: &'a [DataSource],
    pub replicates: usize,
    pub sizes: &'a [usize],
    pub trials: usize,
}

impl Problem<'_> {
    /// A step of this problem.
    pub fn step(&self, what: &str) -> String {
        format!("{}-{what}", self.name)
    }

    /// The replicates of the path under the law without a pilot, and all that is said of them.
    pub fn debiased<R, W, D>(
        &self,
        context: &Context<'_>,
        path: &SharedPath<'_, R, W, D>,
        schedule: &Schedule,
        setup: Ledger,
        moments: &Increments,
        report: &mut Report,
    ) -> anyhow::Result<Replicates>
    where
        R: Rows,
        W: Reweighting<R::Block>,
        D: Fn(&mut Rng) -> Points + Sync,
    {
        let costs = Tradeoff::level_costs(path, FORM);
        let law = unpiloted(schedule.sizes(), &costs, BETA, SHARE)?;
        let step = self.step("debiased");
        let depths = Depths::draw(
            &law,
            Scheme::Stratified,
            self.replicates,
            GROUPS,
            context.step_seed(&step),
        )?;
        let estimator = Debiased::new(path, FORM, depths)?;
        let run =
            context.replicate(&step, self.settings, self.data, &estimator, self.replicates)?;
        let summaries = (0..self.truth.means.len())
            .map(|j| Summary::of_groups(&run.functional(j), GROUPS))
            .collect::<Result<Vec<_>, _>>()?;
        let spread = summaries
            .iter()
            .zip(&self.truth.sds)
            .map(|(summary, sd)| run.count() as f64 * (summary.standard_error / sd).powi(2));
        let variance = spread.sum::<f64>() / summaries.len() as f64;
        let tradeoff = measured(schedule, costs, &moments.decay, &law, variance);
        let corrections: f64 = (2..=law.levels()).map(|t| tradeoff.contribution(&law, t)).sum();
        let total = run.total_cost().evaluations() as f64;
        let set_up = setup.evaluations() as f64;
        let corrected = run.depths().iter().filter(|&&depth| depth > 1).count();
        for (label, value) in [
            ("set-up cost", set_up),
            ("total cost", total),
            ("passes", (set_up + total) / self.rows as f64),
            ("variance in posterior sds", variance),
            ("corrections' share of the cost", tradeoff.cost(&law) / tradeoff.costs[0] - 1.0),
            ("corrections' share of the variance", corrections / variance),
            ("corrected replicates", corrected as f64),
        ] {
            let name = format!("{}/{label}", self.name);
            report.quantities.push(Quantity::rough(&name, value));
        }
        let methods = [(self.name, summaries)];
        report.quantities.extend(self.truth.quantities(&methods));
        let [(_, summaries)] = &methods;
        report.weights(self, summaries);
        report.running(self, "anchored", &run, set_up)?;
        let unseen = Unseen::audit(run.depths(), &law, &tradeoff);
        let guarantees = Guarantees { caveats: path.caveats() };
        report.notes.push(format!(
            "{}: no pilot; the law shares work that costs {SHARE} of the first level evenly over all \
             corrections. {}, by the increments measured beside it, {}; {}.",
            self.name,
            capital(&unseen.sentence()),
            moments.sentence(),
            guarantees.sentence()
        ));
        Ok(run)
    }

    /// Errors of levels and of increments against the rows they sample; the moments of increments.
    pub fn levels<R, W>(
        &self,
        context: &Context<'_>,
        levels: &Levels<'_, R, W>,
        report: &mut Report,
    ) -> anyhow::Result<Increments>
    where
        R: Rows,
        W: Reweighting<R::Block>,
    {
        (context.say)(&format!("{}: the last level on the points, all rows", self.name));
        let full = levels.full()?;
        let trials = Trials { levels, full: &full.value, sizes: self.sizes, trials: self.trials };
        let count = self.sizes.len() * self.trials;
        let step = self.step("levels");
        let run = context.replicate(&step, self.settings, self.data, &trials, count)?;
        let share = full.effective / levels.points.count() as f64;
        let label = |what: &str| format!("{}/{what}", self.name);
        report.quantities.push(Quantity::rough(&label("effective share at the last level"), share));
        let squares = |entry: usize| -> Vec<Vec<f64>> {
            run.functional(entry).chunks(self.trials).map(<[f64]>::to_vec).collect()
        };
        let (errors, steps, effective) = (squares(0), squares(1), squares(2));
        let sizes: Vec<f64> = self.sizes.iter().map(|&size| size as f64).collect();
        let doubled: Vec<f64> = sizes.iter().map(|size| 2.0 * size).collect();
        // Slopes are those of levels that a path would take.
        let least = |place: usize| effective[place].iter().copied().fold(f64::INFINITY, f64::min);
        let first = (0..sizes.len()).position(|place| least(place) >= USABLE).unwrap_or(0);
        let level = Slope::fit(&sizes[first..], &errors[first..])?;
        let slope = Quantity::estimate(&label("level slope"), level.decay.beta, level.error);
        report.quantities.push(slope);
        let largest = steps[first..].iter().map(|squares| root(squares).0).fold(0.0, f64::max);
        let rounding = largest < ROUNDING;
        let decay = if rounding {
            Decay { intercept: 2.0 * largest.ln(), beta: 0.0 }
        } else {
            let slope = Slope::fit(&doubled[first..], &steps[first..])?;
            let name = label("antithetic slope");
            report.quantities.push(Quantity::estimate(&name, slope.decay.beta, slope.error));
            slope.decay
        };
        report.quantities.push(Quantity::rough(&label("largest increment"), largest));
        for (place, &size) in self.sizes.iter().enumerate() {
            let least = least(place);
            let (error, low, high) = root(&errors[place]);
            let (step, step_low, step_high) = root(&steps[place]);
            report
                .levels
                .push(self.name, [size as f64, error, low, high, step, step_low, step_high, least]);
        }
        Ok(Increments { decay, rounding: rounding.then_some(largest) })
    }
}

/// The second moments of increments in posterior sds.
pub struct Increments {
    decay: Decay,
    /// Their root, where all that is left of them is rounding.
    rounding: Option<f64>,
}

impl Increments {
    fn sentence(&self) -> String {
        match self.rounding {
            None => format!("which fall like n^-{:.1}", self.decay.beta),
            Some(left) => format!(
                "which are rounding at every size looked at, {left:.0e} posterior sds that do not fall: \
                 corrections are numerically worthless here, and what deeper levels add to the variance is that \
                 rounding over their chance"
            ),
        }
    }
}

/// Gains of the levels in posterior sds: increments by their fitted decay, and the rest of the
/// measured variance with the first level.
fn measured(
    schedule: &Schedule,
    costs: Vec<f64>,
    decay: &Decay,
    law: &Truncation,
    variance: f64,
) -> Tradeoff {
    let gains = schedule.sizes().iter().map(|&size| decay.at(size as f64)).collect();
    let mut tradeoff = Tradeoff { form: FORM, gains, costs };
    tradeoff.gains[0] = 0.0;
    tradeoff.gains[0] = (variance - tradeoff.variance(law)).max(0.0);
    tradeoff
}

/// The root of a mean of squares, and of the ends of its interval.
pub fn root(squares: &[f64]) -> (f64, f64, f64) {
    let Ok(summary) = Summary::of(squares) else { return (f64::NAN, f64::NAN, f64::NAN) };
    // Squares are skew: the interval of their mean may reach below all of them.
    let low = summary.interval.low.max(0.1 * summary.mean);
    (summary.mean.sqrt(), low.sqrt(), summary.interval.high.sqrt())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
