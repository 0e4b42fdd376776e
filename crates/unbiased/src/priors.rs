//! Priors of a regression, in the user's units.
//!
//! The default is weakly informative on the standardised scale: 2.5 units of the target per unit of
//! the column, where a column's unit is its range if it holds two values only, else its standard
//! deviation, and the target's unit is its standard deviation where the predictor is in units of the
//! target, and one for the others. The bias has a wide prior of its own, which covers what far-off
//! columns make of it:
//!
//! ```text
//! weight_j ~ normal(0, 2.5 u / s_j)        bias ~ normal(0, u √(10² + 2.5² Σ_j (m_j / s_j)²))
//! ```

use crate::arguments::Common;
use crate::coding::listed;
use crate::exit;
use crate::nearest::nearest;
use crate::source::Source;
use std::ops::Range;
use std::str::FromStr;
use unbiased_bayes::{Prior, Priors, SdPrior};

/// Standard deviations of weights, and of the bias where all columns are about zero.
const WEIGHT: f64 = 2.5;
const BIAS: f64 = 10.0;
const HELP: &str = "write flat, normal(0, 2.5), student(3, 0, 2.5), laplace(0, 1), or short \
                    normal:2.5, student:3:2.5, laplace:1, of one term as in \"C(city) ~ normal(0, 1)\"";

/// A law around a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    pub prior: Prior,
    pub centre: f64,
    /// Whether it is written for the logarithm of a positive number.
    pub of_logarithm: bool,
}

/// A prior on the command line, of all weights or of those of one term.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorArgument {
    pub term: Option<String>,
    pub law: Law,
}

/// The dispersion of a family, whose logarithm is the last parameter.
#[derive(Clone, Copy)]
pub struct Dispersion {
    pub name: &'static str,
    /// The prior of the logarithm.
    pub law: Law,
}

/// The prior of every parameter, and one sentence on them.
pub struct Chosen {
    pub priors: Priors,
    /// The effects of groups, and the priors of their standard deviations.
    pub groups: Vec<(Range<usize>, SdPrior)>,
    pub sentence: String,
}

impl From<Prior> for Law {
    fn from(prior: Prior) -> Law {
        Law { prior, centre: 0.0, of_logarithm: false }
    }
}

impl FromStr for PriorArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<PriorArgument, String> {
        let (term, law) = match text.rsplit_once('~') {
            Some((term, law)) => (Some(plain(term)), law),
            None => (None, text),
        };
        let help = || format!("\"{text}\" is no prior: {HELP}");
        let law = read(law.trim()).ok_or_else(help)?;
        if matches!(law.prior, Prior::Laplace { .. }) && law.centre != 0.0 {
            return Err(format!(
                "\"{text}\": a Laplace prior has its kink at zero; a normal or student prior may have \
                 another centre"
            ));
        }
        Ok(PriorArgument { term, law })
    }
}

/// A law as it is written, short or long; nothing if it is none.
fn read(text: &str) -> Option<Law> {
    let (name, inside) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.strip_suffix(')')?)),
        None => (text, None),
    };
    let numbers = |list: &str, sign: char| -> Option<Vec<f64>> {
        let all = list.split(sign).map(str::trim).filter(|word| !word.is_empty());
        all.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect()
    };
    let (name, numbers) = match inside {
        Some(inside) => (name, numbers(inside, ',')?),
        // Short: centres are zero and left out.
        None => {
            let (name, rest) = name.split_once(':').unwrap_or((name, ""));
            let mut numbers = numbers(rest, ':')?;
            match (name, numbers.len()) {
                ("student", 2) => numbers.insert(1, 0.0),
                ("normal" | "gaussian" | "laplace", 0) => numbers = vec![0.0, 1.0],
                ("normal" | "gaussian" | "laplace", 1) => numbers.insert(0, 0.0),
                _ => {}
            }
            (name, numbers)
        }
    };
    let of_logarithm = name == "lognormal";
    let (prior, centre) = match (name, &numbers[..]) {
        ("flat", []) => (Prior::Flat, 0.0),
        ("normal" | "gaussian" | "lognormal", &[centre, standard_deviation]) => {
            (Prior::Gaussian { standard_deviation }, centre)
        }
        ("laplace", &[centre, scale]) => (Prior::Laplace { scale }, centre),
        ("student", &[degrees, centre, scale]) => (Prior::Student { degrees, scale }, centre),
        _ => return None,
    };
    Some(Law { prior: prior.checked().ok()?, centre, of_logarithm })
}

/// A term without blanks, and without the C() that categories may have.
fn plain(term: &str) -> String {
    let term: String = term.chars().filter(|c| !c.is_whitespace() && *c != '`').collect();
    match term.strip_prefix("C(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => inside.to_owned(),
        None => term,
    }
}

