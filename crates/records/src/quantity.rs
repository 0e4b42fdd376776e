//! A number that an experiment reports, and how closely it must be reproduced.

/// A named number.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Quantity {
    /// Its name, unique in the record.
    pub name: String,
    /// Its value; always finite.
    pub value: f64,
    /// Its standard error, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// How it is compared.
    pub policy: Policy,
}

/// When a fresh number counts as the stored one.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// The same bits on the same platform; on another, within one part in 10⁹, because the
    /// platform's own logarithms and cosines may differ in their last digit.
    Exact,
    /// The same bits on the same platform; on another, within a factor of two: spreads and costs of
    /// chains, which diverge after a difference in the last digit.
    Rough,
    /// The same bits on the same platform; on another, |old − new| below four joint standard errors:
    /// a false alarm once in sixteen thousand.
    StandardErrors,
    /// Within this relative tolerance on any platform.
    Relative(f64),
}

/// What [`Policy::Exact`] allows between platforms.
pub(crate) const ACROSS_PLATFORMS: f64 = 1e-9;

impl Quantity {
    /// A number that must be reproduced exactly.
    pub fn exact(name: &str, value: f64) -> Quantity {
        Quantity { name: name.to_owned(), value, error: None, policy: Policy::Exact }
    }

    /// A number with its standard error.
    pub fn estimate(name: &str, value: f64, error: f64) -> Quantity {
        Quantity {
            name: name.to_owned(),
            value,
            error: Some(error),
            policy: Policy::StandardErrors,
        }
    }

    /// A number without a standard error that depends on random draws.
    pub fn rough(name: &str, value: f64) -> Quantity {
        Quantity { name: name.to_owned(), value, error: None, policy: Policy::Rough }
    }

    /// The same under another policy.
    #[must_use]
    pub fn under(self, policy: Policy) -> Quantity {
        Quantity { policy, ..self }
    }
}
