//! One problem of `anchored-path`: the functionals, their true means, and the anchored path.

use super::levels::{Levels, Trial};
use super::report::Report;
use crate::Work;
use crate::methods::anchored::{
    Anchored, AnchoredPath, AnchoredSettings, FORM, Reweighting, SHARE, points_of,
};
use crate::methods::approximations::approximations;
use crate::methods::debiased::{Debiasing, GROUPS, evaluations};
use crate::problems::truth::Truth;
use crate::slope::Slope;
use debias::{Decay, Guarantees, Path, Schedule, Scheme, Summary, Tradeoff, Truncation, Unseen};
use posterior::{Rows, Smooth};
use records::{MethodId, Quantity};
use samplers::Functional;

/// Increments below this many posterior sds are rounding: weights hold sums over all rows, of which
/// sixteen digits are kept.
const ROUNDING: f64 = 1e-8;
/// Effective points, as a share of all, below which a path refuses a level.
const USABLE: f64 = 0.25;

/// A problem with its truth and the sizes of its runs.
pub struct Case<'a> {
    pub name: &'static str,
    /// N, the core included.
    pub rows: usize,
    pub functionals: Vec<Functional>,
    pub truth: Truth,
    pub work: Work<'a>,
    pub replicates: usize,
    pub sizes: &'a [usize],
    pub trials: usize,
}

impl Case<'_> {
    /// The mode, and the Laplace mean to the next order, unless that is what counts as the truth.
    pub fn approximate<R, M>(
        &self,
        (model, rows): (&M, &R),
        next_order: bool,
        report: &mut Report,
    ) -> anyhow::Result<()>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let step = self.step("gaussian");
        let seed = self.work.context.step_seed(&step);
        let found = self.work.cached(&step, |_| approximations(model, rows, seed))?;
        let (mode, next) = ((MethodId::Mode, found.mode), (MethodId::Laplace, found.next_order));
        for (method, (means, evaluations)) in
            [Some(mode), next_order.then_some(next)].into_iter().flatten()
        {
            report.error(self.name, method.name(), evaluations, self.truth.error(&means));
        }
        Ok(())
    }

    /// A step of this problem.
    pub fn step(&self, what: &str) -> String {
        format!("{}-{what}", self.name)
    }

    /// Anchor, levels and debiased estimate.
    pub fn study<'m, R, M>(
        &self,
        problem: (&'m M, &M, &'m R),
        settings: AnchoredSettings,
        report: &mut Report,
    ) -> anyhow::Result<Anchored<'m, R, M>>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        (self.work.context.say)(&format!("{}: the anchor", self.name));
        let anchored = self
            .work
            .timed(&self.step("anchor"), || Anchored::new(problem, &self.functionals, settings))?;
        let path = anchored.path()?;
        let rng = &mut self.work.context.step_seed(&self.step("points")).stream(0);
        let (points, _) = points_of(&path, rng)?;
        let levels = Levels::new(self, &anchored.anchor.posterior, points);
        let moments = self.levels(&levels, report)?;
        self.debiased(&anchored, &path, &moments, report)?;
        let passes = anchored.anchor.passes as f64;
        for (what, value) in [("anchor passes", passes), ("rows", self.rows as f64)] {
            report.quantities.push(Quantity::exact(&format!("{}/{what}", self.name), value));
        }
        drop(path);
        Ok(anchored)
    }

    /// The replicates of the path under the law without a pilot, and all that is said of them.
    fn debiased<R, M>(
        &self,
        anchored: &Anchored<'_, R, M>,
        path: &AnchoredPath<'_, R, M>,
        moments: &Increments,
        report: &mut Report,
    ) -> anyhow::Result<()>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let law = anchored.law(path)?;
        let debiasing = Debiasing { form: FORM, law: &law, scheme: Scheme::Stratified };
        let run = debiasing.run(&self.work, &self.step("debiased"), path, self.replicates)?;
        let summaries = (0..self.truth.means.len())
            .map(|j| Summary::of_groups(&run.functional(j), GROUPS))
            .collect::<Result<Vec<_>, _>>()?;
        let spread = summaries
            .iter()
            .zip(&self.truth.sds)
            .map(|(summary, sd)| run.count() as f64 * (summary.standard_error / sd).powi(2));
        let variance = spread.sum::<f64>() / summaries.len() as f64;
        let costs = Tradeoff::level_costs(path, FORM);
        let tradeoff = measured(&anchored.schedule, costs, &moments.decay, &law, variance);
        let corrections: f64 = (2..=law.levels()).map(|t| tradeoff.contribution(&law, t)).sum();
        let (total, set_up) = (evaluations(&run), anchored.evaluations());
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
            report.rough(self.name, label, value);
        }
        report.weights(self, &summaries);
        report.quantities.extend(self.truth.quantities(&[(self.name, summaries)]));
        report.curve(self.name, &self.truth.running(&[("anchored", &run, set_up)]), None)?;
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
        Ok(())
    }

    /// Errors of levels and of increments against the rows they sample; the moments of increments.
    fn levels<R, W>(
        &self,
        levels: &Levels<'_, R, W>,
        report: &mut Report,
    ) -> anyhow::Result<Increments>
    where
        R: Rows,
        W: Reweighting<R::Block>,
    {
        let say = self.work.context.say;
        say(&format!("{}: the last level on the points, all rows", self.name));
        let full = levels.full()?;
        let step = self.step("levels");
        let trials = levels.trials(&self.work, &step, &full.value, self.sizes, self.trials)?;
        let share = full.effective / levels.points.count() as f64;
        let label = |what: &str| format!("{}/{what}", self.name);
        report.rough(self.name, "effective share at the last level", share);
        let column = |value: fn(&Trial) -> f64| -> Vec<Vec<f64>> {
            trials.chunks(self.trials).map(|at| at.iter().map(value).collect()).collect()
        };
        let errors = column(|trial| trial.error);
        let steps = column(|trial| trial.increment);
        let effective = column(|trial| trial.effective);
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
        report.rough(self.name, "largest increment", largest);
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