/// For every covariate the name of its term.
fn terms(source: &Source) -> Vec<String> {
    let Some(coding) = &source.coding else { return source.names.clone() };
    let mut terms = Vec::new();
    for column in &coding.columns {
        let alone = data::Coding { columns: vec![column.clone()], ..coding.clone() };
        // All powers of poly(x, 2) are one term.
        let name = plain(&column.name);
        let powers = name.strip_prefix("poly(").and_then(|rest| rest.rsplit_once(')'));
        let name = powers.map_or(name.clone(), |(inside, _)| format!("poly({inside})"));
        terms.extend(std::iter::repeat_n(name, alone.width()));
    }
    terms
}

impl Chosen {
    /// As asked for, or the default; `unit` and `offset` are those of the target.
    pub fn new(
        common: &Common,
        source: &Source,
        unit: f64,
        offset: f64,
        dispersion: Option<Dispersion>,
    ) -> anyhow::Result<Chosen> {
        let columns = &source.columns;
        let width = source.names.len();
        let default = |j: usize| {
            Law::from(Prior::Gaussian { standard_deviation: WEIGHT * unit / columns.scale(j) })
        };
        let all = common.prior.iter().filter(|one| one.term.is_none());
        let all = all.map(|one| one.law).next_back();
        let mut laws: Vec<Law> = (0..width).map(|j| all.unwrap_or_else(|| default(j))).collect();
        let effects = source.effects();
        let is_effect = |j: usize| effects.iter().any(|(range, _)| range.contains(&j));
        let far: f64 = (0..width)
            .filter(|&j| !is_effect(j))
            .map(|j| (columns.moments[j].mean / columns.scale(j)).powi(2))
            .sum();
        let mut groups: Vec<(Range<usize>, SdPrior)> = Vec::new();
        for (range, _) in &effects {
            // Effects have their own law, and all of a group multiply one column.
            laws[range.clone()].fill(Prior::Flat.into());
            let scale = WEIGHT * unit / columns.scale_of_sum(range.clone());
            groups.push((range.clone(), SdPrior::HalfStudent { degrees: 3.0, scale }));
        }
        let wide = (BIAS * unit).hypot(WEIGHT * unit * far.sqrt()).hypot(WEIGHT * offset);
        let bias = common.prior_intercept.as_ref().map(|one| one.law).or(all);
        laws.push(bias.unwrap_or(Prior::Gaussian { standard_deviation: wide }.into()));
        laws.extend(dispersion.map(|dispersion| dispersion.law));
        let mut of_terms = Vec::new();
        let terms = terms(source);
        for PriorArgument { term, law } in &common.prior {
            let Some(term) = term else { continue };
            of_terms.push(format!("{term} ~ {}", describe(*law)));
            if let Some(dispersion) = dispersion.filter(|dispersion| dispersion.name == term) {
                laws[width + 1] = of_dispersion(&dispersion, *law)?;
                continue;
            }
            if let Some(k) = effects.iter().position(|(_, name)| plain(name) == *term) {
                groups[k].1 = of_sd(&effects[k].1, *law)?;
                continue;
            }
            let is_meant = |j: &usize| terms[*j] == *term || plain(&source.names[*j]) == *term;
            let mut meant: Vec<usize> = (0..width).filter(is_meant).collect();
            if ["bias", "intercept", "Intercept", "1"].contains(&term.as_str()) {
                meant.push(width);
            }
            if meant.is_empty() {
                return Err(unknown(term, &terms, dispersion, &effects));
            }
            meant.into_iter().for_each(|j| laws[j] = *law);
        }
        if let Some(law) = laws[..=width].iter().find(|law| law.of_logarithm) {
            return Err(exit::usage(format!(
                "{} is a law of positive numbers, and weights have either sign",
                describe(*law)
            )));
        }
        let weights = match all {
            Some(law) => describe(law),
            None => format!(
                "normal(0, {} / scale of the column) (the scale is the range of a column with two \
                 values, else its standard deviation)",
                if unit == 1.0 { "2.5".to_owned() } else { format!("{:.4}", WEIGHT * unit) }
            ),
        };
        let mut sentence = format!("weights ~ {weights}; bias ~ {}", describe(laws[width]));
        if let Some(Dispersion { name, .. }) = dispersion {
            sentence += &format!("; {name} ~ {}", describe(laws[width + 1]));
        }
        of_terms.iter().for_each(|one| sentence += &format!("; {one}"));
        let named =
            |name: &str| of_terms.iter().any(|one| one.starts_with(&format!("{} ~", plain(name))));
        for ((_, name), (_, law)) in
            effects.iter().zip(&groups).filter(|((_, name), _)| !named(name))
        {
            sentence += &format!("; {name} ~ {}", describe_sd(law));
        }
        let centres = laws.iter().map(|law| law.centre).collect();
        let laws = laws.iter().map(|law| law.prior).collect();
        Ok(Chosen { priors: Priors::each(laws).around(centres), groups, sentence })
    }
}

