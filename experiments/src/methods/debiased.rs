//! Debiased estimators as experiments run them: a form under a law whose depths are drawn by a scheme.

use super::anchored::Anchored;
use crate::Work;
use debias::{
    Debiased, Depths, Form, Growth, Guarantees, Path, Pilot, PilotSettings, Replicates, Schedule,
    Scheme, Seed, Summary, SummaryError, Truncation, TunedLaw, Unseen, optimal,
};
use posterior::{Rows, Smooth};
use records::Quantity;

pub use records::replicate_table;

/// Groups of stratified depths, whose means give the error bars.
pub const GROUPS: usize = 20;

/// A form under a law, with depths drawn by a scheme.
pub struct Debiasing<'a> {
    /// How the terms of a path make up a replicate.
    pub form: Form,
    /// The law of the depths.
    pub law: &'a Truncation,
    /// How depths are drawn from it.
    pub scheme: Scheme,
}

impl Debiasing<'_> {
    /// Runs the replicates as a step.
    pub fn run<P: Path>(
        &self,
        work: &Work<'_>,
        step: &str,
        path: &P,
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        let groups = if self.scheme == Scheme::Independent { 1 } else { GROUPS };
        let seed = work.context.step_seed(step);
        let depths = Depths::draw(self.law, self.scheme, replicates, groups, seed)?;
        work.replicate(step, &Debiased::new(path, self.form, depths)?, replicates)
    }

    /// The mean of the first functional, and evaluations per replicate.
    pub fn mean<P: Path>(
        &self,
        work: &Work<'_>,
        step: &str,
        path: &P,
        replicates: usize,
    ) -> anyhow::Result<PathMean> {
        let run = self.run(work, step, path, replicates)?;
        let cost = run.total_cost().evaluations() as f64 / run.count() as f64;
        Ok(PathMean { summary: Summary::of(&run.functional(0))?, cost })
    }
}

/// What the replicates of a path come to.
pub struct PathMean {
    /// Of the first functional.
    pub summary: Summary,
    /// Evaluations per replicate.
    pub cost: f64,
}

/// Which law is chosen from a pilot.
#[derive(Clone, Copy)]
pub enum Choice {
    /// The optimal one, at no more than this expected cost.
    Optimal { cap: f64 },
    /// The same for these rows and no others, so that slow terms are no reason to refuse.
    TheseRows { cap: f64 },
    /// That of least work × variance, whatever a replicate costs.
    Best,
}

/// A debiased estimator with its law, what was predicted of it, and what it took to find.
pub struct Method {
    /// Its name in tables, quantities and checkpoints.
    pub name: &'static str,
    form: Form,
    scheme: Scheme,
    law: TunedLaw,
    /// Evaluations before the first replicate.
    setup: f64,
}

impl Method {
    /// The paper's estimator: coupled sum, independent depths, under a given law. Its pilot only
    /// predicts, and costs the method nothing.
    pub fn coupled_sum<P: Path>(
        path: &P,
        schedule: &Schedule,
        law: Truncation,
        pilot: PilotSettings,
        seed: Seed,
    ) -> anyhow::Result<Method> {
        let form = Form::CoupledSum;
        let law = Pilot::run(path, schedule, form, pilot, seed)?.predict(law)?;
        Ok(Method { name: form.name(), form, scheme: Scheme::Independent, law, setup: 0.0 })
    }

    /// Our estimator: antithetic single term, stratified depths, under the law that is chosen from a
    /// pilot, whose evaluations are counted.
    pub fn antithetic<P: Path>(
        path: &P,
        schedule: &Schedule,
        choice: Choice,
        pilot: PilotSettings,
        seed: Seed,
    ) -> anyhow::Result<Method> {
        let form = Form::AntitheticSingleTerm;
        let pilot = Pilot::run(path, schedule, form, pilot, seed)?;
        let law = match choice {
            Choice::Optimal { cap } => pilot.optimal::<P::Error>(Some(cap))?,
            Choice::TheseRows { cap } => pilot.predict(optimal(&pilot.tradeoff()?, cap)?)?,
            Choice::Best => pilot.best::<P::Error>()?,
        };
        let setup = law.pilot.evaluations() as f64;
        Ok(Method { name: form.name(), form, scheme: Scheme::Stratified, law, setup })
    }

