//! Answers for people.

use std::fmt::Write;
use unbiased_bayes::{Answer, Comparison, Estimated, Plan, Target};

/// A table of estimates, and all that must be known about them.
pub fn answer(answer: &Answer) -> String {
    let mut text = table(&answer.estimates);
    let cost = &answer.cost;
    let mut line = |label: &str, words: String| {
        writeln!(text, "{label:<12} {words}").expect("a string takes all");
    };
    line(
        "path",
        format!(
            "{}, {}, {} replicates",
            answer.way.name(),
            answer.form.name(),
            answer.replicates.count()
        ),
    );
    line(
        "levels",
        format!("{} of {} rows, {} kept exact", sizes(&answer.schedule), answer.rows, answer.core),
    );
    if !answer.effective.is_empty() {
        let shares = answer.effective.iter().map(|one| format!("{:.2} at {}", one.share, one.rows));
        let shares: Vec<String> = shares.collect();
        line("points", format!("effective share {}", shares.join(", ")));
    }
    line("audit", answer.unseen.sentence());
    line(
        "cost",
        format!(
            "{:.3e} likelihood evaluations: set-up {:.2e}, pilot {:.2e}, replicates {:.2e}",
            cost.evaluations() as f64,
            cost.setup.evaluations() as f64,
            cost.pilot.evaluations() as f64,
            cost.replicates.evaluations() as f64
        ),
    );
    for kept in answer.guarantees.kept() {
        line("holds", kept.to_owned());
    }
    for caveat in &answer.guarantees.caveats {
        line("does not", caveat.sentence().to_owned());
    }
    for remark in &answer.remarks {
        line("remark", remark.clone());
    }
    if let Some(recommendation) = answer.recommendation() {
        line("advice", recommendation);
    }
    text
}

/// Predictions for several errors.
pub fn plan(plan: &Plan, seconds_an_evaluation: f64) -> String {
    let mut text = format!(
        "{} path of {} rows, {} kept exact; {} a replicate; increments shrink like n^-{:.2}\n\n",
        plan.way.name(),
        sizes(&plan.schedule),
        plan.core,
        count(plan.cost),
        plan.beta
    );
    writeln!(
        text,
        "{:>12} {:>12} {:>10} {:>12} {:>10} {:>14} {:>8}",
        "target", "least SE", "replicates", "evaluations", "time", "full MCMC", "ratio"
    )
    .expect("a string takes all");
    for one in &plan.predictions {
        let target = match one.target {
            Target::Absolute(error) => format!("{error}"),
            Target::PosteriorSds(share) => format!("{share} sd"),
        };
        let full = one.full_chain.map_or("unknown".to_owned(), count);
        let ratio =
            one.full_chain.map_or(String::new(), |full| format!("{:.2}", full / one.evaluations));
        writeln!(
            text,
            "{target:>12} {:>12} {:>10} {:>12} {:>10} {full:>14} {ratio:>8}",
            number(one.error),
            one.replicates,
            count(one.evaluations),
            time(one.evaluations * seconds_an_evaluation)
        )
        .expect("a string takes all");
    }
    text.push('\n');
    for remark in &plan.remarks {
        writeln!(text, "remark: {remark}").expect("a string takes all");
    }
    writeln!(text, "advice: {}", plan.recommendation.sentence()).expect("a string takes all");
    text
}

/// All methods beside each other.
pub fn comparison(comparison: &Comparison) -> String {
    let mut text = String::new();
    for method in &comparison.methods {
        writeln!(
            text,
            "{}: {} evaluations; {}",
            method.name,
            count(method.evaluations as f64),
            method.remark
        )
        .expect("a string takes all");
    }
    text.push('\n');
    let ran: Vec<_> = comparison.methods.iter().filter(|one| !one.estimates.is_empty()).collect();
    let Some(first) = ran.first() else { return text };
    let wide = width(&first.estimates);
    write!(text, "{:<wide$}", "").expect("a string takes all");
    for method in &ran {
        write!(text, " {:>28}", method.name).expect("a string takes all");
    }
    text.push('\n');
    for (entry, one) in first.estimates.iter().enumerate() {
        write!(text, "{:<wide$}", one.name).expect("a string takes all");
        for method in &ran {
            let summary = &method.estimates[entry].summary;
            let error = summary.standard_error;
            let both = format!("{} ± {}", known(summary.mean, error), number(error));
            write!(text, " {both:>28}").expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

fn width(estimates: &[Estimated]) -> usize {
    estimates.iter().map(|one| one.name.chars().count()).max().unwrap_or(0).max(8)
}

fn table(estimates: &[Estimated]) -> String {
    let wide = width(estimates);
    let mut text = format!(
        "{:<wide$} {:>16} {:>12} {:>16} {:>16} {:>12}\n",
        "", "estimate", "SE", "95 % from", "to", "posterior sd"
    );
    for one in estimates {
        let summary = &one.summary;
        let sd = one.posterior_sd.map_or("unknown".to_owned(), number);
        let shown = |value| known(value, summary.standard_error);
        writeln!(
            text,
            "{:<wide$} {:>16} {:>12} {:>16} {:>16} {sd:>12}",
            one.name,
            shown(summary.mean),
            number(summary.standard_error),
            shown(summary.interval.low),
            shown(summary.interval.high)
        )
        .expect("a string takes all");
    }
    text.push('\n');
    text
}

/// A number with as many digits as its error leaves, six at least and twelve at most.
fn known(value: f64, error: f64) -> String {
    let digits = (1.0 - error.log10()).ceil().clamp(6.0, 12.0) as usize;
    if value.abs() < 1e6 && error > 0.0 { format!("{value:.digits$}") } else { number(value) }
}

/// Seven digits, or a power of ten where they would not fit.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&size) {
        format!("{value:.6}")
    } else {
        format!("{value:.4e}")
    }
}

fn count(value: f64) -> String {
    format!("{value:.2e}")
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn sizes(schedule: &[usize]) -> String {
    match schedule {
        [first, .., last] => format!("{} levels from {first} to {last}", schedule.len()),
        _ => "one level".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_error() {
        assert_eq!(known(0.8, 4e-9), "0.8000000000");
        assert_eq!(known(0.8, 0.1), "0.800000");
        assert_eq!(known(0.8, 0.0), "0.800000");
        assert_eq!(number(1.2e-7), "1.2000e-7");
        assert_eq!(time(7200.0), "2.0 h");
    }
}
