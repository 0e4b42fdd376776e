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
    /// All that could stand in the way.
    pub const ALL: [Caveat; 6] = [
        Caveat::FiniteChain,
        Caveat::SelfNormalisedWeights,
        Caveat::LastLevelDropped,
        Caveat::WithReplacement,
        Caveat::StoppedOnError,
        Caveat::PilotReused,
    ];

    /// What holds where this does not stand in the way.
    pub fn opposite(self) -> &'static str {
        match self {
            Caveat::FiniteChain => "level estimates do not depend on how a chain was initialised",
            Caveat::SelfNormalisedWeights => {
                "no level estimate is a ratio of estimates (self-normalised weights)"
            }
            Caveat::LastLevelDropped => {
                "the last level is all the data, and every level can be drawn"
            }
            Caveat::WithReplacement => "rows were drawn without replacement",
            Caveat::StoppedOnError => {
                "the number of replicates was fixed before any of them was run"
            }
            Caveat::PilotReused => "all tuning used draws that were thrown away",
        }
    }

    /// One sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Caveat::FiniteChain => "level estimates come from finite chains, whose bias stays",
            Caveat::SelfNormalisedWeights => {
                "self-normalised weights add a bias of order 1 / effective sample size"
            }
            Caveat::LastLevelDropped => "the last level is not all the data",
            Caveat::WithReplacement => "rows were drawn with replacement",
            Caveat::StoppedOnError => "the length of the run was chosen from its own draws",
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

    /// What holds, in sentences for people.
    pub fn kept(&self) -> Vec<&'static str> {
        let kept = Caveat::ALL.into_iter().filter(|caveat| !self.caveats.contains(caveat));
        kept.map(Caveat::opposite).collect()
    }

    /// Whether E Z is exactly the full posterior's expectation.
    pub fn unbiased(&self) -> bool {
        self.caveats.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caveat_stands_on_one_side_only() {
        let guarantees = Guarantees { caveats: vec![Caveat::FiniteChain, Caveat::StoppedOnError] };
        assert_eq!(guarantees.kept().len() + guarantees.caveats.len(), Caveat::ALL.len());
        assert!(!guarantees.kept().contains(&Caveat::FiniteChain.opposite()));
        assert!(guarantees.kept().contains(&Caveat::WithReplacement.opposite()));
        assert_eq!(Guarantees::default().kept().len(), Caveat::ALL.len());
    }
}
