//! A number that an experiment stands for, and how closely it must come out again.

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
    /// Within this relative tolerance.
    Relative(f64),
    /// |old − new| below four joint standard errors: a false alarm once in sixteen thousand.
    StandardErrors,
}

/// What [`Policy::Exact`] allows between platforms.
pub(crate) const ACROSS_PLATFORMS: f64 = 1e-9;

impl Quantity {
    /// A number that must come out the same.
    pub fn exact(name: &str, value: f64) -> Quantity {
        Quantity { name: name.to_owned(), value, error: None, policy: Policy::Exact }
    }

    /// A number with its standard error; with the same seed it must come out the same, too.
    pub fn estimate(name: &str, value: f64, error: f64) -> Quantity {
        Quantity { name: name.to_owned(), value, error: Some(error), policy: Policy::Exact }
    }

    /// The same under another policy.
    #[must_use]
    pub fn under(self, policy: Policy) -> Quantity {
        Quantity { policy, ..self }
    }
}
