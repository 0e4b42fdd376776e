//! A fixed error in posterior sds: logistic regression on all rows, or on an anchored path.

use super::{Costs, RELATIVE, Size};
use crate::Context;
use crate::methods::full_logistic::{FullLogistic, WEIGHTS};
use crate::questions::anchored_path::{BETA, SHARE};
use crate::questions::logistic_synthetic;
use debias::{Debiased, Depths, Form, Scheme, Summary, Tradeoff, unpiloted};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use records::DataSource;
use samplers::Functional;
use serde_json::Value;
use unbiased_bayes::anchored::{Anchor, doubling};

/// Rows of the first level, pairs of points, groups of replicates.
const FIRST: usize = 256;
const PAIRS: usize = 32;
const GROUPS: usize = 20;

pub(super) fn data(context: &Context<'_>, size: &Size) -> DataSource {
    let most = size.rows.iter().copied().max().unwrap_or(0);
    logistic_synthetic::rows(context, most).1.remove(0)
}

pub(super) fn run(context: &Context<'_>, size: &Size, settings: &Value) -> anyhow::Result<Costs> {
    let mut costs = Costs::default();
    let square = RELATIVE * RELATIVE;
    let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: 1.0 })?;
    for &count in &size.rows {
        let (rows, data) = logistic_synthetic::rows(context, count);
        (context.say)(&format!("logistic, {count} rows: the anchored path"));
        let step = format!("anchored-{count}");
        let share = (count / 100).max(1000);
        let anchor =
            Anchor::climb(&model, &rows, &[0.0; WEIGHTS], share, context.step_seed(&step))?;
        let schedule = doubling(count, FIRST)?;
        let functionals = Functional::means(WEIGHTS);
        let path = anchor.path(&schedule, &functionals, PAIRS)?;
        let form = Form::AntitheticSingleTerm;
        let law = unpiloted(schedule.sizes(), &Tradeoff::level_costs(&path, form), BETA, SHARE)?;
        let replicates = size.anchored_replicates;
        let seed = context.step_seed(&step);
        let depths = Depths::draw(&law, Scheme::Stratified, replicates, GROUPS, seed)?;
        let estimator = Debiased::new(&path, form, depths)?;
        let run = context.replicate(&step, settings, &data, &estimator, replicates)?;
        let mut variance = 0.0;
        for j in 0..WEIGHTS {
            let summary = Summary::of_groups(&run.functional(j), GROUPS)?;
            let square: f64 = anchor.frame.factor().row(j).iter().map(|entry| entry * entry).sum();
            variance += summary.standard_error.powi(2) / square;
        }
        // Of a replicate, in squared posterior sds, on average over the weights.
        variance *= replicates as f64 / WEIGHTS as f64;
        let cost = run.total_cost().evaluations() as f64 / replicates as f64;
        let setup = anchor.ledger.evaluations() as f64;
        costs.push("anchored", count, setup, (cost * variance, 0.0), square);

        if count <= size.chains {
            let chains = FullLogistic { rows: &rows, model: &model, settings, data: &data };
            (context.say)(&format!("logistic, {count} rows: NUTS and Firefly"));
            for (name, chain) in [
                ("full-nuts", chains.nuts(context, &format!("full-nuts-{count}"))?),
                ("firefly", chains.firefly(context, &format!("firefly-{count}"))?),
            ] {
                let cost = chain.cost.evaluations() as f64;
                let cost = cost * longer(chain.least_effective());
                costs.push(name, count, cost, (0.0, 0.0), square);
            }
        } else if let Ok((record, _)) = context.needed("logistic-exhaustive") {
            for name in ["full-nuts", "firefly"] {
                let value = |what: &str| record.value(&format!("{name}/{what}"));
                let cost = value("passes")? * rows.count() as f64;
                let cost = cost * longer(value("least effective draws")?);
                costs.push(name, count, cost, (0.0, 0.0), square);
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
