//! What the record says of forms, laws and schemes.

use super::chain_claims::{floor, inference};
use records::{Claim, Record, Verdict};
use serde::Deserialize;

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    Ok(vec![
        at_most(record, "log-gaussian-nuts", "log-Gaussian NUTS", 10.0)?,
        inference(record)?,
        at_most(record, "log-gaussian-closed", "log-Gaussian closed form", 20.0)?,
        at_most(record, "logistic", "logistic weights", 6.0)?,
        winner(record)?,
        slopes(record)?,
        floor(record)?,
    ])
}

/// A form with a law and a scheme on a problem, with its ratio to the paper's estimator and the interval
/// of that.
#[derive(Deserialize)]
struct Choice {
    problem: String,
    form: String,
    law: String,
    scheme: String,
    ratio: f64,
    ratio_low: f64,
    ratio_high: f64,
}

/// The default on every problem, and all other choices.
fn choices(record: &Record) -> anyhow::Result<(Vec<Choice>, Vec<Choice>)> {
    let all = record.table("forms")?.read_rows::<Choice>()?;
    Ok(all.into_iter().partition(|choice| choice.law == "default"))
}

fn at_most(record: &Record, id: &str, problem: &str, share: f64) -> anyhow::Result<Claim> {
    let (defaults, _) = choices(record)?;
    let Choice { form, ratio, ratio_low: low, ratio_high: high, .. } = defaults
        .iter()
        .find(|choice| choice.problem == problem)
        .ok_or_else(|| anyhow::anyhow!("the record has no {problem}"))?;
    Ok(Claim::ours(
        format!("ours/estimator-forms-{id}"),
        format!(
            "{problem}: the recommended default needs at most 1/{share:.0} of the paper's work × variance, the same inference \
             inside both"
        ),
    )
        .found(format!("{ratio:.4} ({low:.4} to {high:.4}) by the {}", form.replace('-', " ")))
        .rule(format!(
            "reproduced if the ratio of the products, at no more than the paper's expected cost and without pilots, is at \
             most 1/{share:.0}"
        ))
        .judged(Verdict::of(ratio * share <= 1.0), format!(
            "Work × variance is 1/{:.1} of the paper's (95 %: 1/{:.1} to 1/{:.1}).",
            1.0 / ratio,
            1.0 / high,
            1.0 / low
        )))
}

fn winner(record: &Record) -> anyhow::Result<Claim> {
    let (defaults, others) = choices(record)?;
    let (mut beaten, mut each, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    let mut nested = false;
    for Choice { problem, form, ratio, ratio_low: low, ratio_high: high, .. } in defaults {
        let best = others
            .iter()
            .filter(|choice| choice.problem == problem)
            .min_by(|a, b| a.ratio.total_cmp(&b.ratio))
            .ok_or_else(|| anyhow::anyhow!("nothing beside the default on {problem}"))?;
        let name = format!("{}, {}, {}", best.form, best.law, best.scheme);
        each.push(format!(
            "{problem} {ratio:.3} ({low:.3} to {high:.3}) by the {form}, best {:.3} by {name}",
            best.ratio
        ));
        // Beaten where the best lies below the default's interval.
        if best.ratio < low {
            nested |= best.form == debias::Form::SingleTerm.name();
            beaten.push(format!("{problem} by {name} ({:.4} against {ratio:.4})", best.ratio));
        }
        if form == debias::Form::AntitheticSum.name() {
            sums.push(problem);
        }
    }
    let chosen = if sums.is_empty() {
        "The single term was chosen everywhere.".to_owned()
    } else {
        format!("The sum was chosen on {}, the single term elsewhere.", sums.join(" and "))
    };
    // Costs are those of halving schedules: n_t + n_t / 2 rows nested, 2 n_t antithetic.
    let why = if nested {
        " Nested single terms win where increments hardly vary from batch to batch: groups then cancel nothing, and cost a \
         third more. They take a pilot of their own."
    } else {
        ""
    };
    Ok(Claim::ours(
        "ours/estimator-forms-default",
        "the recommended default (antithetic single term or antithetic sum as the pilot chooses, optimal law, \
         stratified depths) is the measured winner",
    )
        .found(each.join("; "))
        .rule("reproduced if on every problem no other way has a product below the 95 % interval of the default's, \
         whose form and law are chosen on draws that do not judge it")
        .judged(Verdict::of(beaten.is_empty()), if beaten.is_empty() {
            format!("No way beats the default beyond its interval on any problem. {chosen}")
        } else {
            format!("It is beaten on {}.{why} {chosen}", beaten.join(" and "))
        }))
}

fn slopes(record: &Record) -> anyhow::Result<Claim> {
    let (mut each, mut off) = (Vec::new(), Vec::new());
    let mut names: Vec<&str> = record
        .quantities
        .iter()
        .filter_map(|quantity| quantity.name.strip_suffix("/antithetic slope"))
        .collect();
    names.dedup();
    for name in names {
        for (coupling, theory) in [("nested", 1.0), ("antithetic", 2.0)] {
            let slope = record.quantity(&format!("{name}/{coupling} slope"))?;
            let bar = 2.26 * slope.error.unwrap_or(f64::NAN);
            each.push(format!("{name} {coupling} {:.2} ± {bar:.2}", slope.value));
            if (slope.value - theory).abs() > 0.2_f64.max(bar) {
                off.push(format!("{name} ({coupling} {:.2})", slope.value));
            }
        }
    }
    // Theory speaks of smooth functionals of many rows, without noise of chains. A mean is linear: even
    // groups cancel altogether, and what is left is the row that odd ones leave over.
    let meant = |name: &&String| {
        name.starts_with("Gaussian mean (nested") || name.starts_with("log-Gaussian, closed form")
    };
    let broken = off.iter().filter(meant).count();
    Ok(Claim::ours(
        "ours/estimator-forms-slopes",
        "E Δ² falls like 1/n nested and like 1/n² antithetic where levels are exact and the likelihood outweighs the \
         prior",
    )
        .found(each.join("; "))
        .rule("reproduced if the slopes of the deepest five levels are within 0.2 of theory, or within their 95 % \
         interval if that is wider: nested on the Gaussian mean, nested and antithetic on the log-Gaussian in closed \
         form; the antithetic increments of a Gaussian mean, which is linear, cancel but for a row left over, and \
         have no slope")
        .judged(Verdict::of(broken == 0), if off.is_empty() {
            "All slopes, of chains too, are those of theory.".to_owned()
        } else {
            format!(
                "Off theory: {}. A Gaussian mean is linear, and its groups cancel altogether where they are even; chain noise \
                 brings 1/n back; and levels that a prior still rules, as with ten or a hundred weights and few rows, fall more \
                 slowly.",
                off.join(", ")
            )
        }))
}