/// A law of the dispersion itself as one of its logarithm.
fn of_dispersion(dispersion: &Dispersion, law: Law) -> anyhow::Result<Law> {
    match law {
        Law { of_logarithm: true, .. } => Ok(law),
        Law { prior: Prior::Student { degrees, scale }, centre: 0.0, .. } => {
            Ok(Prior::HalfStudent { degrees, scale }.into())
        }
        _ => Err(exit::usage(format!(
            "{} is positive: its prior is student(DF, 0, SCALE), of which the positive half is taken, or \
             lognormal(MEAN, SD), and not {}",
            dispersion.name,
            describe(law)
        ))),
    }
}

/// A law of the standard deviation of effects.
fn of_sd(name: &str, law: Law) -> anyhow::Result<SdPrior> {
    match law {
        Law { prior: Prior::Student { degrees, scale }, centre: 0.0, .. } => {
            Ok(SdPrior::HalfStudent { degrees, scale })
        }
        Law {
            prior: Prior::Gaussian { standard_deviation: scale },
            centre: 0.0,
            of_logarithm: false,
        } => Ok(SdPrior::HalfNormal { scale }),
        _ => Err(exit::usage(format!(
            "{name} is positive: its prior is student(DF, 0, SCALE) or normal(0, SCALE), of which the \
             positive half is taken, and not {}",
            describe(law)
        ))),
    }
}

fn describe_sd(law: &SdPrior) -> String {
    match *law {
        SdPrior::HalfStudent { degrees, scale } => {
            format!("half student({degrees}, 0, {scale:.4})")
        }
        SdPrior::HalfNormal { scale } => format!("half normal(0, {scale:.4})"),
        SdPrior::Exponential { scale } => format!("exponential with mean {scale:.4}"),
    }
}

fn unknown(
    term: &str,
    terms: &[String],
    dispersion: Option<Dispersion>,
    effects: &[(Range<usize>, String)],
) -> anyhow::Error {
    let mut known = terms.to_vec();
    known.dedup();
    known.extend(effects.iter().map(|(_, name)| name.clone()));
    known.push("bias".to_owned());
    known.extend(dispersion.map(|dispersion| dispersion.name.to_owned()));
    let meant = nearest(term, &known).map_or(String::new(), |name| format!(", perhaps \"{name}\""));
    exit::usage(format!(
        "--prior: there is no term \"{term}\"{meant}; there are {}",
        listed(&known)
    ))
}

/// A law as it is written.
pub fn describe(law: Law) -> String {
    let short = |x: f64| {
        let text = format!("{x:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let centre = short(law.centre);
    match law.prior {
        Prior::Flat => "flat".to_owned(),
        Prior::Gaussian { standard_deviation } if law.of_logarithm => {
            format!("lognormal({centre}, {})", short(standard_deviation))
        }
        Prior::Gaussian { standard_deviation } => {
            format!("normal({centre}, {standard_deviation:.4})")
        }
        Prior::Laplace { scale } => format!("laplace({centre}, {scale:.4})"),
        Prior::Student { degrees, scale } => {
            format!("student({}, {centre}, {scale:.4})", short(degrees))
        }
        Prior::HalfStudent { degrees, scale } => {
            format!("half student({}, 0, {scale:.4})", short(degrees))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_read_or_refused() {
        let law = |text: &str| text.parse::<PriorArgument>().unwrap();
        let half = Prior::Laplace { scale: 0.5 };
        for text in ["laplace:0.5", "laplace(0, 0.5)", " laplace( 0,0.5 ) "] {
            assert_eq!(law(text), PriorArgument { term: None, law: half.into() });
        }
        assert_eq!(law("flat").law, Prior::Flat.into());
        let student = Prior::Student { degrees: 3.0, scale: 2.5 };
        assert_eq!(law("student:3:2.5").law, student.into());
        assert_eq!(law("student(3, -1, 2.5)").law, Law { centre: -1.0, ..student.into() });
        let of_term = law("C(origin) ~ normal(1, 2)");
        assert_eq!((of_term.term.as_deref(), of_term.law.centre), (Some("origin"), 1.0));
        assert_eq!(law("a : b ~ flat").term.as_deref(), Some("a:b"));
        for wrong in [
            "laplace:0",
            "gaussian:-1",
            "cauchy:1",
            "gaussian:x",
            "normal(1)",
            "student(3, 0)",
            "x ~",
        ] {
            let error = wrong.parse::<PriorArgument>().unwrap_err();
            assert!(error.contains("laplace:1"), "{wrong}");
        }
        assert!("laplace(1, 1)".parse::<PriorArgument>().unwrap_err().contains("kink"));
    }
}
