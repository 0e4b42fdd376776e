//! Answers for people.

use std::fmt::Write;
use unbiased_bayes::{Answer, Comparison, Estimated, Plan, Quantile, Summary, Target};

/// Letters of the longest name that a table shows in full.
const LONGEST: usize = 32;

/// A table of estimates, and all that must be known about them.
pub fn answer(answer: &Answer) -> String {
    table(&answer.estimates) + "\n" + &quantile_errors(answer) + &lines(answer)
}

/// What stands behind the estimates.
pub fn lines(answer: &Answer) -> String {
    let mut text = String::new();
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
    let effective = answer.estimates.iter().filter_map(|one| one.effective).reduce(f64::min);
    if answer.chains.is_none()
        && let Some(effective) = effective
    {
        line("effective", format!("as good as {} independent draws or more", count(effective)));
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
                "{} on {}: {} evaluations, {} of processor time",
                one.method.name(),
                match one.rows < answer.rows {
                    true => format!("{} distinct rows", one.rows),
                    false => "all rows".to_owned(),
                },
                count(one.evaluations),
                time(one.seconds)
            ),
        );
    }
    for kept in holds(answer) {
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

/// What is promised of an answer.
pub fn holds(answer: &Answer) -> Vec<&'static str> {
    match answer.chains {
        // The other promises are about samples of rows, and here there are none.
        Some(_) => vec!["every gradient looks at every row, equal rows put together"],
        None => answer.guarantees.kept(),
    }
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
            significant(one.error, 3),
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
        write!(text, "{:<wide$}", cut(&one.name, LONGEST)).expect("a string takes all");
        for method in &ran {
            let summary = &method.estimates[entry].summary;
            let error = summary.standard_error;
            let both = format!("{} ± {}", known(summary.mean, error), significant(error, 2));
            write!(text, " {both:>28}").expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

fn width(estimates: &[Estimated]) -> usize {
    let longest = estimates.iter().map(|one| one.name.chars().count()).max();
    longest.unwrap_or(0).clamp(8, LONGEST)
}

/// A name that fits into so many letters: the middle of a long one is left out.
pub fn cut(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let (head, tail) = (most / 2, most - most / 2 - 1);
    let tail = letters[letters.len() - tail..].iter();
    letters[..head].iter().chain(std::iter::once(&'…')).chain(tail).collect()
}

fn table(estimates: &[Estimated]) -> String {
    let wide = width(estimates);
    let quantiles = estimates.iter().any(|one| !one.quantiles.is_empty());
    let mut text = format!("{:<wide$} {:>13} {:>9} {:>10}", "", "mean", "MCSE", "sd");
    text.push_str(if quantiles { "       2.5 %        50 %      97.5 %\n" } else { "\n" });
    for one in estimates {
        let Summary { mean, standard_error, .. } = one.summary;
        // Where only quantities like probabilities are asked for, nothing has an sd of its own.
        let sd = one.posterior_sd.map_or(String::new(), |sd| significant(sd, 4));
        let (name, mean, error) =
            (cut(&one.name, LONGEST), known(mean, standard_error), significant(standard_error, 2));
        write!(text, "{name:<wide$} {mean:>13} {error:>9} {sd:>10}").expect("a string takes all");
        for quantile in &one.quantiles {
            let value = known(quantile.value, quantile.standard_error);
            write!(text, " {value:>11}").expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

/// The worst error of a quantile, and the worst bias.
fn quantile_errors(answer: &Answer) -> String {
    let all = answer.estimates.iter().flat_map(|one| {
        one.quantiles.iter().filter_map(move |quantile| Some((one, quantile, one.posterior_sd?)))
    });
    let error = |(_, quantile, sd): &(&Estimated, &Quantile, f64)| quantile.standard_error / sd;
    let bias = all.clone().map(|(_, quantile, sd)| quantile.bias / sd).fold(0.0, f64::max);
    let Some(worst) = all.max_by(|a, b| error(a).total_cmp(&error(b))) else {
        return String::new();
    };
    format!(
        "{:<12} standard error at most {} posterior sds ({} % of {}), bias at most {}\n",
        "quantiles",
        significant(error(&worst), 2),
        100.0 * worst.1.probability,
        cut(&worst.0.name, LONGEST),
        significant(bias, 1)
    )
}

/// A number with two digits more than its error leaves certain; ten decimals at most.
pub fn known(value: f64, error: f64) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    let size = value.abs().max(error);
    // An error that is rounding alone says nothing about digits.
    if !(error > 1e-13 * size && error.is_finite()) {
        return significant(value, 5);
    }
    let decimals = (1.0 - error.log10().floor()).clamp(0.0, 10.0);
    if (1e-4..1e7).contains(&size) {
        return format!("{value:.*}", decimals as usize);
    }
    let digits = (size.log10().floor() - error.log10().floor()).clamp(0.0, 9.0) + 1.0;
    format!("{value:.*e}", digits as usize)
}

/// So many significant digits.
pub fn significant(value: f64, digits: usize) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.*e}", digits - 1);
    }
    let decimals = (digits as f64 - 1.0 - size.log10().floor()).max(0.0);
    format!("{value:.*}", decimals as usize)
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
    fn long_names_lose_their_middle() {
        let long = "department=Research and Development, Northern Europe";
        let short = cut(long, LONGEST);
        assert_eq!(short.chars().count(), LONGEST);
        assert!(
            short.starts_with("department=Res") && short.ends_with("Northern Europe"),
            "{short}"
        );
        assert_eq!(cut("age", LONGEST), "age");
    }

    #[test]
    fn digits_follow_the_error() {
        assert_eq!(known(0.8, 4e-9), "0.8000000000");
        assert_eq!(known(0.8, 0.1), "0.80");
        assert_eq!(known(0.8, 0.0), "0.80000");
        assert_eq!(known(-1234.5, 20.0), "-1234");
        assert_eq!(known(1.0, 4.8e-16), "1.0000");
        assert_eq!(known(1.23456e-7, 1.4e-9), "1.235e-7");
        assert_eq!(known(f64::NAN, 1.0), "unknown");
        assert_eq!(significant(0.012345, 2), "0.012");
        assert_eq!(significant(1.2e-7, 2), "1.2e-7");
        assert_eq!(significant(123_456.0, 2), "123456");
        assert_eq!(time(7200.0), "2.0 h");
    }
}
