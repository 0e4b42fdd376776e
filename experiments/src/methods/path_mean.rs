//! What a path comes to: the mean of antithetic single terms with independent depths, and what one took.

use crate::Context;
use debias::{Debiased, Depths, Form, Path, Scheme, Summary, Truncation};
use records::DataSource;
use serde_json::Value;

/// The form of all replicates.
pub const FORM: Form = Form::AntitheticSingleTerm;

/// Of the first functional.
pub struct PathMean {
    pub summary: Summary,
    /// Evaluations a replicate.
    pub cost: f64,
}

impl PathMean {
    /// Runs the replicates as a step.
    pub fn run<P: Path>(
        context: &Context<'_>,
        step: &str,
        path: &P,
        law: &Truncation,
        settings: &Value,
        data: &[DataSource],
        replicates: usize,
    ) -> anyhow::Result<PathMean> {
        let seed = context.step_seed(step);
        let depths = Depths::draw(law, Scheme::Independent, replicates, 1, seed)?;
        let estimator = Debiased::new(path, FORM, depths)?;
        let run = context.replicate(step, settings, data, &estimator, replicates)?;
        let cost = run.total_cost().evaluations() as f64 / run.count() as f64;
        Ok(PathMean { summary: Summary::of(&run.functional(0))?, cost })
    }
}
