//! What an answer would cost, from a trial alone.

use crate::{Method, Target};
use debias::Ledger;

/// What one error target would take.
///
/// ```
/// use unbiased_bayes::{Method, Prediction, Target};
///
/// let target = Target::PosteriorSds(0.1);
/// let one = Prediction { target, error: 0.02, replicates: 40, evaluations: 1e8, nuts: Some(1e10) };
/// assert!(one.debiasing_pays());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Prediction {
    /// The target.
    pub target: Target,
    /// The standard error it asks of the functional that needs most.
    pub error: f64,
    /// Replicates of the debiased path.
    pub replicates: usize,
    /// Likelihood evaluations of the debiased path, set-up included.
    pub evaluations: f64,
    /// Likelihood evaluations of NUTS on all rows, or of a closed form, where they can be told.
    pub nuts: Option<f64>,
}

impl Prediction {
    /// Whether the debiased path takes less work than NUTS on all rows.
    pub fn debiasing_pays(&self) -> bool {
        self.nuts.is_none_or(|nuts| self.evaluations < nuts)
    }
}

/// What a trial says.
#[derive(Clone, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The debiased method that the trial ran.
    pub method: Method,
    /// N.
    pub rows: usize,
    /// Rows that differ from each other.
    pub distinct_rows: usize,
    /// Rows that each level samples, on average.
    pub levels: Vec<f64>,
    /// Work of set-up and trial.
    pub spent: Ledger,
    /// Expected evaluations per replicate.
    pub cost: f64,
    /// One for each target.
    pub predictions: Vec<Prediction>,
    /// Sentences for people.
    pub remarks: Vec<String>,
}

impl Plan {
    /// One sentence on what to do.
    pub fn recommendation(&self) -> String {
        let pays = self.predictions.iter().filter(|one| one.debiasing_pays()).count();
        if 2 * pays >= self.predictions.len().max(1) {
            format!("the {} path takes the least work", self.method.name())
        } else {
            "NUTS on all rows takes the least work, and --method auto runs it".to_owned()
        }
    }
}
