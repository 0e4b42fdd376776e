//! `--target-se 0.01` and `--target-se 0.1sd`.

use std::str::FromStr;
use unbiased_bayes::Target;

/// A target on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetArgument(pub Target);

impl FromStr for TargetArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<TargetArgument, String> {
        let (number, in_sds) = match text.strip_suffix("sd") {
            Some(number) => (number, true),
            None => (text, false),
        };
        let value = number.parse().ok().filter(|value: &f64| *value > 0.0 && value.is_finite());
        let value = value.ok_or_else(|| {
            format!("\"{text}\" is no error: write 0.01, or 0.1sd for a tenth of a posterior sd")
        })?;
        let target = if in_sds { Target::PosteriorSds(value) } else { Target::Absolute(value) };
        Ok(TargetArgument(target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_units() {
        assert_eq!("0.01".parse(), Ok(TargetArgument(Target::Absolute(0.01))));
        assert_eq!("0.1sd".parse(), Ok(TargetArgument(Target::PosteriorSds(0.1))));
        for wrong in ["0", "-1", "sd", "NaN", "inf", "small"] {
            assert!(wrong.parse::<TargetArgument>().is_err(), "{wrong}");
        }
    }
}
