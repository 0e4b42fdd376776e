//! A debiased estimator as experiments run it: the paper's, or ours beside it.

use crate::Context;
use crate::questions::anchored_path::{BETA, SHARE};
use debias::{
    Debiased, Depths, Form, Growth, Guarantees, Ledger, Path, Pilot, PilotSettings, Replicates,
    Schedule, Scheme, Seed, Summary, SummaryError, Tradeoff, TunedLaw, Unseen, unpiloted,
};
use records::{DataSource, Quantity};
use serde_json::Value;

pub use records::replicate_table;

/// Groups of stratified depths, whose means give the error bars.
const GROUPS: usize = 20;

/// A form under a law, with depths drawn by a scheme.
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
    /// The paper's: coupled sum, independent depths, under a law that is given, so that its pilot
    /// only predicts and costs the method nothing.
    pub fn paper(law: TunedLaw) -> Method {
        let form = Form::CoupledSum;
        Method { name: form.name(), form, scheme: Scheme::Independent, law, setup: 0.0 }
    }

    /// Ours: antithetic single term, stratified depths, under a law that took a pilot.
    pub fn ours(law: TunedLaw) -> Method {
        let form = Form::AntitheticSingleTerm;
        let setup = law.pilot.evaluations() as f64;
        Method { name: form.name(), form, scheme: Scheme::Stratified, law, setup }
    }

    /// Ours on an anchored path, which took passes over all rows, under the law that needs no pilot:
    /// one is run all the same, but it only predicts and costs the method nothing.
    pub fn anchored<P: Path>(
        path: &P,
        schedule: &Schedule,
        passes: Ledger,
        seed: Seed,
    ) -> anyhow::Result<Method> {
        let form = Form::AntitheticSingleTerm;
        let law = unpiloted(schedule.sizes(), &Tradeoff::level_costs(path, form), BETA, SHARE)?;
        let pilot = PilotSettings { levels: schedule.levels().min(5), replicates: 40 };
        let law = Pilot::run(path, schedule, form, pilot, seed)?.predict(law)?;
        let setup = passes.evaluations() as f64;
        Ok(Method { name: "anchored", form, scheme: Scheme::Stratified, law, setup })
    }

    /// Expected evaluations a replicate.
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
        context: &Context<'_>,
        path: &P,
        settings: &Value,
        data: &[DataSource],
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        self.run_as(self.name, context, path, settings, data, replicates)
    }

    /// Runs the replicates as a step of another name, where a method is run more than once.
    pub fn run_as<P: Path>(
        &self,
        step: &str,
        context: &Context<'_>,
        path: &P,
        settings: &Value,
        data: &[DataSource],
        replicates: usize,
    ) -> anyhow::Result<Replicates> {
        let groups = if self.scheme == Scheme::Independent { 1 } else { GROUPS };
        let seed = context.step_seed(step);
        let depths = Depths::draw(&self.law.law, self.scheme, replicates, groups, seed)?;
        let estimator = Debiased::new(path, self.form, depths)?;
        context.replicate(step, settings, data, &estimator, replicates)
    }

    /// Mean and honest error of one functional.
    pub fn summary(&self, run: &Replicates, entry: usize) -> Result<Summary, SummaryError> {
        let groups = if self.scheme == Scheme::Independent { run.count() } else { GROUPS };
        Summary::of_groups(&run.functional(entry), groups)
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
