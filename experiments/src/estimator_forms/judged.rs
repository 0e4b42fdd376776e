//! All forms, laws and schemes on one ladder.

use super::ladder::{Ladder, Measured};
use debias::{Form, Interval, Scheme, Truncation};

/// Groups of the jackknife.
const GROUPS: usize = 20;

/// Work × variance of one way, beside the paper's.
pub struct Judged {
    pub problem: String,
    pub form: Form,
    pub law: &'static str,
    pub scheme: Scheme,
    /// The exponent, or nothing for a law without one.
    pub alpha: f64,
    /// Expected cost of a replicate.
    pub cost: f64,
    pub product: f64,
    pub product_error: f64,
    /// Work × variance over the paper's, and its interval.
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
}

/// The paper's first, then every other way, at no more than its expected cost.
pub fn judge(problem: &str, ladder: &Ladder, paper: &Truncation) -> anyhow::Result<Vec<Judged>> {
    let count = ladder.drawn.count();
    // A quarter of the replicates tunes the laws, the rest judges them.
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
    let mut rows = Vec::new();
    for form in Form::ALL {
        let tuned = ladder.measured(form, &tuning)?;
        let all = ladder.measured(form, &judging)?;
        let parts: Vec<Measured> = (0..GROUPS)
            .map(|group| Ok(ladder.measured(form, &without(group))?))
            .collect::<anyhow::Result<_>>()?;
        let mut laws: Vec<(&'static str, f64, Truncation)> = Vec::new();
        if form == Form::CoupledSum {
            laws.push(("the paper's", f64::NAN, paper.clone()));
        }
        laws.extend(tuned.best_geometric(cap).map(|(alpha, law)| ("geometric", alpha, law)));
        laws.extend(tuned.best_optimal(cap).map(|law| ("optimal", f64::NAN, law)));
        for (name, alpha, law) in laws {
            for scheme in Scheme::ALL {
                let product = all.product(&law, scheme);
                let products: Vec<f64> = parts.iter().map(|p| p.product(&law, scheme)).collect();
                let (ratio, low, high) = ratio(product / paper_all, &products, &paper_without);
                rows.push(Judged {
                    problem: problem.to_owned(),
                    form,
                    law: name,
                    scheme,
                    alpha: if alpha.is_nan() { 0.0 } else { alpha },
                    cost: all.tradeoff.cost(&law),
                    product,
                    product_error: jackknife(&products),
                    ratio,
                    low,
                    high,
                });
            }
        }
    }
    Ok(rows)
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

/// The standard error from estimates with one group left out each.
pub fn jackknife(left_out: &[f64]) -> f64 {
    let count = left_out.len() as f64;
    let mean = left_out.iter().sum::<f64>() / count;
    let squares: f64 = left_out.iter().map(|value| (value - mean).powi(2)).sum();
    ((count - 1.0) / count * squares).sqrt()
}
