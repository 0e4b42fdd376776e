//! A fixed error in posterior sds: logistic regression on all rows, or on an anchored path.

use super::{Cost, RELATIVE, Size};
use crate::Context;
use crate::methods::anchored::{Anchored, AnchoredSettings, FORM};
use crate::methods::debiased::{Debiasing, GROUPS, evaluations};
use crate::methods::full_logistic;
use crate::problems::logistic::{self, WEIGHTS};
use debias::{Scheme, Summary};
use posterior::Rows;
use samplers::Functional;
use serde_json::Value;

/// Rows of the first level, and pairs of points.
const FIRST: usize = 256;
const PAIRS: usize = 32;

pub(super) fn run(
    context: &Context<'_>,
    size: &Size,
    settings: &Value,
) -> anyhow::Result<Vec<Cost>> {
    let mut costs = Vec::new();
    let square = RELATIVE * RELATIVE;
    let model = logistic::model()?;
    for &count in &size.rows {
        let (rows, data) = logistic::rows(context, count);
        let work = context.work(settings, &data);
        (context.say)(&format!("logistic, {count} rows: the anchored path"));
        let step = format!("anchored-{count}");
        let guess = ((count / 100).max(1000), context.step_seed(&step));
        let settings_of_path = AnchoredSettings::mirrored(guess, FIRST, PAIRS);
        let functionals = Functional::means(WEIGHTS);
        let anchored = Anchored::new((&model, &model, &rows), &functionals, settings_of_path)?;
        let path = anchored.path()?;
        let law = anchored.law(&path)?;
        let replicates = size.anchored_replicates;
        let debiasing = Debiasing { form: FORM, law: &law, scheme: Scheme::Stratified };
        let run = debiasing.run(&work, &step, &path, replicates)?;
        let mut variance = 0.0;
        for j in 0..WEIGHTS {
            let summary = Summary::of_groups(&run.functional(j), GROUPS)?;
            let row = anchored.anchor.frame.factor().row(j);
            let square: f64 = row.iter().map(|entry| entry * entry).sum();
            variance += summary.standard_error.powi(2) / square;
        }
        // Of a replicate, in squared posterior sds, on average over the weights.
        variance *= replicates as f64 / WEIGHTS as f64;
        let cost = evaluations(&run) / replicates as f64;
        costs.push(Cost::new(
            "anchored",
            count,
            anchored.evaluations(),
            (cost * variance, 0.0),
            square,
        ));

        if count <= size.chains {
            (context.say)(&format!("logistic, {count} rows: NUTS and Firefly"));
            let nuts = full_logistic::nuts(&work, &format!("full-nuts-{count}"), &model, &rows)?;
            let firefly =
                full_logistic::firefly(&work, &format!("firefly-{count}"), &model, &rows)?;
            for (name, (chain, _)) in [("full-nuts", nuts), ("firefly", firefly)] {
                let cost = chain.cost.evaluations() as f64;
                let cost = cost * longer(chain.least_effective());
                costs.push(Cost::new(name, count, cost, (0.0, 0.0), square));
            }
        } else if let Ok((record, _)) = context.needed("logistic-exhaustive") {
            for name in ["full-nuts", "firefly"] {
                let value = |what: &str| record.value(&format!("{name}/{what}"));
                let cost = value("passes")? * rows.count() as f64;
                let cost = cost * longer(value("least effective draws")?);
                costs.push(Cost::new(name, count, cost, (0.0, 0.0), square));
            }
        }
    }
    Ok(costs)
}

/// How many times longer a chain with so many effective draws would have to be for the error; one that
/// is long enough is not cut, for much of its work may be set-up.
fn longer(effective: f64) -> f64 {
    (1.0 / (RELATIVE * RELATIVE * effective)).max(1.0)
}