    /// Our estimator on an anchored path, which took passes over all rows, under the law that needs no
    /// pilot. One is run all the same, but it only predicts and costs the method nothing.
    pub fn anchored<R, M, P>(
        anchored: &Anchored<'_, R, M>,
        path: &P,
        seed: Seed,
    ) -> anyhow::Result<Method>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
        P: Path,
    {
        let form = Form::AntitheticSingleTerm;
        let law = anchored.law(path)?;
        let schedule = &anchored.schedule;
        let pilot = PilotSettings { levels: schedule.levels().min(5), replicates: 40 };
        let law = Pilot::run(path, schedule, form, pilot, seed)?.predict(law)?;
        let setup = anchored.evaluations();
        Ok(Method { name: "anchored", form, scheme: Scheme::Stratified, law, setup })
    }

    /// Expected evaluations per replicate.
    pub fn expected_cost(&self) -> f64 {
        self.law.cost
    }

    /// Evaluations before the first replicate, which no replicate's cost includes.
    pub fn setup_cost(&self) -> f64 {
        self.setup
    }

    /// Runs the replicates.
    pub fn run<P: Path>(
        &self,
        work: &Work<'_>,
        path: &P,
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        self.run_as(self.name, work, path, replicates)
    }

    /// Runs the replicates as a step of another name, where a method is run more than once.
    pub fn run_as<P: Path>(
        &self,
        step: &str,
        work: &Work<'_>,
        path: &P,
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        let debiasing = Debiasing { form: self.form, law: &self.law.law, scheme: self.scheme };
        debiasing.run(work, step, path, replicates)
    }

    /// Mean and standard error of one functional, by groups where depths are stratified.
    pub fn summary(&self, run: &Replicates, entry: usize) -> Result<Summary, SummaryError> {
        let groups = if self.scheme == Scheme::Independent { run.count() } else { GROUPS };
        Summary::of_groups(&run.functional(entry), groups)
    }

    /// The same of all functionals.
    pub fn summaries(&self, run: &Replicates) -> Result<Vec<Summary>, SummaryError> {
        (0..run.width()).map(|entry| self.summary(run, entry)).collect()
    }

    /// What the run found, and what was predicted of it.
    pub fn describe(
        &self,
        run: &Replicates,
        functionals: &[&str],
    ) -> anyhow::Result<Vec<Quantity>> {
        let name = self.name;
        let mut quantities = Vec::new();
        let mut variance = 0.0;
        for (entry, functional) in functionals.iter().enumerate() {
            let summary = self.summary(run, entry)?;
            let label = format!("{name}/{functional}");
            quantities.push(Quantity::estimate(&label, summary.mean, summary.standard_error));
            variance += summary.standard_error.powi(2) * run.count() as f64;
        }
        let total = run.total_cost();
        let cost = total.evaluations() as f64 / run.count() as f64;
        for (label, value) in [
            ("set-up cost", self.setup),
            ("beta", self.law.beta.0),
            ("expected cost", self.law.cost),
            ("mean cost", cost),
            ("total cost", total.evaluations() as f64),
            ("total cost with set-up", self.setup + total.evaluations() as f64),
            ("distinct rows", total.distinct_rows as f64),
            ("predicted variance", self.law.variance.0),
            ("variance", variance),
            ("work times variance", cost * variance),
        ] {
            quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
        }
        Ok(quantities)
    }

    /// What the run has not seen and which guarantees hold, in a sentence.
    pub fn audit<P: Path>(&self, path: &P, run: &Replicates) -> String {
        let unseen = Unseen::audit(run.depths(), &self.law.law, &self.law.tradeoff);
        let guarantees = Guarantees { caveats: path.caveats() };
        let growth = match self.law.growth {
            Growth::Bounded | Growth::Logarithmic => String::new(),
            Growth::Growing => format!(
                "; its terms go like n^{:+.2} here, so with more data its variance at a fixed cost \
                 would grow",
                -self.law.beta.0
            ),
        };
        let assumed =
            self.law.assumption().map_or(String::new(), |sentence| format!("; {sentence}"));
        format!("{}: {}{assumed}; {}{growth}.", self.name, unseen.sentence(), guarantees.sentence())
    }
}

/// Means and standard errors of all functionals of independent replicates.
pub fn summaries(run: &Replicates) -> Result<Vec<Summary>, SummaryError> {
    (0..run.width()).map(|entry| Summary::of(&run.functional(entry))).collect()
}

/// Likelihood evaluations of all replicates.
pub fn evaluations(run: &Replicates) -> f64 {
    run.total_cost().evaluations() as f64
}
