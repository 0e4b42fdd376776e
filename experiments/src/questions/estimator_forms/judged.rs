//! All forms, laws and schemes on one ladder.

use super::ladder::{DEFAULT_SCHEME, Ladder, Measured};
use crate::slope::jackknife;
use debias::{Form, Interval, Scheme, Truncation};
use serde::Serialize;

/// Groups of the jackknife.
pub const GROUPS: usize = 20;

/// Work × variance of one form, law and scheme, beside the paper's.
#[derive(Serialize)]
pub struct Judged {
    problem: String,
    form: &'static str,
    law: &'static str,
    scheme: &'static str,
    /// The exponent, or zero for a law without one.
    alpha: f64,
    /// Expected cost of a replicate.
    cost: f64,
    pub product: f64,
    product_error: f64,
    /// Work × variance over the paper's, and its interval.
    ratio: f64,
    ratio_low: f64,
    ratio_high: f64,
}

/// The paper's first, then every other choice at no more than its expected cost, and the default last.
pub fn judge(problem: &str, ladder: &Ladder, paper: &Truncation) -> anyhow::Result<Vec<Judged>> {
    let count = ladder.drawn.count();
    // A quarter of the replicates tunes the laws, each for its scheme; the rest judges them.
    let (tuning, judging): (Vec<usize>, Vec<usize>) =
        (0..count).partition(|replicate| replicate % 4 == 0);
    let without = |group: usize| -> Vec<usize> {
        let kept = judging.iter().enumerate().filter(|(place, _)| place % GROUPS != group);
        kept.map(|(_, &replicate)| replicate).collect()
    };
    let paper_of = |keep: &[usize]| -> anyhow::Result<f64> {
        let measured = ladder.measured(Form::CoupledSum, keep)?;
        Ok(measured.product(paper, Scheme::Independent))
    };
    let paper_all = paper_of(&judging)?;
    let paper_without: Vec<f64> =
        (0..GROUPS).map(|group| paper_of(&without(group))).collect::<anyhow::Result<_>>()?;
    let cap = ladder.measured(Form::CoupledSum, &judging)?.tradeoff.cost(paper);
    let judged_of = |form: Form| -> anyhow::Result<(Measured, Vec<Measured>)> {
        let parts = (0..GROUPS).map(|group| Ok(ladder.measured(form, &without(group))?));
        Ok((ladder.measured(form, &judging)?, parts.collect::<anyhow::Result<_>>()?))
    };
    let row = |(all, parts): &(Measured, Vec<Measured>), law: &Law, scheme: Scheme| {
        let product = all.product(&law.law, scheme);
        let products: Vec<f64> = parts.iter().map(|p| p.product(&law.law, scheme)).collect();
        let (ratio, ratio_low, ratio_high) = ratio(product / paper_all, &products, &paper_without);
        Judged {
            problem: problem.replace(',', ""),
            form: all.tradeoff.form.name(),
            law: law.name,
            scheme: scheme_name(scheme),
            alpha: law.alpha,
            cost: all.tradeoff.cost(&law.law),
            product,
            product_error: jackknife(&products),
            ratio,
            ratio_low,
            ratio_high,
        }
    };
    let mut rows = Vec::new();
    for form in Form::ALL {
        let tuned = ladder.measured(form, &tuning)?;
        let judged = judged_of(form)?;
        for scheme in Scheme::ALL {
            if form == Form::CoupledSum {
                let law = Law { name: "the paper's", alpha: 0.0, law: paper.clone() };
                rows.push(row(&judged, &law, scheme));
            }
            if let Some((alpha, law)) = tuned.best_geometric(cap, scheme) {
                rows.push(row(&judged, &Law { name: "geometric", alpha, law }, scheme));
            }
            if let Some(law) = tuned.best_optimal(cap, scheme) {
                rows.push(row(&judged, &Law { name: "optimal", alpha: 0.0, law }, scheme));
            }
        }
    }
    let (form, law) = ladder.default_choice(&tuning, cap)?;
    let default = Law { name: "default", alpha: 0.0, law };
    rows.push(row(&judged_of(form)?, &default, DEFAULT_SCHEME));
    Ok(rows)
}

/// A law with its name and, where it has one, its exponent.
struct Law {
    name: &'static str,
    alpha: f64,
    law: Truncation,
}

fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Independent => "independent",
        Scheme::Stratified => "stratified",
        Scheme::Systematic => "systematic",
    }
}

/// The ratio of two products with its interval, by the jackknife of its logarithm.
fn ratio(ratio: f64, products: &[f64], paper: &[f64]) -> (f64, f64, f64) {
    let logs: Vec<f64> = products
        .iter()
        .zip(paper)
        .map(|(product, paper)| (product / paper).max(f64::MIN_POSITIVE).ln())
        .collect();
    let interval = Interval::student(ratio.ln(), jackknife(&logs), (GROUPS - 1) as f64);
    (ratio, interval.low.exp(), interval.high.exp())
}
