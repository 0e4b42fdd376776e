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
    line("method", answer.reason.clone());
    if let Some(form) = answer.form {
        line("replicates", format!("{}, {}", answer.replicates.count(), form.name()));
    }
    if !answer.levels.is_empty() {
        line("levels", format!("{}, given {} rows", sizes(&answer.levels), answer.rows));
    }
    if let Some(shares) = answer.shares {
        line(
            "weights",
            format!(
                "effective share of the points {:.2} in the median replicate, {:.2} at least",
                shares.median, shares.least
            ),
        );
    }
    let bias =
        answer.estimates.iter().filter_map(|one| Some((one.bias? / one.posterior_sd?).abs()));
    if let Some(bias) = bias.reduce(f64::max) {
        line(
            "bias",
            format!(
                "self-normalised weights leave about {bias:.1e} posterior sds in the worst estimate; \
                 it is in the intervals"
            ),
        );
    }
    if let Some(chains) = answer.chains {
        line(
            "chains",
            format!(
                "{} of {} draws, split R̂ at most {:.3}, effective draws at least {:.0}, {} divergences",
                chains.chains,
                chains.draws,
                chains.worst_rhat,
                chains.least_effective,
                chains.divergences
            ),
        );
    }
    if let Some(unseen) = &answer.unseen {
        line("audit", unseen.sentence());
    }
    let passes = cost.evaluations() as f64 / answer.rows as f64;
    line(
        "cost",
        format!(
            "{:.3e} likelihood evaluations, {passes:.1} passes over all rows: set-up {:.2e}, \
             replicates or chains {:.2e}",
            cost.evaluations() as f64,
            (cost.setup + cost.pilot).evaluations() as f64,
            cost.replicates.evaluations() as f64
        ),
    );
    for one in &answer.predicted {
        line(
            "predicted",
            format!(
                "{}: {} evaluations, {} of processor time",
                one.method.name(),
                count(one.evaluations),
                time(one.seconds)
            ),
        );
    }
    for kept in answer.guarantees.kept() {
        line("holds", kept.to_owned());
    }
    for caveat in &answer.guarantees.caveats {
        line("does not", caveat.sentence().to_owned());
    }
    for remark in &answer.remarks {
        line("remark", remark.clone());
    }
    text
}

/// Sentences on priors and noise.
pub fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("{:<12} {note}\n", "model")).collect()
}

/// Predictions for several errors.
pub fn plan(plan: &Plan, seconds_per_evaluation: f64) -> String {
    let mut text = format!(
        "{} path of {}; {} evaluations per replicate\n\n",
        plan.method.name(),
        sizes(&plan.levels),
        count(plan.cost),
    );
    writeln!(
        text,
        "{:>12} {:>12} {:>10} {:>12} {:>10} {:>14} {:>8}",
        "target", "least SE", "replicates", "evaluations", "time", "NUTS", "ratio"
    )
    .expect("a string takes all");
    for one in &plan.predictions {
        let target = match one.target {
            Target::Absolute(error) => format!("{error}"),
            Target::PosteriorSds(share) => format!("{share} sd"),
        };
        let nuts = one.nuts.map_or("unknown".to_owned(), count);
        let ratio = one.nuts.map_or(String::new(), |nuts| format!("{:.2}", nuts / one.evaluations));
        writeln!(
            text,
            "{target:>12} {:>12} {:>10} {:>12} {:>10} {nuts:>14} {ratio:>8}",
            number(one.error),
            one.replicates,
            count(one.evaluations),
            time(one.evaluations * seconds_per_evaluation)
        )
        .expect("a string takes all");
    }
    text.push('\n');
    for remark in &plan.remarks {
        writeln!(text, "remark: {remark}").expect("a string takes all");
    }
    writeln!(text, "advice: {}", plan.recommendation()).expect("a string takes all");
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
    let rhat = estimates.iter().any(|one| one.rhat.is_some());
    let mut text = format!(
        "{:<wide$} {:>16} {:>12} {:>12} {:>16} {:>16} {:>10}",
        "", "mean", "MCSE", "sd", "95 % of mean", "to", "effective"
    );
    text.push_str(if rhat { "      R̂\n" } else { "\n" });
    for one in estimates {
        let summary = &one.summary;
        let sd = one.posterior_sd.map_or("unknown".to_owned(), number);
        let shown = |value| known(value, summary.standard_error);
        let effective = one.effective.map_or(String::new(), |count| match count {
            count if count < 1e7 => format!("{count:.0}"),
            count => format!("{count:.1e}"),
        });
        write!(
            text,
            "{:<wide$} {:>16} {:>12} {sd:>12} {:>16} {:>16} {effective:>10}",
            one.name,
            shown(summary.mean),
            number(summary.standard_error),
            shown(summary.interval.low),
            shown(summary.interval.high)
        )
        .expect("a string takes all");
        if let Some(rhat) = one.rhat {
            write!(text, " {rhat:>6.3}").expect("a string takes all");
        }
        text.push('\n');
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

fn sizes(levels: &[f64]) -> String {
    match levels {
        [first, .., last] => format!("{} levels of {first:.0} to {last:.0} rows", levels.len()),
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
