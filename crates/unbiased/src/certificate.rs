//! Certificates for people: one line per parameter, the worst first.

use crate::show::{cut, known, significant};
use std::fmt::Write;
use unbiased_bayes::{Answer, Certain, Certified, Estimated};

/// Lines of the table; `--json` has all of them.
const MOST: usize = 40;
/// Letters of a parameter's name, and of an error.
const NAME: usize = 22;
const ERROR: usize = 13;
/// Approximations up to which the ratios of their sds fit into a line.
const FEW: usize = 3;

/// The table, and one sentence per approximation.
pub fn show(answer: &Answer) -> String {
    let all = &answer.approximations;
    let Some(first) = all.first() else {
        return "there is no approximation to certify\n".to_owned();
    };
    let lines = first.parameters.len();
    // The largest error that any approximation has.
    let worst = |line: usize| {
        let size = |one: &Certified| one.parameters[line].error.map_or(0.0, |e| e.value.abs());
        all.iter().map(size).fold(0.0, f64::max)
    };
    let mut order: Vec<usize> = (0..lines).collect();
    order.sort_by(|&a, &b| worst(b).total_cmp(&worst(a)));
    let estimate = |line: usize| -> Option<&Estimated> {
        answer.estimates.iter().find(|one| one.name == first.parameters[line].name)
    };
    let names = order.iter().take(MOST).map(|&line| cut(&first.parameters[line].name, NAME));
    let wide = names.map(|name| name.chars().count()).max().unwrap_or(0).max(9);
    // A ratio of sds is shown once for approximations that share them.
    let ratio = |at: usize| {
        let own = |one: &Certified| one.parameters.iter().map(|one| one.sd).collect::<Vec<_>>();
        all.len() <= FEW
            && own(&all[at]).iter().any(Option::is_some)
            && (at == 0 || own(&all[at]) != own(&all[at - 1]))
    };
    let mut text = format!(
        "error = (approximate mean − posterior mean) / posterior sd, ± 95 %; ratio = approximate sd / \
         posterior sd\n\n{:<wide$} {:>11} {:>9}",
        "", "posterior", "posterior"
    );
    for (at, one) in all.iter().enumerate() {
        write!(text, " {:>ERROR$}", cut(&one.name, ERROR)).expect("a string takes all");
        text.push_str(if ratio(at) { "  ratio" } else { "" });
    }
    write!(text, "\n{:<wide$} {:>11} {:>9}", "parameter", "mean", "sd")
        .expect("a string takes all");
    for (at, _) in all.iter().enumerate() {
        write!(text, " {:>ERROR$}", "error").expect("a string takes all");
        text.push_str(if ratio(at) { "  of sd" } else { "" });
    }
    text.push('\n');
    for &line in order.iter().take(MOST) {
        let posterior = estimate(line);
        let mean = posterior
            .map_or(String::new(), |one| known(one.summary.mean, one.summary.standard_error));
        let sd = posterior.and_then(|one| one.posterior_sd);
        let sd = sd.map_or("unknown".to_owned(), |sd| significant(sd, 3));
        let name = cut(&first.parameters[line].name, NAME);
        write!(text, "{name:<wide$} {mean:>11} {sd:>9}").expect("a string takes all");
        for (at, one) in all.iter().enumerate() {
            let error = one.parameters[line].error.map_or(String::new(), |error| off(&error));
            write!(text, " {error:>ERROR$}").expect("a string takes all");
            if ratio(at) {
                let own = one.parameters[line].sd_ratio;
                let own = own.map_or(String::new(), |ratio| format!("{:.3}", ratio.value));
                write!(text, " {own:>6}").expect("a string takes all");
            }
        }
        text.push('\n');
    }
    if lines > MOST {
        writeln!(text, "… and {} more, in --json", lines - MOST).expect("a string takes all");
    }
    text.push('\n');
    for one in all {
        writeln!(text, "{}", sentence(one)).expect("a string takes all");
    }
    text
}

/// "the Laplace mean is 0.62 ± 0.01 posterior sds off for origin=EGE, the worst of 12".
fn sentence(certified: &Certified) -> String {
    let known = certified.parameters.iter().filter(|one| one.error.is_some()).count();
    let Some((worst, error)) = certified.worst().and_then(|one| Some((one, one.error?))) else {
        return format!("the {} means are certified for no parameter", certified.name);
    };
    let size = Certain { value: error.value.abs(), ..error };
    let ratios = certified.parameters.iter().filter_map(|one| one.sd_ratio);
    let farthest = ratios.max_by(|a, b| (a.value.ln().abs()).total_cmp(&b.value.ln().abs()));
    let ratio = farthest.map_or(String::new(), |ratio| {
        format!("; its sds are {} of the posterior ones at the farthest", apart(&ratio))
    });
    format!(
        "the {} mean is {} posterior sds off for {}, the worst of {known}{ratio}",
        certified.name,
        apart(&size),
        worst.name
    )
}

/// "0.62 ± 0.01", for a sentence.
fn apart(number: &Certain) -> String {
    off(number).trim_start_matches('+').replace('±', "± ")
}

/// "+0.62 ±0.01", the half-width rounded up.
fn off(error: &Certain) -> String {
    let half = error.interval.half_width();
    let decimals = if half < 0.01 { 3 } else { 2 };
    let unit = 10f64.powi(decimals);
    let decimals = decimals as usize;
    format!("{:+.decimals$} ±{:.decimals$}", error.value, (half * unit).ceil() / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unbiased_bayes::Interval;

    #[test]
    fn errors_are_short() {
        let of = |value: f64, half: f64| {
            let interval = Interval { low: value - half, high: value + half };
            off(&Certain { value, standard_error: half / 2.0, interval })
        };
        assert_eq!(of(0.6234, 0.011), "+0.62 ±0.02");
        assert_eq!(of(-0.6234, 0.0011), "-0.623 ±0.002");
        assert_eq!(of(0.0, 1e-9), "+0.000 ±0.001");
    }
}
