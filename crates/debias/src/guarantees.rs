//! What has to hold for an estimate to be unbiased for the full posterior's expectation, and
//! whether it does.

/// A reason why E Z is not exactly the expectation that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// φ_t comes from a finite chain, whose own bias stays.
    FiniteChain,
    /// φ_t comes from self-normalised weights, with a bias of order one over their effective number.
    SelfNormalisedWeights,
    /// The last level is not all the data (streams end at N_max).
    LastLevelDropped,
    /// Rows were drawn with replacement.
    WithReplacement,
    /// The run stopped when its own error looked small.
    StoppedOnError,
    /// The law was tuned on replicates that also enter the estimate.
    PilotReused,
}

impl Caveat {
    /// One sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Caveat::FiniteChain => "level estimates come from finite chains, whose bias stays",
            Caveat::SelfNormalisedWeights => {
                "self-normalised weights add a bias of order 1 / effective sample size"
            }
            Caveat::LastLevelDropped => "the last level is not all the data",
            Caveat::WithReplacement => "rows were drawn with replacement",
            Caveat::StoppedOnError => "the run stopped when its error looked small",
            Caveat::PilotReused => "pilot replicates entered the estimate",
        }
    }
}

/// The caveats of an estimate; none means that it is exactly unbiased.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Guarantees {
    /// Everything that stands in the way.
    pub caveats: Vec<Caveat>,
}

impl Guarantees {
    /// One sentence for people.
    pub fn sentence(&self) -> String {
        if self.unbiased() {
            return "exactly unbiased".to_owned();
        }
        let reasons: Vec<&str> = self.caveats.iter().map(|caveat| caveat.sentence()).collect();
        format!("not exactly unbiased: {}", reasons.join(", "))
    }

    /// Whether E Z is exactly the full posterior's expectation.
    pub fn unbiased(&self) -> bool {
        self.caveats.is_empty()
    }
}
