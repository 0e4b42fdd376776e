//! `--degrees 4` and `--degrees unknown`.

use std::fmt;
use std::str::FromStr;

/// The degrees of freedom of Student-t noise on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Degrees {
    /// So many.
    Known(f64),
    /// A parameter of the posterior.
    Unknown,
}

impl FromStr for Degrees {
    type Err = String;

    fn from_str(text: &str) -> Result<Degrees, String> {
        if text == "unknown" {
            return Ok(Degrees::Unknown);
        }
        match text.parse() {
            Ok(degrees) if degrees > 0.0 && f64::is_finite(degrees) => Ok(Degrees::Known(degrees)),
            _ => Err(format!("\"{text}\" is neither a positive number nor unknown")),
        }
    }
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Degrees::Known(degrees) => write!(f, "{degrees}"),
            Degrees::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_unknown() {
        assert_eq!("3.5".parse(), Ok(Degrees::Known(3.5)));
        assert_eq!("unknown".parse(), Ok(Degrees::Unknown));
        for wrong in ["0", "-1", "inf", "NaN", "many", ""] {
            assert!(wrong.parse::<Degrees>().is_err(), "{wrong}");
        }
        let shown = [Degrees::Known(4.0), Degrees::Unknown].map(|one| one.to_string());
        assert_eq!(shown, ["4", "unknown"]);
    }
}
